"""Records TensorFlow's answers to the calls below in `recorded/*.json`.

Run it with a Python that has TensorFlow: `python tests/ops/record_with_tensorflow.py [family ...]`.
What TensorFlow refuses is left out. `test_recorded.py` compares; it needs no TensorFlow.
"""

from __future__ import annotations

import json
import os
import pathlib
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

HERE = pathlib.Path(__file__).parent
FLOATS = ("float16", "float32", "float64")
COMPLEX = ("complex64", "complex128")
SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
ALL = ("bool", *SIGNED, *UNSIGNED, *FLOATS, *COMPLEX)

Call = tuple[str, list[Any], dict[str, Any]]


def values(dtype: str, shape: Any, seed: int = 0, low: float = -3.0, high: float = 3.0) -> Any:
    """Numbers of a dtype: halves and whole ones, among them 0 and equal neighbours."""
    rng = np.random.default_rng(seed)
    kind = np.dtype(dtype).kind
    if kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    if kind == "u":
        return rng.integers(0, 9, shape).astype(dtype)
    if kind == "i":
        return rng.integers(int(low), int(high) + 1, shape).astype(dtype)
    made = np.round(rng.uniform(low, high, shape) * 4) / 4
    if kind == "c":
        made = made + 1j * np.round(rng.uniform(low, high, shape) * 4) / 4
    return np.asarray(made).astype(dtype)


def odd(dtype: str) -> list[Any]:
    """NaN, infinities, zeros of both signs, and large numbers."""
    return [np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 0.5, 1e4, -1e4], dtype)]


# ---- the calls of each family


def unary() -> Iterator[Call]:
    anywhere = (
        "negative abs sign floor math.ceil math.rint round square exp math.expm1 sigmoid tanh sin "
        "cos tan atan sinh cosh asinh math.softplus math.log_sigmoid math.is_nan math.is_inf "
        "math.is_finite math.erf math.erfc nn.relu nn.relu6 nn.leaky_relu nn.elu nn.selu nn.gelu "
        "nn.silu nn.softsign nn.crelu math.reciprocal_no_nan math.conj math.real math.imag "
        "math.angle bitwise.invert logical_not nn.l2_loss nn.zero_fraction "
        "math.bessel_i0 math.bessel_i0e math.bessel_i1 math.bessel_i1e math.special.dawsn "
        "math.special.fresnel_cos math.special.fresnel_sin nn.swish"
    ).split()
    positive = (
        "math.log math.log1p sqrt math.rsqrt math.reciprocal math.lgamma math.digamma "
        "math.special.bessel_j0 math.special.bessel_j1 math.special.bessel_k0 "
        "math.special.bessel_k1 math.special.bessel_k0e math.special.bessel_k1e "
        "math.special.bessel_y0 math.special.bessel_y1 math.special.expint acosh "
        "math.special.spence"
    ).split()
    within = "asin acos atanh math.erfinv".split()
    for names, low, high in (
        (anywhere, -3.0, 3.0), (positive, 1.0, 4.0), (within, -0.75, 0.75),
        ("math.ndtri math.erfcinv".split(), 0.25, 0.75),
    ):  # fmt: skip
        for name in names:
            for dtype in ALL:
                yield name, [values(dtype, (2, 3), 1, low, high)], {}
            for dtype in ("float32", "int32"):
                yield name, [values(dtype, (), 2, low, high)], {}
                yield name, [values(dtype, (0, 2), 3)], {}
            if "expint" not in name and "bessel_" not in name:
                yield name, odd("float32"), {}
                yield name, odd("float64"), {}


