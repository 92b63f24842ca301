"""`ag.bitwise`: the bits of integers."""

from __future__ import annotations

from runtime.ops.bitwise import bitwise_and as bitwise_and
from runtime.ops.bitwise import bitwise_or as bitwise_or
from runtime.ops.bitwise import bitwise_xor as bitwise_xor
from runtime.ops.bitwise import invert as invert
from runtime.ops.bitwise import left_shift as left_shift
from runtime.ops.bitwise import right_shift as right_shift
