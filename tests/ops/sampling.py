"""Samples of every op, and the machinery that the generic tests run them with.

A family's samples are in `samples/<family>.py`:

    SAMPLES = {"Exp": [Sample(ag_exp, [uniform((2, 3))])], ...}

The key is the op's name in the registry; `fn` calls the public function on tensors made of `args`.
"""

from __future__ import annotations

import importlib
import operator
import pathlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from runtime import context
from runtime.convert import convert_to_tensor
from runtime.ops.lists import add_lists
from runtime.ops.registry import NO_GRADIENT
from runtime.tensor import EagerTensor, Tensor

SAMPLES_DIR = pathlib.Path(__file__).parent / "samples"


@dataclass
class Sample:
    """One call of a public function.

    Attributes:
      fn: takes tensors, gives a tensor or a structure of them.
      args: their values.
      grad: whether to compare gradients with central differences.
      second: whether to compare second derivatives too.
      known: whether known shapes of the arguments make those of the results known.
      unknown: whether `fn` works when shapes are not known while tracing.
      traced_gradient: whether the gradient can be traced when shapes are not known.
      random: whether results differ from call to call.
      tolerance: relative, of first derivatives; second derivatives get ten times that.
    """

    fn: Callable[..., Any]
    args: Sequence[Any]
    grad: bool = True
    second: bool = True
    known: bool = True
    unknown: bool = True
    traced_gradient: bool = True
    random: bool = False
    tolerance: float = 1e-6
    name: str = field(default="")


_rng = np.random.default_rng(20)


def uniform(shape: Any, low: float = -1.0, high: float = 1.0, dtype: Any = np.float64) -> Any:
    """Fixed pseudo-random numbers for samples."""
    dtype = np.dtype(dtype)
    made = _rng.uniform(low, high, shape)
    if dtype.kind == "c":
        made = made + 1j * _rng.uniform(low, high, shape)
    return np.asarray(made, dtype)


def all_samples() -> list[tuple[str, int, Sample]]:
    """Every sample of every family: (op name, number, sample)."""
    found = []
    for path in sorted(SAMPLES_DIR.glob("[a-z]*.py")):
        module = importlib.import_module(f"tests.ops.samples.{path.stem}")
        for op_name, samples in module.SAMPLES.items():
            found += [(op_name, i, sample) for i, sample in enumerate(samples)]
    return found


def import_all_ops() -> None:
    """Imports every module that defines ops, so that the registry is complete."""
    import runtime.ops

    for path in sorted(pathlib.Path(runtime.ops.__path__[0]).glob("[a-z]*.py")):
        importlib.import_module(f"runtime.ops.{path.stem}")


def flat(value: Any) -> list[Any]:
    """The tensors of a nested structure in order."""
    if isinstance(value, dict):
        return [t for key in sorted(value) for t in flat(value[key])]
    if isinstance(value, list | tuple):
        return [t for item in value for t in flat(item)]
    return [] if value is None else [value]


# ---- gradients without a tape: the records of operations, swept backwards


class Recorder:
    """Collects the operations that run while it listens."""

    def __init__(self) -> None:
        self.ops: list[Any] = []

    def record(self, op: Any) -> None:
        self.ops.append(op)

    def __enter__(self) -> Recorder:
        context.enter_busy()
        context.thread.recorders = (*context.thread.recorders, self)
        return self

    def __exit__(self, *exc: object) -> None:
        context.thread.recorders = tuple(r for r in context.thread.recorders if r is not self)
        context.leave_busy()


def sweep(
    ops: Sequence[Any], targets: Sequence[Tensor], seeds: Sequence[Any], sources: Sequence[Tensor]
) -> list[Tensor | None]:
    """The gradients of `targets`, weighted with `seeds`, with respect to `sources`."""
    grads: dict[int, Tensor] = {}
    for target, seed in zip(targets, seeds, strict=True):
        grads[id(target)] = grads[id(target)] + seed if id(target) in grads else seed
    for op in reversed(list(ops)):
        given = [grads.get(id(t)) for t in op.outputs]
        if all(g is None for g in given) or op.opdef.gradient == NO_GRADIENT:
            continue
        made = op.opdef.gradient(op, *given)
        assert len(made) == len(op.inputs), op.opdef
        for tensor, grad in zip(op.inputs, made, strict=True):
            if grad is not None:
                assert grad.dtype == tensor.dtype, (op.opdef, grad.dtype, tensor.dtype)
                assert grad.shape.is_compatible_with(tensor.shape), op.opdef
                before = grads.get(id(tensor))
                if before is not None:
                    add = add_lists if grad.dtype.kind == "V" else operator.add
                    grad = add(before, grad)
                grads[id(tensor)] = grad
    return [grads.get(id(t)) for t in sources]


