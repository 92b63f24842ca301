"""Builtin functions of Python on staged values."""

from __future__ import annotations

import builtins
import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

import runtime.ops.creation as creation
import runtime.ops.elementwise as elementwise
import runtime.ops.reductions as reductions
from autograph_lite.errors import StagingError
from autograph_lite.operators import conditionals as operators
from autograph_lite.operators.builtins_ import type_
from autograph_lite.operators.calls import converted
from autograph_lite.operators.logic import compare, not_
from autograph_lite.operators.loops import for_loop
from autograph_lite.operators.undefined import Undefined, ld
from autograph_lite.staging import lazily
from autograph_lite.staging.conditionals import and_ as both
from autograph_lite.staging.conditionals import if_exp, or_
from autograph_lite.staging.generators import StagedGenerator, settled
from autograph_lite.staging.iterables import (
    Counted,
    Enumerated,
    Filtered,
    Mapped,
    Reversed,
    StrictlyZipped,
    Zipped,
    counted,
    is_counted,
    listed,
    python_items,
    sequence,
    unfiltered,
)
from autograph_lite.staging.iteration import StagedIterator, fold
from autograph_lite.staging.kinds import isinstance_ as isinstance_
from autograph_lite.staging.list_specs import is_dynamic
from autograph_lite.staging.lists import StagedList
from autograph_lite.staging.own_order import hold_an_order, orders_itself
from autograph_lite.staging.raising import raise_where
from autograph_lite.staging.sorting import (
    are_structures,
    in_python,
    less,
    order_of,
    rearranged,
)
from autograph_lite.staging.specs import is_number
from autograph_lite.staging.text import holds_staged
from autograph_lite.staging.text import repr_ as repr_
from autograph_lite.staging.text import str_ as str_
from autograph_lite.staging.tuples import as_tuple
from runtime import dtypes
from runtime.control_flow import as_condition
from runtime.convert import convert_to_tensor
from runtime.locations import user_location
from runtime.numpy_face.emptiness import not_empty
from runtime.ops.casting import cast
from runtime.ops.comparison import equal, not_equal
from runtime.ops.promotion import python_float
from runtime.ops.python_text import ask, is_text
from runtime.ops.shaping import identity, reshape
from runtime.ops.shaping import shape as shape_of
from runtime.ops.unary import abs as absolute
from runtime.ops.unary import round as to_whole
from runtime.tensor import SymbolicTensor, Tensor


def is_simple(value: Any) -> bool:
    """Whether an argument needs nothing of this module: a list whose length is known."""
    return isinstance(value, StagedList) and value.items is None


def abs_(x: Any) -> Any:
    """`abs(x)`."""
    return absolute(x)


def len_(x: Any) -> Any:
    """`len(x)`: known while tracing if it can be."""
    if is_dynamic(x):
        return _weak(x.items.length())
    if isinstance(x, Counted):
        return _weak(x.length())
    if not isinstance(x, Tensor):
        return len(x)
    if x.dtype is dtypes.string and x.shape.rank == 0:
        from runtime.api.strings import length

        return _weak(length(x, unit="UTF8_CHAR"))
    if x.shape.rank == 0:
        raise TypeError(f"{user_location()}: a scalar tensor has no len(): {x!r}")
    size = x.shape[0] if x.shape.rank else None
    return size if size is not None else _weak(shape_of(x)[0])


def _weak(number: Any) -> Any:
    """A tensor that is a plain `int` in Python, and takes its partner's dtype as one does."""
    if isinstance(number, SymbolicTensor):
        number.weak = True
    return number


def int_(x: Any = 0, *base: Any) -> Any:
    """`int(x)`: rounds towards zero."""
    if is_text(x):
        return ask(int, x, *base, dtype=dtypes.int32)
    if isinstance(x, list | tuple | dict):
        return int(type_(x)())  # Python's own error
    return _scalar_cast(x, _INTEGERS)


def float_(x: Any = 0.0) -> Any:
    """`float(x)`."""
    if is_text(x):
        return ask(float, x, dtype=python_float())
    if isinstance(x, list | tuple | dict):
        return float(type_(x)())  # Python's own error
    return _scalar_cast(x, _FLOATS)


def bool_(x: Any = False) -> Any:
    """`bool(x)`."""
    if is_dynamic(x):
        return x.items.length() > 0
    # One of several alternatives may be Python's own: a tuple, an object.
    staged = getattr(type(x), "__ag_staged__", False) or isinstance(x, Tensor)
    return as_condition(x, "bool()") if staged else bool(x)


