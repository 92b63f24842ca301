"""Programs for NumPy that store to arrays through views, helpers and second names."""

from __future__ import annotations

import numpy as np
import pytest

from tests.staging.differential import check, check_all

X = np.array([1.5, -0.5, 2.0])


def go1(x):
    i = 0
    for v in x:
        if i < 2:
            x[i + 1] = v + 1.0
        i += 1
    return x


def go2(x):
    out = np.arange(4.0)
    for i, v in enumerate(out):
        if i < 3:
            out[i + 1] = v + x[0]
    return out


def go3(x):
    out = np.zeros(3)
    for o, v in zip(out, x):
        out[1] = o + v
    return out


def go4(x):
    for i, v in enumerate(x):
        x[i] = v * 2
    return x


def go5(x):
    out = x * 1.0
    for v in out[::-1]:
        out[0] += v
    return out


def go6(x):
    out = x * 1.0
    for v in reversed(out):
        out[0] += v
    return out


def branch_inplace(x):
    out = np.zeros(3)
    if x[0] > 0:
        out += 1.0
    else:
        out -= x
    return out


def branch_python_loop(x):
    out = np.zeros((3, 3))
    for i in range(3):
        if x[i] > 0:
            out[i] += 1.0
            out[i, i] = x[i]
    return out


def lists_of_arrays_in_branch(x):
    a = np.zeros(3)
    rows = [a]
    if x[0] > 0:
        rows.append(np.ones(3))
        a[0] = 4.0
    else:
        rows.append(x * 2)
    rows[0][1] = 9.0
    return (a, rows)


def swap_in_list(x):
    rows = [np.zeros(3), np.ones(3)]
    n = 0
    while n < x[0] + 2:
        rows[0], rows[1] = (rows[1], rows[0])
        rows[0][0] = rows[1][0] + 1.0
        n += 1
    return rows


def jacobi(x):
    u = x.copy()
    v = x.copy()
    n = 0
    while n < 3 + x[0]:
        v[1] = (u[0] + u[2]) / 2
        u[:] = v
        n += 1
    return u


def jacobi_views(x):
    u = np.zeros((3, 3))
    u[0] = x
    n = 0
    while n < 3 + x[0]:
        inner = u[1:-1, 1:-1]
        inner[...] = (u[:-2, 1:-1] + u[2:, 1:-1]) / 2
        n += 1
    return u


def leapfrog(x):
    pos = x.copy()
    vel = np.zeros(3)

    def accel(p, out):
        for i in range(3):
            out[i] = -p[i]

    a = np.empty(3)
    n = 0
    while n < x[0] + 2:
        accel(pos, a)
        vel += 0.1 * a
        pos += 0.1 * vel
        n += 1
    return (pos, vel, a)


def lu(x):
    a = np.outer(x, x) + np.eye(3) * 5
    for k in range(3):
        for i in range(k + 1, 3):
            a[i, k] /= a[k, k]
            a[i, k + 1 :] -= a[i, k] * a[k, k + 1 :]
    return a


def lu_rows(x):
    a = np.outer(x, x) + np.eye(3) * 5
    for k in range(3):
        pivot = a[k]
        for row in a[k + 1 :]:
            row[k] /= pivot[k]
            row[k + 1 :] -= row[k] * pivot[k + 1 :]
    return a


def pivoting(x):
    a = np.outer(x, x) + np.diag(x)
    for k in range(2):
        p = k + np.argmax(np.abs(a[k:, k]))
        if p != k:
            a[[k, p]] = a[[p, k]]
        a[k + 1] -= a[k] * (a[k + 1, k] / a[k, k])
    return a


def cumulative(x):
    out = np.empty_like(x)
    acc = 0.0
    for i in range(len(x)):
        acc += x[i]
        out[i] = acc
    return out


def boolmask(x):
    mask = np.zeros(3, dtype=bool)
    m2 = mask
    mask[x > 0] = True
    m2 |= x < -0.4
    return (mask, x[mask].sum())


def in_place_ops_all(x):
    a = np.ones(3)
    b = a
    a += x
    a -= 0.5
    a *= 2
    a /= 3
    a **= 2
    a //= 0.1
    a %= 3
    return b


def intstore(x):
    a = np.zeros(3, dtype=int)
    b = a
    b[0] = x[0]
    a[1] = 7
    return (a, b)


def memo(x):
    table = np.zeros(5)
    seen = table
    table[0] = x[0]
    table[1] = x[1]

    def fib(n):
        for i in range(2, n):
            table[i] = table[i - 1] + table[i - 2]

    fib(5)
    return seen


def copy_on_branch(x):
    a = x.copy()
    best = a.copy()
    n = 0
    while n < 3:
        a[n] = a[n] * 2
        if a[n] > best[n]:
            best = a.copy()
        n += 1
    return (a, best)


def alias_best(x):
    a = x.copy()
    best = a
    n = 0
    while n < 3 + x[0] * 0:
        a[n] = a[n] * 2
        if a[n] > best[n] + 1:
            best = a
        n += 1
    return (a, best)


