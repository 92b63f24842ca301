"""What a branch or loop does to objects from outside of it without staging knowing of it.

Lists, dicts, attributes and items of arrays are followed where they are stored to. Other changes
happen while tracing, once, whichever path the graph takes: `array.sort()`, `buffer.write(text)`,
a draw from a random generator. They are found by comparing what such objects are like before and
after the trace of the branch, and refused.
"""

from __future__ import annotations

import array
import io
import random
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from typing import Any

import numpy as np

from autograph_lite.errors import StagingError
from runtime.locations import user_location

_SMALL = 1 << 12
_USE_A_LIST = "keep a list of what is to be done, or do it outside"
_MISSING = object()


def _of_array(value: Any) -> Any:
    if value.dtype.hasobject:
        return [id(item) for item in value.flat]
    whole = value.tobytes() if value.nbytes <= _SMALL else _checksum(value)
    return value.shape, whole


def _checksum(value: Any) -> int:
    return zlib.crc32(np.ascontiguousarray(value).view(np.uint8).reshape(-1).data)


def _of_buffer(value: Any) -> Any:
    return None if value.closed else (value.getvalue(), value.tell())


def _of_dict(value: Any) -> Any:
    from autograph_lite.staging.presence import perhaps
    from autograph_lite.staging.specs import MaybeUnbound

    found = []
    for key, item in value.items():
        known = perhaps((id(value), "item", key), item)
        if isinstance(known, MaybeUnbound):
            found.append((id(key), id(known.bound), id(known.value)))
        else:
            found.append((id(key), id(item), 0))
    return found


_AN_ARRAY = "store to its items, as in `a[:] = b`, or make a new array"
_A_DICT = "store to its items, as in `d[key] = value`; make those that are missing before"
_KINDS: dict[type, tuple[Callable[[Any], Any], str]] = {
    np.ndarray: (_of_array, _AN_ARRAY),
    np.random.Generator: (lambda value: repr(value.bit_generator.state), "draw before"),
    np.random.RandomState: (lambda value: repr(value.get_state()), "draw before"),
    random.Random: (lambda value: value.getstate(), "draw before"),
    bytearray: (bytes, _USE_A_LIST),
    array.array: (lambda value: value.tobytes(), _USE_A_LIST),
    io.StringIO: (_of_buffer, _USE_A_LIST),
    io.BytesIO: (_of_buffer, _USE_A_LIST),
    set: (frozenset, "use a list, or a dict whose keys are made before"),
    OrderedDict: (_of_dict, "store to its items, or make a new one"),
    dict: (_of_dict, _A_DICT),
    ContextVar: (lambda value: value.get(_MISSING), "keep the value in a variable"),
}


def is_watched(value: Any) -> bool:
    """Whether changes of an object are looked for.

    >>> is_watched(bytearray()), is_watched([])
    (True, False)
    """
    return _kind(value) is not None


def _kind(value: Any) -> tuple[Callable[[Any], Any], str] | None:
    kind = type(value)
    if getattr(kind, "__ag_followed__", False):
        return None
    found = _KINDS.get(kind)
    if found is not None or kind.__module__ == "builtins":
        return found
    return next((known for base, known in _KINDS.items() if isinstance(value, base)), None)


def states(values: Iterable[Any]) -> list[tuple[Any, Any]]:
    """Each object, and what it is like now."""
    return [(value, _state(value)) for value in values]


def _state(value: Any) -> Any:
    kind = _kind(value)
    assert kind is not None
    return kind[0](value)


def check(before: list[tuple[Any, Any]]) -> None:
    """Compares objects with what they were like.

    Raises:
      StagingError: one has changed.
    """
    for value, state in before:
        if _state(value) != state:
            if isinstance(value, np.ndarray):
                from autograph_lite.staging.array_stores import want_tensors

                want_tensors(value)
            raise StagingError(refusal(value))


def refusal(value: Any) -> str:
    """What is wrong with changing an object, and the mend."""
    kind = _kind(value)
    mend = kind[1] if kind is not None else _USE_A_LIST
    name = "array" if isinstance(value, np.ndarray) else type(value).__name__
    article = "an" if name[0] in "aeiouAEIOU" else "a"
    return (
        f"{user_location()}: {article} {name} that was made outside of this branch or loop is "
        f"changed in it, in a way that cannot be staged; {mend}"
    )


__all__ = ["check", "is_watched", "refusal", "states"]