_INTEGERS = {
    dtypes.int64: dtypes.int64,
    dtypes.uint32: dtypes.int64,
    dtypes.uint64: dtypes.uint64,
    dtypes.float64: dtypes.int64,
}
"""What `int()` makes of tensors; of those of other dtypes, as of Python numbers, int32."""

_FLOATS = {
    dtypes.float16: dtypes.float16,
    dtypes.float64: dtypes.float64,
    dtypes.int64: dtypes.float64,
    dtypes.uint32: dtypes.float64,
    dtypes.uint64: dtypes.float64,
}
"""What `float()` makes of tensors; those of other dtypes become what Python's floats do."""


def _scalar_cast(x: Any, wanted: dict[Any, Any]) -> Tensor:
    tensor = convert_to_tensor(x)
    size = tensor.shape.num_elements()
    if size is not None and size != 1:
        raise TypeError(
            f"{user_location()}: only a tensor with one element can become a number, "
            f"found {tensor!r}"
        )
    if tensor.shape.rank != 0:
        tensor = reshape(tensor, ())
    dtype = wanted.get(tensor.dtype, dtypes.int32 if wanted is _INTEGERS else python_float())
    return _weak(identity(tensor) if tensor.dtype is dtype else cast(tensor, dtype))


def range_(*bounds: Any) -> Any:
    """`range(...)` with tensors as bounds."""
    if len(bounds) > 2 and not isinstance(bounds[2], int):
        raise_where(equal(bounds[2], 0), ValueError("range() arg 3 must not be zero"))
    return creation.range(*[_whole_bound(bound) for bound in bounds])


def _whole_bound(bound: Any) -> Any:
    """A bound in a dtype that Python's counting fits into: signed, of 32 bits or more."""
    if isinstance(bound, int):
        return bound
    tensor = convert_to_tensor(bound)
    if tensor.dtype.kind not in "iub":
        raise TypeError(
            f"{user_location()}: a tensor of dtype {tensor.dtype.name} cannot be a bound of "
            "range(); expected integers. Use int(x), or ag.range for a range of floats"
        )
    if tensor.dtype in (dtypes.int32, dtypes.int64):
        return tensor
    narrow = tensor.dtype.size < 4
    return cast(tensor, dtypes.int32 if narrow else dtypes.int64)


def divmod_(x: Any, y: Any) -> tuple[Tensor, Tensor]:
    """`divmod(x, y)`."""
    return elementwise.floordiv(x, y), elementwise.floormod(x, y)


def pow_(base: Any, exponent: Any, *modulus: Any) -> Tensor:
    """`pow(base, exponent)`, and with a modulus what is left of it."""
    raised = elementwise.pow(base, exponent)
    return elementwise.floormod(raised, modulus[0]) if modulus else raised


def round_(x: Any, *digits: Any) -> Tensor:
    """`round(x)`: to the nearest integer, halves to even; with digits, to so many decimals."""
    tensor = convert_to_tensor(x)
    if not tensor.dtype.is_floating:
        if tensor.dtype.is_integer and digits and digits[0] is not None and digits[0] < 0:
            from runtime.numpy_face.numbers import round_whole

            return round_whole(tensor, 10 ** -digits[0])
        return tensor
    if not digits or digits[0] is None:
        return _weak(cast(to_whole(tensor), dtypes.int32))
    scale = 10.0 ** digits[0]
    return to_whole(tensor * scale) / scale


# ---- over many items


def sum_(values: Any, *start: Any, **named: Any) -> Any:
    """`sum(values)` over the first dimension of a tensor, or the items of what is staged."""
    begin = start[0] if start else named.get("start", 0)
    if isinstance(values, Tensor):
        total = reductions.reduce_sum(values, axis=0)
        return total if isinstance(begin, int) and begin == 0 else total + begin
    if not is_counted(values):
        return builtins.sum(values, begin)
    return fold(lambda total, item: total + item, values, begin)


def min_(*values: Any, key: Any = None, **default: Any) -> Any:
    """`min(...)` of a tensor's elements, of several tensors, or of the items of a list."""
    return _extreme(values, key, default, "min")


def max_(*values: Any, key: Any = None, **default: Any) -> Any:
    """`max(...)` of a tensor's elements, of several tensors, or of the items of a list."""
    return _extreme(values, key, default, "max")


_REDUCERS: dict[str, Any] = {"min": reductions.reduce_min, "max": reductions.reduce_max}
_CHOOSERS: dict[str, Any] = {"min": elementwise.minimum, "max": elementwise.maximum}


