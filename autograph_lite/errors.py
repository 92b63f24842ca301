"""The library's exceptions, and what tracebacks show of the library (nothing, unless asked)."""

from __future__ import annotations

__all__ = ["AutographError", "ConversionError", "NoSourceError", "StagingError"]

# A local variable of this name, never bound, marks the code objects that are parts of a user's
# function (see `conversion/load.py`).
FRAGMENT_MARK = "ag__fragment"


class AutographError(Exception):
    """Base of the errors that are the library's own, not the user's program's."""


class ConversionError(AutographError):
    """A function cannot be converted."""


class NoSourceError(ConversionError):
    """The source of a function is not to be had.

    Attributes:
      reason: why not, as a clause (`it was typed at a prompt that keeps no text`).
      mend: what to do about it, as a clause in the imperative.
    """

    def __init__(self, reason: str, mend: str) -> None:
        super().__init__(f"{reason}; {mend}")
        self.reason = reason
        self.mend = mend


class StagingError(AutographError):
    """A construct met a tensor that cannot be staged in it."""
