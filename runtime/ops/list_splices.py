"""Parts of a list of a graph replaced by other lists: `x[i:j] = y`, `del x[i:j]`."""

from __future__ import annotations

from typing import Any

from runtime.convert import convert_to_tensor
from runtime.locations import Location, raise_at, user_location
from runtime.ops.apply import apply
from runtime.ops.lists import LIST, ListValue, empty
from runtime.ops.registry import NO_GRADIENT, define, gradient
from runtime.tensor import Tensor

Known = tuple[bool, bool, bool]


def _bounds(given: Any, known: Known) -> slice:
    rest = iter(given)
    return slice(*[int(next(rest)) if k else None for k in known])


def _replace(values: list[Any], part: list[Any], bounds: slice, deletes: bool) -> list[Any]:
    if deletes:
        del values[bounds]
    else:
        values[bounds] = part
    return values


def _sources(values: Any, part: Any, bounds: slice, deletes: bool) -> list[int]:
    """Where each element of the result comes from: those of `part` count on from `values`."""
    size = len(values)
    return _replace(list(range(size)), list(range(size, size + len(part))), bounds, deletes)


def _splice(
    values: ListValue, part: ListValue, *given: Any, known: Known, deletes: bool, location: Location
) -> ListValue:
    try:
        return ListValue(_replace(list(values), part, _bounds(given, known), deletes))
    except ValueError as error:
        return raise_at(error, location)  # type: ignore[no-any-return]


SPLICE = define("TensorListSplice", kernel=_splice, infer=lambda inputs, attrs: LIST)


def _unspliced(
    dy: ListValue,
    values: ListValue,
    part: ListValue,
    *given: Any,
    known: Known,
    deletes: bool,
    location: Location,
    to_part: bool,
) -> ListValue:
    size = len(values)
    found = ListValue([None] * (size + len(part)))
    for place, source in enumerate(_sources(values, part, _bounds(given, known), deletes)):
        found[source] = dy[place]
    return ListValue(found[size:] if to_part else found[:size])


UNSPLICE = define("TensorListUnsplice", kernel=_unspliced, infer=lambda inputs, attrs: LIST)

NOTHING = define(
    "TensorListNothing",
    kernel=lambda values: ListValue([None] * len(values)),
    infer=lambda inputs, attrs: LIST,
    gradient=NO_GRADIENT,
)


@gradient(SPLICE)
def _(op: Any, dy: Tensor) -> Any:
    back = [apply(UNSPLICE, (dy, *op.inputs), {**op.attrs, "to_part": p}) for p in (False, True)]
    return (*back, *[None] * (len(op.inputs) - 2))


@gradient(UNSPLICE)
def _(op: Any, dy: Tensor) -> Any:
    attrs = dict(op.attrs)
    to_part = attrs.pop("to_part")
    _, values, part, *given = op.inputs
    pair = (apply(NOTHING, (values,)), dy) if to_part else (dy, apply(NOTHING, (part,)))
    return (apply(SPLICE, (*pair, *given), attrs), *[None] * (len(op.inputs) - 1))


def spliced(values: Tensor, bounds: slice, part: Tensor | None) -> Tensor:
    """The list after `values[bounds] = part`, or where `part` is None after `del values[bounds]`.

    Where the bounds have a step and the lengths differ, Python's ValueError is raised.
    """
    every = (bounds.start, bounds.stop, bounds.step)
    known = tuple(bound is not None for bound in every)
    given = [convert_to_tensor(bound) for bound in every if bound is not None]
    attrs = {"known": known, "deletes": part is None, "location": user_location()}
    return apply(SPLICE, (values, empty() if part is None else part, *given), attrs)  # type: ignore[no-any-return]
