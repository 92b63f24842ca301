"""Builtin functions that mean something for staged values too."""

from __future__ import annotations

import builtins
import types
from collections import deque
from collections.abc import Callable
from typing import Any

from autograph_lite.operators.dispatch import asked, is_staged, staging_active
from autograph_lite.printing import print_

__all__ = ["first_of", "spread", "tensor_print", "type_"]


def tensor_print(*values: Any, **options: Any) -> None:
    """`print`: at once if all is known, else when the graph runs.

    What is known is printed while the graph is traced, once, in branches and loops too, as in
    TensorFlow.

    Example:
      >>> tensor_print('a', 1)
      a 1
    """
    if staging_active():
        from autograph_lite.staging import dicts
        from autograph_lite.staging import text as staged

        for value in values:
            dicts.refuse(value)
        values = tuple(staged.printed(values))
        if any(staged.holds_staged(value) for value in (*values, *options.values())):
            staged.print_(*values, **options)
            return
    print_(*values, **options)


def spread(values: Any) -> Any:
    """What `*values` among the arguments of `print` goes over.

    Example:
      >>> list(spread((1, 2)))
      [1, 2]
    """
    if is_staged(values):
        from autograph_lite.staging import text as staged

        return staged.spread(values)
    return values


def type_(value: Any) -> Any:
    """`type(value)`: of what a staged branch has left, the class that it has when the graph runs.

    Example:
      >>> type_(1)
      <class 'int'>
    """
    if is_staged(value) and isinstance(value, BaseException):
        from autograph_lite.staging import caught as staged

        return staged.type_(value)
    if not is_staged(value):
        return type(value)
    from autograph_lite.staging import either

    if isinstance(value, either.EitherValue):
        return either.fork(type_, (value,), {})
    # Lists and tuples of the graph are Python's own to the user.
    return _KINDS.get(getattr(value, "python_kind", ""), type(value))


def first_of(iterator: Any, *default: Any) -> Any:
    """`next(iterator)`, or with a default, of an iterator that nobody goes on with.

    Example:
      >>> first_of((n * n for n in range(2, 9)), 0)
      4
    """
    if staging_active():
        from autograph_lite.staging import builtins_ as staged

        return staged.first_of(iterator, *default)
    return next(iterator, *default)


# These look into a container of Python that may hold staged items.
_LOOKING_INSIDE = {"all", "any", "filter", "max", "min", "repr", "sorted", "str", "sum"}

_KINDS: dict[str, type] = {"list": list, "tuple": tuple}
_VIEWS: tuple[type, ...] = (type({}.values()), type({}.items()))
_ITERATORS = (map, zip, filter, enumerate, reversed, types.GeneratorType)

# These need no list of what a generator gives.
_ONE_BY_ONE = {"enumerate", "filter", "isinstance", "iter", "map", "next", "zip"}

# These compare what a function makes of each item, which may be staged where the items are not.
_BY_KEY = {"max", "min", "sorted"}

# These do not go over a dict that they are given.
_AS_THEY_ARE = {"dict", "isinstance", "print"}

# These go over what they are given.
_GOING_OVER = set("all any enumerate filter iter list map max min set sorted sum tuple zip".split())

# These go over what they are given later, when they are gone over themselves.
_LAZY = {"enumerate", "filter", "map", "reversed", "zip"}

_SIZED = {list, tuple, dict, set, str, bytes, range, frozenset}

# These give something new that can change, and that no display has made.
_MAKING = {"dict", "set"}


def _settling(stages: Callable[..., Any]) -> Callable[..., Any]:
    """A staged builtin that is given lists in the place of generators and of doubtful views."""
    from autograph_lite.staging.generators import settled

    return lambda *args, **keywords: stages(*map(settled, args), **keywords)


