"""Which place of a text does a code object come from?

The text is parsed once and kept. A function is looked for by its name and first line; the text is
compiled again, and where the code objects agree in everything but their line tables, it is the
right one.

Of several lambdas on one line, each in turn is moved to a line that the text does not have: the
compiler copies the line into the code object, which so names its node. Where even their codes are
equal, columns decide.
"""

from __future__ import annotations
import __future__

import ast
import itertools
import threading
import types
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from typing import NamedTuple

__all__ = ["Compiled", "Index", "Site", "covers", "future_flags", "index_of"]

_FUTURES = 0
for _name in __future__.all_feature_names:
    _FUTURES |= getattr(__future__, _name).compiler_flag

_CACHE_SIZE = 64
_cache: OrderedDict[str, Index] = OrderedDict()
_lock = threading.RLock()

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_FUNCTION_NODES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_HOLDING_STATEMENTS = (ast.stmt, ast.ExceptHandler, ast.match_case)
_SMALL = {ast.Name, ast.Constant, ast.Load, ast.Store}  # hold no functions, and are most nodes


class Site(NamedTuple):
    """A function in a text: its node and what stands around it."""

    node: FunctionNode
    class_name: str | None

    @property
    def name(self) -> str:
        return "<lambda>" if isinstance(self.node, ast.Lambda) else self.node.name

    @property
    def firstlineno(self) -> int:
        """The line the compiler gives to the code object: that of the first decorator."""
        decorators = [] if isinstance(self.node, ast.Lambda) else self.node.decorator_list
        return decorators[0].lineno if decorators else self.node.lineno


class Compiled(NamedTuple):
    """A site and the code object the compiler makes of it."""

    site: Site
    code: types.CodeType


def future_flags(code: types.CodeType) -> int:
    """The compiler flags of the future statements `code` was compiled under."""
    return code.co_flags & _FUTURES


def index_of(filename: str, text: str) -> Index:
    """The index of a text, parsed once as long as the text stays the same.

    Raises:
      SyntaxError: the text does not parse.
    """
    with _lock:
        index = _cache.get(filename)
        if index is None or index.text != text:
            index = Index(filename, text)
            _cache[filename] = index
        _cache.move_to_end(filename)
        while len(_cache) > _CACHE_SIZE:
            _cache.popitem(last=False)
        return index


class Index:
    """The functions of one text, by their line and name."""

    def __init__(self, filename: str, text: str) -> None:
        self.filename = filename
        self.text = text
        self._tree = ast.parse(text, filename)
        self._sites: dict[tuple[int, str], list[Site]] = {}
        self._codes: dict[int, dict[tuple[int, str], list[types.CodeType]]] = {}
        for site in _sites_in(self._tree, "lambda" in text):
            self._sites.setdefault((site.firstlineno, site.name), []).append(site)

    def find(self, code: types.CodeType) -> tuple[Site | None, Compiled | None]:
        """The site `code` was compiled from; failing that, the one that stands in its place."""
        sites = self._sites.get((code.co_firstlineno, code.co_name), [])
        flags = future_flags(code)
        wanted = _key(code)
        with _lock:
            found = self._plain(sites, flags) if len(sites) == 1 else self._moved(sites, flags)
        equal = [entry.site for entry in found if _key(entry.code) == wanted]
        if len(equal) > 1:
            equal = [site for site in equal if _columns_fit(site.node, code)] or equal
        if equal:
            return equal[0], None
        return None, found[0] if len(found) == 1 else None

    def _plain(self, sites: list[Site], flags: int) -> list[Compiled]:
        """The code of the only function of its name on its line."""
        if flags not in self._codes:
            codes: dict[tuple[int, str], list[types.CodeType]] = {}
            for code in self._compile(self.text, flags):
                codes.setdefault((code.co_firstlineno, code.co_name), []).append(code)
            self._codes[flags] = codes
        (site,) = sites
        codes = self._codes[flags]
        return [Compiled(site, code) for code in codes.get((site.firstlineno, site.name), [])]

    def _moved(self, sites: list[Site], flags: int) -> list[Compiled]:
        """The codes of several functions of one name on one line: each is moved in turn."""
        out = []
        beyond = self.text.count("\n") + 2
        for site in sites:
            _move(site.node, beyond)
            try:
                codes = list(self._compile(self._tree, flags))
            finally:
                _move(site.node, -beyond)
            moved = (site.firstlineno + beyond, site.name)
            # Functions within it moved with it, and come after it.
            matching = (c for c in codes if (c.co_firstlineno, c.co_name) == moved)
            out += [Compiled(site, code) for code in itertools.islice(matching, 1)]
        return out

    def _compile(self, text: str | ast.Module, flags: int) -> Iterator[types.CodeType]:
        """The code objects of all functions in the text, or in its tree.

        The whole text is compiled, since what a module imports and binds has a say in how calls
        in its functions are compiled.
        """
        try:
            module = compile(text, self.filename, "exec", flags, dont_inherit=True)
        except SyntaxError:
            # Notebooks let `await` stand outside of functions.
            flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
            module = compile(text, self.filename, "exec", flags, dont_inherit=True)
        return _codes_in(module)


