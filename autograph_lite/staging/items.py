"""Items of containers and tensors: `x[i]`, `x[i] = v`, `x[i] += v`, `del x[i]` while tracing."""

from __future__ import annotations

import operator
import types
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from autograph_lite.errors import StagingError
from autograph_lite.operators.calls import converted, is_users_own
from autograph_lite.operators.conditionals import no_body
from autograph_lite.operators.undefined import count_read
from autograph_lite.staging import array_stores, glances, item_arrays, loans
from autograph_lite.staging.choices import each_once
from autograph_lite.staging.chosen_keys import (
    at_one,
    candidates,
    held_under,
    is_doubtful,
    new_keys,
)
from autograph_lite.staging.conditionals import cond, if_exp, select
from autograph_lite.staging.either import (
    EitherValue,
    alternatives,
    can_change,
    fork,
    fork_effect,
)
from autograph_lite.staging.holders import Own, own_variable
from autograph_lite.staging.lists import StagedList
from autograph_lite.staging.picked_arrays import check_picked
from autograph_lite.staging.places import checked, checked_key, is_symbolic
from autograph_lite.staging.presence import perhaps, stores_defaults
from autograph_lite.staging.raising import assert_bound, stage_raise
from autograph_lite.staging.scopes import born, depth, scope, tracking
from autograph_lite.staging.specs import MaybeUnbound, unguarded
from autograph_lite.staging.tuples import as_sequence
from autograph_lite.staging.unrolling import WantsPythonItems
from runtime.context import current_graph
from runtime.convert import constant, convert_to_tensor
from runtime.dtypes import as_dtype
from runtime.locations import user_location
from runtime.ops.casting import cast
from runtime.ops.comparison import equal, logical_or
from runtime.ops.indexing import set_item
from runtime.ops.python_text import item
from runtime.tensor import SymbolicTensor, Tensor

_IN_PLACE: dict[str, Callable[[Any, Any], Any]] = {
    "+=": operator.iadd,
    "-=": operator.isub,
    "*=": operator.imul,
    "@=": operator.imatmul,
    "/=": operator.itruediv,
    "//=": operator.ifloordiv,
    "%=": operator.imod,
    "**=": operator.ipow,
    "<<=": operator.ilshift,
    ">>=": operator.irshift,
    "&=": operator.iand,
    "^=": operator.ixor,
    "|=": operator.ior,
}


_NEW: dict[str, Callable[[Any, Any], Any]] = {
    symbol: getattr(operator, function.__name__.removeprefix("i"))
    if hasattr(operator, function.__name__.removeprefix("i"))
    else getattr(operator, function.__name__.removeprefix("i") + "_")
    for symbol, function in _IN_PLACE.items()
}


def getitem(owner: Any, index: Any) -> Any:
    """`owner[index]`, where the index, or the owner, may be staged."""
    return load(owner, index)


def load(owner: Any, index: Any) -> Any:
    """`owner[index]`; a Python container with a tensor as index picks at run time."""
    if isinstance(owner, EitherValue) and _make_alike(owner) and not is_symbolic(index):
        make = _making(next(alternatives(owner)))
        return fork(lambda table: _of_dict(table, index, make), (owner,), {})
    if isinstance(owner, EitherValue) or isinstance(index, EitherValue):
        return fork(load, (owner, index), {})
    if isinstance(owner, StagedList) and isinstance(index, SymbolicTensor):
        if owner.items is None and len(owner) > 1 and any(map(can_change, owner)):
            return _pick_object(owner, index)
        if owner.items is None and type(index) is SymbolicTensor and _holds_numbers(owner):
            return _pick(owner, index)
    if isinstance(owner, dict) and not isinstance(index, Tensor):
        return _of_dict(owner, index)
    if not is_symbolic(index) or isinstance(owner, Tensor | StagedList):
        if type(owner) is np.ndarray:
            glances.looked_at(owner)
        return owner[index]
    if isinstance(owner, np.ndarray):
        return array_stores.tensor_of(owner)[index]
    if isinstance(index, slice):
        return _slice(owner, index)
    if isinstance(owner, list | tuple | range | str) and isinstance(index, SymbolicTensor):
        return _pick(owner, index)
    if isinstance(owner, dict) and isinstance(index, SymbolicTensor):
        return _look_up(owner, index)
    return owner[index]


def _make_alike(owner: EitherValue) -> bool:
    """Whether a value is one of several of `defaultdict`, which make the same."""
    tables = list(alternatives(owner))
    if not all(map(stores_defaults, tables)):
        return False
    return all(table.default_factory is tables[0].default_factory for table in tables)