def _operator(name: str) -> Callable[..., Any]:
    function = getattr(builtins, name)
    inside = name in _LOOKING_INSIDE
    reads_all = name in ("max", "min", "sorted", "sum")

    def _opened(value: Any) -> Any:
        """A list of what is in a view, a deque, or an iterator that would be read to its end."""
        kind = type(value)
        opens = kind in _VIEWS or (kind is deque and name not in ("repr", "str"))
        return list(value) if opens or (reads_all and kind in _ITERATORS) else value

    def operator(*args: Any, **keywords: Any) -> Any:
        if staging_active():
            if name not in _AS_THEY_ARE and any(isinstance(value, dict) for value in args):
                from autograph_lite.staging import dicts

                if name == "len":
                    return dicts.len_(args[0])
                if name in ("str", "repr"):
                    dicts.refuse(args[0])
                args = tuple(map(dicts.asked if name == "bool" else dicts.opened, args))
            if name in _GOING_OVER:
                args = _with_iterators(name, args)
            if name == "bool" and len(args) == 1 and type(args[0]) not in _SIZED:
                args = (asked(args[0]),)
            by_one = name in ("any", "all") and type(args[0]) in _ITERATORS if args else False
            if inside:
                args = tuple(map(_opened, args))
            by_key = name in _BY_KEY and (callable(keywords.get("key")) or _holds_an_order(args))
            for value in args:
                if is_staged(value) or (inside and (by_one or by_key or _holds_staged(value))):
                    from autograph_lite.staging import builtins_ as staged
                    from autograph_lite.staging.either import beside, by_value, fork
                    from autograph_lite.staging.generators import settled

                    stages = getattr(staged, f"{name}_")
                    if name in _LAZY:
                        if name not in _ONE_BY_ONE:
                            args = tuple(map(settled, args))
                        return beside(stages, tuple(map(by_value, args)), keywords)

                    if name in _ONE_BY_ONE:
                        return fork(stages, args, keywords)
                    return fork(_settling(stages), args, keywords)
            if name == "filter" and len(args) == 2:
                from autograph_lite.staging import lazily

                if lazily.may_give_tensors(args[0]):
                    return lazily.tested(lazily.filtered, *args)
            if name in ("repr", "str") and len(args) == 1:
                from autograph_lite.staging.own_text import text_of

                text = text_of(args[0], f"__{name}__")
                return function(args[0]) if text is None else text
            if name == "len" and len(args) == 1 and type(args[0]) not in _SIZED:
                from autograph_lite.staging import special

                own = special.length(args[0])
                if own is not None:
                    return own
            if name == "map" and args:
                from autograph_lite.operators.calls import converted

                args = (converted(args[0]), *args[1:])
            if name in ("enumerate", "map", "zip"):
                args = tuple(map(_gone_over, args))
            if name in ("iter", "next"):
                from autograph_lite.staging import python_iterators

                return getattr(python_iterators, f"{name}_")(*args)
            if name in _MAKING:
                from autograph_lite.staging.scopes import born

                made = function(*args, **keywords)
                born(made)
                if name == "dict" and args and isinstance(args[0], dict):
                    from autograph_lite.staging import dicts

                    dicts.copied(made, args[0])
                return made
            if name in ("list", "sorted"):
                from autograph_lite.staging.births import adopt

                return adopt(function(*args, **keywords))
        return function(*args, **keywords)

    operator.__name__ = operator.__qualname__ = f"{name}_"
    operator.__doc__ = f"`{name}`, for Python values and for tensors."
    return operator


def _with_iterators(name: str, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments; of iterables of the user's classes, what `__iter__` gives."""
    from autograph_lite.staging.generators import iterated

    if name in ("map", "filter"):
        return (*args[:1], *map(iterated, args[1:]))
    if name == "zip":
        return tuple(map(iterated, args))
    if len(args) == 1 or name in ("enumerate", "sum"):
        return (*map(iterated, args[:1]), *args[1:])
    return args


def _gone_over(value: Any) -> Any:
    """What a loop goes over; of an array, the items as they are when it gets to them."""
    if type(value).__module__ != "numpy" or not getattr(value, "ndim", 0):
        return value
    from autograph_lite.staging.scopes import each_of

    return each_of(value)


def _holds_an_order(args: tuple[Any, ...]) -> bool:
    """Whether objects are compared whose classes say themselves what is less."""
    from autograph_lite.staging import own_order

    return own_order.hold_an_order(args if len(args) > 1 else args[0])


def _holds_staged(value: Any) -> bool:
    """Whether a value is a list, tuple or dict with something staged in it."""
    if isinstance(value, dict):
        value = list(value.values())
    return isinstance(value, list | tuple) and any(is_staged(v) or _holds_staged(v) for v in value)


for _name in (
    "abs all any bool divmod enumerate filter float int isinstance iter len map max min next pow "
    "range reversed repr round sorted str sum tuple list set zip dict"
).split():
    globals()[f"{_name}_"] = _operator(_name)
    __all__ += [f"{_name}_"]
