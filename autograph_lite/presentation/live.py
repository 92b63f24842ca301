"""Functions of a file made live: the file is imported, a function of it traced and run."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import linecache
import re
import sys
import traceback
import types
from pathlib import Path
from typing import Any

from autograph_lite.presentation.literals import parse_arguments
from autograph_lite.presentation.problems import UsageError, did_you_mean

__all__ = ["Live", "UserError", "choose", "import_file"]


class UserError(Exception):
    """The user's program failed; the text is one line with the place in it."""


def import_file(path: Path, text: str) -> types.ModuleType:
    """Imports a file under its real name, so that its `__main__` part does not run.

    Args:
      path: the file.
      text: what it holds; a pipe cannot be read again.

    Raises:
      UsageError: the import fails.
    """
    name, root = _module_name(path.resolve())
    try:
        if not path.is_file():
            return _execute_text(text, path)
        if str(root) not in sys.path:
            sys.path.insert(0, str(root))
        if "." in name:
            importlib.import_module(name.rpartition(".")[0])
        return _execute(name, path.resolve())
    except (Exception, SystemExit) as error:
        raise UsageError(f"{_place(error, path)}: importing fails: {_described(error)}") from None


def _module_name(path: Path) -> tuple[str, Path]:
    """The dotted name that a file is imported by, and the directory to import it from."""
    parts = [] if path.stem == "__init__" else [path.stem]
    folder = path.parent
    while (folder / "__init__.py").exists() and folder.name.isidentifier():
        parts.insert(0, folder.name)
        folder = folder.parent
    name = ".".join(parts) or path.parent.name
    if name.partition(".")[0] in sys.stdlib_module_names or name == "__main__":
        # The name is taken; and what bears such a name is not taken for the user's own code.
        name = f"{name}_of_user" if "." not in name else name
    return name, folder


def _execute(name: str, path: Path) -> types.ModuleType:
    known = sys.modules.get(name)
    file = getattr(known, "__file__", None)
    if known is not None and file is not None and Path(file).resolve() == path:
        return known
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        if known is None:
            sys.modules.pop(name, None)
        else:
            sys.modules[name] = known
        raise
    return module


def _execute_text(text: str, path: Path) -> types.ModuleType:
    """What came through a pipe as a module; its lines are put where converting looks for them."""
    module = types.ModuleType("piped")
    module.__file__ = str(path)
    linecache.cache[str(path)] = (len(text), None, text.splitlines(keepends=True), str(path))
    sys.modules[module.__name__] = module
    exec(compile(text, str(path), "exec"), module.__dict__)
    return module


def choose(module: types.ModuleType, functions: list[str], path: Path) -> str:
    """The function that is meant when none is named: the only one that is decorated, or that is.

    Raises:
      UsageError: there are several.
    """
    from autograph_lite.function import Function

    decorated = [n for n in functions if isinstance(_found(module, n), Function)]
    candidates = decorated or [n for n in functions if "." not in n]
    if len(candidates) > 1:
        named = [n for n in candidates if n == path.stem]
        candidates = named or candidates
    if not candidates:
        raise UsageError(f"{path}: there is no function in it to trace")
    if len(candidates) > 1:
        listed = ", ".join(candidates[:8])
        raise UsageError(
            f"{path}: name one function, as in {path}:{candidates[0]}; it has {listed}"
        )
    return candidates[0]


def _found(module: types.ModuleType, name: str) -> Any:
    found: Any = module
    for part in name.split("."):
        found = inspect.getattr_static(found, part, None)
        if found is None:
            return None
    return found


