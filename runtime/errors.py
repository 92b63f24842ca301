"""The errors that operations raise, named as TensorFlow names them."""

from __future__ import annotations

from typing import Any

import numpy as np


class OpError(Exception):
    """An operation could not do its work.

    Attributes:
      message: what went wrong.
    """

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        # TensorFlow's errors are made with (node, op, message); accept both spellings.
        self.message = str(args[2] if len(args) == 3 else args[0] if args else "")

    def __str__(self) -> str:
        return self.message


class InvalidArgumentError(OpError, ValueError):
    """An argument's value, dtype or shape is not one that the operation takes."""


class LinAlgError(InvalidArgumentError, np.linalg.LinAlgError):
    """A matrix is singular, or not what an algorithm takes; NumPy's error, and TensorFlow's."""


class AssertionFailedError(AssertionError, InvalidArgumentError):
    """A staged `assert` does not hold: an AssertionError, and what TensorFlow raises."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class OutOfRangeError(OpError, IndexError):
    """An index lies outside what it indexes."""


class FailedPreconditionError(OpError, RuntimeError):
    """Something has to happen first, such as giving a variable its value."""


class NotFoundError(OpError, LookupError):
    """A thing that was asked for by name does not exist."""


class AlreadyExistsError(OpError):
    """A thing to be made exists already."""


class UnimplementedError(OpError):
    """The operation does not know this combination of arguments."""


class InternalError(OpError):
    """The library broke one of its own rules."""


class ResourceExhaustedError(OpError, MemoryError):
    """Memory, or another bounded resource, has run out."""


class CancelledError(OpError):
    """The work was cancelled."""


class DeadlineExceededError(OpError, TimeoutError):
    """The work took longer than it was allowed to."""


class SymbolicTensorError(TypeError):
    """A tensor that has no value yet was used where Python needs one.

    TensorFlow's name for it is `OperatorNotAllowedInGraphError`.
    """


OperatorNotAllowedInGraphError = SymbolicTensorError


class OutOfScopeError(TypeError):
    """A symbolic tensor was used outside the function whose trace made it.

    TensorFlow's name for it is `InaccessibleTensorError`.
    """


InaccessibleTensorError = OutOfScopeError