def binary() -> Iterator[Call]:
    names = (
        "add subtract multiply divide maximum minimum pow floordiv math.floormod truncatediv "
        "truncatemod math.squared_difference math.divide_no_nan math.multiply_no_nan math.xlogy "
        "math.xlog1py math.xdivy atan2 math.nextafter less less_equal greater greater_equal equal "
        "not_equal logical_and logical_or math.logical_xor bitwise.bitwise_and bitwise.bitwise_or "
        "bitwise.bitwise_xor bitwise.left_shift bitwise.right_shift math.approximate_equal complex"
    ).split()
    for name in names:
        for dtype in ALL:
            divides = "div" in name or "mod" in name
            x, y = values(dtype, (2, 3), 4), values(dtype, (2, 3), 5)
            if name == "pow" or "shift" in name:
                y = np.abs(y).astype(dtype) if np.dtype(dtype).kind != "b" else y
            if divides and np.dtype(dtype).kind in "iu":
                y = np.where(y == 0, 2, y).astype(dtype)
            yield name, [x, y], {}
            yield name, [x, y[0]], {}
            yield name, [x[:, :1], y[:1]], {}
        for dtype in ("float32", "int32"):
            yield name, [values(dtype, (), 6, 1), values(dtype, (2,), 7, 1)], {}
            yield name, [values(dtype, (0, 2), 6), values(dtype, (2,), 7, 1)], {}
        special = odd("float32")[0]
        yield name, [np.repeat(special, 8), np.tile(special, 8)], {}
    for name in ("math.igamma", "math.igammac", "math.zeta", "math.polygamma"):
        for dtype in FLOATS:
            first = np.array([1.0, 2.0, 3.0], dtype) + (0.5 if name == "math.zeta" else 0)
            yield name, [first.astype(dtype), values(dtype, (2, 3), 9, 1, 4)], {}
    for dtype in FLOATS:
        x = values(dtype, (2, 3), 9, 0.25, 0.75)
        yield "math.betainc", [np.full((2, 3), 1.5, dtype), np.full((2, 3), 2.5, dtype), x], {}
        yield "math.lbeta", [values(dtype, (2, 3), 9, 1, 3)], {}
        yield "clip_by_value", [values(dtype, (2, 3)), dtype_of(dtype, -1), dtype_of(dtype, 1)], {}
        yield "clip_by_norm", [values(dtype, (2, 3)), 1.5], {}
        yield "clip_by_norm", [values(dtype, (2, 3)), 1.5], {"axes": [1]}
    for dtype in SIGNED:
        yield "clip_by_value", [values(dtype, (2, 3)), dtype_of(dtype, -1), dtype_of(dtype, 1)], {}


def dtype_of(dtype: str, number: Any) -> Any:
    return np.dtype(dtype).type(number)


def reductions() -> Iterator[Call]:
    names = (
        "reduce_sum reduce_mean reduce_max reduce_min reduce_prod reduce_all reduce_any "
        "reduce_logsumexp math.reduce_variance math.reduce_std math.reduce_euclidean_norm "
        "math.count_nonzero"
    ).split()
    for name in names:
        for dtype in ALL:
            x = values(dtype, (2, 3, 2), 10)
            yield name, [x], {}
            yield name, [x], {"axis": 1}
            yield name, [x], {"axis": [0, -1], "keepdims": True}
        for dtype in ("float32", "bool", "int32"):
            yield name, [values(dtype, (), 11)], {}
            yield name, [values(dtype, (0, 2), 11)], {}
            yield name, [values(dtype, (0, 2), 11)], {"axis": 0}
            yield name, [values(dtype, (2, 3), 11)], {"axis": []}
        yield name, odd("float32"), {}
    yield "reduce_mean", [np.array([2**31 - 1, 2**31 - 1], np.int32)], {}
    yield "reduce_mean", [np.array([200, 100, 255], np.uint8)], {}
    yield "reduce_mean", [np.array([-128, -128, -127], np.int8)], {}
    yield "reduce_mean", [np.full(4, 30000.0, np.float16)], {}
    yield "reduce_sum", [np.array([100, 100, 100], np.int8)], {}


def scans() -> Iterator[Call]:
    for name in ("cumsum", "math.cumprod", "math.cumulative_logsumexp"):
        for dtype in ALL:
            x = values(dtype, (2, 3), 12)
            for exclusive in (False, True):
                for reverse in (False, True):
                    yield name, [x], {"axis": 1, "exclusive": exclusive, "reverse": reverse}
        yield name, [values("float32", (2, 3), 12)], {}
        yield name, [values("float32", (0, 3), 12)], {}


