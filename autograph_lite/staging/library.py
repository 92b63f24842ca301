"""Functions of Python's library, and of NumPy, called with staged arguments in converted code.

`dispatching(f)` gives a stand-in for `f` that looks at its arguments: staged ones go to the
operation of the same meaning, others to `f` itself.
"""

from __future__ import annotations

import enum
import functools
import io
import itertools
import operator
import sys
import types
from collections import Counter, deque
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from autograph_lite.errors import StagingError
from autograph_lite.operators.calls import converted, converted_anyway
from autograph_lite.operators.items import shape
from autograph_lite.staging import (
    array_changes,
    array_stores,
    attributes,
    creation,
    dicts,
    heaps,
    lazily,
    loans,
    mathematics,
    own_order,
    searching,
    strings,
    text,
    text_functions,
)
from autograph_lite.staging.births import adopt
from autograph_lite.staging.conditionals import select
from autograph_lite.staging.either import EitherValue, by_value, fork, holds_either
from autograph_lite.staging.generators import iterated, settled
from autograph_lite.staging.iterables import (
    Counted,
    Filtered,
    Forever,
    Mapped,
    Zipped,
    counted,
    is_counted,
    listed,
    sequence,
)
from autograph_lite.staging.iteration import StagedIterator, fold
from autograph_lite.staging.itertools_ import (
    Accumulated,
    DroppedWhile,
    Product,
    Repeated,
    Sliced,
    TakenWhile,
    cycle,
)
from autograph_lite.staging.list_specs import is_dynamic
from autograph_lite.staging.lists import StagedList
from autograph_lite.staging.partly_read import items_between
from autograph_lite.staging.scopes import belongs, born, made_now, tracking
from autograph_lite.staging.text_buffers import TextBuffer, string_io, writing
from autograph_lite.staging.tracking import tracked
from autograph_lite.staging.unnoted import watching
from runtime.context import floats_of
from runtime.convert import convert_to_tensor
from runtime.dtypes import as_dtype, complex128
from runtime.locations import user_location
from runtime.ops import python_text
from runtime.ops.casting import cast
from runtime.ops.comparison import equal
from runtime.tensor import SymbolicTensor, Tensor

Function = Callable[..., Any]

_CHANGING: dict[type, set[str]] = {
    list: {"append", "extend", "insert", "pop", "remove", "clear", "reverse", "sort"},
    deque: {
        *("append", "appendleft", "extend", "extendleft", "insert", "pop", "popleft"),
        *("remove", "clear", "reverse", "rotate"),
    },
    dict: {"update", "pop", "popitem", "clear", "setdefault"},
    set: {
        *("add", "discard", "remove", "pop", "clear", "update", "difference_update"),
        *("intersection_update", "symmetric_difference_update"),
    },
}


