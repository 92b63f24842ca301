"""From a function to its converted form: the passes, in order, and what is remembered."""

from __future__ import annotations

import builtins
import threading
import time
import types
import weakref
from collections.abc import Iterable
from typing import Any

import gast

from autograph_lite.code_table import CodeTable
from autograph_lite.collecting import collections_paused
from autograph_lite.conversion.census import Census, take_census
from autograph_lite.conversion.depth import make_room, walks_deep
from autograph_lite.conversion.load import compile_function, instantiate
from autograph_lite.conversion.log import level, log
from autograph_lite.conversion.names import Names
from autograph_lite.conversion.passes.assignments import lower_assignments, skips_assignments
from autograph_lite.conversion.passes.attributes import mark_attributes
from autograph_lite.conversion.passes.comparisons import mark_comparisons
from autograph_lite.conversion.passes.comprehensions import lower_comprehensions, mark_own_names
from autograph_lite.conversion.passes.control_flow import convert_control_flow
from autograph_lite.conversion.passes.displays import mark_displays, may_hold_displays
from autograph_lite.conversion.passes.exception_names import share_exceptions
from autograph_lite.conversion.passes.expressions import convert_expressions
from autograph_lite.conversion.passes.finals import lower_finals
from autograph_lite.conversion.passes.generators import invert_generator, is_invertible
from autograph_lite.conversion.passes.inlining import rename_clashing_variables
from autograph_lite.conversion.passes.items import convert_stores
from autograph_lite.conversion.passes.jumps import lower_jumps
from autograph_lite.conversion.passes.matches import lower_matches
from autograph_lite.conversion.passes.namespaces import reads_namespace, spell_out_namespaces
from autograph_lite.conversion.passes.tries import guard_stars
from autograph_lite.conversion.passes.variables import study_original
from autograph_lite.conversion.passes.withs import mark_withs
from autograph_lite.conversion.quiet import quietly
from autograph_lite.conversion.scopes import COMPREHENSIONS, Scopes, analyse
from autograph_lite.conversion.source import parse_function
from autograph_lite.errors import ConversionError

__all__ = ["convert", "converted_tree", "is_converted"]

_GENERATOR = 0x20
_SUSPENDING = 0x20 | 0x80 | 0x200  # CO_GENERATOR, CO_COROUTINE, CO_ASYNC_GENERATOR
_BUILTIN_NAMES = frozenset(dir(builtins))
_DEFAULTS = "defaultdict"


_converted: CodeTable[Any] = CodeTable()
_made_here: CodeTable[Any] = CodeTable()
_lock = threading.RLock()


def convert(
    fn: types.FunctionType, ag: object, staging: bool = False, managing: bool = False
) -> types.FunctionType:
    """Converts a function.

    Args:
      fn: a Python function.
      ag: what the converted code knows as `ag__`.
      staging: whether it is converted in order to be traced: then `try` and `with` are converted
        too.
      managing: whether it is a generator whose `yield` stands for the block of a `with`.

    Returns:
      A function that behaves like `fn`, but asks `ag` what its branches and loops mean. The same
      function if it is converted already.

    Raises:
      NoSourceError: the source is not to be had.
      ConversionError: the function is a generator or a coroutine.
    """
    code = fn.__code__
    if is_converted(code) and not (staging and is_generator(code)):
        return fn
    shadowed = frozenset(_BUILTIN_NAMES.intersection(code.co_names, fn.__globals__))
    key = (shadowed, staging, managing)
    found = (_converted.get(code) or {}).get(key)
    if found is None:
        with _lock:
            found = (_converted.get(code) or {}).get(key)
            if found is None:
                found = _convert_code(fn, staging, managing)
                _register(found)
                _made_here.set(found, weakref.ref(code))
                _converted.set(code, {**(_converted.get(code) or {}), key: found})
    return instantiate(found, fn, {"ag__": ag})


def is_generator(code: types.CodeType) -> bool:
    """Whether a code object is that of a generator function, not an asynchronous one."""
    return code.co_flags & _SUSPENDING == _GENERATOR


