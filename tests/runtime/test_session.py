"""Graph mode: placeholders, sessions, variables in graphs."""

import numpy as np
import pytest

import autograph_lite as ag

v1 = ag.compat.v1


@pytest.fixture
def graph():
    graph = ag.Graph()
    with graph.as_default():
        yield graph


def test_fetches_come_back_in_their_structure(graph):
    x = v1.placeholder(ag.float32, [None], name="x")
    y = x * 2.0
    with v1.Session() as session:
        got = session.run({"a": y, "b": [x, (y, "x:0")]}, feed_dict={x: [1, 2]})
    assert got["a"].tolist() == [2.0, 4.0]
    assert got["b"][0].tolist() == [1.0, 2.0] and got["b"][1][1].tolist() == [1.0, 2.0]


def test_only_what_is_fetched_is_run(graph):
    x = v1.placeholder(ag.float32, [])
    other = v1.placeholder(ag.float32, [])
    v = ag.Variable(0)
    bump = v.assign_add(1)
    total, product = x + 1.0, x * other
    with v1.Session() as session:
        assert session.run(total, {x: 1.0}) == 2.0
        assert session.run(v) == 0
        assert session.run(bump) == 1 and session.run(v) == 1
        with pytest.raises(ag.errors.InvalidArgumentError, match="Placeholder_1"):
            session.run(product, {x: 1.0})
        session.run(v1.global_variables_initializer())
        assert session.run(v) == 0


def test_bad_feeds_are_refused_by_name(graph):
    x = v1.placeholder(ag.int32, [None, 2], name="x")
    y = x + 1
    with v1.Session() as session:
        with pytest.raises(ValueError, match="'x:0'.*int32"):
            session.run(y, {x: [[1, 2, 3]]})
        with pytest.raises(ValueError, match="'x:0'"):
            session.run(y, {x: [[1.5, 2.0]]})
        with pytest.raises(ValueError, match="'x:0'"):
            session.run(y, {x: "text"})
        with pytest.raises(TypeError, match="'x:0'"):
            session.run(y, {x: y})
        with pytest.raises(ValueError, match="nowhere"):
            session.run("nowhere:0")
        with pytest.raises(ValueError, match="nowhere"):
            session.run(y, {"nowhere": 1})
        with pytest.raises(TypeError, match="cannot be fetched"):
            session.run(3.0)
    with pytest.raises(RuntimeError, match="closed"):
        session.run(y)


def test_tensors_in_the_middle_may_be_fed(graph):
    x = v1.placeholder(ag.float32, [])
    middle = x * 2.0
    end = middle + 1.0
    with v1.Session() as session:
        assert session.run(end, {middle: 10.0}) == 11.0
        assert session.run([middle, end], {middle: 10.0}) == [10.0, 11.0]
        assert session.run(end, {"Mul:0": 5}) == 6.0


def test_a_traced_function_in_a_graph(graph):
    @ag.function
    def collatz(n):
        steps = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        return steps

    n = v1.placeholder(ag.int32, [])
    steps = collatz(n)
    with v1.Session() as session:
        assert session.run(steps, {n: 27}) == 111
        assert session.run(steps, {n: 6}) == 8


def test_operations_run_and_tensors_evaluate(graph):
    v = ag.Variable([1.0, 2.0])
    double = v.assign(v * 2.0)
    with v1.Session() as session:
        assert session.run(double.op) is None
        assert session.run(v).tolist() == [2.0, 4.0]
        double.op.run()
        assert (v + 0.0).eval().tolist() == [4.0, 8.0]
        assert v1.get_default_session() is session


def test_switching_eager_execution_off_and_on():
    v1.disable_eager_execution()
    try:
        assert not ag.executing_eagerly()
        v1.reset_default_graph()
        x = v1.placeholder_with_default([1, 2], [None])
        with v1.Session() as session:
            assert session.run(x + 1).tolist() == [2, 3]
            assert session.run(x + 1, {x: [5]}).tolist() == [6]
            assert session.run(ag.constant(3)) == np.int32(3)
    finally:
        v1.enable_eager_execution()
    assert ag.executing_eagerly() and int(ag.constant(1) + 1) == 2


def test_placeholders_need_a_graph():
    with pytest.raises(RuntimeError, match="disable_eager_execution"):
        v1.placeholder(ag.float32)


def test_tensors_of_other_graphs_are_refused(graph):
    with ag.Graph().as_default():
        other = ag.constant(1) + 1
    with v1.Session() as session, pytest.raises(ValueError, match="belongs to"):
        session.run(other)