def dispatching(f: Any, converted: Any) -> Any:
    """What a call of `f` in converted code calls, where its arguments may be staged.

    Args:
      f: a function of a library, a method of one of Python's objects, or a class.
      converted: what is called where nothing is staged.
    """
    if isinstance(f, EitherValue):
        return lambda *args, **keywords: fork(_call, (f, *args), keywords)
    if getattr(f, "__ag_block__", False):
        return f
    if f is str or f is repr:
        return _builtins()[f]  # objects of users may make text of the graph
    module = getattr(f, "__module__", None)
    if isinstance(module, str):
        table = _table(module.partition(".")[0])
        staged = table.get(f) if table else None
        if staged is not None:
            return _choosing(converted, staged)
        if text_functions.is_listed(f):
            return _choosing(converted, partial(text_functions.call, f))
    if isinstance(f, python_text.TextMethod):
        return partial(_of_text, f.name, f.text)
    if getattr(f, "__objclass__", None) is str:
        return _forking(_unbound_of_text(f))
    if f is Counter:
        return _forking(dicts.counter)
    if f is itertools.cycle:
        return _noting_birth(cycle)
    if f is functools.cmp_to_key:
        return own_order.cmp_to_key
    if f is io.StringIO:
        return _noting_birth(string_io)
    if isinstance(f, enum.EnumMeta):
        return _choosing(converted, partial(_member_of, f))
    if isinstance(f, type):
        is_plain = f.__module__ == "builtins" and f is not bytearray
        return converted if is_plain else _noting_birth(converted)
    if f is object.__setattr__ or f is object.__delattr__:
        return _storing(f)
    changing = array_changes.function(f) or heaps.function(f)
    if changing is not None:
        return _forking(changing)
    if type(f) is operator.attrgetter and f.__reduce__()[1] == ("shape",):
        return shape
    if f in (getattr, hasattr, vars):
        return {getattr: attributes.getattr_, hasattr: attributes.hasattr_, vars: _vars}[f]
    if f is setattr or f is delattr:
        return _setattr if f is setattr else _delattr
    if getattr(f, "__objclass__", None) in _CHANGING and f.__name__ in _CHANGING[f.__objclass__]:
        return _forking(_unbound(f))
    owner = getattr(f, "__self__", None)
    if owner is None and isinstance(module, str) and module.startswith("runtime."):
        return _forking(_making_tensors(converted))
    if owner is not None and (method := _method(f, owner)) is not f:
        return _forking(method)
    return _forking(watching(converted) if converted is f else converted)


def _making_tensors(f: Function) -> Function:
    """A function of the library's own, which gives tensors where NumPy's would give arrays."""

    def make(*args: Any, **keywords: Any) -> Any:
        # They make of Python's floats what they do outside of a trace.
        with floats_of(()):
            made = f(*args, **keywords)
        return array_stores.note_tensors(made)

    return make


def adopting(f: Function) -> Function:
    """A converted function, whose caller goes on with a list or object that it has made."""

    def call(*args: Any, **keywords: Any) -> Any:
        return adopt(f(*args, **keywords))

    return call


def _call(f: Any, *args: Any, **keywords: Any) -> Any:
    return converted(f)(*args, **keywords)


def _forking(f: Function) -> Function:
    def call(*args: Any, **keywords: Any) -> Any:
        if holds_either(args) or holds_either(keywords.values()):
            return fork(f, args, keywords)
        return adopt(f(*args, **keywords))

    return call


def _choosing(f: Function, staged: Function) -> Function:
    is_lazy = getattr(f, "__module__", None) == "itertools"
    gone_over = _GONE_OVER.get(f, _NONE)
    tested = _TESTED.get(f)

    def choose(*args: Any, **keywords: Any) -> Any:
        args = (*args[: gone_over.start], *map(iterated, args[gone_over]), *args[gone_over.stop :])
        if _any_staged(args) or _any_staged(keywords.values()):
            return staged(*args, **keywords)
        if tested is not None and len(args) == 2 and lazily.may_give_tensors(args[0]):
            return lazily.tested(tested, *args)
        return f(*args, **keywords)

    if is_lazy:
        return lambda *args, **keywords: choose(*map(by_value, args), **keywords)
    return _forking(choose)


def _storing(f: Function) -> Function:
    """`object.__setattr__`, as classes call it that define their own `__setattr__`."""

    def store(owner: Any, name: str, *value: Any) -> None:
        found = getattr(type(owner), name, None)
        if value and isinstance(found, property) and found.fset is not None:
            converted(found.fset)(owner, *value)
            return
        if tracking():
            loans.change(owner, "attribute", name)
        f(owner, name, *value)

    return store


def _setattr(owner: Any, name: str, value: Any) -> None:
    setattr(tracked(owner), name, value)


def _delattr(owner: Any, name: str) -> None:
    delattr(tracked(owner), name)


def _vars(*owner: Any) -> Any:
    """`vars(owner)`, which is changed as the object is."""
    made = vars(*owner)
    belongs(made, owner[0])
    return made


