"""`ag.random.experimental`: random numbers under their older names."""

from __future__ import annotations

from runtime.ops.random_generator import Generator as Generator
from runtime.ops.random_generator import get_global_generator as get_global_generator
from runtime.ops.random_generator import set_global_generator as set_global_generator
from runtime.ops.random_stateless import fold_in as stateless_fold_in  # noqa: F401
from runtime.ops.random_stateless import split as stateless_split  # noqa: F401
from runtime.ops.random_stateless import stateless_shuffle as stateless_shuffle