def _of_dict(owner: dict[Any, Any], key: Any, make: Callable[[], Any] | None = None) -> Any:
    """An item of a dict; one that is there on some paths only is asked for here and now.

    Args:
      owner: the dict.
      key: of the item.
      make: what gives the default of a `defaultdict`, if that is made already.
    """
    if key not in owner and hasattr(type(owner), "__missing__"):
        return _missing(owner, key, make)
    value = owner[key]
    found = perhaps((id(owner), "item", key), value)
    if not isinstance(found, MaybeUnbound):
        return value
    if stores_defaults(owner):
        return _or_default(owner, key, found, make or _making(owner))
    if value is found.value or unguarded(value) is not value:
        assert_bound(found.bound, KeyError(key))
        return found.value
    return value  # a Counter's, with its default, or guarded inside


def _missing(owner: dict[Any, Any], key: Any, make: Callable[[], Any] | None = None) -> Any:
    """An item that a dict does not have yet, and makes when it is asked for it, or gives as 0."""
    # Should a later pass of a loop store it, this pass has to be traced again.
    count_read()
    if stores_defaults(owner):
        made = _default(owner) if make is None else make()
        _put(owner, key, made)
        return made
    _note(owner, key)
    made = owner[key]
    if key in owner and type(made) is list:
        owner[key] = made = StagedList(made)
    elif key in owner:
        born(made)
    return made


def _or_default(owner: Any, key: Any, found: MaybeUnbound, make: Callable[[], Any]) -> Any:
    """An item of a `defaultdict` that has it on some paths only, and on all of them from now on."""
    value = if_exp(found.bound, lambda: found.value, make)
    _put(owner, key, value)
    return value


def _making(owner: Any) -> Callable[[], Any]:
    """What gives a default in a branch: made in it, or before if that has no effects.

    An object from before the branch is itself after it, and can change.
    """
    graph = current_graph()
    assert graph is not None
    count = len(graph.operations)
    with scope() as changed:
        try:
            made = _default(owner)
        except (StagingError, KeyboardInterrupt):
            raise
        except BaseException:  # the user's, which only the branch raises
            made = None
        has_effects = made is None or changed.changes or len(graph.operations) > count
        if has_effects:
            changed.take_back()
    if has_effects:
        graph.forget_after(count)
        return lambda: _default(owner)
    changed.hand_over()
    return lambda: made


def _default(owner: Any) -> Any:
    """What a `defaultdict` makes for a key that it does not have."""
    from autograph_lite.staging.births import adopt

    factory = owner.default_factory
    if isinstance(factory, types.MethodWrapperType | types.BuiltinMethodType) and depth() > 1:
        raise StagingError(
            f"{user_location()}: a defaultdict asks {factory!r} for a default in a branch or loop "
            "on a tensor, which would ask it on every path; give the dict its keys before"
        )
    return adopt(converted(factory)())


def _put(owner: dict[Any, Any], key: Any, value: Any) -> None:
    _note(owner, key)
    owner[key] = value


def _slice(values: Any, index: slice) -> Any:
    """A part of a Python sequence, whose ends are known when the graph runs."""
    if isinstance(values, str):
        return item(values, index)
    if isinstance(values, range):
        return convert_to_tensor(list(values))[index]
    if type(values) in (list, tuple):
        return as_sequence(values)[index]
    return values[index]


_SEQUENCES: dict[type, str] = {tuple: "tuple", range: "range object", str: "string"}


def _pick(values: Any, index: Tensor) -> Any:
    """An element of a Python sequence, chosen when the graph runs."""
    if index.dtype.kind not in "iu":
        kind = type(values).__name__
        raise TypeError(
            f"{user_location()}: {kind} indices must be integers, found a tensor of dtype "
            f"{index.dtype.name}"
        )
    size = len(values)
    if size > 1 and any(map(can_change, values)):
        return _pick_object(values, index)
    message = f"{_SEQUENCES.get(type(values), 'list')} index out of range"
    if _is_table(values):
        table = convert_to_tensor(list(values))
        picked = table[checked(table, index, message)]
        if picked.shape.rank != 0:
            item_arrays.note(values, table)
        if isinstance(picked, SymbolicTensor) and not isinstance(values[0], Tensor):
            picked.weak = True
        return picked

    def fail() -> Any:
        raise IndexError(message)

    choices = [(is_place(index, n, n - size), values[n]) for n in range(size)]
    return select(choices, fail, f"an element of the {type(values).__name__}")


