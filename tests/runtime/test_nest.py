"""Nested structures are flattened, packed and mapped."""

from __future__ import annotations

import collections
import dataclasses
from typing import Any, NamedTuple

import attrs
import pytest

import autograph_lite as ag
from runtime import nest


class Pair(NamedTuple):
    x: Any
    y: Any


@dataclasses.dataclass
class Point:
    x: Any
    y: Any


@attrs.define
class Box:
    low: Any
    high: Any


STRUCTURES = [
    5,
    [1, 2],
    (1, (2, [3])),
    {"b": 1, "a": [2, 3]},
    collections.OrderedDict([("z", 1), ("a", 2)]),
    collections.defaultdict(list, {"k": 1}),
    Pair(1, [2]),
    Point(1, {"a": 2}),
    Box((1,), 2),
    [],
    {},
    (),
    [None, "text"],
]


@pytest.mark.parametrize("structure", STRUCTURES, ids=repr)
def test_packing_what_was_flattened_gives_it_back(structure: Any) -> None:
    made = nest.pack_sequence_as(structure, nest.flatten(structure))
    assert made == structure
    assert type(made) is type(structure)
    nest.assert_same_structure(structure, made)
    assert nest.map_structure(lambda leaf: leaf, structure) == structure


def test_dicts_flatten_by_sorted_keys_and_keep_their_order() -> None:
    structure = collections.OrderedDict([("z", 1), ("a", 2)])
    assert nest.flatten(structure) == [2, 1]
    assert list(nest.map_structure(str, structure).items()) == [("z", "1"), ("a", "2")]


@pytest.mark.parametrize(
    ("a", "b", "error"),
    [
        ([1], [1, 2], ValueError),
        ([1], 1, ValueError),
        ([1], (1,), TypeError),
        ({"a": 1}, {"b": 1}, ValueError),
        ([1, [2]], [1, 2], ValueError),
        (Pair(1, 2), (1, 2), TypeError),
    ],
)
def test_different_structures(a: Any, b: Any, error: type) -> None:
    with pytest.raises(error):
        nest.assert_same_structure(a, b)
    with pytest.raises(error):
        nest.map_structure(lambda x, y: x, a, b)


def test_types_may_be_left_out_of_account() -> None:
    nest.assert_same_structure([1, (2,)], (1, [2]), check_types=False)
    assert nest.map_structure(lambda x, y: x + y, [1], (2,), check_types=False) == [3]


def test_numbers_of_leaves_must_agree() -> None:
    with pytest.raises(ValueError, match="2 leaves"):
        nest.pack_sequence_as([1, 2], [1])
    with pytest.raises(TypeError):
        nest.pack_sequence_as([1], "a")


def test_paths() -> None:
    structure = {"b": [5, Pair(6, 7)], "a": 8}
    assert nest.flatten_with_tuple_paths(structure) == [
        (("a",), 8),
        (("b", 0), 5),
        (("b", 1, "x"), 6),
        (("b", 1, "y"), 7),
    ]
    assert nest.flatten_with_joined_string_paths(structure)[2] == ("b/1/x", 6)


def test_shallow_structures() -> None:
    assert nest.flatten_up_to([0, (0,)], [[1, 2], ({"k": 3},)]) == [[1, 2], {"k": 3}]
    assert nest.map_structure_up_to([0, 0], len, [[1], [1, 2]]) == [1, 2]
    with pytest.raises(TypeError):
        nest.flatten_up_to([0, [0]], [1, 2])


def test_registered_classes() -> None:
    class Bag:
        def __init__(self, items: list[Any]) -> None:
            self.items = items

    nest.register(Bag, lambda bag: (Bag, list(bag.items), Bag))
    assert nest.flatten([Bag([1, 2]), 3]) == [1, 2, 3]
    assert nest.map_structure(str, Bag([1])).items == ["1"]


def test_tensor_arrays_are_leaves_unless_expanded() -> None:
    array = ag.TensorArray(ag.float32, 2)
    assert nest.flatten([array]) == [array]
    (flow,) = nest.flatten([array], expand_composites=True)
    assert flow.dtype == ag.variant
    (again,) = nest.pack_sequence_as([array], [flow], expand_composites=True)
    assert isinstance(again, ag.TensorArray)
    assert not nest.is_nested(array)


@pytest.mark.parametrize("made", [collections.defaultdict(int), collections.OrderedDict(), {}])
def test_what_is_rebuilt_has_nothing_that_came_later(made: dict[str, int]) -> None:
    made["a"] = 1
    _, items, rebuild = nest.parts(made)
    made["b"] = 2
    assert rebuild(items) == {"a": 1}
    assert made == {"a": 1, "b": 2}
