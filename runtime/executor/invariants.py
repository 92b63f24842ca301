"""What may be computed before a loop rather than in each of its passes.

The loop may make no pass at all, so only what cannot fail is moved out of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.executor.statements import Call

_NEVER_FAIL = frozenset(
    {"Shape", "Size", "Rank", "ZerosLike", "OnesLike", "ExpandDims", "Cast", "Transpose"}
)
_ITEMS = frozenset({"GetItem", "GetElement"})


def never_fails(call: Call) -> bool:
    """Whether a pure call gives a result whatever the values of its inputs are.

    What is known of the inputs' shapes was checked when the graph was made.
    """
    values = (*call.inputs, *call.outputs)
    if call.opdef.stateful or any(v.dtype.kind in "SRV" for v in values):
        return False
    if call.opdef.name in _NEVER_FAIL:
        return True
    if call.opdef.name in _ITEMS:
        return len(call.inputs) == 1 and is_in_range(call.attrs["index"], call.inputs[0])
    if call.opdef.name == "MatMul":
        return all(v.shape.is_fully_defined() for v in call.inputs)
    if call.opdef.name == "Pow" and call.outputs[0].dtype.kind in "iu":
        return False  # an integer to a negative power
    if not isinstance(call.kernel, np.ufunc) or call.kernel.signature is not None:
        return False
    arrays = [v for v in call.inputs if not v.is_scalar]
    return len(arrays) < 2 or all(v.shape.is_fully_defined() for v in arrays)


def is_in_range(index: tuple[Any, ...], array: Any) -> bool:
    """Whether an index without holes was found to be in range while tracing."""
    dims = array.shape.as_tuple()
    if dims is None or not all(p is None or isinstance(p, int | slice) for p in index):
        return False
    axis = 0
    for piece in index:
        if isinstance(piece, int) and dims[axis] is None:
            return False
        axis += piece is not None
    return True
