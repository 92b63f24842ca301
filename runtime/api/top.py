"""The names that stand directly in the public namespace, one block a family."""

# ruff: noqa: I001 - blocks by subject, not one sorted list
from __future__ import annotations

# ---- creation
from runtime.convert import constant as constant
from runtime.convert import convert_to_tensor as convert_to_tensor
from runtime.convert import (
    register_tensor_conversion_function as register_tensor_conversion_function,
)
from runtime.ops.creation import eye as eye
from runtime.ops.creation import fill as fill
from runtime.ops.creation import linspace as linspace
from runtime.ops.creation import one_hot as one_hot
from runtime.ops.creation import ones as ones
from runtime.ops.creation import ones_like as ones_like
from runtime.ops.creation import range as range
from runtime.ops.creation import zeros as zeros
from runtime.ops.creation import zeros_like as zeros_like

# ---- gathering, scattering
from runtime.ops.gathering import gather as gather
from runtime.ops.gathering import gather_nd as gather_nd
from runtime.ops.gathering import meshgrid as meshgrid
from runtime.ops.gathering import repeat as repeat
from runtime.ops.gathering import searchsorted as searchsorted
from runtime.ops.gathering import sequence_mask as sequence_mask
from runtime.ops.gathering import where as where
from runtime.ops.scattering import scatter_nd as scatter_nd
from runtime.ops.scattering import tensor_scatter_nd_add as tensor_scatter_nd_add
from runtime.ops.scattering import tensor_scatter_nd_max as tensor_scatter_nd_max
from runtime.ops.scattering import tensor_scatter_nd_min as tensor_scatter_nd_min
from runtime.ops.scattering import tensor_scatter_nd_sub as tensor_scatter_nd_sub
from runtime.ops.scattering import tensor_scatter_nd_update as tensor_scatter_nd_update

# ---- indexing
from runtime.ops.indexing import boolean_mask as boolean_mask
from runtime.ops.indexing import slice as slice
from runtime.ops.indexing import strided_slice as strided_slice

# ---- joining
from runtime.ops.joining import concat as concat
from runtime.ops.joining import pad as pad
from runtime.ops.joining import reverse as reverse
from runtime.ops.joining import roll as roll
from runtime.ops.joining import split as split
from runtime.ops.joining import stack as stack
from runtime.ops.joining import tile as tile
from runtime.ops.joining import unstack as unstack

# ---- shaping
from runtime.ops.shaping import broadcast_dynamic_shape as broadcast_dynamic_shape
from runtime.ops.shaping import broadcast_static_shape as broadcast_static_shape
from runtime.ops.shaping import broadcast_to as broadcast_to
from runtime.ops.shaping import ensure_shape as ensure_shape
from runtime.ops.shaping import expand_dims as expand_dims
from runtime.ops.shaping import identity as identity
from runtime.ops.shaping import rank as rank
from runtime.ops.shaping import reshape as reshape
from runtime.ops.shaping import shape as shape
from runtime.ops.shaping import shape_n as shape_n
from runtime.ops.shaping import size as size
from runtime.ops.shaping import squeeze as squeeze
from runtime.ops.shaping import stop_gradient as stop_gradient
from runtime.ops.shaping import transpose as transpose
