"""Plans of random programs against an interpreter that copies everything.

What a plan may write over, which values share a name, what is printed inside of what: all of it
shows here as a wrong number, if it is wrong.
"""

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import autograph_lite as ag
from runtime.context import building
from runtime.executor import Plan
from runtime.graph import FunctionGraph
from runtime.ops.indexing import set_item
from runtime.shapes import TensorShape
from tests.runtime import naive

VECTORS, SCALARS = 4, 3
GIVEN = []

vector = st.integers(0, VECTORS - 1)
scalar = st.integers(0, SCALARS - 1)
place = st.integers(0, 7)

simple = st.one_of(
    st.tuples(st.just("add"), vector, vector, vector),
    st.tuples(st.just("multiply"), vector, vector, vector),
    st.tuples(st.just("subtract"), vector, vector, vector),
    st.tuples(st.just("cosine"), vector, vector),
    st.tuples(st.just("alias"), vector, vector),
    st.tuples(st.just("swap"), vector, vector),
    st.tuples(st.just("reversed"), vector, vector),
    st.tuples(st.just("reshaped"), vector, vector),
    st.tuples(st.just("store"), vector, place, scalar),
    st.tuples(st.just("store at"), vector, scalar, vector, scalar),
    st.tuples(st.just("store part"), vector, place, vector),
    st.tuples(st.just("element"), scalar, vector, scalar),
    st.tuples(st.just("total"), scalar, vector),
    st.tuples(st.just("mix"), scalar, scalar, scalar),
    st.tuples(st.just("scale"), vector, vector, scalar),
    st.tuples(st.just("choose"), vector, vector, vector),
    st.tuples(st.just("given"), vector, vector, vector),
)
condition = st.recursive(
    st.tuples(st.sampled_from(["less", "equal", "odd"]), scalar, scalar),
    lambda inner: st.one_of(
        st.tuples(st.just("not"), inner),
        st.tuples(st.sampled_from(["and", "or", "both", "either"]), inner, inner),
    ),
    max_leaves=3,
)
program = st.recursive(
    st.lists(simple, min_size=2, max_size=8),
    lambda inner: st.lists(
        st.one_of(
            simple,
            simple,
            st.tuples(st.just("if"), condition, inner, inner),
            st.tuples(st.just("while"), st.integers(0, 3), inner),
            st.tuples(st.just("until"), condition, inner),
            st.tuples(st.just("truth"), scalar, condition),
        ),
        min_size=2,
        max_size=6,
    ),
    max_leaves=12,
)


def truth(test, scalars):
    kind, *rest = test
    if kind == "not":
        return ag.logical_not(truth(rest[0], scalars))
    if kind in ("and", "or"):
        first = truth(rest[0], scalars)
        second = lambda: truth(rest[1], scalars)
        if kind == "and":
            return ag.cond(first, second, lambda: first)
        return ag.cond(first, lambda: first, second)
    if kind in ("both", "either"):
        combine = ag.logical_and if kind == "both" else ag.logical_or
        return combine(truth(rest[0], scalars), truth(rest[1], scalars))
    a, b = scalars[rest[0]], scalars[rest[1]]
    if kind == "less":
        return a < b
    return ag.equal(a, b) if kind == "equal" else ag.equal((a + b) % 2, 1)


