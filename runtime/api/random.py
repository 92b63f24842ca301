"""`ag.random`: random numbers, stateful and stateless."""

# ruff: noqa: I001 - one name a line, by module
from __future__ import annotations

from runtime.ops.random_state import set_seed as set_seed
from runtime.ops.random_stateful import categorical as categorical
from runtime.ops.random_stateful import gamma as gamma
from runtime.ops.random_stateful import normal as normal
from runtime.ops.random_stateful import poisson as poisson
from runtime.ops.random_stateful import shuffle as shuffle
from runtime.ops.random_stateful import truncated_normal as truncated_normal
from runtime.ops.random_stateful import uniform as uniform