def order() -> Iterator[Call]:
    for dtype in ALL:
        x = values(dtype, (3, 4), 13)
        for name in ("argmax", "argmin"):
            yield name, [x], {}
            yield name, [x], {"axis": -1}
        for name in ("sort", "argsort"):
            for direction in ("ASCENDING", "DESCENDING"):
                extra = {"stable": True} if name == "argsort" else {}
                yield name, [x], {"direction": direction, **extra}
                yield name, [x], {"axis": 0, "direction": direction, **extra}
        yield "math.top_k", [x], {"k": 3}
        yield "unique", [x[0]], {}
        yield "unique_with_counts", [x[:, 0]], {}
        ids = np.array([0, 0, 2], np.int32)
        for kind in ("sum", "prod", "max", "min", "mean"):
            yield f"math.segment_{kind}", [x, ids], {}
            loose = np.array([2, -1, 0], np.int32)
            yield f"math.unsorted_segment_{kind}", [x, loose], {"num_segments": 4}
        yield "math.unsorted_segment_sqrt_n", [x, ids], {"num_segments": 4}
    small = np.array([1, 1, 3, 0], np.int32)
    yield "math.bincount", [small], {}
    yield "math.bincount", [small], {"minlength": 6}
    yield "math.bincount", [small], {"maxlength": 2}
    yield "math.bincount", [small.reshape(2, 2)], {"axis": -1}
    yield "math.bincount", [small], {"binary_output": True}
    yield "math.bincount", [small, np.array([0.5, 1.0, 2.0, 4.0], np.float32)], {}
    yield "math.confusion_matrix", [small, small[::-1].copy()], {}
    yield "math.confusion_matrix", [small, small[::-1].copy()], {"num_classes": 5}
    x = values("float32", (2, 3), 14)
    yield "histogram_fixed_width", [x, np.array([-2.0, 2.0], np.float32)], {"nbins": 4}
    yield "histogram_fixed_width_bins", [x, np.array([-2.0, 2.0], np.float32)], {"nbins": 4}
    yield "math.in_top_k", [np.array([1, 0], np.int32), x], {"k": 2}
    yield "math.is_non_decreasing", [x], {}
    yield "math.is_strictly_increasing", [np.array([1, 2, 3])], {}