def _extreme(values: tuple[Any, ...], key: Any, default: dict[str, Any], name: str) -> Any:
    if key is not None:
        key = converted(key)
    if len(values) == 1:
        items = values[0]
        if isinstance(items, Tensor) and key is None and items.shape.rank in (None, 1):
            return _extreme_of_tensor(items, name, default)
        if is_counted(items):
            return _extreme_of_many(items, _better(name, key), default, name)
        values = tuple(items)
        if not values:
            if "default" in default:
                return default["default"]
            raise ValueError(_nothing_in(name))
    if key is None and any(map(orders_itself, values)):
        key = _itself
    if key is not None:
        return _extreme_by_key(values, key, name)
    best = values[0]
    for value in values[1:]:
        best = _better(name, key)(best, value)
    return best


def _extreme_by_key(values: tuple[Any, ...], key: Any, name: str) -> Any:
    """The item of which a function makes the least or the most; it is asked once for each."""
    keys = [key(value) for value in values]
    best = (values[0], keys[0])
    for new in zip(values[1:], keys[1:], strict=True):
        wins = compare(new[1], "<" if name == "min" else ">", best[1])
        if _holds_staged(wins):
            best = if_exp(wins, partial(_itself, new), partial(_itself, best))
        elif wins:
            best = new
    return best[0]


def _extreme_of_tensor(items: Tensor, name: str, default: dict[str, Any]) -> Any:
    if "default" not in default:
        items = not_empty(items, 0, _nothing_in(name))
        return _REDUCERS[name](items, axis=0)
    size = items.shape[0] if items.shape.rank else None
    if size is not None:
        return _REDUCERS[name](items, axis=0) if size else default["default"]
    some = shape_of(items)[0] > 0
    return if_exp(some, lambda: _REDUCERS[name](items, axis=0), lambda: default["default"])


def _nothing_in(name: str) -> str:
    """What Python says of the extreme of nothing: its versions differ."""
    try:
        getattr(builtins, name)(())
    except ValueError as error:
        return str(error)
    raise AssertionError("unreachable")


def _extreme_of_many(
    items: Any, better: Callable[[Any, Any], Any], default: dict[str, Any], name: str
) -> Any:
    if "default" not in default:
        return fold(better, items, error=ValueError(_nothing_in(name)))
    items = listed(items)
    if not is_dynamic(items):
        return fold(better, items) if len(items) else default["default"]
    some = items.items.length() > 0
    return if_exp(some, lambda: fold(better, items), lambda: default["default"])


def _better(name: str, key: Any) -> Callable[[Any, Any], Any]:
    """Chooses one of two items as `min` or `max` does: the first, if they are equal."""
    choose = _CHOOSERS[name]

    def better(best: Any, new: Any) -> Any:
        if key is None and (orders_itself(best) or orders_itself(new)):
            return _extreme_by_key((best, new), _itself, name)
        if key is None:
            if not holds_staged(best) and not holds_staged(new):
                return getattr(builtins, name)(best, new)
            if _has_axes(best) or _has_axes(new):
                return choose(best, new)
        a, b = (best, new) if key is None else (key(best), key(new))
        wins = less(b, a) if name == "min" else less(a, b)
        if not _holds_staged(wins):
            return new if wins else best
        return if_exp(wins, lambda: new, lambda: best)

    return better


def _has_axes(value: Any) -> bool:
    """Whether a value is an array, or may be one, whose elements are chosen one by one."""
    return isinstance(value, Tensor) and value.shape.rank != 0 and not is_text(value)


def _holds_staged(value: Any) -> bool:
    return getattr(type(value), "__ag_staged__", False) and not is_simple(value)


def any_(values: Any) -> Any:
    """`any(values)`: over a tensor's elements, or the items of what is staged."""
    if isinstance(values, Tensor):
        return reductions.reduce_any(_truths(values), axis=0)
    found: Any = False
    if is_counted(values):
        return fold(
            lambda x, item: or_(as_condition(x, "any()"), lambda: _truth(item, "any()")),
            values,
            False,
        )
    for value in values:
        if _holds_staged(value):
            truth = as_condition(value, "any()")
            found = truth if found is False else or_(found, partial(_itself, truth))
        elif value:
            return True if found is False else or_(found, lambda: True)
    return found


def all_(values: Any) -> Any:
    """`all(values)`: over a tensor's elements, or the items of what is staged."""
    if isinstance(values, Tensor):
        return reductions.reduce_all(_truths(values), axis=0)
    held: Any = True
    if is_counted(values):
        return fold(
            lambda x, item: both(as_condition(x, "all()"), lambda: _truth(item, "all()")),
            values,
            True,
        )
    for value in values:
        if _holds_staged(value):
            truth = as_condition(value, "all()")
            held = truth if held is True else both(held, partial(_itself, truth))
        elif not value:
            return False if held is True else both(held, lambda: False)
    return held