def is_converted(code: types.CodeType) -> bool:
    """Whether a code object came out of a conversion."""
    return _made_here.get(code) is not None


def _register(code: types.CodeType) -> None:
    _made_here.set(code, True)
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            _register(const)


def _convert_code(fn: types.FunctionType, staging: bool, managing: bool) -> types.CodeType:
    start = time.perf_counter()
    try:
        with quietly(), collections_paused():
            node, info = converted_tree(fn, staging, managing)
            code = compile_function(node, fn, info, ("ag__",))
    except ConversionError:
        raise
    except Exception as problem:
        raise ConversionError(
            f"{_place(fn)}: {fn.__qualname__} cannot be converted, which is a fault of the "
            f"converter, not yours ({type(problem).__name__}: {problem}); please report it"
        ) from problem
    make_room()
    if level() >= 1:
        elapsed = (time.perf_counter() - start) * 1000
        log(1, f"converted {fn.__qualname__} ({_place(fn)}) in {elapsed:.1f} ms")
        if level() >= 2:
            log(2, _text(node, info.text))
    return code


def _place(fn: types.FunctionType) -> str:
    return f"{fn.__code__.co_filename}:{fn.__code__.co_firstlineno}"


def converted_text(fn: types.FunctionType) -> str:
    """The text of a function's converted form.

    Raises:
      NoSourceError: the source is not to be had.
      ConversionError: the function is a generator or a coroutine.
    """
    with quietly():
        node, info = converted_tree(_original_of(fn))
    return _text(node, info.text)


def _original_of(fn: types.FunctionType) -> types.FunctionType:
    """The function that a converted function was made from, or one just like it."""
    original = _made_here.get(fn.__code__)
    code = original() if isinstance(original, weakref.ref) else None
    if code is None:
        return fn
    cells = dict(zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True))
    closure = tuple(cells.get(name, types.CellType()) for name in code.co_freevars)
    return types.FunctionType(code, fn.__globals__, fn.__name__, fn.__defaults__, closure)


@walks_deep
def _text(node: Any, source: str) -> str:
    from autograph_lite.conversion.unparse import to_text

    if isinstance(node, gast.FunctionDef):
        node.decorator_list = []
    return to_text(node, source)


@walks_deep
def converted_tree(
    fn: types.FunctionType, staging: bool = True, managing: bool = False
) -> tuple[Any, Any]:
    """The converted tree of a function, and what `parse_function` says about its source.

    Raises:
      NoSourceError: the source is not to be had.
      ConversionError: the function is a generator or a coroutine.
    """
    inverted = staging and is_generator(fn.__code__)
    if fn.__code__.co_flags & _SUSPENDING and not inverted:
        raise ConversionError(
            f"{_place(fn)}: {fn.__qualname__} is a "
            "generator or a coroutine, and these are not converted; convert the function that "
            "uses it, it may call this one as it is"
        )
    node, info = parse_function(fn)
    census = take_census(node)
    _refuse_own_name(node, census, fn)
    if inverted:
        if not (isinstance(node, gast.FunctionDef) and is_invertible(node, managing)):
            raise ConversionError(
                f"{_place(fn)}: {fn.__qualname__} yields inside of a `try`, a `with` or an "
                "expression, and so cannot be turned inside out"
            )
        invert_generator(node, Names(census.identifiers | {"ag__"}), managing)
        census = take_census(node)
    shadowed = _BUILTIN_NAMES & fn.__globals__.keys()
    if reads_namespace(census):
        spell_out_namespaces(node, info.freevars, info.class_name, shadowed)
        census = take_census(node)
    outside = shadowed.union(info.freevars)
    has_class = "__class__" in info.freevars
    makes_items = knows_defaults(info.text) or _DEFAULTS in fn.__globals__
    transform(node, outside, has_class, staging, info.class_name, census, makes_items)
    return node, info


