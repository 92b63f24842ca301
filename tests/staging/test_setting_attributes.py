"""Attributes that are set by other ways than `x.a = v`: setattr, properties under __setattr__."""

from __future__ import annotations

import numpy as np
import pytest

from tests.staging.differential import check_all

ROWS = [(np.array(row),) for row in ([3.0, -1.0, 2.0], [1.0, -3.0, 2.0])] + [(np.zeros(0),)]


class Account:
    def __init__(self):
        self._balance = 0.0

    @property
    def balance(self):
        return self._balance

    @balance.setter
    def balance(self, value):
        self._balance = value * 1.0 if value > 0 else value * 2.0

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)

    def move(self, amount):
        self.balance = self.balance + amount
        if self.balance < 0:
            raise ValueError("overdrawn", self.balance)


def property_under_setattr(xs):
    account = Account()
    for x in xs:
        account.balance = account.balance + x
    return account.balance


def property_in_a_try(xs):
    account = Account()
    lost = 0.0
    for x in xs:
        try:
            account.move(x)
        except ValueError as error:
            lost += error.args[1]
            account.balance = 0.5
    return account.balance, lost


class Plain:
    pass


def by_setattr(xs):
    plain = Plain()
    plain.total = 0.0
    for n, x in enumerate(xs):
        setattr(plain, "total", plain.total + x)  # noqa: B010
        if x < 0:
            setattr(plain, "last", n)  # noqa: B010
    return plain.total, getattr(plain, "total"), hasattr(plain, "never")  # noqa: B009


def by_delattr(xs):
    plain = Plain()
    plain.total = 1.0
    for x in xs:
        if x < -2:
            delattr(plain, "total")
    return plain.total


@pytest.mark.parametrize(
    "function", [property_under_setattr, property_in_a_try, by_setattr, by_delattr]
)
def test_set(function):
    check_all(function, *ROWS)
