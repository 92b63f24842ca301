"""Applying an op: at once to eager tensors, or as a new operation of the graph being built."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import context
from runtime.context import thread, warnings_off, warnings_on
from runtime.errors import InvalidArgumentError, LinAlgError, OutOfScopeError
from runtime.locations import user_location
from runtime.ops.registry import OpDef, Spec
from runtime.tensor import EagerTensor, SymbolicTensor, Tensor


class EagerOperation:
    """One application of an op to eager tensors, as tapes remember it.

    It has what gradient functions ask of a graph's `Operation`.
    """

    __slots__ = ("attrs", "inputs", "needed", "opdef", "outputs")
    graph = None

    def __init__(
        self, opdef: OpDef, inputs: Sequence[Tensor], attrs: dict[str, Any], outputs: list[Tensor]
    ) -> None:
        self.opdef = opdef
        self.inputs = list(inputs)
        self.attrs = attrs
        self.outputs = outputs
        # Which inputs' gradients are needed, while they are made; None for all.
        self.needed: Sequence[bool] | None = None

    def get_attr(self, name: str) -> Any:
        """An attribute's value."""
        return self.attrs[name]


def apply(
    opdef: OpDef, inputs: Sequence[Tensor], attrs: dict[str, Any] | None = None, name: Any = None
) -> Any:
    """Applies an op and gives its output, a tensor, or a list of them.

    Args:
      opdef: the op.
      inputs: its tensors, converted already.
      attrs: its attributes, checked already.
      name: the name of the operation in a graph.

    Raises:
      InvalidArgumentError: the inputs do not fit the op; the message names the user's line.
    """
    attrs = {} if attrs is None else attrs
    graph = thread.graph
    if graph is None:
        return _apply_now(opdef, inputs, attrs)
    try:
        op = graph.add(opdef, inputs, attrs, name)
    except (ValueError, TypeError, IndexError) as error:
        raise explained(error, opdef, inputs) from None
    if thread.recorders:
        for recorder in thread.recorders:
            recorder.record(op)
    outputs = op.outputs
    if len(outputs) == 1 and not _lists_outputs(opdef, attrs):
        return outputs[0]
    return list(outputs)


def _lists_outputs(opdef: OpDef, attrs: dict[str, Any]) -> bool:
    return bool(attrs.get("outputs_list", False))


def _apply_now(opdef: OpDef, inputs: Sequence[Tensor], attrs: dict[str, Any]) -> Any:
    try:
        values = [t._value for t in inputs]  # type: ignore[attr-defined]
    except AttributeError:
        raise _symbolic_outside(opdef, inputs) from None
    token = warnings_off()
    try:
        result = opdef.kernel(*values, **attrs)
    except (ValueError, TypeError, IndexError, ArithmeticError) as error:
        raise explained(_broken_rule(opdef, inputs, attrs) or error, opdef, inputs) from None
    finally:
        warnings_on(token)
    several = type(result) is tuple or type(result) is list
    outputs = [EagerTensor(v) for v in result] if several else [EagerTensor(result)]
    if thread.recorders:
        op = EagerOperation(opdef, inputs, attrs, list(outputs))
        for recorder in thread.recorders:
            recorder.record(op)
    return list(outputs) if several else outputs[0]


def _broken_rule(opdef: OpDef, inputs: Sequence[Tensor], attrs: dict[str, Any]) -> Exception | None:
    """What the op's shape and dtype rule says: it knows better than NumPy what was expected."""
    try:
        opdef.infer(inputs, attrs)
    except (ValueError, TypeError, IndexError) as error:
        return error
    return None


def explained(error: Exception, opdef: OpDef, inputs: Sequence[Any]) -> Exception:
    """`error` with the user's line, the op and what it was given in its message."""
    if isinstance(error, OutOfScopeError) or getattr(error, "_explained", False):
        return error
    given = ", ".join(_described(t) for t in inputs)
    message = f"{user_location()}: {opdef.name} cannot take ({given}): {error}"
    kinds: dict[type, type] = {
        **{kind: kind for kind in (TypeError, IndexError, ZeroDivisionError)},
        np.linalg.LinAlgError: LinAlgError,
    }
    made: Exception = kinds.get(type(error), InvalidArgumentError)(message)
    made._explained = True  # type: ignore[attr-defined]
    return made


def _described(tensor: Any) -> str:
    shape = tensor.shape
    return f"{tensor.dtype.name}{list(shape) if shape.rank is not None else '<unknown shape>'}"


def _symbolic_outside(opdef: OpDef, inputs: Sequence[Any]) -> Exception:
    for tensor in inputs:
        if isinstance(tensor, SymbolicTensor):
            return OutOfScopeError(
                f"{user_location()}: {opdef.name} runs eagerly but {tensor!r}, made at "
                f"{tensor.op.location}, is symbolic: it exists only inside the function whose "
                f"trace made it ({tensor.graph.name!r}). Return it from there, or keep it in an "
                "ag.Variable."
            )
    return TypeError(f"{opdef.name} takes tensors, found {[type(t).__name__ for t in inputs]}")


__all__ = ["EagerOperation", "Spec", "apply", "context", "explained"]