def linear_algebra() -> Iterator[Call]:
    for dtype in (*FLOATS, *COMPLEX, "int32", "int64"):
        a, b = values(dtype, (2, 3), 15), values(dtype, (3, 2), 16)
        yield "matmul", [a, b], {}
        yield "matmul", [a, a], {"transpose_b": True}
        yield "matmul", [a, a], {"transpose_a": True}
        yield "matmul", [a, a], {"adjoint_a": True}
        yield "matmul", [a, b], {"transpose_a": True, "transpose_b": True}
        yield "matmul", [values(dtype, (2, 2, 3), 1), b], {}
        yield "linalg.matvec", [a, a[0]], {}
        yield "tensordot", [a, b], {"axes": 1}
        yield "tensordot", [a, a], {"axes": [[0, 1], [0, 1]]}
        yield "linalg.cross", [a, a[::-1].copy()], {}
        yield "linalg.trace", [values(dtype, (2, 3, 3), 2)], {}
        yield "linalg.diag", [a], {}
        yield "linalg.diag", [a], {"k": -1}
        yield "linalg.diag", [values(dtype, (2, 3), 17)], {"k": (0, 1), "align": "LEFT_RIGHT"}
        yield "linalg.diag", [values(dtype, (3, 3), 17)], {"k": (-1, 1)}
        yield "linalg.diag_part", [values(dtype, (3, 4), 17)], {"k": (-1, 2)}
        yield "linalg.diag_part", [values(dtype, (3, 4), 17)], {"k": (-1, 2), "align": "LEFT_LEFT"}
        yield "linalg.diag_part", [a], {"k": 1}
        yield "linalg.set_diag", [a, a[0, :2]], {}
        yield "linalg.band_part", [values(dtype, (3, 4), 17), 1, 0], {}
        yield "linalg.band_part", [values(dtype, (3, 4), 17), -1, 1], {}
        yield "linalg.tensor_diag", [a], {}
        yield "linalg.adjoint", [a], {}
        for equation in ("ij,jk->ik", "ij,jk", "ij,jk->ki"):
            yield "einsum", [equation, a, b], {}
        yield "einsum", ["ij->ji", a], {}
        yield "einsum", ["ij->", a], {}
        yield "einsum", ["ii->i", a[:, :2].copy()], {}
        yield "einsum", ["...ij,jk->...ik", values(dtype, (2, 2, 3), 3), b], {}
    for dtype in ("float32", "float64", *COMPLEX):
        m = values(dtype, (3, 3), 18) + 6 * np.eye(3, dtype=dtype)
        h = (m + m.conj().T) / 2
        rhs = values(dtype, (3, 2), 19)
        for name in ("linalg.inv", "linalg.det", "linalg.expm", "linalg.pinv", "linalg.sqrtm"):
            yield name, [m], {}
        yield "linalg.inv", [m], {"adjoint": True}
        yield "linalg.slogdet", [m], {}
        yield "linalg.logdet", [h], {}
        yield "linalg.solve", [m, rhs], {}
        yield "linalg.solve", [m, rhs], {"adjoint": True}
        yield "linalg.triangular_solve", [m, rhs], {}
        yield "linalg.triangular_solve", [m, rhs], {"lower": False, "adjoint": True}
        yield "linalg.cholesky", [h], {}
        yield "linalg.cholesky_solve", [np.linalg.cholesky(h), rhs], {}
        yield "linalg.eigvalsh", [h], {}
        yield "linalg.svd", [m], {"compute_uv": False}
        yield "linalg.lu", [m], {}
        yield "linalg.matrix_rank", [m], {}
        yield "linalg.inv", [np.zeros((0, 0), dtype)], {}
        yield "linalg.lstsq", [values(dtype, (4, 2), 20), values(dtype, (4, 1), 21)], {}
        yield "linalg.lstsq", [values(dtype, (2, 4), 20), values(dtype, (2, 1), 21)], {}
        x = values(dtype, (2, 3), 22)
        for options in (
            {}, {"axis": 1}, {"axis": 0, "keepdims": True}, {"ord": 1}, {"ord": 1, "axis": 1},
            {"ord": np.inf}, {"ord": 3, "axis": 0}, {"ord": "fro", "axis": [0, 1]},
            {"ord": 1, "axis": [0, 1]}, {"ord": np.inf, "axis": [0, 1]}, {"ord": 2, "axis": [0, 1]},
        ):  # fmt: skip
            yield "norm", [x], options
        yield "linalg.normalize", [x], {"axis": 1}
        yield "linalg.l2_normalize", [x], {"axis": 1}
        if dtype in COMPLEX:
            yield "linalg.logm", [m], {}
            for name in ("fft", "ifft", "fft2d", "ifft2d", "irfft", "irfft2d"):
                yield f"signal.{name}", [values(dtype, (2, 4), 23)], {}
            yield "signal.irfft", [values(dtype, (2, 4), 23)], {"fft_length": [5]}
        else:
            for name in ("rfft", "rfft2d"):
                yield f"signal.{name}", [values(dtype, (2, 5), 23)], {}
            yield "signal.rfft", [values(dtype, (2, 5), 23)], {"fft_length": [8]}
            yield "signal.fftshift", [values(dtype, (2, 5), 23)], {}
            for kind in (1, 2, 3, 4):
                yield "signal.dct", [values(dtype, (2, 4), 23)], {"type": kind}
                if kind != 1:
                    yield "signal.dct", [values(dtype, (4,), 23)], {"type": kind, "norm": "ortho"}
            yield "signal.frame", [values(dtype, (8,), 23), 3, 2], {"pad_end": True}
            yield "signal.overlap_and_add", [values(dtype, (3, 4), 23), 2], {}
            yield "signal.stft", [values(dtype, (8,), 23), 4, 2], {}
    for n in (1, 4, 5):
        for name in ("hann_window", "hamming_window", "kaiser_window", "vorbis_window"):
            yield f"signal.{name}", [n], {}
    yield "signal.kaiser_bessel_derived_window", [4], {}


