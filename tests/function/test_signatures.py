"""What tells calls apart, and input signatures."""

import dataclasses
import enum
import gc
import types
import weakref
from collections import OrderedDict, namedtuple

import numpy as np
import pytest

import autograph_lite as ag

one = ag.constant(1)


class Color(enum.Enum):
    RED = 1
    BLUE = 2


Point = namedtuple("Point", "x y")


@dataclasses.dataclass
class Config:
    rate: object
    name: str = "a"


def traces_of(*calls):
    """For each call, (args, kwargs), the number of traces there are after it."""
    counts = []

    @ag.function
    def f(*args, **kwargs):
        return args, kwargs

    for args, kwargs in calls:
        f(*args, **kwargs)
        counts.append(f.experimental_get_tracing_count())
    return counts


def plain(*arguments):
    return [((argument,), {}) for argument in arguments]


@pytest.mark.parametrize(
    "same",
    [
        (ag.constant(1), ag.constant(2), np.array(3, np.int32), np.int32(4)),
        ([one, 2], [ag.constant(5), 2]),
        ({"a": one, "b": 2}, {"a": ag.constant(3), "b": 2}),
        (Point(one, 1), Point(ag.constant(9), 1)),
        (Config(one), Config(ag.constant(4))),
        (Color.RED, Color.RED),
        ("text", "te" + "xt"),
        (float("nan"), float("nan")),
        (range(3), range(3)),
        (slice(1, None), slice(1, None)),
        (ag.TensorShape([1, None]), ag.TensorShape([1, None])),
        (ag.float32, ag.float32),
        (len, len),
        (np.float32, np.float32),
    ],
    ids=str,
)
def test_alike(same):
    calls = plain(*same, *same, *same)
    assert traces_of(*calls) == [1] * len(calls)


@pytest.mark.parametrize(
    "different",
    [
        (ag.constant(1), ag.constant(1.0), ag.constant([1]), 1, True, 1.0, None, "1", b"1"),
        (0.0, -0.0, 0, False),
        ([one], (one,), [one, one], {"a": one}, {"b": one}, OrderedDict(a=one)),
        ({"a": one, "b": one}, {"b": one, "a": one}),
        (Point(one, 1), Point(one, 2), (one, 1)),
        (Config(one), Config(1), Config(one, "b")),
        (Color.RED, Color.BLUE, 1),
        (len, abs, sum),
        (types.SimpleNamespace(), types.SimpleNamespace()),
        (np.array([1.0]), np.array([1.0], np.float32), [1.0]),
    ],
    ids=str,
)
def test_different(different):
    calls = plain(*different, *different, *different)
    expected = [*range(1, len(different) + 1), *[len(different)] * (2 * len(different))]
    assert traces_of(*calls) == expected


def test_ways_of_writing_a_call():
    @ag.function
    def f(a, b=2, *rest, c=3, **others):
        return a

    f(one, 2), f(one, b=2), f(a=one), f(one, c=3), f(one, 2, c=3), f(c=3, a=one)
    assert f.experimental_get_tracing_count() == 1
    f(one, 2, 5), f(one, 2, 5)
    f(one, x=1, y=2), f(one, y=2, x=1)
    assert f.experimental_get_tracing_count() == 3


def test_results_are_those_of_the_call_for_every_way_of_writing_it():
    @ag.function
    def f(p, q=ag.constant(10), *, r=(1, ag.constant(2))):
        return p["x"] - q * r[0] + r[1]

    for _ in range(3):
        assert int(f({"x": one})) == -7
        assert int(f({"x": one}, ag.constant(5))) == -2
        assert int(f(q=ag.constant(5), p={"x": ag.constant(0)})) == -3
        assert int(f({"x": one}, r=(2, ag.constant(3)))) == -16


def test_arrays_may_be_written_to_after_the_call():
    @ag.function
    def f(x):
        return x

    for array in (np.ones(3), np.ones(3)):
        result = f(array)
        array[0] = 100.0
        assert result.numpy().tolist() == [1.0, 1.0, 1.0]


def test_objects_are_not_kept_alive():
    class Thing:
        pass

    @ag.function
    def f(x, thing):
        return x + 1, thing

    thing = Thing()
    f(one, thing), f(one, thing)
    seen = weakref.ref(thing)
    del thing
    gc.collect()
    assert seen() is None


