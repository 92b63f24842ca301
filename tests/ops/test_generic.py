"""What every op must keep, tested over the samples of every op."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.executor.plan import Plan
from runtime.graph import FunctionGraph
from runtime.ops.registry import NO_GRADIENT, REGISTRY
from runtime.shapes import TensorShape
from tests.ops.sampling import (
    Sample,
    all_samples,
    central_differences,
    first_order,
    flat,
    import_all_ops,
    second_order,
    sweep,
    value_of,
    weights_for,
)

import_all_ops()
SAMPLES = all_samples()
IDS = [f"{name}-{number}" for name, number, _ in SAMPLES]
every_sample = pytest.mark.parametrize(("op_name", "number", "sample"), SAMPLES, ids=IDS)


def machinery() -> set[str]:
    """Ops that are defined beside the machinery of graphs, not among the ops; tested there."""
    return {n for n, op in REGISTRY.items() if op.infer.__module__.split(".")[1] != "ops"}


def traced(sample: Sample, shapes: list[TensorShape]) -> tuple[FunctionGraph, Any]:
    """The graph of a sample for arguments of these shapes."""
    graph = FunctionGraph("sample", None)
    with graph.as_default():
        places = []
        for value, shape in zip(sample.args, shapes, strict=True):
            place = graph.placeholder(dtypes.from_numpy(np.asarray(value).dtype), shape)
            graph.inputs.append(place)
            places.append(place)
        made = sample.fn(*places)
        graph.outputs = flat(made)
    return graph, made


def run_graph(graph: FunctionGraph, args: Any) -> list[Any]:
    """The values of a graph's outputs, one kernel after the other."""
    values: dict[int, Any] = {}
    given = [convert_to_tensor(a)._value for a in args]
    given += [outside._value for outside, _ in graph.captures]
    for place, value in zip(graph.inputs, given, strict=True):
        values[id(place)] = value
    for op in graph.operations:
        if op.type == "Placeholder":
            continue
        inputs = [values[id(t)] for t in op.inputs]
        opdef = op.opdef
        kernel = None
        if opdef.specialise is not None:
            kernel = opdef.specialise(op.attrs, op.inputs)
        before = [v.copy() if type(v) is np.ndarray else None for v in inputs]
        with np.errstate(all="ignore"):
            made = opdef.kernel(*inputs, **op.attrs) if kernel is None else kernel(*inputs)
        several = made if type(made) in (tuple, list) else [made]
        check_memory(op, inputs, before, several)
        for out, value in zip(op.outputs, several, strict=True):
            assert value.dtype == out.dtype.np_dtype, (op, value.dtype, out.dtype)
            assert out.shape.is_compatible_with(value.shape), (op, out.shape, value.shape)
            values[id(out)] = value
    return [values[id(t)] for t in graph.outputs]


def check_memory(op: Any, inputs: list[Any], before: list[Any], made: Any) -> None:
    """A kernel leaves its inputs alone, and gives their memory away only where the op says so."""
    for number, (value, copy) in enumerate(zip(inputs, before, strict=True)):
        if copy is None:
            continue
        np.testing.assert_array_equal(value, copy, err_msg=f"{op.type} wrote to an input")
        if op.opdef.aliases != number and not op.opdef.stateful:
            for out in made:
                shared = type(out) is np.ndarray and np.shares_memory(out, value)
                assert not shared, f"{op.type} gives memory of input {number} away"


def run_plan(graph: FunctionGraph, args: Any) -> list[Any]:
    """The values of a graph's outputs as its plan computes them."""
    given = [convert_to_tensor(a)._value for a in args]
    given += [outside._value for outside, _ in graph.captures]
    return list(Plan(graph, "sample").run(*given))


def full_shapes(sample: Sample) -> list[TensorShape]:
    return [TensorShape(np.shape(a)) for a in sample.args]


def eager(sample: Sample) -> list[Any]:
    return [t._value for t in flat(sample.fn(*[convert_to_tensor(a) for a in sample.args]))]


@every_sample
def test_eager_and_graph_agree(op_name: str, number: int, sample: Sample) -> None:
    expected = eager(sample)
    graph, _ = traced(sample, full_shapes(sample))
    found = run_graph(graph, sample.args)
    assert len(found) == len(expected)
    for symbolic, value, wanted in zip(graph.outputs, found, expected, strict=True):
        assert symbolic.dtype.np_dtype == wanted.dtype == value.dtype
        assert symbolic.shape.is_compatible_with(wanted.shape)
        if not sample.random:
            np.testing.assert_array_equal(value, wanted)
    graph, _ = traced(sample, full_shapes(sample))
    for value, wanted in zip(run_plan(graph, sample.args), expected, strict=True):
        assert value.dtype == wanted.dtype and np.shape(value) == np.shape(wanted)
        if not sample.random:
            np.testing.assert_array_equal(value, wanted)


@every_sample
def test_known_shapes_give_known_shapes(op_name: str, number: int, sample: Sample) -> None:
    if not sample.known:
        return
    graph, _ = traced(sample, full_shapes(sample))
    for symbolic in graph.outputs:
        assert symbolic.shape.is_fully_defined(), (symbolic, op_name)


@every_sample
def test_rules_hold_for_unknown_sizes(op_name: str, number: int, sample: Sample) -> None:
    if not sample.unknown:
        return
    expected = eager(sample)

    @SETTINGS
    @given(st.lists(st.integers(0, 2), min_size=12, max_size=12))
    def check(choices: list[int]) -> None:
        shapes = partly_known(full_shapes(sample), choices)
        graph, _ = traced(sample, shapes)
        found = run_graph(graph, sample.args)
        for symbolic, value, wanted in zip(graph.outputs, found, expected, strict=True):
            assert symbolic.dtype.np_dtype == wanted.dtype
            assert symbolic.shape.is_compatible_with(wanted.shape)
            if not sample.random:
                np.testing.assert_array_equal(value, wanted)

    check()


