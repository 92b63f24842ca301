"""The arguments of a call of a ConcreteFunction, matched with those of its trace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph_lite.arguments import Arguments, Identity, parts_of
from autograph_lite.guards import same_value
from runtime.tensor_spec import TensorSpec

_NOTHING: Any = object()


def matched(traced: Arguments, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any] | None:
    """What is given for the tensors of a trace, in order; None if it does not match.

    Python values of the trace may be repeated or left out.

    Args:
      traced: the trace's arguments, with TensorSpecs for tensors.
      args: the call's.
      kwargs: by the names of parameters, or of specs.

    >>> spec = TensorSpec([], "int32", "x")
    >>> matched(Arguments((spec, 3), {}, ("x", "n")), [7], {}), matched(
    ...     Arguments((3, spec), {}, ("n", "x")), [3, 7], {})
    ([7], [7])
    """
    left, named = list(args), dict(kwargs)
    found: list[Any] = []
    names = traced.names or ()
    for place, wanted in traced.items():
        name = place if isinstance(place, str) else names[place] if place < len(names) else ""
        value = _take(wanted, name, left if isinstance(place, int) else [], named)
        if not _collect(wanted, value, found):
            return None
    return None if left or named else found


def _take(wanted: Any, name: str, left: list[Any], named: dict[str, Any]) -> Any:
    """The argument given for one of the trace's; the trace's own if it may be left out."""
    for key in (name, wanted.name if isinstance(wanted, TensorSpec) else name):
        if key in named:
            return named.pop(key)
    if left and (_has_specs(wanted) or _same(wanted, left[0])):
        return left.pop(0)
    return _NOTHING if _has_specs(wanted) else wanted


def _has_specs(wanted: Any) -> bool:
    if isinstance(wanted, TensorSpec):
        return True
    parts = parts_of(wanted)
    return parts is not None and any(map(_has_specs, parts[1]))


def _same(wanted: Any, value: Any) -> bool:
    if type(wanted) is Identity:
        return wanted.reference() is value
    parts, others = parts_of(wanted), parts_of(value)
    if parts is None or others is None:
        return same_value(wanted, value)
    return parts[0] == others[0] and all(map(_same, parts[1], others[1]))


def _collect(wanted: Any, value: Any, found: list[Any]) -> bool:
    """Adds what stands in `value` where `wanted` has specs; whether it has the same structure."""
    if isinstance(wanted, TensorSpec):
        found.append(value)
        return value is not _NOTHING
    if not _has_specs(wanted):
        return value is wanted or _same(wanted, value)
    if type(wanted) is dict and type(value) is dict and wanted.keys() == value.keys():
        return all(_collect(item, value[key], found) for key, item in wanted.items())
    parts, others = parts_of(wanted), parts_of(value)
    if parts is None or others is None or len(parts[1]) != len(others[1]):
        return False
    return all(_collect(w, v, found) for w, v in zip(parts[1], others[1], strict=True))
