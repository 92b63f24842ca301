"""How often a function is traced, why, and how many traces are kept."""

import gc
import tracemalloc
import warnings
import weakref

import pytest

import autograph_lite as ag
from autograph_lite.retracing import RetracingWarning

one = ag.constant(1)


def test_reduce_retracing_leaves_differing_sizes_open():
    shapes = []

    @ag.function(reduce_retracing=True)
    def f(x, y):
        shapes.append(x.shape.as_list())
        return ag.reduce_sum(x) + y

    for n in range(1, 9):
        assert float(f(ag.ones([n, 2]), ag.constant(1.0))) == 2 * n + 1
    assert shapes == [[1, 2], [2, 2], [None, 2]]
    f(ag.ones([3, 7]), ag.constant(1.0)), f(ag.ones([3, 9]), ag.constant(1.0))
    assert len(shapes) == 4 and shapes[-1] == [None, None]


@pytest.mark.filterwarnings("ignore::autograph_lite.retracing.RetracingWarning")
def test_max_traces_drops_those_used_least_recently():
    traced = []

    @ag.function(max_traces=3)
    def f(x, n):
        traced.append(n)
        return x + n

    for n in (1, 2, 3, 1, 4, 1, 3, 2):
        assert int(f(one, n)) == n + 1
    assert traced == [1, 2, 3, 4, 2]
    assert len(f._cache) == 3


def test_ten_thousand_scalars_keep_memory_flat_and_warn_once():
    @ag.function(max_traces=20)
    def f(x, n):
        return x * n + 1

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for n in range(300):
            f(one, n)
        gc.collect()
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        for n in range(300, 900):
            f(one, n)
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - before
        tracemalloc.stop()
    mine = [w for w in caught if w.category is RetracingWarning]
    assert len(mine) == 1
    assert mine[0].filename == __file__
    assert "pass the number as a tensor" in str(mine[0].message)
    assert len(f._cache) == 20
    assert grown < 1_500_000


def test_no_warning_for_a_few_traces():
    @ag.function
    def f(x, n):
        return x * n

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for n in range(5):
            f(one, n)
        for n in range(5):
            f(ag.ones([n]), 1)
            f(ag.zeros([n], ag.int32), 1)


def test_explanations():
    scale = 1

    @ag.function
    def f(x, n=1, *, table=None):
        return x * scale

    f(one)
    f(ag.constant([1, 2]))
    f(ag.constant([1.0, 2.0]))
    f(one, 5)
    f(one, one)
    f(one, table={"a": one})
    f(one, table={"a": ag.constant([1, 2])})
    f(one, object())
    scale = 3
    f(one)
    text = f.explain_retraces()
    for wanted in (
        "trace 2: f(x: int32[2], n=1, table=None)",
        "x has shape (2,), and had ()",
        "x has dtype float32, and had int32",
        "n is 5, and was 1",
        "n is a int32 tensor of shape ()",
        "table['a'] has shape (2,), and had ()",
        "scale is 3, and was 1",
        "input_signature",
        "ag.constant",
    ):
        assert wanted in text, text
    assert f.experimental_get_tracing_count() == 9


def test_pretty_printed_signatures():
    @ag.function
    def f(x, n, *rest, flag=False):
        return x, {"n": n}

    f(one, 2), f(ag.ones([2, 3]), 2, [one], flag=True)
    assert f.pretty_printed_concrete_signatures().splitlines() == [
        "f(x: int32[], n=2, flag=False) -> (int32[], {'n': int32[]})",
        "f(x: float32[2, 3], n=2, rest_0: [int32[]], flag=True) -> (float32[2, 3], {'n': int32[]})",
    ]


def test_functions_and_what_they_hold_can_be_collected():
    class Big:
        pass

    def make():
        big = Big()
        weights = ag.Variable([1.0])

        @ag.function
        def f(x):
            assert big is not None
            return x * weights

        f(ag.constant([2.0])), f(ag.constant([2.0]))
        return weakref.ref(f), weakref.ref(big), weakref.ref(weights)

    references = make()
    gc.collect()
    assert [r() for r in references] == [None, None, None]


def test_modules_can_be_collected():
    class Model(ag.Module):
        def __init__(self):
            super().__init__()
            self.w = ag.Variable([1.0])
            self.scale = 2.0

        @ag.function
        def __call__(self, x):
            return x * self.w * self.scale

    model = Model()
    for _ in range(3):
        model(ag.constant([1.0]))
    references = [weakref.ref(model), weakref.ref(model.w)]
    del model
    gc.collect()
    assert [r() for r in references] == [None, None]


def test_arguments_and_results_are_not_kept():
    @ag.function
    def f(x):
        return x + 1

    x = ag.ones([1000])
    result = f(x)
    result = f(x)
    references = [weakref.ref(x), weakref.ref(result)]
    del x, result
    gc.collect()
    assert [r() for r in references] == [None, None]