class Live:
    """A function of an imported file, with arguments.

    Args:
      module: the imported file.
      name: the function's qualified name in it.
      arguments: the texts of the arguments, or None if none were given.

    Raises:
      UsageError: there is no such function once the file is imported, or an argument is not
        understood.
    """

    def __init__(self, module: types.ModuleType, name: str, arguments: list[str] | None) -> None:
        self.name = name
        self.path = module.__file__ or name
        self.function = self._function(module)
        self.args, self.kwargs = parse_arguments(arguments or [])
        self.texts = [text.strip() for text in arguments or []]
        self._check_names()

    def _check_names(self) -> None:
        """Every named argument must be one of the function's."""
        parameters = inspect.signature(self.function).parameters.values()
        if any(p.kind is p.VAR_KEYWORD for p in parameters):
            return
        known = [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
        for name in self.kwargs:
            if name not in known:
                left = [k for k in known[len(self.args) :] if k not in self.kwargs]
                hint = did_you_mean(name, known) if known else "it takes none by name"
                hint = f"did you mean {left[0]!r}?" if len(left) == 1 else hint
                raise UsageError(f"{self.path}: {self.name}() has no argument {name!r}; {hint}")

    @property
    def has_specs(self) -> bool:
        """Whether a TensorSpec is among the arguments: then there is nothing to run with."""
        from runtime import nest
        from runtime.tensor_spec import TensorSpec

        values = [*self.args, *self.kwargs.values()]
        return any(isinstance(leaf, TensorSpec) for leaf in nest.flatten(values))

    @property
    def call(self) -> str:
        """The call as one would write it."""
        return f"{self.name}({', '.join(self.texts)})"

    def _function(self, module: types.ModuleType) -> Any:
        from autograph_lite.function import Function, function

        owner: Any = module
        *path, last = self.name.split(".")
        for part in path:
            owner = getattr(owner, part, None)
        raw = None if owner is None else inspect.getattr_static(owner, last, None)
        if raw is None:
            raise UsageError(
                f"{self.path}: {self.name} is not there once the file is imported; a function "
                "inside of a function, or one defined under a condition, can be shown but not run"
            )
        if isinstance(owner, type) and not isinstance(raw, staticmethod | classmethod):
            owner = self._instance(owner)
        found = getattr(owner, last)
        if isinstance(found, Function):
            return found
        if not callable(found):
            raise UsageError(f"{self.path}: {self.name} is not a function, but {found!r}")
        bound = getattr(found, "func", None)
        if isinstance(bound, types.MethodType) and isinstance(bound.__self__, Function):
            # A decorated method, looked up on an instance.
            return _Bound(bound.__self__, found.args[0])
        return function(found)

    def _instance(self, owner: type) -> Any:
        try:
            return owner()
        except (Exception, SystemExit) as error:
            raise UsageError(
                f"{self.path}: {self.name} is a method, and {owner.__name__}() fails: "
                f"{_described(error)}; name a function that makes the object it needs"
            ) from None

    def concrete(self) -> Any:
        """The trace for the arguments.

        Raises:
          UserError: tracing fails.
        """
        return self._guarded(self.function.get_concrete_function)

    def result(self) -> str:
        """What the function gives for the arguments, as text.

        Raises:
          UserError: tracing or running fails.
        """
        return _shown(self._guarded(self.function))

    def _guarded(self, call: Any) -> Any:
        try:
            return call(*self.args, **self.kwargs)
        except (Exception, SystemExit) as error:
            place = _place(error, Path(self.path))
            text = _without_command(_described(error), self.path)
            if place in text:
                raise UserError(f"{self.call}: {text}") from error
            raise UserError(f"{place}: {self.call}: {text}") from error


class _Bound:
    """A decorated method and its object."""

    def __init__(self, function: Any, instance: Any) -> None:
        self._function = function
        self._instance = instance

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._function(self._instance, *args, **kwargs)

    @property
    def __signature__(self) -> inspect.Signature:
        whole = inspect.signature(self._function)
        return whole.replace(parameters=list(whole.parameters.values())[1:])

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> Any:
        return self._function.get_concrete_function(self._instance, *args, **kwargs)


def _described(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    text = " | ".join(lines)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _without_command(text: str, path: str) -> str:
    """A message without the place of the call, where that is the script that runs the command."""
    script = getattr(sys.modules.get("__main__"), "__file__", None)
    if not script or Path(script).resolve() == Path(path).resolve():
        return text
    return re.sub(re.escape(script) + r":\d+: ", "", text)


def _place(error: BaseException, path: Path) -> str:
    """The innermost line of the file (or else of any file of the user's) where it went wrong."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    from autograph_lite.errors import clean_traceback
    from runtime.locations import is_library_file

    clean_traceback(error)
    frames = [
        (frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    resolved = str(path.resolve())
    own = [f for f in frames if f[0] == resolved]
    others = [f for f in frames if not f[0].startswith("<") and not is_library_file(f[0])]
    for filename, line in reversed(own or others):
        return f"{path if filename == resolved else filename}:{line}"
    return str(path)


def _shown(value: Any) -> str:
    """A result as people write it: arrays as NumPy prints them, scalars as Python's own."""
    from runtime import nest
    from runtime.tensor import Tensor

    def plain(leaf: Any) -> Any:
        leaf = leaf.numpy() if isinstance(leaf, Tensor) else leaf
        return leaf.item() if getattr(leaf, "ndim", None) == 0 and hasattr(leaf, "item") else leaf

    made = plain(value) if nest.parts(value) is None else nest.map_structure(plain, value)
    return str(made)
