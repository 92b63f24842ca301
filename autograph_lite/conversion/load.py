"""Makes a live function of a rewritten tree.

The tree is compiled inside a factory whose parameters are the function's free variables. The
factory never runs: only the function's code object is taken out of it, and joined with the
original's globals, cells, defaults and attributes. So the new function sees every later change that
the original would see.

Functions that the rewriting made out of parts of the user's function (the body of an `if`, the
second operand of an `and`) are *fragments*. `mark_fragment` marks their nodes; loading gives their
code objects the name of the user's function they are a part of, and leaves a mark in them, by which
tracebacks know them.
"""

from __future__ import annotations

import ast
import sys
import types
from collections.abc import Mapping
from typing import Any

from autograph_lite.conversion.depth import walks_deep
from autograph_lite.conversion.lowering import to_ast
from autograph_lite.conversion.source import SourceInfo
from autograph_lite.conversion.unwinding import HELPERS, watch_exceptions
from autograph_lite.errors import FRAGMENT_MARK

__all__ = ["compile_function", "instantiate", "load", "mark_fragment"]

_FACTORY = "ag__factory"
_FUNCTION = "ag__converted_function"
_PREFIX = f"{_FACTORY}.<locals>."
_OPTIMIZED = 0x1  # CO_OPTIMIZED: set for functions, not for class bodies
_NESTED = 0x10  # CO_NESTED

_Renames = tuple[tuple[str, str], ...]


def mark_fragment(node: Any) -> Any:
    """Marks a `FunctionDef` or `Lambda` that stands for a part of the user's function.

    Args:
      node: the gast node; it is changed and returned.

    Example:
      >>> import gast
      >>> thunk = mark_fragment(gast.parse("lambda: x").body[0].value)
      >>> thunk.fragment
      True
    """
    node.fragment = True
    return node


def load(
    node: Any,
    fn: types.FunctionType,
    info: SourceInfo,
    extras: Mapping[str, object] | None = None,
) -> types.FunctionType:
    """Compiles a rewritten function and gives it everything the original has.

    Args:
      node: a gast `FunctionDef`, `AsyncFunctionDef` or `Lambda`. It is not changed. Nodes without a
        position take that of the node around them.
      fn: the original function.
      info: what `parse_function(fn)` said about it.
      extras: further names the rewritten code uses, with their values.

    Returns:
      A function over the original's globals and cells.

    Raises:
      SyntaxError: the tree is not a valid program.

    Example:
      >>> from autograph_lite.conversion.source import parse_function
      >>> import textwrap
      >>> node, info = parse_function(textwrap.dedent)
      >>> load(node, textwrap.dedent, info)("  x")
      'x'
    """
    extras = extras or {}
    code = compile_function(node, fn, info, tuple(extras))
    return instantiate(code, fn, extras)


@walks_deep
def compile_function(
    node: Any, fn: types.FunctionType, info: SourceInfo, extras: tuple[str, ...]
) -> types.CodeType:
    """The first half of `load`: what can be shared by all functions made from the same code.

    Args:
      node: a gast `FunctionDef`, `AsyncFunctionDef` or `Lambda`. It is not changed.
      fn: the original function.
      info: what `parse_function(fn)` said about it.
      extras: further names the rewritten code uses.
    """
    code = _compile(node, info, (*info.freevars, *extras, *HELPERS))
    nested = fn.__code__.co_flags & _NESTED
    return code.replace(co_flags=code.co_flags & ~_NESTED | nested)


def instantiate(
    code: types.CodeType, fn: types.FunctionType, extras: Mapping[str, object]
) -> types.FunctionType:
    """The second half of `load`: a function over everything that `fn` has.

    Args:
      code: what `compile_function` made.
      fn: the original function, or another one of the same code.
      extras: the further names the code uses, with their values.
    """
    cells = dict(zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True))
    for name, value in {**extras, **HELPERS}.items():
        cells[name] = types.CellType(value)
    new = types.FunctionType(
        code,
        fn.__globals__,
        fn.__name__,
        fn.__defaults__,
        tuple(cells[name] for name in code.co_freevars),
    )
    _copy_attributes(fn, new)
    return new


def _copy_attributes(fn: types.FunctionType, new: types.FunctionType) -> None:
    new.__kwdefaults__ = dict(fn.__kwdefaults__) if fn.__kwdefaults__ else None  # type: ignore
    new.__annotations__ = dict(fn.__annotations__)
    new.__qualname__ = fn.__qualname__
    new.__module__ = fn.__module__
    new.__doc__ = fn.__doc__
    if hasattr(fn, "__type_params__"):
        new.__type_params__ = fn.__type_params__  # type: ignore[attr-defined]
    new.__dict__.update(fn.__dict__)