def _move(node: FunctionNode, lines: int) -> None:
    """Moves a function, but not its defaults: their functions belong to the scope around it."""
    args, node.args = node.args, ast.arguments([], [], None, [], [], None, [])
    ast.increment_lineno(node, lines)
    node.args = args


def _sites_in(tree: ast.AST, has_lambdas: bool) -> Iterator[Site]:
    # Without lambdas, functions are statements: expressions need no visit.
    stack: list[tuple[ast.AST, str | None]] = [(tree, None)]
    while stack:
        node, class_name = stack.pop()
        if isinstance(node, _FUNCTION_NODES):
            yield Site(node, class_name)
        if isinstance(node, ast.ClassDef):
            # Decorators, bases and keywords of a class stand outside of it.
            outside = [*node.decorator_list, *node.bases, *node.keywords]
            stack.extend((child, class_name) for child in outside)
            stack.extend((child, node.name) for child in node.body)
            continue
        for value in node.__dict__.values():
            if type(value) is list:
                if has_lambdas or (value and isinstance(value[0], _HOLDING_STATEMENTS)):
                    stack += [(item, class_name) for item in value if isinstance(item, ast.AST)]
            elif has_lambdas and isinstance(value, ast.AST) and type(value) not in _SMALL:
                stack.append((value, class_name))


def _codes_in(code: types.CodeType) -> Iterator[types.CodeType]:
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield const
            yield from _codes_in(const)


def _key(code: types.CodeType) -> Hashable:
    """What two code objects of the same text share, whatever their line tables."""
    return (
        code.co_name,
        code.co_argcount,
        code.co_posonlyargcount,
        code.co_kwonlyargcount,
        code.co_flags,
        code.co_code,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_cellvars,
        tuple(map(_const_key, code.co_consts)),
    )


def _const_key(const: object) -> Hashable:
    if isinstance(const, types.CodeType):
        return _key(const)
    if isinstance(const, tuple):
        return tuple(map(_const_key, const))
    if isinstance(const, frozenset):
        return frozenset(map(_const_key, const))
    return type(const), repr(const)


def _columns_fit(node: FunctionNode, code: types.CodeType) -> bool:
    """Whether the code's instructions lie within the node; without columns, all do."""
    positions = getattr(code, "co_positions", None)
    if positions is None:
        return True
    body = node.body if isinstance(node, ast.Lambda) else node
    start = (body.lineno, body.col_offset)
    end = (body.end_lineno or body.lineno, body.end_col_offset or 0)
    for line, end_line, column, end_column in positions():
        if None in (line, end_line, column, end_column) or column == end_column == 0:
            continue
        if not start <= (line, column) <= (end_line, end_column) <= end:
            return False
    return True


def covers(likely: Compiled, code: types.CodeType) -> bool:
    """Whether `code` may be the compiled site with something added to it.

    Import hooks (pytest's rewriting of `assert` is one) add to the tree they compile, and leave
    the names and the parameters that are there.
    """
    mine = likely.code
    parameters = mine.co_argcount + mine.co_kwonlyargcount
    return (
        mine.co_argcount == code.co_argcount
        and mine.co_kwonlyargcount == code.co_kwonlyargcount
        and mine.co_varnames[:parameters] == code.co_varnames[:parameters]
        and set(mine.co_names) <= set(code.co_names)
        and set(mine.co_varnames) <= set(code.co_varnames) | set(code.co_cellvars)
        and set(mine.co_freevars) <= set(code.co_freevars)
    )
