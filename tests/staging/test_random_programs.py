"""A short part of the fuzzer; `python -m tests.staging.fuzz --programs N` runs as long as asked."""

import pytest

from tests.staging import fuzz
from tests.staging.fuzz_programs import program


@pytest.mark.parametrize("first", range(30, 90, 10))
def test_programs_do_the_same_staged(first):
    for seed in range(first, first + 10):
        found = fuzz.problem(program(seed), gradients=seed % 5 == 0)
        allowed = found is None or found[0] == "refused"
        assert allowed, f"seed {seed}: {found[0]}\n{found[1]}\n{program(seed)}"


def test_programs_depend_on_their_seed_alone():
    assert program(7) == program(7)
    assert program(7) != program(8)