SPEC = ag.TensorSpec([None, 2], ag.float32)


def test_an_input_signature_makes_one_trace():
    @ag.function(input_signature=[SPEC, ag.TensorSpec([], ag.int32)])
    def f(m, n):
        return m * ag.cast(n, ag.float32)

    for size in (1, 2, 3):
        assert f(ag.ones([size, 2]), size).numpy().tolist() == [[size, size]] * size
        assert f(np.ones([size, 2]), n=ag.constant(size)).shape == [size, 2]
        assert f([[1, 2]], 2).numpy().tolist() == [[2, 4]]
    assert f.experimental_get_tracing_count() == 1
    assert f.get_concrete_function().structured_input_signature[0][0] == SPEC


def test_nested_input_signatures():
    @ag.function(input_signature=[{"a": SPEC, "b": [ag.TensorSpec([], ag.int32)]}])
    def f(p):
        return p["a"] * 2.0, p["b"][0] + 1

    a, b = f({"b": [5], "a": ag.ones([1, 2])})
    assert a.numpy().tolist() == [[2.0, 2.0]] and int(b) == 6
    with pytest.raises(TypeError) as caught:
        f({"a": ag.ones([1, 3]), "b": [1.5]})
    text = str(caught.value)
    assert "test_signatures.py" in text
    lines = {line.split()[0]: line for line in text.splitlines()[1:]}
    assert "float32[None, 2]" in lines["p['a']"] and "float32[1, 3]" in lines["p['a']"]
    assert "int32[]" in lines["p['b'][0]"] and "1.5" in lines["p['b'][0]"]


@pytest.mark.parametrize(
    "args",
    [
        (),
        (ag.ones([2, 3]),),
        (ag.ones([2]),),
        (ag.constant([[1, 2]]),),
        ("text",),
        (None,),
        ({"a": ag.ones([1, 2])},),
        ([ag.ones([1, 2])],),
    ],
    ids=str,
)
def test_what_does_not_fit_a_signature(args):
    @ag.function(input_signature=[SPEC])
    def f(m=None):
        return m

    with pytest.raises(TypeError, match=r"test_signatures.py:\d+: the arguments of f do not fit"):
        f(*args)


def test_signatures_of_methods():
    class Model:
        @ag.function(input_signature=[SPEC])
        def f(self, m):
            return m + 1.0

    model = Model()
    assert model.f(ag.ones([3, 2])).shape == [3, 2]
    assert model.f(ag.ones([4, 2])).shape == [4, 2]
    assert model.f.experimental_get_tracing_count() == 1
    assert model.f.get_concrete_function() is not None
    with pytest.raises(TypeError, match="float32"):
        model.f(one)


def test_a_signature_that_is_none():
    with pytest.raises(TypeError, match="TensorSpec"):
        ag.function(lambda x: x, input_signature=SPEC)
    with pytest.raises(TypeError, match="TensorSpec"):
        ag.function(lambda x: x, input_signature=[ag.float32])


def test_a_general_concrete_function_serves_later_calls():
    @ag.function
    def f(x):
        return x * 2

    f.get_concrete_function(ag.TensorSpec([None], ag.float32))
    for size in (1, 2, 3):
        for _ in range(2):
            assert f(ag.ones([size])).shape == [size]
    assert f.experimental_get_tracing_count() == 1


def test_concrete_functions():
    @ag.function
    def f(x, n, flag=True):
        return {"y": x * n, "flag": flag, "n": [n]}

    concrete = f.get_concrete_function(ag.TensorSpec([2], ag.float32), 3)
    assert concrete.structured_input_signature == (
        (ag.TensorSpec([2], ag.float32), 3, True),
        {},
    )
    assert concrete.structured_outputs["y"] == ag.TensorSpec([2], ag.float32)
    assert concrete(ag.constant([1.0, 2.0]))["y"].numpy().tolist() == [3.0, 6.0]
    assert concrete(x=ag.constant([1.0, 2.0]))["y"].numpy().tolist() == [3.0, 6.0]
    assert concrete(ag.constant([1.0, 2.0]), 3, True)["y"].numpy().tolist() == [3.0, 6.0]
    assert concrete(ag.constant([1.0, 2.0]), n=3)["y"].numpy().tolist() == [3.0, 6.0]
    assert concrete.graph.get_operations()
    assert "f(x: float32[2], n=3, flag=True)" in repr(concrete)
    with pytest.raises(ValueError, match="'x'"):
        concrete(ag.constant([1.0]))
    with pytest.raises(TypeError, match="takes 1 tensors"):
        concrete()


