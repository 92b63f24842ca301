"""The systems that are compared, each with the few names that the benchmarks need."""

from __future__ import annotations

import importlib.util
import os
from typing import Any

import numpy as np

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

OURS, NUMPY, TENSORFLOW, JAX = "ours", "numpy", "tensorflow", "jax"


def has(name: str) -> bool:
    """Whether a rival is installed."""
    return importlib.util.find_spec(name) is not None


def tensorflow() -> Any:
    """TensorFlow, on the CPU."""
    import tensorflow as tf

    return tf


def jax() -> Any:
    """JAX, on the CPU, with 64-bit numbers, as NumPy has them."""
    import jax as found

    found.config.update("jax_enable_x64", True)
    return found


def ours() -> Any:
    """This library."""
    import autograph_lite as ag

    return ag


def ready(value: Any) -> Any:
    """A result once it is there: JAX computes in the background."""
    wait = getattr(value, "block_until_ready", None)
    return value if wait is None else wait()


__all__ = ["JAX", "NUMPY", "OURS", "TENSORFLOW", "has", "jax", "np", "ours", "ready", "tensorflow"]