def _truth(value: Any, what: str) -> Any:
    return as_condition(value, what) if _holds_staged(value) else bool(value)


def _itself(value: Any) -> Any:
    return value


def _truths(values: Tensor) -> Any:
    return values if values.dtype is dtypes.bool_ else not_equal(values, 0)


def sorted_(values: Any, *, key: Any = None, reverse: bool = False) -> Any:
    """`sorted(values)` of a tensor's elements, or of the items of a list."""
    from runtime.ops.gathering import gather
    from runtime.ops.joining import stack

    if key is not None:
        key = converted(key)
    if is_text(values):
        values = listed(values)
    weak, keys = False, None
    if not isinstance(values, Tensor):
        if not is_counted(values):
            known = in_python(values, key, reverse)
            if known is not None:
                return StagedList(known)
        items = listed(values)
        if _are_none(items):
            return items
        if key is not None:
            keys = _keys(items, key)
        if (
            are_structures(items)
            or hold_an_order(items)
            or not (key is None or _are_numbers(items))
        ):
            return rearranged(items, order_of(items if keys is None else keys, reverse))
        weak, values = _are_weak(items), stack(items)
    elif key is not None:
        keys = _keys(values, key)
    made = gather(values, order_of(values if keys is None else keys, reverse))
    return listed(Mapped(lambda item: _weak(identity(item)), counted(made)) if weak else made)


def _are_ordered_as_one(items: Any) -> bool:
    """Whether one tensor of all items has their order."""
    return not are_structures(items) and not hold_an_order(items)


def _keys(items: Any, key: Any) -> Any:
    """What a function makes of each item."""
    if isinstance(items, list) and not is_dynamic(items):
        return [key(item) for item in items]
    return listed(Mapped(key, counted(items)))


def _are_numbers(items: Any) -> bool:
    """Whether the items of a list are numbers or arrays, which one tensor can hold."""
    if is_dynamic(items):
        return getattr(items.items.element, "dtype", dtypes.string) is not dtypes.string
    return all(map(_is_number, items))


def _is_number(item: Any) -> bool:
    is_array = isinstance(item, Tensor | np.ndarray | np.generic)
    return is_number(item) or (is_array and not is_text(item))


def _are_none(items: Any) -> bool:
    """Whether a list is sure to be empty."""
    return items.items.element is None if is_dynamic(items) else not items


def _are_weak(items: list[Any]) -> bool:
    """Whether all items of a list are Python's numbers, or began as such."""
    if is_dynamic(items):
        return getattr(items.items.element, "weak", False)  # type: ignore[attr-defined]
    return all(is_number(item) or getattr(item, "weak", False) for item in items)


def enumerate_(values: Any, start: Any = 0) -> Any:
    """`enumerate(values, start)`."""
    if lazily.is_lazy(values):
        return lazily.lazily(lazily.enumerated, values, start)
    values = settled(values)
    if not is_counted(values):
        return builtins.enumerate(values, start)
    return Enumerated(counted(values), start)


def zip_(*values: Any, strict: bool = False) -> Any:
    """`zip(*values)`."""
    found = None if strict else lazily.zipped(values, _together)
    if found is not None:
        return found
    values = tuple(map(settled, values))
    if not any(map(is_counted, values)):
        return builtins.zip(*values, strict=strict)
    if strict:
        return StrictlyZipped([counted(v) for v in values])
    return _together(values)


def _together(values: Sequence[Any]) -> Zipped:
    """`zip` of what is known before it is gone over, and of Python's iterators."""
    values = _taking_turns(values)
    sizes = [_size_of(value) for value in values]
    known = [size for size in sizes if size is not None]
    inners: list[Counted] = []
    for place, value in enumerate(values):
        if known and isinstance(value, Iterator) and type(value) not in _ENDLESS:
            # It may have no end. Python takes one item more if what ends first comes later.
            ends_before = min(known) in sizes[:place]
            value = list(itertools.islice(value, min(known) + (not ends_before)))
        inners.append(counted(value))
    return Zipped(inners)


def _taking_turns(values: Sequence[Any]) -> list[Any]:
    """The items that each of the values gets of an iterator that is among them several times."""
    found, lists = list(values), {}
    for place, value in enumerate(values):
        places = [number for number, other in enumerate(values) if other is value]
        if isinstance(value, StagedIterator) and len(places) > 1:
            if id(value) not in lists:
                lists[id(value)] = listed(value)
            found[place] = lists[id(value)][places.index(place) :: len(places)]
    return found


_ENDLESS = (itertools.count, itertools.repeat)


