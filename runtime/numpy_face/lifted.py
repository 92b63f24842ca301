"""NumPy's own functions as operations, for what has no gradient and no simpler form."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from runtime.convert import convert_to_tensor
from runtime.dtypes import DType
from runtime.ops.apply import apply
from runtime.ops.registry import NO_GRADIENT, Spec, define
from runtime.shapes import TensorShape


def _kernel(
    *arrays: Any, function: str, results: Any, options: Any, outputs_list: bool = False
) -> Any:
    import numpy as np

    module, _, name = function.rpartition(".")
    made = getattr(importlib.import_module(module), name)(*arrays, **dict(options))
    values = made if isinstance(made, tuple | list) else (made,)
    cast = [
        np.asarray(v).astype(dtype.np_dtype, copy=False)
        for v, (dtype, _) in zip(values, results, strict=True)
    ]
    return cast if len(cast) > 1 else cast[0]


def _specs(inputs: Any, attrs: Any) -> Any:
    specs = [Spec(dtype, shape) for dtype, shape in attrs["results"]]
    return specs if len(specs) > 1 else specs[0]


NUMPY_FUNCTION = define(
    "NumpyFunction", kernel=_kernel, infer=_specs, gradient=NO_GRADIENT, aliases=None
)


def lifted(
    function: str,
    inputs: Sequence[Any],
    results: Sequence[tuple[DType, TensorShape]],
    **options: Any,
) -> Any:
    """Applies a function of NumPy as an operation.

    Args:
      function: its full name.
      inputs: its arrays, given by place.
      results: dtype and what is known of the shape of each result.
      **options: further arguments, which are static.

    Returns:
      A tensor, or a tuple of them for several results.
    """
    attrs = {
        "function": function,
        "results": tuple(results),
        "options": tuple(sorted(options.items())),
    }
    made = apply(NUMPY_FUNCTION, [convert_to_tensor(x) for x in inputs], attrs)
    return tuple(made) if isinstance(made, list) else made
