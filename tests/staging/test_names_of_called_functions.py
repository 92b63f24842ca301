"""A function that is called in a `try` has variables of its own, though of the same names."""

import numpy as np

from tests.staging.differential import check_all


def keep(items, value):
    if value > 0:
        items.append(value)
    return items


def test_a_parameter_with_the_name_of_a_variable_around_it():
    def f(xs, x):
        items = [v for v in xs]
        kept = [v for v in xs if v > 0]
        try:
            items = items[:2]
            if x > 1:
                raise ValueError("much")
            kept = keep(kept, x)
        except ValueError:
            items.append(1.0)
        return items, kept

    check_all(
        f,
        (np.array([0.5, -1.5, 2.0]), np.float64(1.5)),
        (np.array([0.5, 2.0, -1.5]), np.float64(0.5)),
        (np.array([0.5, 2.0, -1.5]), np.float64(-0.5)),
    )
