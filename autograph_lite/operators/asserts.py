"""`assert` statements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph_lite.operators.dispatch import asked, is_staged

__all__ = ["assert_"]


def assert_(test: Any, message: Callable[[], Any] | None = None) -> None:
    """An `assert` statement.

    Args:
      test: what has to be true.
      message: gives what the error says.

    Raises:
      AssertionError: `test` is false.

    Example:
      >>> assert_(2 > 1)
    """
    test = asked(test)  # type: ignore[assignment]
    if is_staged(test):
        from autograph_lite.staging import raising as staged

        return staged.assert_(test, message)
    if not test:
        raise AssertionError(message()) if message is not None else AssertionError
    return None
