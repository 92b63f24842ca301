"""Why a function was traced again: what differed, and what would avoid it."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np

from autograph_lite.arguments import Arguments, Identity, Key
from autograph_lite.concrete import ConcreteFunction
from autograph_lite.trace_cache import TraceCache
from runtime.locations import user_location

_A_PATTERN = 8
"""So many traces of one function, with as many differing in the same thing, call for a warning."""


class RetracingWarning(UserWarning):
    """A function is traced again and again, which is slow."""


class TraceRecord(NamedTuple):
    """What is remembered of a trace.

    Attributes:
      number: 1 for the first trace of its function.
      signature: its arguments in words.
      reasons: what differed from the earlier trace that is most like it.
      like: the number of that trace, or 0.
      advice: how to avoid the trace.
      kind: what sort of thing differed.
      key: the trace's key.
    """

    number: int
    signature: str
    reasons: list[str]
    like: int
    advice: str
    kind: str
    key: Key


class _Difference(NamedTuple):
    text: str
    kind: str
    advice: str


_ADVICE = {
    "shape": "give an input_signature with None where sizes vary, or reduce_retracing=True",
    "dtype": "convert the argument to one dtype with ag.cast",
    "number": "pass the number as a tensor, ag.constant(...), if it varies",
    "structure": "keep the structure of the argument the same from call to call",
    "object": "pass the same object each time, or a tensor",
    "value": "pass the value as a tensor if it varies and may be one",
    "kind": "pass a tensor each time",
    "state": "keep a value that varies in an ag.Variable, or pass it as an argument",
}


def remember(
    cache: TraceCache,
    name: str,
    key: Key,
    arguments: Arguments,
    concrete: ConcreteFunction,
) -> None:
    """Writes a new trace down in its cache's history, and warns when there is a pattern.

    Args:
      cache: the function's; the trace is not in it yet.
      name: the function's.
      key: the new trace's.
      arguments: those of the call it was made for.
      concrete: the trace.
    """
    like, differences = _closest(cache, key, arguments)
    first = differences[0] if differences else _Difference("", "", "")
    record = TraceRecord(
        cache.trace_count,
        concrete.pretty_printed_signature(verbose=False),
        [d.text for d in differences],
        like,
        first.advice,
        first.kind,
        key,
    )
    cache.history.append(record)
    _warn(cache, name, record)


def _closest(cache: TraceCache, key: Key, arguments: Arguments) -> tuple[int, list[_Difference]]:
    """The number of the trace most like the new one, and what differs from it."""
    stale = [text for concrete in cache.at(key) for text in concrete.misfits(arguments)]
    if stale:
        number = next((r.number for r in reversed(cache.history) if r.key == key), 0)
        return number, [_Difference(text, "state", _ADVICE["state"]) for text in stale]
    best: tuple[int, list[_Difference]] = (0, [])
    for record in reversed(cache.history):
        found = _differences(record.key, key, arguments)
        if found and (not best[1] or len(found) < len(best[1])):
            best = (record.number, found)
            if len(found) == 1:
                break
    return best


def _differences(old: Key, new: Key, arguments: Arguments) -> list[_Difference]:
    count = len(arguments.positional)
    names = arguments.names or ()
    found: list[_Difference] = []
    for i in range(count):
        label = names[i] if i < len(names) else f"argument {i}"
        if i >= len(old):
            found.append(_Difference(f"{label} is new", "structure", _ADVICE["structure"]))
        else:
            _compare(old[i], new[i], label, found)
    before = dict(old[count]) if len(old) > count and _is_keywords(old[count]) else {}
    after = dict(new[count]) if len(new) > count else {}
    for name in {**before, **after}:
        if name in before and name in after:
            _compare(before[name], after[name], name, found)
        else:
            change = "is new" if name in after else "is left out"
            found.append(_Difference(f"{name} {change}", "structure", _ADVICE["structure"]))
    return found


def _is_keywords(part: Any) -> bool:
    return type(part) is tuple and all(
        type(p) is tuple and len(p) == 2 and type(p[0]) is str for p in part
    )


def _compare(old: Key, new: Key, label: str, found: list[_Difference]) -> None:
    """Adds the differences between two keys of one argument."""
    if old == new:
        return
    kind_a, kind_b = _kind(old), _kind(new)
    if kind_a == kind_b == "tensor":
        if old[0] != new[0]:
            text = f"{label} has dtype {new[0].name}, and had {old[0].name}"
            found.append(_Difference(text, "dtype", _ADVICE["dtype"]))
        if old[1] != new[1]:
            text = f"{label} has shape {new[1]}, and had {old[1]}"
            found.append(_Difference(text, "shape", _ADVICE["shape"]))
    elif kind_a == kind_b == "container" and old[0] == new[0] and len(old[1]) == len(new[1]):
        keys = old[0][1] if type(old[0]) is tuple else range(len(old[1]))
        for key, a, b in zip(keys, old[1], new[1], strict=True):
            _compare(a, b, f"{label}[{key!r}]", found)
    elif kind_a == kind_b:
        kind = {"container": "structure", "number": "number", "object": "object"}.get(
            kind_a, "value"
        )
        text = f"{label} is {_shown(new)}, and was {_shown(old)}"
        found.append(_Difference(text, kind, _ADVICE[kind]))
    else:
        text = f"{label} is {_shown(new)}, and was {_shown(old)}"
        found.append(_Difference(text, "kind", _ADVICE["kind"]))


def _kind(key: Key) -> str:
    if type(key) is Identity:
        return "object"
    if type(key) is tuple and key:
        if isinstance(key[0], np.dtype):
            return "tensor"
        if key[0] in (int, float, complex, bool):
            return "number"
        if len(key) == 2 and type(key[1]) is tuple and key[0] is not str:
            return "container"
    return "value"


def _shown(key: Key) -> str:
    kind = _kind(key)
    if kind == "tensor":
        return f"a {key[0].name} tensor of shape {key[1]}"
    if kind == "container":
        name = key[0][0] if type(key[0]) is tuple else key[0]
        return f"a {getattr(name, '__name__', name)} of {len(key[1])} items"
    if type(key) is tuple and len(key) == 2:
        if type(key[1]) is str and key[0] in (float, complex):
            return key[1]
        text = repr(key[1])
        return text if len(text) <= 60 else f"{text[:57]}..."
    return repr(key)


def explain(cache: TraceCache, name: str) -> str:
    """What `explain_retraces` gives."""
    if not cache.history:
        return f"{name} has not been traced."
    lines = [f"{name} has been traced {_times(cache.trace_count)}."]
    for record in cache.history:
        lines.append(f"trace {record.number}: {record.signature}")
        if record.reasons:
            lines.append(f"  differs from trace {record.like}: " + "; ".join(record.reasons))
            lines.append(f"  to avoid it: {record.advice}")
        elif record.number > 1:
            lines.append("  an earlier trace for the same arguments was dropped or not kept")
    return "\n".join(lines)


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _warn(cache: TraceCache, name: str, record: TraceRecord) -> None:
    """Warns once, when many of the last traces differ in the same sort of thing."""
    if cache.warned or len(cache.history) < _A_PATTERN:
        return
    latest = list(cache.history)[1 - _A_PATTERN :]
    if not record.kind or any(r.kind != record.kind for r in latest):
        return
    cache.warned = True
    place = user_location()
    message = (
        f"{name} has been traced {_times(cache.trace_count)}, and tracing is slow: each time, "
        f"{record.reasons[0]} (or the like). To avoid it, {record.advice}. "
        f"{name}.explain_retraces() tells more."
    )
    warnings.warn_explicit(message, RetracingWarning, place.filename, place.line)