def _noting_birth(kind: Any) -> Function:
    """A class whose instances, made while tracing, are known to be new."""

    def make(*args: Any, **keywords: Any) -> Any:
        made = adopt(kind(*args, **keywords))
        maker: Any = type(made).__new__
        if maker is object.__new__ and type(type(made)).__call__ is type.__call__:
            made_now(made)
        else:
            born(made)  # it may have been there before
        return made

    return make


def _any_staged(values: Any) -> bool:
    return any(is_counted(v) or text.holds_staged(v) for v in values)


def _method(f: Any, owner: Any) -> Any:
    """A method of one of Python's own objects: changes are noted, text is formatted later."""
    name = getattr(f, "__name__", "")
    changing = array_changes.method(f, owner)
    if changing is not None:
        return changing
    if isinstance(owner, dict) and name in ("setdefault", "get"):
        return partial(dicts.setdefault if name == "setdefault" else dicts.get, owner)
    if isinstance(owner, dict) and name == "copy" and type(f) is types.BuiltinMethodType:
        return partial(dicts.copy, owner)
    if isinstance(owner, dict) and name in ("keys", "values", "items"):
        return partial(_view, f, owner)
    if isinstance(owner, dict) and name in _CHANGING[dict]:
        return _changing_items(f, owner) if tracking() else f
    if isinstance(owner, list | tuple | range | deque) and name in ("index", "count"):
        return _searching(f, name, owner)
    if type(f) is types.BuiltinMethodType and _changes_content(owner, name):
        return _changing(f, owner)
    if isinstance(owner, str):
        found = _staged_later(f, partial(_of_text, name), owner)
        if name == "format":
            return _with_own_text(found, owner)
        return _reading(found) if name == "join" else found
    if text_functions.makes_text(owner, name):
        return _staged_later(f, text_functions.call, f)
    if _writes(owner, name):
        return _staged_later(f, _host_call, f)
    return f


def _changes_content(owner: Any, name: str) -> bool:
    """Whether a method of Python's changes what is in a list, deque or set."""
    return any(isinstance(owner, kind) and name in _CHANGING[kind] for kind in (list, deque, set))


def _of_text(name: str, owner: Any, *args: Any, **keywords: Any) -> Any:
    """A method of `str`, where the text or an argument is staged."""
    if name == "format_map":
        return text_functions.call(owner.format_map, *args)
    if name in ("format", "join"):
        return _format(owner, *args, **keywords) if name == "format" else _join(owner, *args)
    if name in python_text.LISTS:
        return strings.pieces(owner, name, *args, **keywords)
    return python_text.call_method(owner, name, *args, **keywords)


def _unbound_of_text(f: Any) -> Function:
    """`str.upper` and its kind."""

    def choose(owner: Any, *args: Any, **keywords: Any) -> Any:
        if _any_staged((owner, *args)) or _any_staged(keywords.values()):
            return _of_text(f.__name__, owner, *args, **keywords)
        return f(owner, *args, **keywords)

    return choose


def _view(f: Any, owner: dict[Any, Any]) -> Any:
    """What `values` and its kind give of a dict, some of whose keys may be there or not."""
    return dicts.DoubtfulItems(owner, f.__name__) if dicts.doubtful(owner) else f()


def _unbound(f: Any) -> Function:
    """`list.append` and its kind: what the object's own method does, if that is the same one."""

    def change(owner: Any, *args: Any, **keywords: Any) -> Any:
        own = getattr(owner, f.__name__, None)
        if isinstance(owner, StagedList):
            return own(*args, **keywords)  # type: ignore[misc]
        if type(owner) is f.__objclass__ or getattr(type(owner), f.__name__, None) is f:
            return _method(own, owner)(*args, **keywords)
        if isinstance(owner, f.__objclass__) and tracking():
            loans.change(owner, "content", None)
        return f(owner, *args, **keywords)

    return change