def networks() -> Iterator[Call]:
    for dtype in FLOATS:
        x = values(dtype, (2, 3), 24)
        for name in ("nn.softmax", "nn.log_softmax"):
            yield name, [x], {}
            yield name, [x], {"axis": 0}
        shares = np.array([[0.25, 0.25, 0.5], [0.0, 1.0, 0.0]], dtype)
        yield "nn.softmax_cross_entropy_with_logits", [], {"labels": shares, "logits": x}
        for labels in (np.array([2, 0], np.int32), np.array([1, 1], np.int64)):
            yield "nn.sparse_softmax_cross_entropy_with_logits", [], {"labels": labels, "logits": x}
        yield "nn.sigmoid_cross_entropy_with_logits", [], {"labels": shares, "logits": x}
        yield (
            "nn.weighted_cross_entropy_with_logits",
            [],
            {"labels": shares, "logits": x, "pos_weight": dtype_of(dtype, 2)},
        )
        yield "nn.log_poisson_loss", [np.abs(x), x], {}
        yield "nn.log_poisson_loss", [np.abs(x), x], {"compute_full_loss": True}
        yield "nn.l2_normalize", [x], {"axis": 1}
        yield "nn.moments", [x], {"axes": [0]}
        yield "nn.moments", [x], {"axes": [0, 1], "keepdims": True}
        yield "nn.batch_normalization", [x, x[0], np.abs(x[1]) + 1, x[0], x[1], 0.5], {}
        yield "nn.bias_add", [x, x[0]], {}
        yield "nn.embedding_lookup", [x, np.array([[1, 0], [1, 1]])], {}
        image = values(dtype, (2, 4, 5, 2), 25)
        filters = values(dtype, (2, 3, 2, 3), 26)
        for padding in ("SAME", "VALID", [[0, 0], [1, 2], [0, 1], [0, 0]]):
            for strides in (1, [2, 1], 2):
                yield "nn.conv2d", [image, filters, strides, padding], {}
        yield "nn.conv2d", [image, filters, 1, "SAME"], {"dilations": 2}
        yield "nn.conv1d", [image[:, 0], values(dtype, (3, 2, 2), 27), 2, "SAME"], {}
        deep = values(dtype, (2, 2, 2, 2), 27)
        yield "nn.depthwise_conv2d", [image, deep, [1, 2, 2, 1], "SAME"], {}
        back = values(dtype, (2, 2, 2, 2), 28)
        yield "nn.conv2d_transpose", [image, back, [2, 8, 10, 2], 2], {"padding": "SAME"}
        yield "nn.conv2d_transpose", [image, back, [2, 5, 6, 2], 1], {"padding": "VALID"}
        for name in ("nn.max_pool2d", "nn.avg_pool2d"):
            yield name, [image, 2, 2, "VALID"], {}
            yield name, [image, [2, 3], [1, 2], "SAME"], {}
            yield name, [image, 3, 1, "SAME"], {}
        for name in ("nn.max_pool1d", "nn.avg_pool1d"):
            yield name, [image[:, 0], 2, 2, "SAME"], {}
        yield "nn.max_pool_with_argmax", [image, 2, 2, "SAME"], {}
        yield "nn.pool", [image, [2, 2], "AVG"], {"padding": "SAME"}
        yield "nn.local_response_normalization", [image], {"depth_radius": 1}
        yield "nn.depth_to_space", [values(dtype, (1, 2, 2, 4), 29), 2], {}
        yield "nn.space_to_depth", [image[:, :, :4].copy(), 2], {}
        yield "space_to_batch", [image, [2, 2], [[0, 0], [1, 0]]], {}
        yield "batch_to_space", [values(dtype, (4, 2, 2, 1), 29), [2, 2], [[0, 1], [0, 0]]], {}