def _refuse_own_name(node: Any, census: Census, fn: types.FunctionType) -> None:
    """Refuses a function that binds the name by which converted code knows the library."""
    if "ag__" not in census.identifiers:
        return
    for found in gast.walk(node):
        if isinstance(found, gast.Name) and found.id == "ag__" and not _is_load(found):
            raise ConversionError(
                f"{fn.__code__.co_filename}:{found.lineno}: {fn.__qualname__} has a variable "
                "called ag__, which is what converted code calls the library; give it another name"
            )


def _is_load(name: Any) -> bool:
    return isinstance(name.ctx, gast.Load)


def knows_defaults(text: str) -> bool:
    """Whether a program of this text has dicts that make the items which they do not have."""
    return _DEFAULTS in text


def _rebound(scopes: Scopes) -> set[str]:
    return {name for scope in scopes.values() for name in (*scope.bound, *scope.globals)}


def transform(
    node: Any,
    outside: Iterable[str],
    has_class: bool,
    staging: bool = True,
    class_name: str | None = None,
    census: Census | None = None,
    makes_items: bool = False,
) -> None:
    """Runs the passes on a tree, in place.

    Args:
      node: a gast `FunctionDef` or `Lambda`.
      outside: names bound around it, which may not mean the builtins of that name.
      has_class: whether it is defined in a class.
      staging: whether it is converted in order to be traced: then `try` and `with` are converted
        too.
      class_name: the class around it, for private names.
      census: what the tree holds, if that is known.
      makes_items: whether it may read items of dicts that make those which they do not have.
    """
    census = census or take_census(node)
    names = Names(census.identifiers | {"ag__"})
    if staging and census.holds(gast.Match):
        lower_matches(node, names)
        census = take_census(node)
    if staging and census.holds(gast.Try):
        lower_finals(node, names)
    if staging and census.holds(gast.TryStar):
        guard_stars(node)
        census = take_census(node)
    if staging and census.holds(gast.With):
        mark_withs(node)
    if staging and census.holds(gast.Attribute) and census.holds(gast.Try, gast.With):
        mark_attributes(node)
    comprehends = census.holds(*COMPREHENSIONS)
    if comprehends:
        if census.holds(gast.NamedExpr):
            mark_own_names(node)
        lower_comprehensions(node, names)
    if staging and census.holds(gast.NamedExpr) and skips_assignments(node):
        _lower_assignments(node, names, outside)
    if may_hold_displays(census):
        mark_displays(node)
    if census.holds(gast.Compare):
        mark_comparisons(node)
    scopes = analyse(node, class_name)
    rebound = frozenset(_rebound(scopes).union(outside))
    checked: set[Any] = set()
    checked_free: set[Any] = set()
    for function, scope in list(scopes.items()):
        if isinstance(function, gast.FunctionDef) and not _stays(scope):
            if census.holds(gast.ExceptHandler):
                share_exceptions(function, scope, names)
            original = study_original(function, scopes, census)
            stores = convert_stores(function, scope, original.doubtful, names, rebound)
            original.carriers = stores.carriers
            lowered = lower_jumps(function, scope, names, staging)
            if stores.changed or lowered.changed:
                original.flow = None
            convert_control_flow(function, scopes, original, lowered.native, names, staging)
            checked |= original.checked
            checked_free |= original.checked_free
    convert_expressions(node, scopes, rebound, has_class, checked, checked_free, makes_items)
    if comprehends:
        rename_clashing_variables(node, scopes, names)


def _lower_assignments(node: Any, names: Names, outside: Iterable[str]) -> None:
    scopes = analyse(node)
    functions = [
        function
        for function, scope in scopes.items()
        if isinstance(function, gast.FunctionDef) and not _stays(scope)
    ]
    lower_assignments(functions, scopes, names, frozenset(_rebound(scopes).union(outside)))


def _stays(scope: Any) -> bool:
    """Whether a function is, or stands in, one that stays as it is."""
    while scope is not None:
        node = scope.node
        if scope.yields or isinstance(node, gast.AsyncFunctionDef) or getattr(node, "stays", False):
            return True
        scope = scope.parent
    return False
