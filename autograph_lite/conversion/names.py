"""Names for what conversion adds: readable, and never one that the user's code uses."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["LIBRARIES", "Names", "mangled"]

# What programs call the modules that nearly all of them import.
LIBRARIES = frozenset({"ag", "tf", "np", "numpy", "math"})


class Names:
    """Hands out names that do not clash with those already taken.

    Example:
      >>> names = Names({'did_break'})
      >>> names.fresh('did_break'), names.fresh('did_break'), names.fresh('item')
      ('did_break_1', 'did_break_2', 'item')
      >>> names.role('if_body'), names.role('if_body')
      ('if_body', 'if_body')
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = {}
        self._roles: dict[str, str] = {}

    def fresh(self, base: str) -> str:
        """A name that was never given before: `base`, or `base_1`, `base_2`, ..."""
        number = self._next.get(base, 0)
        name = base if number == 0 else f"{base}_{number}"
        while name in self._taken:
            number += 1
            name = f"{base}_{number}"
        self._next[base] = number + 1
        self._taken.add(name)
        return name

    def role(self, base: str) -> str:
        """The one name for a part that is used right where it is defined, so may recur."""
        if base not in self._roles:
            self._roles[base] = self.fresh(base)
        return self._roles[base]


def mangled(name: str, class_name: str | None) -> str:
    """The name under which the compiler knows a private name of a class.

    Example:
      >>> mangled('__x', '_Node'), mangled('__x__', 'Node'), mangled('__x', None)
      ('_Node__x', '__x__', '__x')
    """
    if class_name is None or not name.startswith("__") or name.endswith("__") or "." in name:
        return name
    stripped = class_name.lstrip("_")
    return f"_{stripped}{name}" if stripped else name