def arranging() -> Iterator[Call]:
    for dtype in ALL:
        x, y = values(dtype, (2, 3), 30), values(dtype, (2, 3), 31)
        cube = values(dtype, (2, 2, 3), 32)
        for shape in ([3, 2], [-1], [1, 2, 3]):
            yield "reshape", [x, shape], {}
        yield "transpose", [x], {}
        yield "transpose", [cube, [2, 0, 1]], {}
        yield "linalg.matrix_transpose", [cube], {}
        for axis in (0, 1, -1):
            yield "expand_dims", [x, axis], {}
            yield "concat", [[x, y], axis], {}
            yield "stack", [[x, y]], {"axis": axis}
            yield "unstack", [x], {"axis": axis}
        yield "squeeze", [x[:1, :, None]], {}
        yield "squeeze", [x[:1, :, None]], {"axis": [-1]}
        yield "broadcast_to", [x[:, :1], [2, 2, 3]], {}
        yield "split", [x, 3], {"axis": -1}
        yield "split", [x, [1, 2]], {"axis": 1}
        yield "tile", [x, [2, 1]], {}
        yield "pad", [x, [[1, 0], [0, 2]]], {}
        yield "pad", [x, [[1, 1], [2, 1]], "REFLECT"], {}
        yield "pad", [x, [[2, 1], [0, 3]], "SYMMETRIC"], {}
        for axis in ([1], [0, 1]):
            yield "reverse", [x, axis], {}
        yield "roll", [x, 1, 0], {}
        yield "roll", [x, [1, -2], [0, 1]], {}
        yield "slice", [x, [0, 1], [2, 2]], {}
        yield "strided_slice", [x, [0, 0], [2, 3], [1, 2]], {}
        yield "repeat", [x, 2], {"axis": 1}
        yield "repeat", [x, [1, 2]], {"axis": 0}
        for name in ("zeros_like", "ones_like", "identity", "shape", "size", "rank", "where"):
            yield name, [x], {}
        yield "where", [values("bool", (2, 3), 33), x, y], {}
        yield "fill", [[2, 2], dtype_of(dtype, 1)], {}
        yield "sequence_mask", [np.array([1, 0, 3])], {"dtype": dtype}
        yield "one_hot", [np.array([0, 2, -1, 5])], {"depth": 3, "dtype": dtype}
        yield "eye", [2], {"num_columns": 3, "dtype": dtype}
        for indexing in ("xy", "ij"):
            yield "meshgrid", [x[0], y[1, :2]], {"indexing": indexing}
        if np.dtype(dtype).kind in "iuf":
            yield "range", [dtype_of(dtype, 1), dtype_of(dtype, 7), dtype_of(dtype, 2)], {}
            for side in ("left", "right"):
                yield "searchsorted", [np.sort(x[0]), y[0]], {"side": side}
        if np.dtype(dtype).kind == "f":
            yield "linspace", [dtype_of(dtype, -1), dtype_of(dtype, 3), 5], {}
    for dtype in ("float32", "int32"):
        scalar, empty = values(dtype, (), 34), values(dtype, (0, 2), 35)
        yield "reshape", [scalar, [1, 1]], {}
        yield "reshape", [empty, [2, 0]], {}
        for given in (scalar, empty):
            yield "transpose", [given], {}
            yield "expand_dims", [given, 0], {}
            yield "repeat", [given, 3], {}
        yield "broadcast_to", [scalar, [2, 0]], {}
        yield "concat", [[empty, values(dtype, (1, 2), 36)], 0], {}
        yield "stack", [[scalar, scalar]], {}
        yield "pad", [empty, [[1, 0], [0, 0]]], {}
        yield "tile", [empty, [3, 1]], {}
        yield "reverse", [empty, [0]], {}
        yield "where", [empty], {}


