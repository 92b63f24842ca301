"""Functions written for NumPy, with loops, branches and element assignment, as they are."""

import math

import numpy as np
import pytest

import autograph_lite as ag
from runtime.errors import SymbolicTensorError
from tests.staging.differential import check, check_all

XS = np.array([1.0, -2.0, 3.0, 0.5])
M = np.array([[2.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 4.0]])


def test_a_buffer_filled_by_items():
    def f(xs):
        out = np.zeros(4)
        for i in range(len(xs)):
            out[i] = xs[i] * 2 if xs[i] > 0 else 0.5
        return out

    check(f, XS)


def test_a_buffer_of_a_tensors_length():
    def f(n, x):
        out = np.zeros(n)
        for i in range(n):
            out[i] = x * i
        return out

    check(f, np.int32(4), np.float64(1.5))


def test_rows_of_a_buffer():
    def f(m, n):
        out = np.zeros((3, 3))
        for i in range(n):
            out[i, :] += m[i] * 2
            out[:, i] -= 1.0
        return out

    check(f, M, np.int32(3))


def test_masks():
    def f(xs):
        out = np.array(xs)
        out[xs < 0] = 0.0
        out[out > 2] *= 10
        return out, xs[xs > 0]

    check(f, XS, gradient=False)


def test_masks_have_gradients():
    def f(xs):
        out = xs * 1.0
        out[xs < 0] = 0.25
        return out

    check(f, XS)


def test_slices_are_assigned():
    def f(xs, k):
        out = np.ones(6)
        out[1:5] = xs
        out[::2] += 1
        out[k:] = 7.0
        return out

    check(f, XS, np.int32(4))


def test_cumulative_sum_by_hand():
    def f(xs):
        out = np.empty_like(xs)
        total = 0.0
        for i, x in enumerate(xs):
            total += x
            out[i] = total
        return out

    check(f, XS)


def test_matrix_product_by_hand():
    def f(a, b):
        n, m = a.shape[0], b.shape[1]
        out = np.zeros((n, m))
        for i in range(n):
            for j in range(m):
                s = 0.0
                for k in range(a.shape[1]):
                    s += a[i, k] * b[k, j]
                out[i, j] = s
        return out, a @ b

    check(f, M, M.T)


def test_power_iteration():
    def f(m, steps):
        v = np.ones(m.shape[0])
        for _ in range(steps):
            w = m @ v
            v = w / np.sqrt(np.sum(w * w))
        return np.dot(v, m @ v)

    check(f, M, np.int32(8))


def test_newtons_method():
    def f(x):
        y = x
        while np.abs(y * y - x) > 1e-9:
            y = 0.5 * (y + x / y)
        return y

    check(f, np.float64(7.0))


def test_bubble_sort():
    def f(xs, n):
        out = xs.copy()
        for i in range(n):
            for j in range(n - 1 - i):
                if out[j] > out[j + 1]:
                    out[j], out[j + 1] = out[j + 1], out[j]
        return out

    check(f, XS, np.int32(4))


def test_sieve():
    def f(n):
        prime = np.ones(20, dtype=bool)
        prime[:2] = False
        i = 2
        while i * i < n:
            if prime[i]:
                for j in range(i * i, n, i):
                    prime[j] = False
            i += 1
        return prime, np.sum(prime)

    check(f, np.int32(20), dtypes=False)


def test_histogram():
    def f(xs):
        counts = np.zeros(4, dtype=np.int64)
        for x in xs:
            if x < 0:
                counts[0] += 1
            elif x < 1:
                counts[1] += 1
            else:
                counts[2] += 1
        return counts

    check(f, XS)


def test_where_clip_and_friends():
    def f(xs):
        a = np.where(xs > 0, xs, -xs)
        b = np.clip(xs, -1.0, 1.0)
        c = np.maximum(xs, 0.0)
        return a, b, c, np.exp(b), np.tanh(a), np.mean(xs), np.std(xs), np.argmax(xs)

    check(f, XS, dtypes=False)


def test_stacking_and_reshaping():
    def f(xs):
        a = np.stack([xs, xs * 2])
        b = np.concatenate([xs, xs[:2]])
        return a.T, b.reshape(2, 3), np.outer(xs, xs), a.sum(axis=0), xs[np.newaxis, :]

    check(f, XS)


def test_array_methods():
    def f(m):
        return m.sum(), m.mean(axis=0), m.max(axis=1), m.T.ravel(), tuple(m.shape), m.ndim, m.size

    check(f, M, gradient=False)


def test_finite_differences_in_place():
    def f(u, steps):
        u = u.copy()
        for _ in range(steps):
            lap = u[:-2] - 2 * u[1:-1] + u[2:]
            u[1:-1] += 0.1 * lap
        return u

    check(f, np.array([0.0, 1.0, 4.0, 1.0, 0.0]), np.int32(3))


def test_math_functions():
    def f(x):
        return (
            math.sqrt(x), math.sin(x), math.exp(-x), math.log(x + 1), math.pow(x, 2),
            math.hypot(x, 1.0), math.atan2(x, 2.0), math.fabs(-x), x * math.pi,
        )  # fmt: skip

    check(f, np.float64(1.7), dtypes=False)