def _changing(f: Any, owner: Any) -> Function:
    """A method that changes a list, deque or set: what was in it is noted first."""

    def change(*args: Any, **keywords: Any) -> Any:
        if tracking():
            loans.change(owner, "content", None)
        return f(*args, **keywords)

    return change


def _changing_items(f: Any, owner: dict[Any, Any]) -> Function:
    """A method that changes a dict: the items that it may change are noted first."""
    name = f.__name__

    def change(*args: Any, **keywords: Any) -> Any:
        keys: Any = list(owner)
        if name == "pop":
            keys = args[:1]
            if isinstance(args[0], SymbolicTensor):
                return dicts.pop(owner, *args)
            if len(args) == 2 and args[0] in dicts.doubtful(owner):
                value = dicts.get(owner, *args)
                loans.change(owner, "item", args[0])
                del owner[args[0]]
                return value
        elif name == "update":
            for given in args:
                dicts.refuse_unmarked(given)
            if isinstance(owner, Counter):
                return dicts.count(owner, *args, keywords)
            args = tuple(map(dict, args))
            keys = [*(key for given in args for key in given), *keywords]
        elif name == "popitem":
            dicts.refuse(owner)
            keys = keys[-1:]
        for key in keys:
            loans.change(owner, "item", key)
        return f(*args, **keywords)

    return change


def _searching(f: Function, name: str, owner: Any) -> Function:
    def choose(value: Any, *bounds: Any) -> Any:
        inside = is_dynamic(owner) or any(map(text.holds_staged, owner))
        if inside or _any_staged([value]) or own_order.equals_itself(value):
            return _searched(name, owner, value, *bounds)
        return f(value, *bounds)

    return choose


def _searched(name: str, values: Any, value: Any, *bounds: Any) -> Any:
    """`index` and `count` of a Python sequence, where the value is staged."""
    if bounds or is_dynamic(values):
        return getattr(values, name)(value, *bounds)  # which says what cannot be
    if name == "count":
        return searching.count(list(values), value)
    kind = type(values).__name__
    message = "{!r} is not in " + kind if kind != "tuple" else "tuple.index(x): x not in tuple"
    return searching.index(list(values), value, message)


def _with_own_text(form: Function, template: str) -> Function:
    """`template.format`, with the text of objects that make their own."""

    def call(*args: Any, **keywords: Any) -> Any:
        named = dict(zip(keywords, text.with_fields(template, keywords.values()), strict=True))
        return form(*text.with_fields(template, args), **named)

    return call if "." not in template and "[" not in template else form


def _reading(join: Function) -> Function:
    """`join`, which reads an iterator to its end before it makes its text."""

    def call(parts: Any) -> Any:
        return join(list(parts) if isinstance(parts, _ITERATORS) else parts)

    return call


_ITERATORS = (map, filter, zip, enumerate, reversed, types.GeneratorType)


def _writes(owner: Any, name: str) -> bool:
    """Whether a method hands text to the outside: a file's `write`, a logger's `info`."""
    if name == "write" and isinstance(owner, io.TextIOBase):
        return not isinstance(owner, TextBuffer)
    kind = type(owner)
    return kind.__module__ == "logging" and kind.__name__ in ("Logger", "RootLogger")


def _staged_later(f: Function, staged: Function, first: Any) -> Function:
    def choose(*args: Any, **keywords: Any) -> Any:
        if _any_staged(args) or _any_staged(keywords.values()):
            return staged(first, *args, **keywords)
        return f(*args, **keywords)

    return choose


def _format(template: Any, *args: Any, **keywords: Any) -> Tensor:
    return text.formatted(lambda v: v[0].format(*v[1], **v[2]), [template, list(args), keywords])


def _join(separator: Any, parts: Any) -> Tensor:
    items = listed(parts) if is_counted(parts) else parts
    items = items if is_dynamic(items) else list(items)
    return text.formatted(lambda v: v[0].join(v[1]), [separator, items])


