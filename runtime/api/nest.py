"""`ag.nest`: nested structures of lists, tuples, dicts and the like."""

from __future__ import annotations

from runtime.nest import assert_same_structure as assert_same_structure
from runtime.nest import flatten as flatten
from runtime.nest import flatten_up_to as flatten_up_to
from runtime.nest import flatten_with_joined_string_paths as flatten_with_joined_string_paths
from runtime.nest import flatten_with_tuple_paths as flatten_with_tuple_paths
from runtime.nest import is_nested as is_nested
from runtime.nest import map_structure as map_structure
from runtime.nest import map_structure_up_to as map_structure_up_to
from runtime.nest import map_structure_with_paths as map_structure_with_paths
from runtime.nest import pack_sequence_as as pack_sequence_as
from runtime.nest import register as register
