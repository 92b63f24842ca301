"""Products of vectors and matrices, as operators write them."""

from __future__ import annotations

import numpy as np
import pytest

import autograph_lite as ag

SHAPES = [((3, 2), (2,)), ((2,), (2, 3)), ((4, 2), (2, 3)), ((5, 4, 2), (2,))]


@pytest.mark.parametrize(("first", "second"), SHAPES)
def test_the_operator_multiplies_as_numpy_does(first, second):
    a = np.arange(np.prod(first), dtype=np.float32).reshape(first)
    b = np.arange(np.prod(second), dtype=np.float32).reshape(second) + 1
    for product in (lambda a, b: a @ b, ag.function(lambda a, b: a @ b)):
        made = product(ag.constant(a), ag.constant(b))
        np.testing.assert_allclose(made.numpy(), a @ b)


def test_the_function_takes_matrices():
    with pytest.raises(ValueError, match="matmul takes matrices"):
        ag.matmul([1.0, 2.0], [3.0, 4.0])


def test_the_operator_of_two_vectors_is_refused_as_in_tensorflow():
    with pytest.raises(ValueError, match=r"ag\.tensordot and np\.matmul"):
        ag.constant([1.0, 2.0]) @ ag.constant([3.0, 4.0])