def _size_of(values: Any) -> int | None:
    """How many items there are, where that is known while tracing."""
    if isinstance(values, SymbolicTensor):
        return values.shape[0] if values.shape.rank else None
    return len(values) if type(values) in (list, tuple, range) else None


def map_(function: Any, *values: Any) -> Any:
    """`map(function, *values)`."""
    function = converted(function)
    if len(values) == 1 and lazily.is_lazy(values[0]):
        return lazily.lazily(lazily.mapped, values[0], function)
    found = lazily.zipped(values, _together)
    if found is not None:
        return lazily.lazily(lazily.star_mapped, found, function)
    values = tuple(map(settled, values))
    if not any(map(is_counted, values)):
        return builtins.map(function, *values)
    if len(values) == 1:
        return Mapped(function, counted(values[0]))
    return Mapped(lambda items: function(*items), _together(values))


def filter_(predicate: Any, values: Any) -> Any:
    """`filter(predicate, values)`."""
    if lazily.is_lazy(values):
        return lazily.lazily(lazily.filtered, values, bool_ if predicate is None else predicate)
    values = settled(values)
    if not is_counted(values) and not any(map(_holds_staged, values)):
        return builtins.filter(predicate, values)
    test = bool_ if predicate is None else converted(predicate)
    return Filtered(test, counted(values))


def reversed_(values: Any) -> Any:
    """`reversed(values)`."""
    if not is_counted(values):
        return builtins.reversed(values)
    if isinstance(values, Counted):
        values = sequence(values)
    return Reversed(values, len_(values))


def iter_(values: Any, *sentinel: Any) -> Any:
    """`iter(values)`."""
    if not sentinel and isinstance(values, Counted):
        values = unfiltered(values)
    if sentinel:
        raise StagingError(
            f"{user_location()}: iter() with a sentinel cannot be staged; use `while`"
        )
    if isinstance(values, StagedIterator):
        return values
    return StagedIterator(counted(values)) if is_counted(values) else builtins.iter(values)


def next_(iterator: Any, *default: Any) -> Any:
    """`next(iterator)`, or with a default."""
    if isinstance(iterator, StagedIterator | StagedGenerator):
        return iterator.take(*default)
    return builtins.next(iterator, *default)


def first_of(iterator: Any, *default: Any) -> Any:
    """`next(iterator)` of an iterator that nobody goes on with: it need not end."""
    if not lazily.is_lazy(iterator) or iterator.state != "new":
        return next_(iterator, *default)
    found: Any = False
    first: Any = Undefined("first")

    def keep(item: Any) -> None:
        nonlocal found, first
        found, first = True, item

    def set_state(values: Any) -> None:
        nonlocal found, first
        found, first = values

    names = ("found", "first")
    for_loop(iterator, keep, lambda: (found, first), set_state, names, lambda: not_(found))

    def missing() -> Any:
        if default:
            return default[0]
        raise StopIteration

    return operators.if_exp(found, lambda: ld(first), missing)


def list_(values: Any = ()) -> Any:
    """`list(values)`."""
    if isinstance(values, StagedGenerator) and values.is_started:
        values = values.running
    if isinstance(values, StagedIterator | Counted) or is_counted(values):
        return listed(values)
    return StagedList(values)


def tuple_(values: Any = ()) -> Any:
    """`tuple(values)`."""
    if isinstance(values, SymbolicTensor) and values.shape.rank and values.shape[0] is not None:
        return tuple(values)
    return as_tuple(values)


def set_(values: Any = ()) -> Any:
    """`set(values)`: tensors have no hash."""
    if is_text(values):
        raise StagingError(
            f"{user_location()}: a set of the characters of a text that is made of tensors cannot "
            "be made while tracing; ask `in` or count() of the text itself"
        )
    found = listed(values) if is_counted(values) else values
    if not is_dynamic(found) and not any(map(_holds_staged, found)):
        return builtins.set(found)
    raise StagingError(
        f"{user_location()}: a set of a staged tensor's elements cannot be made while tracing; "
        "use ag.unique"
    )


def dict_(*pairs: Any, **more: Any) -> Any:
    """`dict(pairs)`: of as many keys as are known while tracing."""
    found = [_known_pairs(values) if is_counted(values) else values for values in pairs]
    if any(map(is_dynamic, found)):
        raise StagingError(
            f"{user_location()}: a dict cannot have keys that only the running graph knows; use "
            "a list of pairs"
        )
    return builtins.dict(*found, **more)


def _known_pairs(values: Any) -> Any:
    """The items one by one, where their number is known; else a list of the graph."""
    known = python_items(values) if isinstance(values, Counted) else None
    return listed(values) if known is None else list(known)
