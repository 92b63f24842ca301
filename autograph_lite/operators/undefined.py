"""Variables that are not bound, and the errors for reading them."""

from __future__ import annotations

import sys
import threading
from typing import TypeVar

from autograph_lite.operators.dispatch import is_staged

__all__ = ["Undefined", "ld", "ld_free"]

T = TypeVar("T")

if sys.version_info >= (3, 11):
    _LOCAL = "cannot access local variable {!r} where it is not associated with a value"
    _FREE = (
        "cannot access free variable {!r} where it is not associated with a value "
        "in enclosing scope"
    )
else:
    _LOCAL = "local variable {!r} referenced before assignment"
    _FREE = "free variable {!r} referenced before assignment in enclosing scope"


class Undefined:
    """What a variable holds that has no value.

    Attributes:
      name: the variable's name.

    Example:
      >>> Undefined('x')
      <undefined x>
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<undefined {self.name}>"


class _Reads(threading.local):
    """How often a thread has read an unbound variable."""

    count = 0


_reads = _Reads()


def count_read() -> None:
    """Notes that an unbound variable, attribute or item has been read."""
    _reads.count += 1


def unbound_reads() -> int:
    """How many reads of unbound variables this thread has seen so far.

    Example:
      >>> unbound_reads() >= 0
      True
    """
    return _reads.count


def ld(value: T) -> T:
    """Reads a local variable that may be unbound.

    Raises:
      UnboundLocalError: it is.

    Example:
      >>> ld(3)
      3
    """
    if isinstance(value, Undefined):
        count_read()
        raise UnboundLocalError(_LOCAL.format(value.name))
    if is_staged(value):
        from autograph_lite.staging import unbound as staged

        return staged.read(value, ld)
    return value


def ld_free(value: T) -> T:
    """Reads an enclosing function's variable that may be unbound.

    Raises:
      NameError: it is.

    Example:
      >>> ld_free(3)
      3
    """
    if isinstance(value, Undefined):
        count_read()
        raise NameError(_FREE.format(value.name), name=value.name)
    if is_staged(value):
        from autograph_lite.staging import unbound as staged

        return staged.read(value, ld_free)
    return value