def weights_for(outputs: Sequence[Any]) -> list[Any]:
    """Fixed weights by which outputs are summed to one number."""
    rng = np.random.default_rng(7)
    made = []
    for value in outputs:
        w = rng.uniform(0.5, 1.5, value.shape)
        if value.dtype.kind == "c":
            w = w + 1j * rng.uniform(0.5, 1.5, value.shape)
        made.append(np.asarray(w, value.dtype))
    return made


def differentiable(value: Any) -> bool:
    return np.asarray(value).dtype.kind in "fc"


def first_order(sample: Sample, args: Sequence[Any]) -> tuple[float, list[Any]]:
    """The weighted sum of the outputs and its gradients, by the ops' own gradients."""
    tensors = [convert_to_tensor(a) for a in args]
    with Recorder() as recorder:
        outputs = [t for t in flat(sample.fn(*tensors)) if t.dtype.is_differentiable]
    weights = weights_for([t._value for t in outputs])
    total = weighted(outputs, weights)
    seeds = [EagerTensor(w) for w in weights]
    found = sweep(recorder.ops, outputs, seeds, tensors)
    return total, [
        None if not differentiable(a) else np.zeros_like(a) if g is None else np.array(g._value)
        for a, g in zip(args, found, strict=True)
    ]


def weighted(outputs: Sequence[Any], weights: Sequence[Any]) -> float:
    return float(
        sum(np.sum(np.conj(w) * t._value).real for t, w in zip(outputs, weights, strict=True))
    )


def value_of(sample: Sample, args: Sequence[Any]) -> float:
    outputs = flat(sample.fn(*[convert_to_tensor(a) for a in args]))
    outputs = [t for t in outputs if t.dtype.is_differentiable]
    return weighted(outputs, weights_for([t._value for t in outputs]))


def second_order(sample: Sample, args: Sequence[Any]) -> tuple[float, list[Any]]:
    """The same for the weighted sum of the gradients."""
    tensors = [convert_to_tensor(a) for a in args]
    with Recorder() as outer:
        with Recorder() as inner:
            outputs = [t for t in flat(sample.fn(*tensors)) if t.dtype.is_differentiable]
        seeds = [EagerTensor(w) for w in weights_for([t._value for t in outputs])]
        firsts = [g for g in sweep(inner.ops, outputs, seeds, tensors) if g is not None]
    weights = weights_for([g._value for g in firsts])
    total = weighted(firsts, weights)
    found = sweep(outer.ops, firsts, [EagerTensor(w) for w in weights], tensors)
    return total, [
        None if not differentiable(a) else np.zeros_like(a) if g is None else np.array(g._value)
        for a, g in zip(args, found, strict=True)
    ]


def central_differences(
    function: Callable[[Sequence[Any]], float], args: Sequence[Any], step: float = 1e-5
) -> list[Any]:
    """The gradient of `function(args)` by differences: d/dRe + 1j * d/dIm for complex arguments."""
    made: list[Any] = []
    for number, arg in enumerate(args):
        if not differentiable(arg):
            made.append(None)
            continue
        grad = np.zeros_like(arg)
        for place in np.ndindex(np.shape(arg)):
            for direction in (1.0, 1j) if np.iscomplexobj(arg) else (1.0,):
                ends = []
                for sign in (1, -1):
                    moved = [np.array(a) for a in args]
                    moved[number][place] += sign * step * direction
                    ends.append(function(moved))
                grad[place] += direction * (ends[0] - ends[1]) / (2 * step)
        made.append(grad)
    return made
