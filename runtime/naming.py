"""Name scopes: prefixes of the names of operations and variables."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from runtime.context import thread


class name_scope:
    """Within the block, names of new operations and variables start with `name` and a slash.

    Args:
      name: the scope; scopes nest. One that ends in a slash is taken as it is, whatever the
        scopes around it.

    >>> import autograph_lite as ag
    >>> with ag.name_scope("layer"):
    ...     ag.Variable(1.0, name="w").name
    'layer/w:0'
    """

    def __init__(self, name: str, default_name: str | None = None, values: Any = None) -> None:
        if not isinstance(name, str | type(None)):
            raise TypeError(f"the name of a scope is a string, found {name!r}")
        self.name = name or default_name or ""
        self._before: list[str] = []

    def __enter__(self) -> str:
        before = thread.name_scope
        self._before.append(before)
        if self.name.endswith("/"):
            scope = self.name[:-1]
        elif self.name:
            scope = f"{before}/{self.name}" if before else self.name
        else:
            scope = ""
        thread.name_scope = scope
        return f"{scope}/" if scope else ""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        thread.name_scope = self._before.pop()