def test_concrete_functions_of_structures_and_methods():
    class Model:
        @ag.function
        def f(self, p, mode, *, bias):
            return p["a"] * p["b"][0] + bias

    model = Model()
    spec = ag.TensorSpec([], ag.int32)
    concrete = model.f.get_concrete_function({"a": spec, "b": [spec]}, "mode", bias=spec)
    two, three = ag.constant(2), ag.constant(3)
    for args, kwargs in (
        (({"a": two, "b": [three]},), {"bias": one}),
        (({"b": [three], "a": two}, "mode"), {"bias": one}),
        ((), {"p": {"a": two, "b": [three]}, "mode": "mode", "bias": one}),
        ((two, three, one), {}),
    ):
        assert int(concrete(*args, **kwargs)) == 7
    assert concrete.structured_input_signature[0] == ({"a": spec, "b": [spec]}, "mode")
    text = concrete.pretty_printed_signature()
    assert text.startswith("f(p: {'a': int32[], 'b': [int32[]]}, mode=")
    with pytest.raises(TypeError, match="takes 3 tensors"):
        concrete({"a": two, "b": [three]}, "another mode")


def test_a_default_that_changes_is_seen():
    factors = [2, ag.constant(1)]

    @ag.function
    def f(x, factors=factors):
        return x * factors[0] * factors[1]

    for _ in range(3):
        assert int(f(ag.constant(1))) == 2
    factors[0] = 5
    assert int(f(ag.constant(1))) == 5
    factors[1] = ag.constant(10)
    assert int(f(ag.constant(1))) == 50
    assert f.experimental_get_tracing_count() == 2


def test_slices_may_hold_tensors():
    @ag.function
    def part(x, where):
        return x[where]

    x = ag.constant([1, 2, 3, 4])
    for stop in (1, 2, 3):
        where = slice(ag.constant(0), ag.constant(stop))
        assert part(x, where).numpy().tolist() == [1, 2, 3, 4][:stop]
    assert part.experimental_get_tracing_count() == 1
    assert part(x, slice(1, 3)).numpy().tolist() == [2, 3]
    assert part(x, slice(1, None)).numpy().tolist() == [2, 3, 4]
    assert part(x, slice(1, 3)).numpy().tolist() == [2, 3]
    assert part.experimental_get_tracing_count() == 3
    concrete = part.get_concrete_function(x, slice(ag.constant(0), ag.constant(1)))
    assert concrete(x, slice(ag.constant(1), ag.constant(2))).numpy().tolist() == [2]


@pytest.mark.parametrize(
    "a, b",
    [
        (frozenset({1}), frozenset({1.0})),
        (frozenset({True}), frozenset({1})),
        (complex(1, 0.0), complex(1, -0.0)),
        (slice(0, 2), slice(False, 2)),
    ],
)
def test_equal_arguments_of_different_types_or_signs_are_told_apart(a, b):
    @ag.function
    def text(value):
        return repr(value)

    for value in (a, b, a, b):
        assert text(value).numpy().decode() == repr(value)
    assert text.experimental_get_tracing_count() == 2


def test_slices_of_tensors_may_be_given_back():
    @ag.function
    def shifted(where):
        return slice(where.start + 1, where.stop + 1)

    for n in (1, 2, 3):
        found = shifted(slice(ag.constant(n), ag.constant(n + 2)))
        assert (int(found.start), int(found.stop), found.step) == (n + 1, n + 3, None)
    assert shifted.experimental_get_tracing_count() == 1


def test_arrays_may_be_written_to_before_their_gradient_is_asked_for():
    v, array = ag.Variable([1.0, 1.0]), np.array([2.0, 3.0], np.float32)

    @ag.function
    def f(x):
        return ag.reduce_sum(v * x)

    for _ in range(3):
        with ag.GradientTape() as tape:
            y = f(array)
        array[0] = 100.0
        assert tape.gradient(y, v).numpy().tolist() == [2.0, 3.0]
        array[0] = 2.0
