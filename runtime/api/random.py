"""`ag.random`: random numbers, stateful and stateless."""

from __future__ import annotations

from runtime.api import random_experimental as experimental  # noqa: F401
from runtime.ops.random_generator import Generator as Generator
from runtime.ops.random_generator import get_global_generator as get_global_generator
from runtime.ops.random_generator import set_global_generator as set_global_generator
from runtime.ops.random_state import set_seed as set_seed
from runtime.ops.random_stateful import categorical as categorical
from runtime.ops.random_stateful import gamma as gamma
from runtime.ops.random_stateful import normal as normal
from runtime.ops.random_stateful import poisson as poisson
from runtime.ops.random_stateful import shuffle as shuffle
from runtime.ops.random_stateful import truncated_normal as truncated_normal
from runtime.ops.random_stateful import uniform as uniform
from runtime.ops.random_stateless import fold_in as fold_in
from runtime.ops.random_stateless import split as split
from runtime.ops.random_stateless import stateless_binomial as stateless_binomial
from runtime.ops.random_stateless import stateless_categorical as stateless_categorical
from runtime.ops.random_stateless import stateless_gamma as stateless_gamma
from runtime.ops.random_stateless import stateless_normal as stateless_normal
from runtime.ops.random_stateless import stateless_poisson as stateless_poisson
from runtime.ops.random_stateless import stateless_truncated_normal as stateless_truncated_normal
from runtime.ops.random_stateless import stateless_uniform as stateless_uniform
