"""The names that stand directly in the public namespace, one block a family."""

# ruff: noqa: E402, F401, I001 - blocks by subject, not one sorted list
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

# ---- slicing
from runtime.ops.slicing import boolean_mask as boolean_mask
from runtime.ops.slicing import slice as slice
from runtime.ops.slicing import strided_slice as strided_slice

# ---- joining
from runtime.ops.joining import concat as concat
from runtime.ops.padding import pad as pad
from runtime.ops.reordering import reverse as reverse
from runtime.ops.reordering import roll as roll
from runtime.ops.joining import split as split
from runtime.ops.joining import stack as stack
from runtime.ops.padding import tile as tile
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

# ---- variables, modules, names
from runtime.module import Module as Module
from runtime.naming import name_scope as name_scope
from runtime.variables import Variable as Variable

# ---- lists of tensors
from runtime.tensor_array import TensorArray as TensorArray

# ---- text
from runtime.ops.printing import tensor_print as print
from runtime.ops.debugging import Assert as Assert
from runtime.ops.debugging import assert_equal as assert_equal
from runtime.ops.debugging import assert_greater as assert_greater
from runtime.ops.debugging import assert_less as assert_less
from runtime.ops.debugging_static import assert_rank as assert_rank
from runtime.ops.debugging_static import is_tensor as is_tensor

newaxis = None

# ---- functions along an axis, and Python's functions
from runtime.ops.functional import foldl as foldl
from runtime.ops.functional import foldr as foldr
from runtime.ops.functional import map_fn as map_fn
from runtime.ops.functional import scan as scan
from runtime.ops.functional import vectorized_map as vectorized_map
from runtime.ops.host_calls import numpy_function as numpy_function
from runtime.ops.host_calls import py_function as py_function

# ---- maths: arithmetic, reductions, scans, linear algebra, random numbers
from runtime.ops.binary import add_n as add_n
from runtime.ops.binary import atan2 as atan2
from runtime.ops.binary import realdiv as realdiv
from runtime.ops.binary import scalar_mul as scalar_mul
from runtime.ops.binary import squared_difference as squared_difference
from runtime.ops.binary import truncatediv as truncatediv
from runtime.ops.binary import truncatemod as truncatemod
from runtime.ops.bitcast import bitcast as bitcast
from runtime.ops.casting import cast as cast
from runtime.ops.casting import saturate_cast as saturate_cast
from runtime.ops.clipping import clip_by_global_norm as clip_by_global_norm
from runtime.ops.clipping import clip_by_norm as clip_by_norm
from runtime.ops.clipping import clip_by_value as clip_by_value
from runtime.ops.comparison import equal as equal
from runtime.ops.comparison import greater as greater
from runtime.ops.comparison import greater_equal as greater_equal
from runtime.ops.comparison import less as less
from runtime.ops.comparison import less_equal as less_equal
from runtime.ops.comparison import logical_and as logical_and
from runtime.ops.comparison import logical_not as logical_not
from runtime.ops.comparison import logical_or as logical_or
from runtime.ops.comparison import not_equal as not_equal
from runtime.ops.complex_ import complex as complex
from runtime.ops.counting import histogram_fixed_width as histogram_fixed_width
from runtime.ops.counting import histogram_fixed_width_bins as histogram_fixed_width_bins
from runtime.ops.counting import unique as unique
from runtime.ops.counting import unique_with_counts as unique_with_counts
from runtime.ops.decompositions import eig as eig
from runtime.ops.decompositions import eigvals as eigvals
from runtime.ops.einsum import einsum as einsum
from runtime.ops.einsum import tensordot as tensordot
from runtime.ops.elementwise import add as add
from runtime.ops.elementwise import divide as divide
from runtime.ops.elementwise import floordiv as floordiv
from runtime.ops.elementwise import maximum as maximum
from runtime.ops.elementwise import minimum as minimum
from runtime.ops.elementwise import multiply as multiply
from runtime.ops.elementwise import pow as pow
from runtime.ops.elementwise import subtract as subtract
from runtime.ops.elementwise import truediv as truediv
from runtime.ops.matmul import matmul as matmul
from runtime.ops.matrix_functions import sqrtm as matrix_square_root
from runtime.ops.nn_space import batch_to_space as batch_to_space
from runtime.ops.nn_space import space_to_batch as space_to_batch
from runtime.ops.norm_reductions import reduce_logsumexp as reduce_logsumexp
from runtime.ops.norms import norm as norm
from runtime.ops.reductions import reduce_all as reduce_all
from runtime.ops.reductions import reduce_any as reduce_any
from runtime.ops.reductions import reduce_max as reduce_max
from runtime.ops.reductions import reduce_mean as reduce_mean
from runtime.ops.reductions import reduce_min as reduce_min
from runtime.ops.reductions import reduce_prod as reduce_prod
from runtime.ops.reductions import reduce_sum as reduce_sum
from runtime.ops.scans import cumsum as cumsum
from runtime.ops.sorting import argmax as argmax
from runtime.ops.sorting import argmin as argmin
from runtime.ops.sorting import argsort as argsort
from runtime.ops.sorting import sort as sort
from runtime.ops.trigonometric import acos as acos
from runtime.ops.trigonometric import acosh as acosh
from runtime.ops.trigonometric import asin as asin
from runtime.ops.trigonometric import asinh as asinh
from runtime.ops.trigonometric import atan as atan
from runtime.ops.trigonometric import atanh as atanh
from runtime.ops.trigonometric import cos as cos
from runtime.ops.trigonometric import cosh as cosh
from runtime.ops.trigonometric import sin as sin
from runtime.ops.trigonometric import sinh as sinh
from runtime.ops.trigonometric import tan as tan
from runtime.ops.trigonometric import tanh as tanh
from runtime.ops.unary import abs as abs
from runtime.ops.unary import exp as exp
from runtime.ops.unary import floor as floor
from runtime.ops.unary import negative as negative
from runtime.ops.unary import round as round
from runtime.ops.unary import sigmoid as sigmoid
from runtime.ops.unary import sign as sign
from runtime.ops.unary import sqrt as sqrt
from runtime.ops.unary import square as square
