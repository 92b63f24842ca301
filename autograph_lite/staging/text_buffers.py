"""`io.StringIO` made by code that is traced, and where a staged `print` writes to.

What such a buffer holds becomes part of the graph: a string tensor, once a staged text is written.
A `print` without a `file` writes to what `sys.stdout` is when the graph runs, unless the traced
code itself has put something else there, as `contextlib.redirect_stdout` does.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

from autograph_lite.errors import StagingError
from autograph_lite.staging import loans, scopes
from autograph_lite.staging.either import EitherValue
from runtime.gradients.activity import graphs_of
from runtime.graph import FunctionGraph
from runtime.locations import user_location
from runtime.ops.python_text import is_text
from runtime.tensor import SymbolicTensor

_END, _FRONT, _BEHIND = "end", "front", "behind"


class TextBuffer(io.StringIO):
    """Stands for a `StringIO` while a graph is built: its text may be a tensor.

    Attributes:
      text: what is in it.
      position: where the next text goes: the end, the front, or behind the end.
    """

    __ag_followed__ = True
    text: Any
    position: Any

    def __init__(self) -> None:
        super().__init__()
        self.__dict__.update(text="", position=_END)

    def _set(self, name: str, value: Any) -> None:
        if scopes.tracking():
            loans.change(self, "attribute", name)
        self.__dict__[name] = value

    def _check_open(self) -> None:
        super().tell()  # raises if it is closed

    def _position(self) -> Any:
        if isinstance(self.position, EitherValue | SymbolicTensor):
            self._refuse("after `seek` on some paths only")
        return self.position

    def _refuse(self, what: str) -> NoReturn:
        raise StagingError(
            f"{user_location()}: a StringIO that holds text of the graph cannot be used {what}; "
            "keep its lines in a list, and join them"
        )

    def write(self, text: Any) -> Any:
        """Adds text at the end."""
        self._check_open()
        if not isinstance(text, str) and not is_text(text):
            return super().write(text)  # which says what is wrong
        if self._position() != _END and not (self._position() == _FRONT and _is_empty(self.text)):
            self._refuse("by writing into the text")
        self._set("text", self.text + text)
        if self.position != _END:
            self._set("position", _END)
        if isinstance(text, str):
            return len(text)
        from autograph_lite.staging.builtins_ import len_  # type: ignore[attr-defined]

        return len_(text)

    def writelines(self, lines: Iterable[Any]) -> None:
        """Adds texts at the end."""
        for line in lines:
            self.write(line)

    def getvalue(self) -> Any:
        """All the text."""
        super().getvalue()  # raises if it is closed
        return self.text

    def seek(self, offset: int, whence: int = 0) -> Any:
        """Goes to the front, or to the end."""
        self._check_open()
        if offset != 0 or whence not in (0, 2):
            self._refuse("by `seek` to a place inside")
        self._set("position", _FRONT if whence == 0 else _END)
        return 0 if whence == 0 else self.tell()

    def tell(self) -> Any:
        """How far the next text is from the front."""
        self._check_open()
        if self._position() == _FRONT:
            return 0
        if not isinstance(self.text, str) or self.position == _BEHIND:
            self._refuse("by `tell`")
        return len(self.text)

    def truncate(self, size: Any = None, /) -> Any:
        """Removes all the text, or what is behind the place."""
        self._check_open()
        if size is None:
            size = 0 if self._position() == _FRONT else None
        if size is None:
            return self.tell()
        if size != 0:
            self._refuse("by `truncate` inside of the text")
        if self._position() == _END and not _is_empty(self.text):
            self._set("position", _BEHIND)
        self._set("text", "")
        return 0

    def read(self, size: Any = -1, /) -> Any:
        """The text from the place on."""
        self._check_open()
        if size is not None and size != -1:
            self._refuse("by reading a part of it")
        found = self.text if self._position() == _FRONT else ""
        self._set("position", _END)
        return found

    def _lines(self) -> io.StringIO:
        text = self.read()
        if not isinstance(text, str):
            self._refuse("by reading lines")
        return io.StringIO(text)

    def readlines(self, hint: Any = -1, /) -> Any:
        """The lines from the place on."""
        return self._lines().readlines(hint)

    def readline(self, size: Any = -1, /) -> Any:
        """Reading single lines is refused."""
        self._refuse("by reading a line")

    def __iter__(self) -> Any:
        return iter(self._lines())


def _is_empty(text: Any) -> bool:
    return isinstance(text, str) and not text


def string_io(*args: Any, **keywords: Any) -> io.StringIO:
    """`io.StringIO(...)`: one that is followed, if it is made empty."""
    if keywords or args not in ((), ("",)) or not scopes.tracking():
        return io.StringIO(*args, **keywords)
    return TextBuffer()


# ---- where a print writes to


def target(file: Any) -> Any:
    """Where a staged `print(..., file=file)` writes to.

    Returns:
      A stream, or a function that gives the stream when the graph runs.
    """
    outside = scopes.streams_outside()
    if file is None:
        file = sys.stdout
    for name, stream in zip(("stdout", "stderr"), outside, strict=True):
        if file is stream:
            return _Later(name)
    return file


class _Later:
    """One of Python's own streams, looked up when it is written to."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self) -> Any:
        return getattr(sys, self.name)

    def __repr__(self) -> str:
        return f"sys.{self.name}"


_STDOUT = _Later("stdout")


def is_stdout(stream: Any) -> bool:
    """Whether `target` has told of the `sys.stdout` of the call."""
    return isinstance(stream, _Later) and stream.name == "stdout"


def writing(write: Callable[..., Any], owner: Any) -> Callable[..., Any]:
    """A `write` that the graph calls, of a stream that may be another one by then."""
    stream = target(owner)
    if not isinstance(stream, _Later):
        return write
    return lambda *args: getattr(stream(), write.__name__)(*args)


def check_call(graph: FunctionGraph) -> None:
    """Refuses a call of a traced function that prints, where another one redirects what it prints.

    Its graph, which other functions may run too, writes to what `sys.stdout` is when it runs.
    """
    if not scopes.tracking() or isinstance(target(None), _Later):
        return
    if any(_prints_later(op) for op in _operations(graph)):
        raise StagingError(
            f"{user_location()}: what {graph.name} prints cannot be redirected by a traced "
            "function that calls it; call a plain function, without @ag.function, or redirect "
            "around the outer call"
        )


def _prints_later(op: Any) -> bool:
    return op.type == "TensorPrint" and isinstance(op.attrs.get("file", _STDOUT), _Later)


def _operations(graph: FunctionGraph) -> Iterator[Any]:
    waiting, seen = [graph], {id(graph)}
    while waiting:
        for op in waiting.pop().operations:
            yield op
            inner = [found for found in graphs_of(op) if id(found) not in seen]
            seen.update(map(id, inner))
            waiting += inner


def opened(stream: Any) -> Any:
    """The stream that `target` has told of, when the graph runs."""
    return stream() if isinstance(stream, _Later) else stream


__all__ = ["TextBuffer", "check_call", "is_stdout", "opened", "string_io", "target", "writing"]
