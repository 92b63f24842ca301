"""Lists of any length that never got an item: nothing is known of what they would hold."""

import numpy as np
import pytest

from tests.staging.differential import check

N = np.int32(7)


def emptied(n):
    items = []
    del items[:n]
    return items


@pytest.mark.parametrize(
    "function",
    [
        lambda n: emptied(n).count(1.0),
        lambda n: emptied(n).index(1.0),
        lambda n: emptied(n).remove(1.0),
        lambda n: emptied(n).pop(),
        lambda n: len(np.array(emptied(n))),
        lambda n: np.mean(emptied(n)) if emptied(n) else 0.0,
        lambda n: [sum(emptied(n)), emptied(n) == [], 1.0 in emptied(n)],
    ],
)
def test_a_list_of_any_length_that_never_got_an_item(function):
    check(function, N)


def test_numpy_of_a_list_that_never_got_an_item():
    def f(x, n):
        return np.array(emptied(n)), np.sum(emptied(n))

    check(f, np.float64(1.0), N)
