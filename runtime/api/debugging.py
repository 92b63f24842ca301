"""`ag.debugging`: assertions, checked at once or when the graph runs."""

from __future__ import annotations

from runtime.ops.debugging import Assert as Assert
from runtime.ops.debugging import assert_all_finite as assert_all_finite
from runtime.ops.debugging import assert_equal as assert_equal
from runtime.ops.debugging import assert_greater as assert_greater
from runtime.ops.debugging import assert_greater_equal as assert_greater_equal
from runtime.ops.debugging import assert_less as assert_less
from runtime.ops.debugging import assert_less_equal as assert_less_equal
from runtime.ops.debugging import assert_near as assert_near
from runtime.ops.debugging import assert_negative as assert_negative
from runtime.ops.debugging import assert_non_negative as assert_non_negative
from runtime.ops.debugging import assert_non_positive as assert_non_positive
from runtime.ops.debugging import assert_none_equal as assert_none_equal
from runtime.ops.debugging import assert_positive as assert_positive
from runtime.ops.debugging import check_numerics as check_numerics
from runtime.ops.debugging_static import assert_integer as assert_integer
from runtime.ops.debugging_static import assert_proper_iterable as assert_proper_iterable
from runtime.ops.debugging_static import assert_rank as assert_rank
from runtime.ops.debugging_static import assert_rank_at_least as assert_rank_at_least
from runtime.ops.debugging_static import assert_rank_in as assert_rank_in
from runtime.ops.debugging_static import assert_same_float_dtype as assert_same_float_dtype
from runtime.ops.debugging_static import assert_scalar as assert_scalar
from runtime.ops.debugging_static import assert_shapes as assert_shapes
from runtime.ops.debugging_static import assert_type as assert_type
from runtime.ops.debugging_static import is_numeric_tensor as is_numeric_tensor