def build(program, vectors, scalars):
    """The state after a program, in the graph being built."""
    vectors, scalars = list(vectors), list(scalars)
    size = vectors[0].shape[0]
    for kind, *rest in program:
        if kind in ("add", "multiply", "subtract"):
            k, i, j = rest
            made = getattr(ag, kind)(vectors[i], vectors[j])
            # Numbers stay finite: there is no saying what infinity is as an integer.
            vectors[k] = ag.sin(made) if kind == "multiply" else made
        elif kind == "cosine":
            vectors[rest[0]] = ag.cos(vectors[rest[1]])
        elif kind == "alias":
            vectors[rest[0]] = vectors[rest[1]]
        elif kind == "swap":
            i, j = rest
            vectors[i], vectors[j] = vectors[j], vectors[i]
        elif kind == "reversed":
            vectors[rest[0]] = vectors[rest[1]][::-1]
        elif kind == "reshaped":
            vectors[rest[0]] = ag.reshape(ag.reshape(vectors[rest[1]], [2, -1]), [size])
        elif kind == "store":
            k, at, i = rest
            vectors[k] = set_item(vectors[k], at, ag.cast(scalars[i], ag.float64))
        elif kind == "store at":
            k, at, i, j = rest
            vectors[k] = set_item(vectors[k], scalars[at], vectors[i][scalars[j]])
        elif kind == "store part":
            k, at, i = rest
            start = at % 4
            vectors[k] = set_item(vectors[k], slice(start, start + 4), vectors[i][:4])
        elif kind == "element":
            k, i, at = rest
            element = vectors[i][scalars[at]]
            scalars[k] = ag.cast(ag.cos(element) * 3, ag.int32) + 3
        elif kind == "total":
            scalars[rest[0]] = ag.cast(ag.cos(ag.reduce_sum(vectors[rest[1]])) * 3, ag.int32) + 3
        elif kind == "mix":
            k, i, j = rest
            scalars[k] = (scalars[i] * 3 + scalars[j] + 1) % 7
        elif kind == "scale":
            k, i, j = rest
            vectors[k] = ag.sin(vectors[i] * (ag.cast(scalars[j], ag.float64) - 3.0))
        elif kind == "choose":
            k, i, j = rest
            vectors[k] = ag.where(vectors[i] > vectors[j], vectors[i], vectors[k])
        elif kind == "given":
            # In a loop, this does not change from pass to pass.
            k, i, j = rest
            vectors[k] = ag.cos(GIVEN[i]) * 2.0 + vectors[j]
        elif kind == "truth":
            scalars[rest[0]] = ag.cast(truth(rest[1], scalars), ag.int32)
        else:
            vectors, scalars = control(kind, rest, vectors, scalars)
    return vectors, scalars


def control(kind, rest, vectors, scalars):
    state = [*vectors, *scalars]

    def after(inner, state):
        a, b = build(inner, state[:VECTORS], state[VECTORS:])
        return [*a, *b]

    if kind == "if":
        test, then, orelse = rest
        made = ag.cond(
            truth(test, scalars), lambda: after(then, state), lambda: after(orelse, state)
        )
    elif kind == "while":
        passes, inner = rest
        made = ag.while_loop(
            lambda n, *s: n < passes, lambda n, *s: [n + 1, *after(inner, s)], [0, *state]
        )[1:]
    else:
        test, inner = rest
        made = ag.while_loop(
            lambda n, *s: ag.cond(n < 4, lambda: truth(test, s[VECTORS:]), lambda: n < 4),
            lambda n, *s: [n + 1, *after(inner, s)],
            [0, *state],
        )[1:]
    return list(made[:VECTORS]), list(made[VECTORS:])


def traced(program, size):
    graph = FunctionGraph("random", None, is_function=True)
    with building(graph):
        vectors = [graph.placeholder(ag.float64, TensorShape([size]), f"v{i}") for i in range(4)]
        scalars = [graph.placeholder(ag.int32, TensorShape([]), f"s{i}") for i in range(3)]
        graph.inputs += vectors + scalars
        GIVEN[:] = vectors
        vectors, scalars = build(program, vectors, scalars)
        graph.outputs = [graph.resolve(t) for t in (*vectors, *scalars)]
    graph.finished = True
    return graph


def check(program, size, seed):
    graph = traced(program, size)
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(-1, 1, size) for _ in range(VECTORS)]
    inputs += [np.int32(n) for n in rng.integers(0, 7, SCALARS)]
    captured = [t._value for t, _ in graph.captures]
    inputs += captured
    kept = [np.array(a) for a in inputs]
    expected = naive.run(graph, inputs)
    plan = Plan(graph, "random")
    for _ in range(2):  # a plan that spoils its own constants shows at the second run
        found = plan.run(*inputs)
        for before, now in zip(kept, inputs, strict=True):
            np.testing.assert_array_equal(before, now)
        for a, b in zip(expected, found, strict=True):
            np.testing.assert_array_equal(a, b, err_msg=plan.source)
            assert np.asarray(a).dtype == np.asarray(b).dtype


SLOWLY = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


@settings(max_examples=250, deadline=None, suppress_health_check=SLOWLY)
@given(program, st.integers(0, 3))
def test_small_arrays(program, seed):
    check(program, 8, seed)


@settings(max_examples=250, deadline=None, suppress_health_check=SLOWLY)
@given(program, st.integers(0, 3))
def test_arrays_large_enough_to_be_written_over(program, seed):
    check(program, 2048, seed)


@settings(max_examples=60, deadline=None, suppress_health_check=SLOWLY)
@given(program, st.integers(0, 3))
def test_arrays_large_enough_to_be_freed(program, seed):
    check(program, 1 << 15, seed)
