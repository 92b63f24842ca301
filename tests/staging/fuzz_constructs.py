"""All groups of further constructs of the random programs, by name."""

from __future__ import annotations

from tests.staging.fuzz_collections import ARRAYS, COLLECTIONS
from tests.staging.fuzz_contexts import CONTEXTS
from tests.staging.fuzz_exceptions import EXCEPTIONS, NAMES
from tests.staging.fuzz_iteration import CONDITIONS, ITERATION
from tests.staging.fuzz_keys import KEYS
from tests.staging.fuzz_order import ORDER
from tests.staging.fuzz_piles import PILES
from tests.staging.fuzz_slices import SLICES
from tests.staging.fuzz_text import NUMBERS, OBJECTS, TEXT

GROUPS = {
    "slices": SLICES,
    "contexts": CONTEXTS,
    "exceptions": EXCEPTIONS,
    "names": NAMES,
    "collections": COLLECTIONS,
    "arrays": ARRAYS,
    "piles": PILES,
    "keys": KEYS,
    "iteration": ITERATION,
    "conditions": CONDITIONS,
    "text": TEXT,
    "numbers": NUMBERS,
    "objects": OBJECTS,
    "order": ORDER,
}
