"""NumPy's functions as kernels call them: on arrays of whatever kind.

NumPy declares other types in each release, and refuses calls that all its releases take.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["add_reduce", "mean"]

add_reduce: Callable[..., Any] = np.add.reduce
mean: Callable[..., Any] = np.mean
