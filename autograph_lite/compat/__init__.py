"""Older programs: `ag.compat.v1` has the names of TensorFlow 1's graph mode."""

from autograph_lite.compat import v1 as v1
