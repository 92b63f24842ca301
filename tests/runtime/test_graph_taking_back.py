"""Taking operations of a graph back."""

import autograph_lite as ag
from runtime.context import building
from runtime.graph import FunctionGraph


def test_what_was_captured_since_is_captured_anew():
    outer = FunctionGraph("outer", None)
    inner = FunctionGraph("inner", outer)
    with building(outer):
        a, b = ag.constant(1.0) + 0.0, ag.constant(2.0) + 0.0
    with building(inner):
        kept = inner.resolve(a)
        count = len(inner.operations)
        lost = inner.resolve(b)
        inner.forget_after(count)
        assert len(inner.inputs) == 1 and inner.inputs[0] is kept
        assert len(inner.captures) == 1 and inner.captures[0][1] is kept
        again = inner.resolve(b)
    assert again is not lost
    assert again.op in inner.operations
    assert inner.resolve(a) is kept
    assert inner.inputs[0] is kept and inner.inputs[1] is again


def test_an_outer_value_first_used_in_a_try_of_a_loop():
    @ag.function
    def f(n, y):
        s = 0
        for _ in range(n):
            try:
                s = s + y
                if s > 20:
                    raise ValueError("too large")
            except ValueError:
                s = y - s
        return s

    assert int(f(ag.constant(4), ag.constant(7))) == -7