SETTINGS = settings(max_examples=4, deadline=None, database=None, derandomize=True)


def partly_known(shapes: list[TensorShape], choices: list[int]) -> list[TensorShape]:
    """Shapes with some sizes, or the rank, forgotten."""
    made = []
    for number, shape in enumerate(shapes):
        if choices[number] == 2:
            made.append(TensorShape(None))
        else:
            picks = choices[len(shapes) + number :]
            made.append(
                TensorShape([d if picks[i % len(picks)] else None for i, d in enumerate(shape)])
            )
    return made


@every_sample
def test_gradients_agree_with_differences(op_name: str, number: int, sample: Sample) -> None:
    if not sample.grad or not any(np.asarray(a).dtype.kind in "fc" for a in sample.args):
        return
    _, found = first_order(sample, sample.args)
    expected = central_differences(lambda args: value_of(sample, args), sample.args)
    _compare(found, expected, sample.tolerance)


@every_sample
def test_second_gradients_agree_with_differences(op_name: str, number: int, sample: Sample) -> None:
    if not (sample.grad and sample.second) or not any(
        np.asarray(a).dtype.kind in "fc" for a in sample.args
    ):
        return
    _, found = second_order(sample, sample.args)
    expected = central_differences(lambda args: second_order(sample, args)[0], sample.args)
    _compare(found, expected, sample.tolerance * 10)


@every_sample
@pytest.mark.parametrize("forget_rank", [False, True], ids=["sizes", "ranks"])
def test_gradients_hold_for_unknown_sizes(
    op_name: str, number: int, sample: Sample, forget_rank: bool
) -> None:
    if not (sample.grad and sample.unknown and sample.traced_gradient) or not any(
        np.asarray(a).dtype.kind in "fc" for a in sample.args
    ):
        return
    _, expected = first_order(sample, sample.args)
    forgotten = [TensorShape(None if forget_rank else (None,) * np.ndim(a)) for a in sample.args]
    graph, made = traced(sample, forgotten)
    outputs = [(i, t) for i, t in enumerate(graph.outputs) if t.dtype.is_differentiable]
    values = eager(sample)
    weights = weights_for([values[i] for i, _ in outputs])
    places = list(graph.inputs)
    with graph.as_default():
        seeds = [convert_to_tensor(w) for w in weights]
        grads = sweep(list(graph.operations), [t for _, t in outputs], seeds, places)
    wanted = [g for g in grads if g is not None]
    graph.outputs = wanted
    found = iter(run_graph(graph, sample.args))
    for grad, value in zip(grads, expected, strict=True):
        if grad is not None and value is not None:
            np.testing.assert_allclose(next(found), value, rtol=1e-9, atol=1e-9)
        elif grad is not None:
            next(found)
        else:
            assert value is None or not np.any(value)


def _compare(found: list[Any], expected: list[Any], tolerance: float) -> None:
    for f, e in zip(found, expected, strict=True):
        if e is not None:
            scale = max(1.0, float(np.max(np.abs(e), initial=0.0)))
            np.testing.assert_allclose(f, e, rtol=tolerance, atol=tolerance * scale)


def test_every_op_has_a_kernel_a_rule_and_a_gradient_decision() -> None:
    for name, op in REGISTRY.items():
        assert callable(op.kernel), f"{name} has no kernel"
        assert callable(op.infer), f"{name} has no shape and dtype rule"
        assert callable(op.gradient) or op.gradient == NO_GRADIENT, (
            f"{name} has no gradient: decorate one with @gradient, or pass gradient=NO_GRADIENT"
        )


def test_every_op_is_in_the_samples() -> None:
    sampled = {name for name, _, _ in SAMPLES}
    missing = sorted(set(REGISTRY) - sampled - machinery())
    assert not missing, f"ops without a sample in tests/ops/samples: {missing}"


@pytest.mark.parametrize("order", [1, 2])
def test_every_op_with_a_gradient_is_checked_against_differences(order: int) -> None:
    checked = {
        name
        for name, _, sample in SAMPLES
        if sample.grad
        and (sample.second or order == 1)
        and any(np.asarray(a).dtype.kind in "fc" for a in sample.args)
    }
    with_gradient = {n for n, op in REGISTRY.items() if callable(op.gradient)}
    missing = sorted(with_gradient - checked - machinery())
    assert not missing, f"ops whose gradient no sample checks: {missing}"


@every_sample
def test_working_in_place_gives_the_same(op_name: str, number: int, sample: Sample) -> None:
    graph, _ = traced(sample, full_shapes(sample))
    values: dict[int, Any] = {}
    places = [op.outputs[0] for op in graph.operations if op.type == "Placeholder"]
    given = [convert_to_tensor(a)._value for a in sample.args]
    given += [outside._value for outside, _ in graph.captures]
    values.update({id(p): v for p, v in zip(graph.inputs, given, strict=True)})
    assert len(places) == len(given)
    for op in graph.operations:
        if op.type == "Placeholder" or op.opdef.stateful:
            if op.opdef.stateful and op.type != "Placeholder":
                return
            continue
        inputs = [values[id(t)] for t in op.inputs]
        with np.errstate(all="ignore"):
            made = op.opdef.kernel(*inputs, **op.attrs)
            if op.opdef.inplace is not None and type(inputs[0]) is np.ndarray:
                written = op.opdef.inplace(np.array(inputs[0]), *inputs[1:], **op.attrs)
                np.testing.assert_array_equal(written, made)
        several = made if type(made) in (tuple, list) else [made]
        values.update({id(t): v for t, v in zip(op.outputs, several, strict=True)})
