"""The short way of a call: an entry that checks and runs, without a key and without a lock."""

import threading
import types

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.function import Function

one = ag.constant(1.0)
SCALE = 3.0


@pytest.fixture
def no_long_way(monkeypatch):
    """Once called, any call that is not short fails."""

    def forbid():
        def fail(*args):
            raise AssertionError("this call took the long way")

        monkeypatch.setattr(Function, "_call", fail)

    return forbid


class Model:
    def __init__(self):
        self.k = 2.0
        self.h = ag.constant(0.0)

    @ag.function
    def scale(self, x):
        return x * self.k

    @ag.function
    def step(self, x):
        self.h = self.h + x
        return self.h


model = Model()
tensors = [ag.constant([float(i)] * 4) for i in range(10)]
CALLS = {
    "one": (ag.function(lambda x: x * 2 + 1), (one,), {}),
    "three": (ag.function(lambda x, y, z: x * y + z), tensors[:3], {}),
    "ten": (ag.function(lambda *t: sum(t)), tensors, {}),
    "dict": (ag.function(lambda p: p["a"] * p["b"]["c"]), ({"a": one, "b": {"c": one}},), {}),
    "list": (ag.function(lambda p: p[0] * p[1][0]), ([one, (one, None)],), {}),
    "scalars": (ag.function(lambda x, n, m, s: x * n * m), (one, 3, 0.5, "s"), {}),
    "keywords": (ag.function(lambda x, y=1.0, *, z: x * y + z), (one,), {"z": one}),
    "array": (ag.function(lambda x: x + 1), (np.ones(3),), {}),
    "number of numpy": (ag.function(lambda x: x + 1), (np.float32(1),), {}),
    "guard": (ag.function(lambda x: x * SCALE), (one,), {}),
    "object": (ag.function(lambda x, o: x * o.k), (one, types.SimpleNamespace(k=2.0)), {}),
    "method": (model.scale, (one,), {}),
    "state": (model.step, (one,), {}),
    "nothing": (ag.function(lambda: None), (), {}),
    "structure": (ag.function(lambda x: {"a": [x, (x, None)]}), (one,), {}),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls_go_the_short_way(name, no_long_way):
    f, args, kwargs = CALLS[name]
    for _ in range(2):
        f(*args, **kwargs)
    no_long_way()
    for _ in range(2):
        f(*args, **kwargs)


def test_several_traces_take_turns_on_the_short_way(no_long_way):
    @ag.function
    def f(x, n):
        return x + n

    calls = [(ag.ones([size]), n) for size in (1, 2) for n in (1, 2)]
    for _ in range(2):
        for call in calls:
            f(*call)
    no_long_way()
    for x, n in calls:
        assert f(x, n).numpy().tolist() == [1.0 + n] * x.shape[0]


def test_a_short_call_takes_no_lock(no_long_way):
    from autograph_lite.tracing import tracing_lock

    f = ag.function(lambda x: x * 2)
    f(one), f(one)
    held, done, found = threading.Event(), threading.Event(), []

    def hold():
        with tracing_lock:
            held.set()
            done.wait(30)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(30)
    found.append(float(f(one)))
    done.set()
    thread.join()
    assert found == [2.0]


def test_what_an_entry_must_not_take():
    seen = []

    @ag.function
    def f(x, n=1):
        seen.append((x.dtype.name, x.shape.as_list(), n))
        return x

    for x in (one, ag.constant(1), ag.constant([1.0]), np.float64(1), np.ones(1, np.float32)):
        for n in (1, True, 1.0):
            for _ in range(3):
                assert f(x, n).dtype == (x.dtype if not isinstance(x, np.generic) else ag.float64)
    assert len(seen) == 12  # the array of one float32 is the tensor of one


def test_warnings_of_numpy_stay_as_the_user_has_them():
    @ag.function
    def f(x):
        return x / 0.0

    with np.errstate(all="raise"):
        for _ in range(4):
            assert np.isinf(f(one).numpy())
        with pytest.raises(FloatingPointError):
            np.float64(1) / np.float64(0)


@pytest.mark.parametrize("many", [list(range(4000)), {i: i for i in range(4000)}])
def test_calls_with_many_items_go_the_long_way(many):
    f = ag.function(lambda x, items: x + items[5])
    for _ in range(3):
        assert int(f(ag.constant(1), many)) == 6
    assert len(f._cache) == 1
    assert all(e is None for c in f._cache for e in c.entries.values())
    many[5] = 7
    assert int(f(ag.constant(1), many)) == 8
