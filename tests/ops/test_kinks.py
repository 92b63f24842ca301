"""Gradients where functions have kinks, and the errors that name the mend."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph_lite as ag

KINKS: list[tuple[str, Any, list[Any], list[Any]]] = [
    ("abs", ag.abs, [[-1.0, 0.0, 2.0]], [[-1.0, 0.0, 1.0]]),
    ("sign", ag.sign, [[-1.0, 0.0, 2.0]], [[0.0, 0.0, 0.0]]),
    ("relu", ag.nn.relu, [[-1.0, 0.0, 2.0]], [[0.0, 0.0, 1.0]]),
    ("relu6", ag.nn.relu6, [[-1.0, 0.0, 6.0, 2.0]], [[0.0, 0.0, 0.0, 1.0]]),
    ("leaky_relu", ag.nn.leaky_relu, [[-1.0, 0.0, 2.0]], [[0.2, 0.2, 1.0]]),
    ("maximum", ag.maximum, [[1.0, 2.0], [1.0, 3.0]], [[1.0, 0.0], [0.0, 1.0]]),
    ("minimum", ag.minimum, [[1.0, 2.0], [1.0, 3.0]], [[1.0, 1.0], [0.0, 0.0]]),
    ("reduce_max", ag.reduce_max, [[3.0, 1.0, 3.0]], [[0.5, 0.0, 0.5]]),
    ("reduce_min", ag.reduce_min, [[1.0, 1.0, 3.0]], [[0.5, 0.5, 0.0]]),
    ("sort", lambda x: ag.sort(x) * [1.0, 2.0, 3.0], [[3.0, 1.0, 1.0]], [[3.0, 1.0, 2.0]]),
    ("top_k", lambda x: ag.math.top_k(x, 1).values, [[2.0, 2.0]], [[1.0, 0.0]]),
    ("clip", lambda x: ag.clip_by_value(x, 0.0, 1.0), [[-1.0, 0.0, 1.0, 2.0]], [[0, 1, 1, 0]]),
    ("cumprod", ag.math.cumprod, [[2.0, 0.0, 3.0]], [[1.0, 0.0, 0.0]]),
    ("reduce_prod", ag.reduce_prod, [[2.0, 0.0, 3.0]], [[0.0, 6.0, 0.0]]),
    ("divide_no_nan", ag.math.divide_no_nan, [[1.0], [0.0]], [[0.0], [0.0]]),
    ("segment_max", lambda x: ag.math.segment_max(x, [0, 0]), [[2.0, 2.0]], [[0.5, 0.5]]),
    ("floor", lambda x: ag.floor(x) * 1.0, [[1.5]], [None]),
    ("clip_by_norm", lambda x: ag.clip_by_norm(x, 1.0), [[0.0, 0.0]], [[1.0, 1.0]]),
    ("l2_normalize", ag.nn.l2_normalize, [[0.0, 0.0]], [[1e6, 1e6]]),
]


@pytest.mark.parametrize(("name", "function", "args", "expected"), KINKS, ids=[k[0] for k in KINKS])
def test_gradient_at_kinks(name: str, function: Any, args: Any, expected: Any) -> None:
    def gradients(*xs: Any) -> Any:
        with ag.GradientTape() as tape:
            tape.watch(xs)
            y = function(*xs)
        return tape.gradient(y, xs)

    tensors = [ag.constant(a) for a in args]
    for found in (gradients(*tensors), ag.function(gradients)(*tensors)):
        for grad, value in zip(found, expected, strict=True):
            if value is None:
                assert grad is None
            else:
                np.testing.assert_allclose(grad.numpy(), value, rtol=1e-5, atol=1e-7)


ERRORS: list[tuple[str, Any, str]] = [
    ("matmul", lambda x: ag.matmul(x, x), "last size"),
    ("matmul_vector", lambda x: ag.matmul(x, [1.0, 2.0, 3.0]), "matvec"),
    ("add", lambda x: x + ag.ones([2, 2]), "broadcast"),
    ("axis", lambda x: ag.reduce_sum(x, 2), "axis 2 is out of range"),
    ("axis_twice", lambda x: ag.reduce_sum(x, [0, -2]), "twice"),
    ("top_k", lambda x: ag.math.top_k(x, 4), "k=4"),
    ("argmax", lambda x: ag.argmax(ag.zeros([0])), "empty"),
    ("logical", lambda x: ag.logical_and(x, x), "compare it first"),
    ("bitwise", lambda x: ag.bitwise.bitwise_and(x, x), "integers"),
    ("einsum", lambda x: ag.einsum("ij,jk", x), "operands"),
    ("einsum_sizes", lambda x: ag.einsum("ij,jk", x, x), "sizes"),
    ("inv", lambda x: ag.linalg.inv(x), "square"),
    ("labels", lambda x: ag.nn.sparse_softmax_cross_entropy_with_logits([5, 0], x), "class"),
    ("conv", lambda x: ag.nn.conv2d(x, ag.ones([1, 1, 1, 1]), 1, "SAME"), "rank 4"),
    ("padding", lambda x: ag.nn.max_pool2d(ag.ones([1, 2, 2, 1]), 2, 1, "full"), "SAME"),
    ("direction", lambda x: ag.sort(x, direction="up"), "ASCENDING"),
    ("segments", lambda x: ag.math.segment_sum(x, [1, 0]), "sorted"),
    ("norm", lambda x: ag.norm(x, "max"), "norm"),
    ("unique", lambda x: ag.unique(x), "vector"),
]


@pytest.mark.parametrize(("name", "function", "text"), ERRORS, ids=[e[0] for e in ERRORS])
def test_errors_say_what_is_wrong(name: str, function: Any, text: str) -> None:
    x = ag.ones([2, 3])
    for call in (function, ag.function(function, autograph=False)):
        with pytest.raises((ValueError, TypeError), match=text):
            call(x)


def test_division_of_integers_by_zero_raises() -> None:
    for function in (ag.math.floordiv, ag.math.floormod, ag.truncatediv, ag.truncatemod):
        for call in (function, ag.function(function, autograph=False)):
            with pytest.raises(ZeroDivisionError):
                call(ag.constant([4, 5]), ag.constant([2, 0]))
