"""Variables that are not bound, and the errors for reading them."""

from __future__ import annotations

import sys
from typing import TypeVar

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


def ld(value: T) -> T:
    """Reads a local variable that may be unbound.

    Raises:
      UnboundLocalError: it is.

    Example:
      >>> ld(3)
      3
    """
    if type(value) is Undefined:
        raise UnboundLocalError(_LOCAL.format(value.name))
    return value


def ld_free(value: T) -> T:
    """Reads an enclosing function's variable that may be unbound.

    Raises:
      NameError: it is.

    Example:
      >>> ld_free(3)
      3
    """
    if type(value) is Undefined:
        raise NameError(_FREE.format(value.name), name=value.name)
    return value