def _host_call(f: Function, *args: Any, **keywords: Any) -> None:
    """Calls a function of the outside when the graph runs, with NumPy's values."""
    owner = getattr(f, "__self__", None)
    text.host_call(f if owner is None else writing(f, owner), args, keywords)


@lru_cache
def _table(package: str) -> dict[Any, Function]:
    """The functions of a package that mean something for staged arguments, and what stands in."""
    if package in ("itertools", "functools", "_functools"):
        return _PYTHON
    if package == "builtins":
        return _builtins()
    if package == "math":
        return mathematics.functions()
    if package == "logging":
        return _logging()
    if package == "numpy":
        from runtime.numpy_face import function_table

        table = {**_numpy_types(), **function_table(), **creation.table()}
        return {f: _with_arrays(f, staged) for f, staged in table.items()}
    return {}


@lru_cache
def _builtins() -> dict[Any, Function]:
    """Builtins that come as values, such as the function of a `map`: their operators."""
    import builtins

    from autograph_lite.operators import builtins_ as operators

    names = [name for name in operators.__all__ if name.endswith("_")]
    table = {getattr(builtins, name[:-1]): getattr(operators, name) for name in names}
    table.update({complex: _complex, hash: _hash})
    return {**table, **strings.functions(), print: operators.tensor_print}


def _complex(real: Any, imag: Any = 0) -> Any:
    """`complex(real, imag)`: complex128, as Python's is."""
    real, imag = cast(real, complex128), cast(imag, complex128)
    return real + imag * 1j


def _with_arrays(f: Any, staged: Function) -> Function:
    """A function of NumPy's to which a list that has grown in the graph is an array."""
    joining = {"stack": "__ag_stack__", "concatenate": "__ag_concat__"}.get(f.__name__)

    def call(*args: Any, **keywords: Any) -> Any:
        if joining is not None and args and is_dynamic(args[0]):
            return getattr(args[0], joining)(*(args[1:2] or (keywords.get("axis", 0),)), None)
        args = tuple(convert_to_tensor(a) if is_dynamic(a) else a for a in args)
        return array_stores.note_made(staged(*args, **keywords))

    return call


def _numpy_types() -> dict[Any, Function]:
    import numpy as np

    names = "float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool_"
    kinds = [getattr(np, name) for name in names.split()]
    return {kind: partial(_as_kind, as_dtype(kind)) for kind in kinds}


def _as_kind(dtype: Any, value: Any) -> Tensor:
    return cast(value, dtype)


def _logging() -> dict[Any, Function]:
    import logging

    names = ("debug", "info", "warning", "error", "critical", "exception", "log")
    functions = [getattr(logging, name) for name in names]
    return {f: partial(_host_call, f) for f in functions}


def _islice(values: Any, *bounds: Any) -> Any:
    start, stop, step = 0, None, 1
    if len(bounds) == 1:
        (stop,) = bounds
    elif bounds:
        start, stop = bounds[0] or 0, bounds[1]
        step = bounds[2] if len(bounds) > 2 and bounds[2] is not None else 1
    itertools.islice((), start or 0, *(b if isinstance(b, int) else None for b in (stop, step)))
    if lazily.is_lazy(values):
        return lazily.lazily(lazily.sliced, values, start, stop, step)
    if isinstance(values, StagedIterator):
        items = converted_anyway(items_between)(values, start, stop, step)
        return StagedIterator(counted(items))
    return Sliced(counted(values), start, stop, step)


def _product(*values: Any, repeat: int = 1) -> Counted:
    # Python reads all of them to the end first, too.
    values = tuple(map(settled, values)) * repeat
    return Product([counted(v) for v in values], [sequence(v) for v in values])


def _chain(*values: Any) -> Any:
    """All items of one iterable after the other."""
    if not any(map(is_counted, values)):
        return itertools.chain(*values)
    made = listed(())
    for part in values:
        made.extend(part)
    return made


