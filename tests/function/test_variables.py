"""Variables made by traced functions, init_scope, and functions run eagerly."""

import pytest

import autograph_lite as ag

one = ag.constant(1.0)


def test_variables_are_made_on_the_first_call_only():
    class Lazy:
        v = None
        made = 0

        @ag.function
        def __call__(self, x):
            if self.v is None:
                Lazy.made += 1
                self.v = ag.Variable(ag.ones_like(x) if False else 10.0)
            self.v.assign_add(x)
            return self.v * 2.0

    lazy = Lazy()
    assert [float(lazy(one)) for _ in range(3)] == [22.0, 24.0, 26.0]
    assert isinstance(lazy.v, ag.Variable) and Lazy.made == 1
    assert float(Lazy()(one)) == 22.0


def test_a_variable_in_a_global_made_once():
    state = {}

    @ag.function
    def f(x):
        if "v" not in state:
            state["v"] = ag.Variable(1.0)
        return state["v"] + x

    assert float(f(one)) == 2.0 and float(f(ag.constant([1.0]))[0]) == 2.0


def test_a_variable_made_on_every_call_is_refused():
    @ag.function
    def f(x):
        v = ag.Variable(1.0)
        return v + x

    for _ in range(2):
        with pytest.raises(ValueError, match=r"test_variables.py:\d+: f makes an ag.Variable"):
            f(one)


def test_init_scope_runs_at_once():
    seen = []

    @ag.function
    def f(x):
        with ag.init_scope():
            assert ag.executing_eagerly()
            seen.append(float(ag.constant(2.0) * 3.0))
        assert not ag.executing_eagerly()
        return x + seen[-1]

    assert float(f(one)) == 7.0 and seen == [6.0]


def test_variables_made_in_init_scope_are_kept_outside():
    box = {}

    @ag.function
    def f(x):
        if not box:
            with ag.init_scope():
                box["v"] = ag.Variable(5.0)
        return box["v"] + x

    assert float(f(one)) == 6.0 and float(f(one)) == 6.0


def test_functions_run_eagerly():
    runs = []

    @ag.function
    def f(x):
        runs.append(1)
        if x > 0:
            return x * 2.0
        return -x

    traced = [float(f(ag.constant(v))) for v in (3.0, -3.0)]
    ag.config.run_functions_eagerly(True)
    try:
        assert ag.config.functions_run_eagerly()
        assert [float(f(ag.constant(v))) for v in (3.0, -3.0)] == traced
        assert len(runs) == 3

        class Model:
            @ag.function
            def f(self, x):
                return x + 1.0

        assert float(Model().f(one)) == 2.0
    finally:
        ag.config.run_functions_eagerly(False)
    f(one)
    assert len(runs) == 3


def test_name_scopes():
    @ag.function
    def f(x):
        with ag.name_scope("layer"):
            y = x + 1.0
            with ag.name_scope("inner"):
                y = y * 2.0
        return y

    names = [op.name for op in f.get_concrete_function(one).graph.get_operations()]
    assert any(name.startswith("layer/inner/Mul") for name in names)
    assert any(name.startswith("layer/Add") for name in names)


def test_a_name_scope_around_the_call_does_not_reach_into_the_graph():
    @ag.function
    def f(x):
        return x + 1.0

    with ag.name_scope("outside"):
        names = [op.name for op in f.get_concrete_function(one).graph.get_operations()]
    assert "x" in names
