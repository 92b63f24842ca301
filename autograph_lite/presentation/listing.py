"""The functions of a file and their converted forms. The file is read, never run."""

from __future__ import annotations

import ast
import builtins
import io
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import gast

from autograph_lite.conversion import pipeline
from autograph_lite.conversion.unparse_lines import Line, to_lines
from autograph_lite.presentation.problems import UsageError, did_you_mean

__all__ = ["Listing", "Module", "Target", "parse_target", "python_files"]

_BUILTIN_NAMES = frozenset(dir(builtins))
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Target(NamedTuple):
    """What the user points at: a file or directory, and a function in the file, or ''."""

    path: Path
    function: str


class Listing(NamedTuple):
    """One definition, before and after.

    Attributes:
      name: its qualified name.
      line: where it starts in its file.
      original: the lines of its text, shifted to the left.
      converted: the lines of the converted form; their origins are lines of the file.
    """

    name: str
    line: int
    original: list[str]
    converted: list[Line]

    @property
    def text(self) -> str:
        """The converted form as one text."""
        return "\n".join(line.text for line in self.converted) + "\n"


def parse_target(text: str) -> Target:
    """Takes `FILE[:FUNCTION]` apart.

    Raises:
      UsageError: there is no such file or directory.
    """
    path = Path(text)
    if path.exists():
        return Target(path, "")
    head, colon, function = text.rpartition(":")
    if colon and Path(head).exists():
        function = function.replace(".<locals>", "")
        if Path(head).is_dir():
            raise UsageError(f"{head} is a directory; name the file that holds {function!r}")
        return Target(Path(head), function)
    missing = Path(head) if colon and head else path
    siblings = [p.name for p in missing.parent.glob("*.py")] if missing.parent.is_dir() else []
    hint = did_you_mean(missing.name, siblings) if siblings else ""
    hint = f"; {hint}" if hint.startswith("did") else ""
    raise UsageError(f"{missing}: there is no such file{hint}")


def python_files(folder: Path) -> list[Path]:
    """The Python files below a directory, those in hidden directories and caches left out.

    Raises:
      UsageError: there are none.
    """
    files = sorted(
        path
        for path in folder.rglob("*.py")
        if not any(p.startswith(".") or p == "__pycache__" for p in path.relative_to(folder).parts)
    )
    if not files:
        raise UsageError(f"{folder}: there are no Python files in this directory")
    return files