def recursion_arrays(x):
    out = np.zeros(4)

    def rec(lo, hi):
        if hi - lo == 1:
            out[lo] = x[lo % 3]
            return
        mid = (lo + hi) // 2
        rec(lo, mid)
        rec(mid, hi)
        out[lo] += out[mid]

    rec(0, 4)
    return out


def merge_into(src, dst, n):
    i = 0
    while i < n:
        dst[i] = src[n - 1 - i]
        i += 1


def two_buffers(x):
    a, b = (x.copy(), np.empty(3))
    k = 0
    while k < x[0] + 1:
        merge_into(a, b, 3)
        a, b = (b, a)
        a[0] += 1
        k += 1
    return a


def returns_view(m):
    return m[1]


def given_view(x):
    out = np.zeros((2, 3))
    r = returns_view(out)
    r[:] = x
    returns_view(out)[0] = 5.0
    return out


def default_arg(x, out=np.zeros(3)):
    o = out.copy()
    o[0] = x[0]
    return o


def setdefault(x):
    d = {}
    d.setdefault("a", np.zeros(3))[0] = x[0]
    d.setdefault("a", np.zeros(3))[1] = x[1]
    return d


def struct(x):

    class P:
        def __init__(s):
            s.v = np.zeros(2)
            s.w = s.v

        def up(s, t):
            s.v[0] += t
            s.w[1] -= t

    p = P()
    for t in x:
        p.up(t)
    return (p.v, p.w)


def getset(x):

    class P:
        def __init__(s):
            s._v = np.zeros(3)

        @property
        def v(s):
            return s._v

    p = P()
    p.v[0] = x[0]
    q = p.v
    q[1] = x[1]
    return p._v


def starred(x):
    a, *rest = [np.zeros(2), np.ones(2), np.ones(2)]
    rest[0][1] = x[0]
    a[0] = x[1]
    return (a, rest)


def where_index(x):
    out = np.zeros(3)
    o = out
    idx = np.where(x > 0)[0]
    o[idx] = x[idx] * 2
    return out


def argsort_apply(x):
    out = np.zeros(3)
    o = out
    o[np.argsort(x)] = np.arange(3.0)
    return out


def neg_step(x):
    out = np.zeros(4)
    v = out[::-2]
    v[:] = x[:2]
    return out


def take_diag(x):
    out = np.zeros((3, 3))
    out[np.arange(3), np.arange(3)] = x
    d = out.diagonal().copy()
    d[0] = 3
    return (out, d)


def strided(x):
    out = np.zeros((4, 3))
    e = out[::2]
    o = out[1::2]
    e[:] = x
    o[:] = -x
    e[0] += o[1]
    return out


def newaxis(x):
    out = np.zeros(3)
    c = out[:, None]
    c[1] = x[0]
    np.expand_dims(out, 0)[0, 2] = x[1]
    return out


def squeeze(x):
    out = np.zeros((1, 3))
    s = out.squeeze()
    s[0] = x[0]
    t = np.squeeze(out)
    t[1] = x[1]
    return out


def swapax(x):
    out = np.zeros((2, 3))
    s = np.swapaxes(out, 0, 1)
    s[2] = x[:2]
    out.swapaxes(0, 1)[0] = x[1:]
    return out


def splitted(x):
    out = np.zeros(4)
    a, b = np.split(out, 2)
    a[0] = x[0]
    b[1] = x[1]
    return out


def real_imag(x):
    z = np.zeros(3, dtype=complex)
    z[0] = x[0] + 1j
    w = z
    w[1] = 2j
    return z


CASES = [
    alias_best, go1, go2, go3, go4, go5, go6, branch_inplace, branch_python_loop, lists_of_arrays_in_branch, swap_in_list, jacobi, jacobi_views, leapfrog, lu, lu_rows, pivoting, cumulative, boolmask, in_place_ops_all, intstore, memo, copy_on_branch, recursion_arrays, two_buffers, given_view, default_arg, setdefault, struct, getset, starred, where_index, argsort_apply, neg_step, take_diag, strided, newaxis, squeeze, swapax, splitted, real_imag,
]  # fmt: skip


@pytest.mark.parametrize("function", CASES)
def test_like_python(function):
    check(function, X)
    check(function, -X, gradient=False)


def an_array_of_rows(xs, x):
    return np.array([[w, w * x] for w in xs if w > x])


def an_array_of_pairs_of_rows(xs, x):
    rows = []
    for w in xs:
        rows.append(((w, 1.0), [w * x, 2.0]))
    return np.array(rows), np.array(rows)[:, 0, 1].sum()


@pytest.mark.parametrize("function", [an_array_of_rows, an_array_of_pairs_of_rows])
def test_arrays_of_lists_of_rows(function):
    check_all(function, (np.array([1.0, -2.0, 3.0]), np.float64(0.5)))
