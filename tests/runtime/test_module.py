"""Modules find variables and modules in their attributes."""

from __future__ import annotations

from typing import Any

import pytest

import autograph_lite as ag


class Dense(ag.Module):
    def __init__(self, name: Any = None) -> None:
        super().__init__(name=name)
        self.w = ag.Variable(1.0, name="w")
        self.b = ag.Variable(0.0, name="b", trainable=False)


class Stack(ag.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = [Dense(), (Dense(), {"last": Dense()})]
        self.scale = ag.Variable(2.0, name="scale")


def test_order_is_by_attribute_then_submodule() -> None:
    stack = Stack()
    assert [v.name for v in stack.variables] == ["scale:0", *["b:0", "w:0"] * 3]
    assert [v.name for v in stack.trainable_variables] == ["scale:0", *["w:0"] * 3]
    assert len(stack.non_trainable_variables) == 3
    assert len(stack.submodules) == 3


def test_shared_and_circular_references_count_once() -> None:
    first, second = Dense(), Dense()
    first.other, second.other = second, first
    first.again = first.w
    assert len(first.variables) == 4
    assert first.submodules == (second,)


def test_dicts_go_by_sorted_keys() -> None:
    m = ag.Module()
    m.table = {"b": ag.Variable(2, name="b"), "a": ag.Variable(1, name="a")}
    assert [v.name for v in m.variables] == ["a:0", "b:0"]


def test_names() -> None:
    class HTTPServer2(ag.Module):
        pass

    assert HTTPServer2().name == "http_server2"
    assert Dense("abc").name == "abc"
    with pytest.raises(ValueError, match="identifier"):
        ag.Module(name="a b")


def test_name_scopes() -> None:
    class Scoped(ag.Module):
        def __init__(self) -> None:
            super().__init__(name="outer")
            with self.name_scope:
                self.v = ag.Variable(1.0, name="v")

        @ag.Module.with_name_scope
        def make(self) -> Any:
            return ag.Variable(1.0, name="later")

    m = Scoped()
    assert m.v.name == "outer/v:0"
    assert m.make().name == "outer/later:0"
    with ag.name_scope("around"):
        assert m.make().name == "outer/later:0"


def test_forgetting_super_is_explained() -> None:
    class Careless(ag.Module):
        def __init__(self) -> None:
            pass

    with pytest.raises(AttributeError, match=r"super\(\).__init__"):
        Careless().name


def test_paths() -> None:
    paths = [path for path, _ in Stack()._flatten(with_path=True, predicate=ag.is_tensor)]
    assert ("layers", 1, 1, "last", "w") in paths
