"""The watches of the traces that go on in each thread."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from autograph_lite.paths import Path, take
from autograph_lite.staging.contents import Slot
from autograph_lite.staging.glances import set_array_watcher
from autograph_lite.staging.outside_arrays import set_array_places
from autograph_lite.staging.scopes import set_outside, untracked
from autograph_lite.watch import Watch
from runtime.convert import set_array_source
from runtime.tensor import Tensor


class _Active(threading.local):
    watches: tuple[Watch, ...] = ()


_active = _Active()


def current_watch() -> Watch | None:
    """The watch of the innermost trace in this thread."""
    return _active.watches[-1] if _active.watches else None


@contextmanager
def watching(watch: Watch) -> Iterator[None]:
    """Within the block, functions that are called are shown to `watch`."""
    before = _active.watches
    _active.watches = (*before, watch)
    try:
        yield
    finally:
        _active.watches = before


@contextmanager
def unwatched() -> Iterator[None]:
    """Within the block nothing is noted: neither reads nor changes."""
    before, _active.watches = _active.watches, ()
    try:
        with untracked():
            yield
    finally:
        _active.watches = before


def current_watches() -> tuple[Watch, ...]:
    """The watches of the traces in this thread, outermost first."""
    return _active.watches


def _stand_in(array: Any) -> Tensor | None:
    for watch in reversed(_active.watches):
        found = watch.stand_in(array)
        if found is not None:
            return found
    return None


def _looked_at(array: Any) -> None:
    for watch in _active.watches:
        watch.looked_at.add(id(array))


def _place_of(array: Any) -> Slot | None:
    for watch in reversed(_active.watches):
        known = watch.arrays.get(id(array))
        if known is None or known[0] is not array or not known[1].steps:
            continue
        path = known[1]
        kind, key = path.steps[-1]
        owner = Path(path.root, path.steps[:-1]).resolve(watch.arguments)
        if take(owner, kind, key) is array:
            return Slot(owner, kind, key)
    return None


def _owned(value: Any) -> bool:
    return any(watch.owns(value) for watch in _active.watches)


set_outside(_owned)
set_array_source(_stand_in)
set_array_places(_place_of)
set_array_watcher(_looked_at)
