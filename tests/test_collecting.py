"""The collector of garbage rests while functions are converted and plans made, and is left as it was found."""

import gc
import threading

import pytest

import autograph_lite as ag
from autograph_lite.collecting import collections_paused
from runtime import executor


@pytest.fixture
def runs():
    """The collections that have been started, and a collector that starts at once."""
    started = []

    def note(phase, info):
        if phase == "start":
            started.append(info)

    was_enabled, threshold = gc.isenabled(), gc.get_threshold()
    gc.callbacks.append(note)
    gc.set_threshold(5)
    yield started
    gc.callbacks.remove(note)
    gc.set_threshold(*threshold)
    (gc.enable if was_enabled else gc.disable)()


def test_no_collection_starts_within_the_block(runs):
    gc.enable()
    with collections_paused():
        runs.clear()
        kept = [[] for _ in range(1000)]
        assert not runs
    more = [[] for _ in range(1000)]
    assert runs and len(kept) == len(more)


@pytest.mark.parametrize("state", [gc.enable, gc.disable])
def test_a_conversion_leaves_the_collector_as_it_was(runs, state):
    state()
    before = gc.isenabled()

    def f(x):
        return x + 1 if x > 0 else x

    assert ag.autograph.to_graph(f)(2) == 3
    assert gc.isenabled() is before


def test_the_last_of_several_threads_lets_it_run_again(runs):
    gc.enable()
    inside, leave = threading.Event(), threading.Event()

    def other():
        with collections_paused():
            inside.set()
            leave.wait(10)

    thread = threading.Thread(target=other)
    thread.start()
    inside.wait(10)
    with collections_paused():
        pass
    assert not gc.isenabled()
    leave.set()
    thread.join(10)
    assert gc.isenabled()


def test_an_error_within_the_block_lets_it_run_again(runs):
    gc.enable()
    with pytest.raises(ValueError, match="stop"), collections_paused():
        raise ValueError("stop")
    assert gc.isenabled()


def test_no_collection_starts_while_a_plan_is_made(runs, monkeypatch):
    gc.enable()
    seen = []
    plan = executor.Plan

    def make(*given):
        seen.append(gc.isenabled())
        return plan(*given)

    monkeypatch.setattr(executor, "Plan", make)
    assert ag.function(lambda x: x * 2)(ag.constant(3)).numpy() == 6
    assert seen == [False] and gc.isenabled()