def gathering() -> Iterator[Call]:
    pairs = np.array([[0, 1], [1, 2]], np.int32)
    for dtype in ALL:
        x, cube = values(dtype, (2, 3), 40), values(dtype, (2, 3, 2), 41)
        yield "gather", [x, np.array([1, 0, 1], np.int32)], {}
        yield "gather", [x, np.array([[2, 0]], np.int64)], {"axis": 1}
        yield "gather", [x, np.array([[2], [0]], np.int32)], {"batch_dims": 1}
        yield "gather", [cube, np.array([[1], [0]], np.int32)], {"axis": 2, "batch_dims": 1}
        yield "gather", [x, np.array([], np.int32)], {}
        yield "gather_nd", [x, pairs], {}
        yield "gather_nd", [cube, pairs], {}
        yield "gather_nd", [cube, pairs - [0, 1]], {"batch_dims": 1}
        yield "gather_nd", [x, np.array([[1]], np.int32)], {}
        yield "boolean_mask", [x, np.array([True, False])], {}
        yield "boolean_mask", [x, np.array([True, False, True])], {"axis": 1}
        updates = values(dtype, (2,), 42)
        yield "scatter_nd", [pairs, updates, [2, 4]], {}
        yield "scatter_nd", [np.array([[1], [1]], np.int32), x, [3, 3]], {}
        for way in ("update", "add", "sub", "min", "max"):
            name = f"tensor_scatter_nd_{way}"
            yield name, [x, pairs, updates], {}
            yield name, [x, np.array([[1], [0]], np.int32), x[::-1].copy()], {}


FAMILIES = {
    f.__name__: f
    for f in (
        unary, binary, reductions, scans, order, linear_algebra, networks, arranging, gathering
    )
}  # fmt: skip


# ---- recording


def packed(value: Any) -> Any:
    """An array, or anything else in a call, as JSON."""
    if isinstance(value, np.ndarray | np.generic):
        flat = np.asarray(value).ravel()
        if flat.dtype.kind == "c":
            numbers: Any = [[float(z.real), float(z.imag)] for z in flat]
        elif flat.dtype.kind == "f":
            numbers = [float(str(v)) for v in flat]
        else:
            numbers = flat.tolist()
        return {"dtype": str(flat.dtype), "shape": list(np.shape(value)), "values": numbers}
    if isinstance(value, tuple | list):
        return [packed(v) for v in value]
    return value


def main(wanted: list[str]) -> None:
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow as tf

    for family in wanted or FAMILIES:
        records = []
        for name, args, kwargs in FAMILIES[family]():
            record = answer(tf, name, args, kwargs)
            if record is not None:
                records.append(record)
        path = HERE / "recorded" / f"{family}.json"
        path.write_text("[\n" + ",\n".join(json.dumps(r) for r in records) + "\n]\n")
        print(family, len(records))


def find(namespace: Any, name: str) -> Any:
    for part in name.split("."):
        namespace = getattr(namespace, part)
    return namespace


def answer(tf: Any, name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """One record: the call, its results, and gradients of results weighted 1, 2, 3, ..."""

    def made(value: Any) -> Any:
        return tf.constant(value) if isinstance(value, np.ndarray | np.generic) else value

    tensors = [[made(v) for v in a] if isinstance(a, list) else made(a) for a in args]
    given = {k: tf.constant(v) if isinstance(v, np.ndarray | np.generic) else v
             for k, v in kwargs.items()}  # fmt: skip
    sources = [t for t in (*tensors, *given.values()) if tf.is_tensor(t)]
    sources = [t for t in sources if t.dtype.is_floating or t.dtype.is_complex]
    try:
        with tf.GradientTape() as tape:
            tape.watch(sources)
            results = tf.nest.flatten(find(tf, name)(*tensors, **given))
    except Exception:  # noqa: BLE001 - a refusal of any kind leaves the call out
        return None
    record = {
        "name": name,
        "args": packed(args),
        "kwargs": {k: packed(v) for k, v in kwargs.items()},
        "results": [packed(r.numpy()) for r in results],
    }
    first = results[0]
    if (
        sources
        and (first.dtype.is_floating or first.dtype.is_complex)
        and first.dtype != tf.float16
    ):
        try:
            weights = np.arange(1, first.shape.num_elements() + 1).reshape(first.shape)
            weights = tf.constant(weights.astype(first.dtype.as_numpy_dtype))
            grads = tape.gradient(first, sources, output_gradients=weights)
            record["gradients"] = [
                None if g is None else packed(tf.convert_to_tensor(g).numpy()) for g in grads
            ]
        except Exception:  # noqa: BLE001 - TensorFlow has no gradient there
            pass
    return record


if __name__ == "__main__":
    main(sys.argv[1:])
