"""Arrays that are attributes of objects, and are stored to under other names and in branches."""

import numpy as np
import pytest

from tests.staging.differential import check_all
from tests.staging.test_item_arrays import CALLS, Body


@pytest.mark.parametrize("make", [lambda body: body, lambda body: [body], lambda b: {"b": b}])
def test_arrays_of_dataclasses(make):
    def stores(xs, i):
        held = make(Body(xs * 0.5, 1.0))
        body = held if isinstance(held, Body) else held[0 if isinstance(held, list) else "b"]
        place = body.pos
        place[i] = 5.0
        return body.pos, place

    check_all(stores, *CALLS)


class Pole:
    def __init__(self, place):
        self.place = place


def of_an_attribute_by_branch(xs, i):
    zeros = np.zeros(3)
    other = zeros
    other[i] = xs[0]
    pole = Pole(zeros)
    if xs[2] > 0.5:
        pole.place[0] += 1.0
    else:
        pole.place = pole.place * 0.5
    if xs[2] > 1.0:
        pole.place[0] += 1.0
    else:
        pole.place = pole.place * 0.5
    return pole.place


def of_one_of_two_objects(xs, i):
    poles = [Pole(xs * 0.5), Pole(np.zeros(3))]
    bodies = [Body(xs * 0.5, 1.0), Body(np.zeros(3), 1.0)]
    for limit in (0.5, 1.0):
        pole, body = poles[i % 2], bodies[i % 2]
        if xs[2] > limit:
            pole.place[0] += 1.0
            body.pos[1] -= 1.0
        else:
            body.pos = body.pos * 0.5
    return [pole.place for pole in poles], [body.pos for body in bodies]


@pytest.mark.parametrize("function", [of_an_attribute_by_branch, of_one_of_two_objects])
def test_arrays_of_attributes(function):
    check_all(function, *CALLS)
