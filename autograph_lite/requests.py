"""A call of a traced function made ready: its key, and the tensors among its arguments."""

from __future__ import annotations

import functools
from typing import Any

from autograph_lite.arguments import Arguments, Key, leaf_spec
from autograph_lite.trace_cache import TraceCache, leaf_shapes, without_shapes
from runtime.shapes import TensorShape
from runtime.tensor_spec import TensorSpec

_SHAPES_BEFORE_RELAXING = 2
"""So many traces for different shapes are made before sizes are left open."""


def name_of(function: Any) -> str:
    """What to call the graph of a function, a partial or an object that can be called."""
    if isinstance(function, functools.partial):
        return name_of(function.func)
    name = getattr(function, "__name__", type(function).__name__)
    return "lambda" if name == "<lambda>" else str(name)


class Request:
    """A call made ready.

    Attributes:
      key: which trace it needs.
      arguments: what the trace is made for, with `specs` the tensors (or TensorSpecs) among them.
      given: the arguments of this call, with `leaves` the tensors and arrays among them.
      skip: 1 if the first argument is the object that the function is bound to.
      raw_leaves: how many tensors there were before the arguments were fitted to a signature.
    """

    __slots__ = ("arguments", "given", "key", "leaves", "raw_leaves", "skip", "specs")

    def __init__(
        self,
        key: Key,
        arguments: Arguments,
        specs: list[Any],
        given: Arguments,
        leaves: list[Any],
        raw_leaves: int | None = None,
        skip: int = 0,
    ) -> None:
        self.key = key
        self.arguments = arguments
        self.specs = specs
        self.given = given
        self.leaves = leaves
        self.raw_leaves = raw_leaves
        self.skip = skip


def differing_in_shapes(cache: TraceCache, call: Request) -> list[Key]:
    """The keys that differ from a call's in shapes only, once there are a few."""
    wanted = without_shapes(call.key)
    keys = [key for key in cache.keys() if without_shapes(key) == wanted]
    return keys if len(keys) >= _SHAPES_BEFORE_RELAXING else []


def relaxed(alike: list[Key], call: Request) -> Request:
    """A call with those sizes left open in which its key differs from others."""
    shapes = [TensorShape(shape) for shape in leaf_shapes(call.key)]
    for key in alike:
        shapes = [
            mine.most_specific_common_supertype(TensorShape(other))
            for mine, other in zip(shapes, leaf_shapes(key), strict=True)
        ]
    specs = [
        TensorSpec(shape, leaf_spec(leaf)[0])
        for shape, leaf in zip(shapes, call.specs, strict=True)
    ]
    arguments = call.arguments.replace(iter(specs))
    key = arguments.key([])
    return Request(key, arguments, specs, call.given, call.leaves, skip=call.skip)
