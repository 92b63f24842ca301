"""The traces of one function, or of one function on one object: found by key, bounded in number."""

from __future__ import annotations

import itertools
import operator
from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np

from autograph_lite.arguments import Arguments, Identity, Key, identities
from autograph_lite.concrete import ConcreteFunction

_clock = itertools.count(1)
_last_used = operator.attrgetter("last_used")
_MOST_RECENT = 6
"""Entries that a call tries before it makes a key."""


class TraceCache:
    """Traces by key. Reading takes no lock; whoever adds holds the tracing lock.

    Attributes:
      recent: entries of the traces used last (see `autograph_lite.entries`); replaced, never
        changed.
      trace_count: how many traces were ever made.
      created_variables: the variables that the first trace made; they live as long as the cache.
      history: what is remembered of the traces for `explain_retraces`.
    """

    def __init__(self, bound: int) -> None:
        self.bound = bound
        self.recent: tuple[Any, ...] = ()
        self.trace_count = 0
        self.created_variables: list[Any] = []
        self.history: deque[Any] = deque(maxlen=64)
        self.warned = False
        self._traces: dict[Key, list[ConcreteFunction]] = {}
        self._objects: dict[Key, list[Identity]] = {}
        self._general: list[Key] = []
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[ConcreteFunction]:
        """The traces, oldest first."""
        return itertools.chain.from_iterable(list(self._traces.values()))

    def find(self, key: Key, arguments: Arguments) -> ConcreteFunction | None:
        """The trace for a call, or None."""
        found = self._fitting(self._traces.get(key), arguments)
        if found is None:
            for general in self._general:
                if subsumes(general, key):
                    found = self._fitting(self._traces.get(general), arguments)
                    if found is not None:
                        break
        if found is not None:
            found.last_used = next(_clock)
        return found

    def _fitting(
        self, traces: list[ConcreteFunction] | None, arguments: Arguments
    ) -> ConcreteFunction | None:
        for concrete in traces or ():
            if concrete.fits(arguments):
                return concrete
        return None

    def at(self, key: Key) -> list[ConcreteFunction]:
        """The traces with a key, whatever their guards say."""
        return list(self._traces.get(key, ()))

    def keys(self) -> list[Key]:
        """The keys of all traces."""
        return list(self._traces)

    def add(self, key: Key, concrete: ConcreteFunction) -> None:
        """Adds a trace; those used least recently go when there are too many."""
        for dead in [k for k, objects in self._objects.items() if _any_gone(objects)]:
            self._drop(dead, self._traces[dead])
        # A new list: `find` may be reading the old one.
        self._traces[key] = [concrete, *self._traces.get(key, ())]
        objects = identities(key)
        if objects:
            self._objects[key] = objects
        self._size += 1
        concrete.last_used = next(_clock)
        if is_general(key) and key not in self._general:
            self._general = [key, *self._general]
        while self._size > self.bound:
            oldest = min(self, key=_last_used)
            for k, traces in self._traces.items():
                if oldest in traces:
                    self._drop(k, [oldest])
                    break

    def _drop(self, key: Key, gone: list[ConcreteFunction]) -> None:
        entries = [entry for concrete in gone for entry in concrete.entries.values()]
        self.recent = tuple(e for e in self.recent if e not in entries)
        kept = [c for c in self._traces[key] if c not in gone]
        self._size -= len(self._traces[key]) - len(kept)
        if kept:
            self._traces[key] = kept
        else:
            del self._traces[key]
            self._objects.pop(key, None)
            self._general = [k for k in self._general if k != key]

    def use(self, entry: Any) -> None:
        """Makes an entry the first that calls try."""
        others = [e for e in self.recent if e is not entry]
        self.recent = (entry, *others[: _MOST_RECENT - 1])


def _any_gone(objects: list[Identity]) -> bool:
    return any(found.reference() is None for found in objects)


def _is_leaf(key: Key) -> bool:
    return type(key) is tuple and len(key) == 2 and isinstance(key[0], np.dtype)


def is_general(key: Key) -> bool:
    """Whether a key has tensors with unknown sizes."""
    if _is_leaf(key):
        return key[1] is None or None in key[1]
    return type(key) is tuple and any(map(is_general, key))


def subsumes(general: Key, key: Key) -> bool:
    """Whether calls with `key` fit a trace made for `general`.

    >>> f32 = np.dtype("float32")
    >>> subsumes(((f32, (None, 2)),), ((f32, (5, 2)),))
    True
    """
    if general is key:
        return True
    if _is_leaf(general):
        return _is_leaf(key) and general[0] == key[0] and _covers(general[1], key[1])
    if type(general) is tuple and type(key) is tuple:
        return len(general) == len(key) and all(map(subsumes, general, key))
    return bool(general == key)


def _covers(general: Any, shape: Any) -> bool:
    if general is None:
        return True
    if shape is None or len(general) != len(shape):
        return False
    return all(g is None or g == s for g, s in zip(general, shape, strict=True))


def without_shapes(key: Key) -> Key:
    """A key with the sizes of its tensors left out: equal for calls that differ in them only."""
    if _is_leaf(key):
        return (key[0],)
    return tuple(map(without_shapes, key)) if type(key) is tuple else key


def leaf_shapes(key: Key) -> list[Any]:
    """The shapes in a key, in order."""
    if _is_leaf(key):
        return [key[1]]
    if type(key) is not tuple:
        return []
    return [shape for part in key for shape in leaf_shapes(part)]
