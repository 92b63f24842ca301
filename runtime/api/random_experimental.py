"""`ag.random.experimental`: random numbers under their older names."""

# ruff: noqa: I001 - one name a line, by module
from __future__ import annotations

from runtime.ops.random_generator import Generator as Generator
from runtime.ops.random_generator import get_global_generator as get_global_generator
from runtime.ops.random_generator import set_global_generator as set_global_generator
from runtime.ops.random_stateless import fold_in as stateless_fold_in
from runtime.ops.random_stateless import split as stateless_split
from runtime.ops.random_stateless import stateless_shuffle as stateless_shuffle
