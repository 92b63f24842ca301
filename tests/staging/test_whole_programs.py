"""Whole programs, small ones, as they are written for Python or NumPy.

Algorithms on numbers, searches, tables that are filled, state that loops carry on.
"""

import collections

import numpy as np
import pytest

from tests.staging.differential import check_all


def f8(*values):
    """An array of floats, or a scalar."""
    return np.array(values[0] if len(values) == 1 else values, np.float64)[()]


def i8(*values):
    return np.array(values, np.int64)


def num_steps(b):
    e = b
    d = 0
    steps = np.array([0, 0, 0, 0])
    while True:
        if e == 1:
            d += steps[e]
            return d
        if e % 2 == 0:
            e //= 2
        else:
            e = 3 * e + 1
        d += 1


def newton_sqrt(a, tol):
    x = a
    while abs(x * x - a) > tol:
        x = 0.5 * (x + a / x)
    return x


def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


def bubble(a):
    a = a.copy()
    n = len(a)
    for i in range(n):
        swapped = False
        for j in range(0, n - i - 1):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
                swapped = True
        if not swapped:
            break
    return a


def binary_search(a, key):
    lo, hi = 0, len(a) - 1
    while lo <= hi:
        mid = (lo + hi) // 2
        if a[mid] == key:
            return mid
        elif a[mid] < key:
            lo = mid + 1
        else:
            hi = mid - 1
    return -1


def primes(n):
    found = []
    for i in range(2, n):
        for p in found:
            if i % p == 0:
                break
        else:
            found.append(i)
    return found


def pascal_row(n):
    row = [1]
    for k in range(n):
        row.append(row[k] * (n - k) // (k + 1))
    return row


def list_pop_stack(xs):
    stack = []
    for x in xs:
        stack.append(x)
    out = []
    while stack:
        out.append(stack.pop())
    return out


def sgd_dict_inplace(x, n):
    params = {"w": x, "b": x * 2}
    grads = {"w": 0.5, "b": 0.25}
    for _ in range(n):
        for k in params:
            params[k] -= 0.1 * grads[k] * params[k]
    return params


def deque_window(xs, n):
    win = collections.deque([0.0, 0.0], maxlen=2)
    out = []
    for x in xs:
        win.append(x)
        out.append(sum(win))
    return out


def gen_return_early(xs):
    def until(v):
        for x in v:
            if x > 2:
                return
            yield x * 3

    return [y for y in until(xs)]


def to_binary(n):
    bits = ""
    while n > 0:
        bits = str(n % 2) + bits
        n = n // 2
    return bits


def vector_grows(n):
    v = np.zeros(1)
    for i in range(n):
        v = np.concatenate([v, np.array([i * 1.0])])
    return v


def best_none(xs):
    best = None
    for x in xs:
        if best is None or x > best:
            best = x
    return best


def prev_none(xs):
    prev = None
    t = 0.0
    for x in xs:
        if prev is not None:
            t += abs(x - prev)
        prev = x
    return t


def jacobi(A, b):
    x = np.zeros_like(b)
    for _ in range(25):
        x_new = np.zeros_like(x)
        for i in range(A.shape[0]):
            s = 0.0
            for j in range(A.shape[1]):
                if j != i:
                    s += A[i, j] * x[j]
            x_new[i] = (b[i] - s) / A[i, i]
        x = x_new
    return x


def lu_inplace(A):
    A = A.copy()
    n = A.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            A[i, k] /= A[k, k]
            for j in range(k + 1, n):
                A[i, j] -= A[i, k] * A[k, j]
    return A


def sieve(n):
    p = np.ones(30, dtype=bool)
    p[:2] = False
    i = 2
    while i * i < n:
        if p[i]:
            p[i * i :: i] = False
        i += 1
    return p.sum()


def running_mean(x):
    out = np.empty_like(x)
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        if i >= 3:
            s -= x[i - 3]
            out[i] = s / 3
        else:
            out[i] = s / (i + 1)
    return out


def rle(xs):
    runs = []
    prev = xs[0]
    count = 0
    for x in xs:
        if x == prev:
            count += 1
        else:
            runs.append((prev, count))
            prev = x
            count = 1
    runs.append((prev, count))
    return runs


def sample_cdf(p, u):
    c = 0.0
    for i in range(len(p)):
        c += p[i]
        if u < c:
            return i
    return len(p) - 1


def horner(cs, x):
    y = 0
    for c in reversed(cs):
        y = y * x + c
    return y


def simpson(y):
    s = y[0] + y[-1]
    for i in range(1, len(y) - 1):
        s += (4 if i % 2 else 2) * y[i]
    return s / 3


PROGRAMS = [
    (num_steps, (np.int32(7),), (np.int32(1),)),
    (newton_sqrt, (f8(4.0), f8(1e-6))),
    (gcd, (np.int32(48), np.int32(36))),
    (bubble, (f8(5, 3, 8, 1),)),
    (binary_search, (i8(1, 3, 5, 7, 9), np.int64(7)), (i8(1, 3, 5, 7, 9), np.int64(4))),
    (primes, (np.int32(30),)),
    (pascal_row, (np.int32(6),)),
    (list_pop_stack, (f8(1, 2, 3),)),
    (sgd_dict_inplace, (f8(1.0), np.int32(3))),
    (deque_window, (f8(1, 2, 3, 4), np.int32(2))),
    (gen_return_early, (f8(1, 2, 3),)),
    (to_binary, (np.int32(10),)),
    (vector_grows, (np.int32(4),)),
    (best_none, (f8(1, 5, 3),)),
    (prev_none, (f8(1, 5, 3),)),
    (jacobi, (f8([[4, 1], [2, 3]]), f8(1, 2))),
    (lu_inplace, (f8([[4, 1, 2], [2, 3, 1], [1, 1, 5]]),)),
    (sieve, (np.int32(20),)),
    (running_mean, (f8(0, 1, 2, 3, 4, 5),)),
    (rle, (f8(1, 2, 2, 3, 1),)),
    (sample_cdf, (f8(0.2, 0.5, 0.3), f8(0.6))),
    (horner, (f8(1, 2, 3), f8(0.5))),
    (simpson, (f8(1, 2, 3, 4, 5, 6),)),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program[0].__name__)
def test_program(program):
    function, *calls = program
    check_all(function, *calls)
