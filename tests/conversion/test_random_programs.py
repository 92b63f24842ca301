"""Random programs do the same converted as not."""

import pytest

from tests.conversion.differential import compare
from tests.conversion.program_generator import Program

CALLS = [(3, 0), (0, [1]), (None, 2)]


@pytest.mark.parametrize("staging", [False, True], ids=["plain", "to be traced"])
@pytest.mark.parametrize("start", range(0, 120, 10))
def test_programs(start, staging):
    for seed in range(start, start + 10):
        compare(Program(seed).text(), CALLS, staging=staging)