def _pick_object(values: Any, index: Tensor) -> Any:
    """One of several objects that can change: what is done to it is done to the one picked."""
    return _one_of(values, checked(convert_to_tensor(list(range(len(values)))), index))


def _one_of(values: Any, place: Tensor) -> Any:
    picked = values[-1]
    for number in reversed(range(len(values) - 1)):
        picked = EitherValue(equal(place, number), values[number], picked, fixed=True)
    return each_once(picked) if isinstance(picked, EitherValue) else picked


def _is_table(values: Any) -> bool:
    """Whether all elements are numbers, or tensors of one dtype and shape."""
    if not len(values):
        return False
    if type(values[0]) in (int, float):
        return _holds_numbers(values)
    if not all(isinstance(v, Tensor) for v in values):
        return False
    return len({(v.dtype, v.shape) for v in values}) == 1 and values[0].shape.is_fully_defined()


def _holds_numbers(values: Any) -> bool:
    """Whether all elements are Python's numbers, of one kind: those make one constant."""
    kind = type(values[0]) if len(values) else None
    return kind in (int, float) and all(type(v) is kind for v in values)


def is_place(index: Tensor, front: int, back: int) -> Tensor:
    """Whether `index` is `front`, or `back` as counted from the end."""
    return logical_or(equal(index, front), equal(index, back))


def _look_up(table: dict[Any, Any], key: Tensor) -> Any:
    """A dict's value under a key known only when the graph runs: by comparing with every key."""

    def fail() -> Any:
        if isinstance(table, Counter):
            return 0
        raise KeyError(key)

    if stores_defaults(table):
        _make_defaults(table, key)
    found = held_under(table, key)
    if any(can_change(one.value) for one in found):
        if not all(one.is_sure for one in found) and not stores_defaults(table):
            check_any([one.is_it for one in found], KeyError(key))
        return _look_up_object([(one.key, one.value) for one in found], key)
    return select([(one.is_it, one.value) for one in found], fail, "an item of the dict")


def _make_defaults(table: dict[Any, Any], key: Tensor) -> None:
    """Has a `defaultdict` make the item that it is asked for, if it does not have it yet."""
    new = new_keys(table, key)
    if new is None:
        _refuse_new([key == k for k in candidates(table, key)], key)
    elif new:
        at_one(new, key, partial(_of_dict, table))


def _look_up_object(known: list[tuple[Any, Any]], key: Tensor) -> Any:
    """A dict's value that can change: what is done to it is done to the one picked."""
    place = checked_key([k for k, _ in known], key)
    return _one_of([value for _, value in known], place)


def setitem(owner: Any, index: Any, value: Any) -> Any:
    """`owner[index] = value`: gives what `owner` is afterwards, itself or a functional update."""
    return store(owner, index, value)


def store(owner: Any, index: Any, value: Any, own: Own | None = None) -> Any:
    """See `setitem`; `own` is through what is stored, by default the variable assigned to."""
    if isinstance(owner, EitherValue):
        if all(isinstance(alternative, Tensor) for alternative in alternatives(owner)):
            own = own_variable() if own is None else own
            return _store_to_either(owner, index, value, own)
        fork_effect(owner, lambda alternative: _store_into(alternative, index, value))
        return owner
    if isinstance(owner, dict) and isinstance(index, EitherValue):
        fork_effect(index, lambda key: _store_into(owner, key, value))
        return owner
    if isinstance(owner, SymbolicTensor | np.ndarray):
        if isinstance(value, EitherValue):
            # Whatever its dtype, the array makes its own of it.
            value = fork(lambda item: cast(item, as_dtype(owner.dtype)), (value,), {})
        own = own_variable() if own is None else own
        return array_stores.store(owner, index, value, own)
    if isinstance(owner, Tensor):
        return set_item(owner, index, value)
    if isinstance(owner, StagedList):
        owner[index] = value
        return owner
    if isinstance(index, SymbolicTensor):
        return _store_by_comparing(owner, index, value)
    method = getattr(type(owner), "__setitem__", None)
    if is_users_own(method):
        converted(types.MethodType(method, owner))(index, value)  # type: ignore[arg-type]
        return owner
    _note(owner, index)
    owner[index] = value
    return owner


def _store_to_either(owner: EitherValue, index: Any, value: Any, own: Own) -> Any:
    """Stores to arrays of several dtypes, of which the variable holds one."""
    if any(array_stores.others(alternative, own) for alternative in alternatives(owner)):
        array_stores.refuse_chosen()
    return fork(set_item, (owner, index, value), {})