def _compile(node: Any, info: SourceInfo, freevars: tuple[str, ...]) -> types.CodeType:
    owners: list[Any] = []
    function = watch_exceptions(to_ast(node, owners), owners, _FUNCTION)
    if isinstance(function, ast.Lambda):
        _strip_arguments(function.args)
        statement = ast.parse(f"{_FUNCTION} = 0").body[0]
        statement.value = function  # type: ignore[attr-defined]
        inner_name = "<lambda>"
    else:
        _strip_definition(function, info.firstlineno)
        statement = function
        inner_name = _FUNCTION
    module = ast.Module([_factory(statement, info.class_name, freevars)], type_ignores=[])
    ast.copy_location(module.body[0], function)
    compiled = compile(module, info.filename, "exec", info.flags, dont_inherit=True)

    code, qualname = _child(compiled, _FACTORY), _PREFIX
    if info.class_name is not None:
        # Where the class is declared global, its qualified name is its name.
        qualname = f"{qualname if info.class_name in freevars else ''}{info.class_name}."
        code = _child(code, info.class_name)
    code = _child(code, inner_name)
    qualname += inner_name
    return _finish(code, qualname, info.name, info.qualname, ((qualname, info.qualname),))


def _factory(
    statement: ast.stmt, class_name: str | None, freevars: tuple[str, ...]
) -> ast.FunctionDef:
    body = [statement]
    if class_name is not None:
        # Inside a class of that name, the compiler mangles private names as it did before. The
        # class must not make its name a variable of the factory, unless it is one.
        wrapper = ast.parse(f"class {class_name}: pass").body[0]
        assert isinstance(wrapper, ast.ClassDef)
        wrapper.body = body
        body = [wrapper]
        if class_name not in freevars:
            body.insert(0, ast.parse(f"global {class_name}").body[0])
    factory = ast.parse(f"def {_FACTORY}({', '.join(freevars)}): pass").body[0]
    assert isinstance(factory, ast.FunctionDef)
    factory.body = body
    return factory


def _strip_arguments(args: ast.arguments) -> None:
    """Drops what the enclosing scope evaluates: the original's values are taken instead."""
    args.defaults = []
    args.kw_defaults = [None] * len(args.kwonlyargs)
    every = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]
    for arg in every:
        if arg is not None:
            arg.annotation = None


def _strip_definition(function: Any, firstlineno: int) -> None:
    _strip_arguments(function.args)
    function.name = _FUNCTION
    function.returns = None
    if sys.version_info >= (3, 12):
        function.type_params = []
    function.decorator_list = []
    if firstlineno < function.lineno:
        # The line of the first decorator is the first line of the code object.
        decorator = ast.copy_location(ast.Constant(None), function)
        decorator.lineno = decorator.end_lineno = firstlineno
        decorator.end_col_offset = decorator.col_offset
        function.decorator_list = [decorator]


def _child(code: types.CodeType, name: str) -> types.CodeType:
    for const in code.co_consts:
        if isinstance(const, types.CodeType) and const.co_name == name:
            return const
    raise AssertionError(f"no code of {name} in {code}")


def _finish(
    code: types.CodeType, old: str, name: str, qualname: str, renames: _Renames
) -> types.CodeType:
    """Gives `code`, and all code in it, the names it would have in the user's file.

    Args:
      code: the code as compiled in the factory.
      old: its qualified name there.
      name: the name it is to have.
      qualname: the qualified name it is to have.
      renames: the qualified names of the functions around it, as they are and as they are to be;
        innermost first.
    """
    consts = tuple(
        _finish_const(const, code, old, name, qualname, renames) for const in code.co_consts
    )
    changes: dict[str, Any] = {"co_consts": consts, "co_name": name}
    if sys.version_info >= (3, 11):
        changes["co_qualname"] = qualname
    if _has_mark(code):
        # A parameter while it was compiled, the mark stays as a local that is never bound.
        changes["co_kwonlyargcount"] = code.co_kwonlyargcount - 1
    return code.replace(**changes)


def _finish_const(
    const: Any, parent: types.CodeType, old: str, name: str, qualname: str, renames: _Renames
) -> Any:
    if isinstance(const, str):
        return _renamed(const, renames)  # qualified names are stored as constants too
    if not isinstance(const, types.CodeType):
        return const
    if sys.version_info >= (3, 11):
        child = const.co_qualname
    else:
        separator = ".<locals>." if parent.co_flags & _OPTIMIZED else "."
        child = f"{old}{separator}{const.co_name}"
    if _has_mark(const):
        return _finish(const, child, name, qualname, ((child, qualname), *renames))
    return _finish(const, child, const.co_name, _renamed(child, renames), renames)


def _renamed(qualname: str, renames: _Renames) -> str:
    for old, new in renames:
        if qualname == old or qualname.startswith(old + "."):
            return new + qualname[len(old) :]
    return qualname


def _has_mark(code: types.CodeType) -> bool:
    first = code.co_argcount
    return FRAGMENT_MARK in code.co_varnames[first : first + code.co_kwonlyargcount]