def test_math_floor_and_ceil():
    def f(x):
        return math.floor(x), math.ceil(x), math.isnan(x), round(x), int(x)

    check_all(f, (np.float64(1.7),), (np.float64(-1.2),))


def test_math_in_a_loop():
    def f(x, n):
        s = 0.0
        for k in range(n):
            s += math.cos(k * x) / (k + 1)
        return s

    check(f, np.float64(0.7), np.int32(5))


def test_gaussian_elimination():
    def f(a, b):
        a, b = a.copy(), b.copy()
        n = 3
        for i in range(n):
            for j in range(i + 1, n):
                factor = a[j, i] / a[i, i]
                a[j] -= factor * a[i]
                b[j] -= factor * b[i]
        x = np.zeros(n)
        for i in range(n - 1, -1, -1):
            x[i] = (b[i] - np.dot(a[i, i + 1 :], x[i + 1 :])) / a[i, i]
        return x

    check(f, M, np.array([1.0, 2.0, 3.0]))


def test_dynamic_programming():
    def f(weights, capacity):
        best = np.zeros(11)
        for w in weights:
            for c in range(capacity, 0, -1):
                if c >= w:
                    best[c] = max(best[c], best[c - w] + w * 1.5)
        return best

    check(f, np.array([3, 4, 5], np.int32), np.int32(10), dtypes=False)


def test_running_statistics():
    def f(xs):
        n, mean, m2 = 0, 0.0, 0.0
        for x in xs:
            n += 1
            delta = x - mean
            mean += delta / n
            m2 += delta * (x - mean)
        return mean, m2 / n

    check(f, XS)


def test_linspace_arange_and_indexing():
    def f(x):
        grid = np.linspace(0.0, 1.0, 5) * x
        idx = np.arange(4, 0, -2)
        return grid[idx], grid[-1], grid[1:3].sum(), np.cumsum(grid), np.diff(grid)

    check(f, np.float64(2.0))


def test_a_view_is_written_through():
    def f(xs):
        a = np.zeros((2, 4))
        row = a[0]
        row[:] = 1.0
        a[1] = xs
        return a

    check(f, XS)


def test_while_with_np_any():
    def f(xs):
        steps = 0
        while np.any(xs > 0.1):
            xs = xs / 2
            steps += 1
        return xs, steps

    check(f, XS)


def test_zeros_like_and_full():
    def f(xs):
        a = np.zeros_like(xs)
        b = np.full(4, 2.5)
        for i in range(len(xs)):
            if xs[i] > 0:
                a[i] = b[i]
            else:
                b[i] = xs[i]
        return a, b

    check(f, XS)


def test_numbers_that_are_made_keep_their_width():
    whole, real = ag.function(lambda x: int(x)), ag.function(lambda x: float(x))
    for value in (np.float64(2**40), np.int64(2**40), np.uint32(2**32 - 1), np.uint64(2**63)):
        assert int(whole(value)) == int(value)
    for value in (np.int64(16777217), np.uint32(2**32 - 1), np.float64(0.1)):
        assert float(real(value)) == float(value)
    assert int(ag.function(lambda x: int(x) * 2)(np.uint8(200))) == 400
    assert whole(ag.constant(2.5)).dtype is ag.int32 and real(ag.constant(2)).dtype is ag.float32
    # They take their partner's dtype, as numbers do.
    assert ag.function(lambda x: int(x) + x)(np.uint8(20)).dtype is ag.uint8
    assert ag.function(lambda x, y: float(x) + y)(np.int64(3), ag.constant(2.5)).dtype is ag.float32


def test_float_as_a_dtype_is_numpys():
    x = ag.constant(np.int64(16777217))
    for made in (x.astype(float), np.astype(x, float), np.sum(x, dtype=float)):
        assert made.dtype is ag.float64 and float(made) == 16777217.0
    assert ag.function(lambda x: x.astype(float))(x).dtype is ag.float64
    assert np.zeros_like(x, dtype=float).dtype is ag.float64


def test_math_isclose():
    def f(x, y):
        return math.isclose(x, y), math.isclose(x, y, rel_tol=0.1), math.isclose(x, y, abs_tol=1)

    pairs = [(1, 1 + 1e-12), (1, 1.05), (math.inf, math.inf), (math.inf, 1), (0, 1e-12)]
    check_all(f, *[(np.float64(x), np.float64(y)) for x, y in pairs], gradient=False)


def unique_values(xs):
    return np.unique(xs), np.unique(np.abs(xs)).sum()


def test_the_gradient_of_unique():
    check(unique_values, np.array([3.0, -1.0, 2.0, 5.0]))
    check(unique_values, np.array([3.0, np.nan, 3.0, np.nan, -3.0]))
    check(unique_values, np.zeros(0))


def test_tolist():
    def f(xs):
        values = xs.tolist()
        for i in range(len(xs)):
            if values[i] > 1.5:
                values.append(values[i])
        return values, xs.reshape(3, 1).tolist(), sum(xs.tolist()), xs[0].tolist()

    check(f, np.array([1.0, 3.0, 2.0]))


def test_tolist_of_an_unknown_shape():
    @ag.function(input_signature=[ag.TensorSpec([None])])
    def f(xs):
        return xs.tolist()

    with pytest.raises(SymbolicTensorError, match="whose shape is not known while trac"):
        f(ag.constant([1.0]))