def _store_into(owner: Any, index: Any, value: Any) -> None:
    """Stores into an object that may be the one meant; it must be one that can change."""
    if store(owner, index, value) is not owner:
        raise StagingError(
            f"{user_location()}: item assignment to {owner!r}, which does not change, and stands "
            "beside others; assign to a variable in each branch instead"
        )


def _note(owner: Any, index: Any) -> None:
    if not tracking():
        return
    if isinstance(owner, list):
        loans.change(owner, "content", None)
        return
    try:
        hash(index)
    except TypeError:
        return
    loans.change(owner, "item", index)


def _store_by_comparing(owner: Any, index: Tensor, value: Any) -> Any:
    """Stores into a Python list or dict at a place known only when the graph runs."""
    if isinstance(owner, list):
        size = len(owner)
        matches = [(n, is_place(index, n, n - size)) for n in range(size)]
    elif isinstance(owner, dict):
        matches = [(k, index == k) for k in candidates(owner, index)]
    else:
        raise StagingError(
            f"{user_location()}: item assignment to a {type(owner).__name__} at a tensor's place "
            "cannot be staged; use a list, a dict or a tensor"
        )
    if isinstance(owner, dict):
        new = new_keys(owner, index)
        if new:
            at_one(new, index, lambda key: store(owner, key, value))
            return owner
        if new is None:
            _check_key(owner, index, matches)
    else:
        load(owner, index)
    for key, match in matches:
        _note(owner, key)
        owner[key] = select([(match, value)], partial(owner.__getitem__, key), "an item")
    return owner


def _check_key(owner: dict[Any, Any], index: Tensor, matches: list[tuple[Any, Any]]) -> None:
    """Refuses, when the graph runs, a key that the dict does not have yet."""
    for key, _ in matches:
        if is_doubtful(owner, key):
            raise WantsPythonItems(
                f"{user_location()}: a dict with the key {key!r} on some paths only is stored to "
                "at a key that only the running graph knows; give the dict its keys before"
            )
    _refuse_new([match for _, match in matches], index)


def _refuse_new(matches: list[Any], index: Tensor) -> None:
    """Refuses, when the graph runs, a key that is none of those that a dict has."""
    if not matches:
        raise WantsPythonItems(
            f"{user_location()}: a dict cannot gain a key that only the running graph knows, "
            f"{index!r}; give the dict its keys before, or use a list"
        )
    message = (
        f"{user_location()}: a dict cannot gain a key that only the running graph knows; give the "
        "dict its keys before, or use a list"
    )
    check_any(matches, StagingError(message))


def check_any(flags: list[Any], error: Exception) -> None:
    """Adds what raises `error` where none of the flags is true."""
    found: Any = constant(False)
    for flag in flags:
        found = logical_or(found, flag)
    cond(found, no_body, partial(stage_raise, error))


def augitem(owner: Any, index: Any, symbol: str, value: Any, lazy: bool = False) -> Any:
    """`owner[index] += value` and its kin: gives what `owner` is afterwards."""
    old = load(owner, index)
    check_picked(owner, index, old)
    operand = value() if lazy else value
    if isinstance(owner, np.ndarray) and not isinstance(old, Tensor):
        if isinstance(operand, SymbolicTensor):
            old = convert_to_tensor(np.array(old))
        elif depth() > 1:
            old = np.array(old)
    if isinstance(old, SymbolicTensor) and isinstance(owner, Tensor | np.ndarray):
        # It is the store that changes the array.
        return store(owner, index, _NEW[symbol](old, operand))
    return store(owner, index, _IN_PLACE[symbol](old, operand))


def delete(owner: Any, index: Any) -> None:
    """`del owner[index]`."""
    if isinstance(owner, EitherValue):
        fork_effect(owner, lambda value: delete(value, index))
        return
    if isinstance(owner, dict) and isinstance(index, SymbolicTensor):
        found = held_under(owner, index)
        check_any([one.is_it for one in found], KeyError(index))
        if found:
            at_one([one.key for one in found], index, partial(delete, owner))
        return
    if not isinstance(owner, StagedList):
        if isinstance(owner, dict) and not isinstance(index, Tensor):
            held = perhaps((id(owner), "item", index), dict.get(owner, index))
            if isinstance(held, MaybeUnbound):
                assert_bound(held.bound, KeyError(index))
        _note(owner, index)
    del owner[index]


def tracked(owner: Any, variable: Any = None) -> Any:
    """See `autograph_lite.staging.tracking`."""
    from autograph_lite.staging.tracking import tracked as track

    return track(owner, variable)
