"""Functions of `math` that are less often used."""

import math

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check, check_all


@pytest.mark.parametrize(
    "function", [math.gcd, math.lcm, math.comb, math.perm], ids=lambda f: f.__name__
)
def test_of_two_integers(function):
    def f(a, b):
        return function(a, b), function(a, 2)

    check_all(
        f, (np.int64(12), np.int64(8)), (np.int64(7), np.int64(0)), (np.int64(6), np.int64(6))
    )


def test_of_one_integer():
    def f(n):
        return math.factorial(n), math.isqrt(n), math.isqrt(n * n), math.perm(n)

    check_all(f, *((np.int64(n),) for n in (0, 1, 5, 10)))


def test_what_is_not_defined():
    def f(n):
        if n == 1:
            return math.isqrt(-n)
        return math.comb(n, 2)

    check_all(f, (np.int64(1),), (np.int64(-1),))


def test_of_floats():
    def f(x, y):
        return (
            math.copysign(x, y),
            math.fmod(x, y),
            math.remainder(x, y),
            math.ldexp(x, 3),
            math.fsum([x, y, 1.0]),
            math.dist([x, y], [1.0, 2.0]),
            math.modf(x)[0],
        )

    check_all(f, (np.float64(2.75), np.float64(-1.5)), (np.float64(-7.25), np.float64(2.0)))


@pytest.mark.parametrize("name", ["cbrt", "exp2"])
def test_those_of_newer_pythons(name):
    function = getattr(math, name, None)
    if function is None:
        pytest.skip("this Python is older")
    check(lambda x: function(x) + 1, np.float64(2.5))


def test_a_fraction_in_its_lowest_terms():
    def f(a, b):
        common = math.gcd(a, b)
        while common > 1:
            a, b = a // common, b // common
            common = math.gcd(a, b)
        return a, b

    check(f, np.int64(24), np.int64(36))


def test_the_same_functions_of_arrays():
    def f(x, y):
        part, whole = np.modf(x)
        return np.copysign(x, y), np.fmod(x, y), np.ldexp(x, 3), part, whole

    check(f, np.array([2.75, -7.25, 0.5]), np.array([-1.5, 2.0, -0.75]))


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (math.comb, [(30, 15), (5, 9), (60, 30)]),
        (math.perm, [(15, 10), (3, 5)]),
        (math.factorial, [(20,)]),
        (math.isqrt, [(2**31 - 1,), (2**31 - 2,), (99,), (0,)]),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_would_not_fit_on_the_way(function, arguments):
    for given in arguments:
        found = ag.function(lambda *args: function(*args))(*map(ag.constant, given))
        assert int(found) == function(*given)


def test_the_square_root_of_the_largest_integer():
    root = ag.function(lambda n: math.isqrt(n))
    for n in (2**63 - 1, 3037000499**2, 3037000499**2 - 1):
        assert int(root(ag.constant(n, ag.int64))) == math.isqrt(n)


def test_remainders_are_exact():
    def f(x, y):
        return math.remainder(x, y)

    pairs = [(5.0, math.inf), (7.0, 2.0), (2.5, 1.0), (3.5, 1.0), (1e300, 3.0), (-0.75, 1.5)]
    check_all(f, *((np.float64(x), np.float64(y)) for x, y in pairs))


def test_powers_of_two_that_floats_do_not_hold():
    def f(x, n):
        return math.ldexp(x, int(n)), np.ldexp(x, -n)

    check_all(f, (np.float64(1e-300), np.int32(1100)), (np.float64(1.5), np.int32(-1070)))


def test_python_numbers_are_not_rounded_to_32_bits():
    def f(x):
        return (
            math.hypot(x, 0.1),
            math.atan2(0.1, x),
            math.pow(x, 0.1),
            math.log(x, 1.1),
            math.copysign(0.1, x),
            math.fmod(x, 0.1),
            math.isclose(x, 0.3),
        )

    check_all(f, (np.float64(2.75),), (np.float64(0.3),), rtol=1e-13)


def test_numpys_error_of_singular_matrices_is_caught():
    @ag.function
    def solved(n):
        matrix = np.array([[1.0, 1.0], [1.0, 1.0]]) * n
        try:
            return np.linalg.inv(matrix)
        except np.linalg.LinAlgError:
            return -np.ones((2, 2))

    np.testing.assert_array_equal(solved(np.float64(1.0)), -np.ones((2, 2)))