def _decoded(data: bytes) -> str:
    """The text of a file of Python, in the encoding that it declares."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    return io.TextIOWrapper(io.BytesIO(data), encoding).read()


class Module:
    """A file of Python, parsed.

    Args:
      path: the file.

    Raises:
      UsageError: it cannot be read, or does not parse.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.text = _decoded(path.read_bytes())  # once: it may be a pipe
        except (OSError, SyntaxError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise UsageError(f"{path}: cannot be read: {reason}") from None
        try:
            self.tree = ast.parse(self.text, str(path))
        except (SyntaxError, ValueError) as error:
            line = getattr(error, "lineno", None)
            place = f"{path}:{line}" if line else str(path)
            raise UsageError(
                f"{place}: does not parse: {getattr(error, 'msg', None) or error}"
            ) from None
        self.lines = self.text.split("\n")
        self.names = _bound_names(self.tree)
        self._inside_classes = {
            id(inner)
            for node in ast.walk(self.tree)
            if isinstance(node, ast.ClassDef)
            for inner in ast.walk(node)
        }

    # ---- what is in it

    def functions(self) -> dict[str, Any]:
        """The nodes of all functions by qualified name, methods and nested functions included.

        Of several with one name, the last counts, as it does when the file runs.
        """
        found: dict[str, Any] = {}

        def walk(body: list[Any], prefix: str) -> None:
            for node in _definitions(body):
                if isinstance(node, _FUNCTIONS):
                    found[prefix + node.name] = node
                walk(node.body, f"{prefix}{node.name}.")

        walk(self.tree.body, "")
        found.update((_name_of(statement), statement) for statement in self._lambdas())
        return found

    def _lambdas(self) -> list[ast.Assign]:
        """The statements that give a lambda a name."""
        return [
            s
            for s in self.tree.body
            if isinstance(s, ast.Assign)
            and isinstance(s.value, ast.Lambda)
            and isinstance(s.targets[0], ast.Name)
        ]

    def find(self, function: str) -> Any:
        """The node of a function.

        Raises:
          UsageError: there is none of this name; the text proposes one that is alike.
        """
        functions = self.functions()
        node = functions.get(function)
        if node is None and function.replace(".", "_").isidentifier():
            node = self._class(function)
        if node is None:
            hint = did_you_mean(function, functions)
            raise UsageError(f"{self.path}: there is no function {function!r}; {hint}")
        return node

    def _class(self, name: str) -> Any:
        body = self.tree.body
        found: Any = None
        for part in name.split("."):
            candidates = [n for n in _definitions(body) if n.name == part]
            found = next((n for n in candidates if isinstance(n, ast.ClassDef)), None)
            if found is None:
                return None
            body = found.body
        return found

    # ---- converting

    def listings(self) -> Iterator[Listing]:
        """All functions outside of other functions; a class is one listing with its methods."""
        nodes = [*_definitions(self.tree.body), *self._lambdas()]
        for node in sorted(nodes, key=lambda n: int(n.lineno)):
            if isinstance(node, ast.ClassDef):
                if not any(isinstance(n, _FUNCTIONS) for n in ast.walk(node)):
                    continue
            elif isinstance(node, _FUNCTIONS) and _is_suspending(node):
                continue
            yield self.listing(_name_of(node), node)

    def listing(self, name: str, node: Any) -> Listing:
        """A definition with its converted form.

        Raises:
          UsageError: it is a generator or a coroutine, which are not converted.
        """
        if isinstance(node, _FUNCTIONS) and _is_suspending(node):
            raise UsageError(
                f"{self.path}:{node.lineno}: {name} is a generator or a coroutine, and these are "
                "not converted; name the function that uses it"
            )
        start = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
        lines = self.lines[start - 1 : node.end_lineno]
        column = node.col_offset
        # The text of the definition alone is parsed again: long files have many definitions.
        prefix = "if 1:\n" if column else ""
        text = prefix + "\n".join(lines) + "\n"
        shift = start - 1 - prefix.count("\n")
        tree = gast.parse(text)
        definition = tree.body[0].body[0] if prefix else tree.body[0]
        self._convert(definition, id(node) in self._inside_classes)
        converted = [
            Line(line.text, line.origin + shift if line.origin else 0)
            for line in to_lines(definition, text)
        ]
        return Listing(name, start, [_dedented(line, column) for line in lines], converted)

    def _convert(self, definition: Any, has_class: bool) -> None:
        if isinstance(definition, gast.ClassDef):
            for node in definition.body:
                for inner in _definitions([node]):
                    self._convert(inner, True)
        elif isinstance(definition, gast.Assign):
            self._transform(definition.value, False)
        elif not _is_suspending(definition):
            self._transform(definition, has_class)

    def _transform(self, definition: Any, has_class: bool) -> None:
        has_class = has_class and any(
            isinstance(n, gast.Name) and n.id in ("super", "__class__")
            for n in gast.walk(definition)
        )
        makes_items = pipeline.knows_defaults(self.text)
        outside = _BUILTIN_NAMES & self.names
        pipeline.transform(definition, outside, has_class, makes_items=makes_items)


def _definitions(body: list[Any]) -> Iterator[Any]:
    """The definitions among statements, those in branches and the like included."""
    kinds = ("FunctionDef", "AsyncFunctionDef", "ClassDef")
    for statement in body:
        if type(statement).__name__ in kinds:
            yield statement
            continue
        for field in ("body", "orelse", "handlers", "finalbody", "cases"):
            inner = getattr(statement, field, None)
            if isinstance(inner, list):
                yield from _definitions(inner)


def _name_of(node: Any) -> str:
    named = node.targets[0].id if isinstance(node, ast.Assign) else node.name  # type: ignore[attr-defined]
    return str(named)


def _is_suspending(node: Any) -> bool:
    """Whether a function is a generator or a coroutine."""
    if type(node).__name__ == "AsyncFunctionDef":
        return True
    stack = list(node.body)
    while stack:
        inner = stack.pop()
        name = type(inner).__name__
        if name in ("Yield", "YieldFrom"):
            return True
        if name not in ("FunctionDef", "AsyncFunctionDef", "Lambda", "ClassDef"):
            stack += ast.iter_child_nodes(inner) if isinstance(inner, ast.AST) else ()
    return False


def _bound_names(tree: ast.Module) -> frozenset[str]:
    """The names that a module binds at its top level, as far as its text tells."""
    names: set[str] = set()
    stack: list[ast.AST] = list(tree.body)
    while stack:
        node = stack.pop()
        if isinstance(node, _DEFINITIONS):
            names.add(node.name)
            continue
        if isinstance(node, ast.Lambda):
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.alias):
            names.add(node.asname or node.name.partition(".")[0])
        stack += ast.iter_child_nodes(node)
    return frozenset(names)


def _dedented(line: str, column: int) -> str:
    return line[column:] if not line[:column].strip() else line
