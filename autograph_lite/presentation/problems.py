"""What is wrong with what the user asked for, in one line."""

from __future__ import annotations

from collections.abc import Iterable


class UsageError(Exception):
    """The command line asks for what cannot be had; its text is one clear line."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A clause that proposes the names most like `name`, or lists what there is.

    Example:
      >>> did_you_mean("colatz", ["collatz", "main"])
      "did you mean 'collatz'?"
    """
    import difflib

    names = list(dict.fromkeys(known))
    close = difflib.get_close_matches(name, names, n=2, cutoff=0.7)
    if not close:
        last = name.rpartition(".")[2].lower()
        close = [n for n in names if n.rpartition(".")[2].lower() == last][:2]
    if close:
        return f"did you mean {' or '.join(map(repr, close))}?"
    if not names:
        return "it defines no functions"
    listed = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
    return f"it has {listed}"