def _member_of(kind: Any, *values: Any, **names: Any) -> Any:
    """The member of an enumeration that has a value."""
    if len(values) != 1 or names or not isinstance(values[0], Tensor):
        return kind(*values, **names)

    def fail() -> Any:
        message = f"{{!r}} is not a valid {kind.__qualname__}"
        raise ValueError(text.formatted(lambda v: message.format(v[0]), [values[0]]))

    choices = [(equal(values[0], member.value), member) for member in kind if _is_number(member)]
    return select(choices, fail, f"a {kind.__name__}")


def _is_number(member: Any) -> bool:
    return isinstance(member.value, int | float)


def _hash(value: Any) -> Any:
    if isinstance(value, Tensor) and not python_text.is_text(value):
        return hash(value)  # which says what to do
    raise StagingError(
        f"{user_location()}: the hash of what only the running graph knows cannot be staged; "
        "compare the values themselves"
    )


def _pairwise(values: Any) -> Any:
    """Each item with the next one."""
    values = listed(values)
    return Zipped([counted(values), counted(values[1:])])


def _starmap(function: Any, values: Any) -> Any:
    function = converted(function)
    if lazily.is_lazy(values):
        return lazily.lazily(lazily.star_mapped, values, function)
    return Mapped(lambda item: function(*item), counted(values))


def _takewhile(test: Any, values: Any) -> Any:
    if lazily.is_lazy(values):
        return lazily.lazily(lazily.taken_while, values, test)
    return TakenWhile(converted(test), counted(values))


def _dropwhile(test: Any, values: Any) -> Any:
    if lazily.is_lazy(values):
        return lazily.lazily(lazily.dropped_while, values, test)
    return DroppedWhile(converted(test), counted(values))


def _filterfalse(test: Any, values: Any) -> Any:
    from autograph_lite.staging.logic import not_

    if lazily.is_lazy(values):
        return lazily.lazily(lazily.filtered_out, values, test)
    test = converted(test)
    return Filtered(lambda item: not_(test(item)), counted(values))


def _accumulate(values: Any, func: Any = None, *, initial: Any = None) -> Any:
    if initial is not None:
        from autograph_lite.staging.iterables import listed
        from autograph_lite.staging.lists import StagedList

        values = listed(values)
        begin = StagedList([initial])
        begin.extend(values)
        values = begin
    return Accumulated(counted(values), operator.add if func is None else converted(func))


def _reduce(function: Any, values: Any, *initial: Any) -> Any:
    function = converted(function)
    if not is_counted(values):
        return functools.reduce(function, values, *initial)
    return fold(function, values, *initial)


_PYTHON: dict[Any, Function] = {
    itertools.islice: _islice,
    itertools.chain: _chain,
    itertools.repeat: lambda value, *times: Repeated(value, *times) if times else Forever(value),
    itertools.pairwise: _pairwise,
    itertools.starmap: _starmap,
    itertools.takewhile: _takewhile,
    itertools.dropwhile: _dropwhile,
    itertools.filterfalse: _filterfalse,
    itertools.product: _product,
    itertools.accumulate: _accumulate,
    functools.reduce: _reduce,
}

_NONE, _FIRST, _SECOND, _ALL = slice(0, 0), slice(0, 1), slice(1, 2), slice(0, sys.maxsize)
_GONE_OVER: dict[Any, slice] = {
    itertools.islice: _FIRST,
    itertools.chain: _ALL,
    itertools.pairwise: _FIRST,
    itertools.starmap: _SECOND,
    itertools.takewhile: _SECOND,
    itertools.dropwhile: _SECOND,
    itertools.filterfalse: _SECOND,
    itertools.product: _ALL,
    itertools.accumulate: _FIRST,
    functools.reduce: _SECOND,
}
"""The arguments that are iterables."""

_TESTED: dict[Any, Function] = {
    itertools.takewhile: lazily.taken_while,
    itertools.dropwhile: lazily.dropped_while,
    itertools.filterfalse: lazily.filtered_out,
}

__all__ = ["adopting", "dispatching"]
