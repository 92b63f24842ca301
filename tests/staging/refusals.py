"""What is refused in a line each, for the table of the page on staging."""

import collections
import heapq
import itertools
import random

from autograph_lite.errors import StagingError
from runtime.errors import SymbolicTensorError


class Holder:
    def __init__(self, n):
        self.a5 = n


def largest(n):
    return heapq.nlargest(2, [3, n, 4])


def permutations(n):
    return list(itertools.permutations(range(n)))


def hashes(n):
    return hash(f"{n}")


def attribute_names(n):
    return getattr(Holder(n), f"a{n}")


def characters(n):
    return set(f"{n}")


def counters(n):
    return collections.Counter([n, n + 1])


def templates(n, template="%d"):
    return template % n


def draws(n):
    return random.randint(0, n)


TABLE = [
    ("`heapq.nlargest`, `nsmallest` and `merge` of tensors", "`sorted`, and a slice", largest),
    ("`itertools.permutations` and `combinations` of tensors", "nested loops", permutations),
    ("`hash` of text or numbers of the graph", "compare the values", hashes),
    ("`getattr` with a name made of tensors", "`if`, or an index", attribute_names),
    ("`set` of text made of tensors", "`in` and `count` of the text", characters),
    ("`collections.Counter` of numbers that are computed", "`count` of each", counters),
    ("`%` of a template that is a parameter", "`template.format(n)`", templates),
    ("Functions of `random` with tensors", "`ag.random`", draws),
]
"""What is refused, what to write instead, and a function of a number that meets it."""

ERRORS = (StagingError, SymbolicTensorError, TypeError, ValueError)
