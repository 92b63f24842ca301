"""What is known of the elements of a list, and what holds for all of them."""

from __future__ import annotations

import functools
from typing import Any

from autograph_lite.staging import scopes, specs
from autograph_lite.staging.either import EitherSpec, alternative_specs
from autograph_lite.staging.objects import attributes_of, is_object, spec_of_object
from autograph_lite.staging.specs import Spec, StructureSpec, TensorSpec
from autograph_lite.staging.visible import visible
from runtime import dtypes
from runtime.ops.promotion import result_dtype
from runtime.shapes import TensorShape


def is_alike(a: Spec, b: Spec) -> bool:
    """Whether two specs are of one structure, and differ in dtypes and shapes alone."""
    if isinstance(a, StructureSpec) and isinstance(b, StructureSpec):
        pairs = zip(a.children, b.children, strict=False)
        return len(a.children) == len(b.children) and all(is_alike(x, y) for x, y in pairs)
    if isinstance(a, TensorSpec) and isinstance(b, TensorSpec):
        return True
    return a == b


def join_elements(a: Spec, b: Spec, path: str) -> Spec:
    """What holds for two elements of a list; numbers are brought to one dtype."""
    if isinstance(a, TensorSpec) and isinstance(b, TensorSpec) and a.dtype is not b.dtype:
        if not (a.weak or b.weak) and {a.dtype.kind, b.dtype.kind} <= set("iuf"):
            common = result_dtype(a.dtype, b.dtype)
            a, b = TensorSpec(common, a.shape), TensorSpec(common, b.shape)
    return specs.join(a, b, path, "of a list")


def generalised(spec: Spec, path: str = "an element") -> Spec:
    """The spec of an element of a list, others of which may have other texts and other tensors.

    An object that has been made on one pass of a loop stands for those of the other passes.
    """
    if isinstance(spec, EitherSpec):
        each = [generalised(alternative, path) for alternative in alternative_specs(spec)]
        return functools.reduce(lambda a, b: specs.join(a, b, path, "of a list"), each)
    if isinstance(spec, specs.StaticSpec) and is_object(spec.value):
        found = tuple(attributes_of(spec.value).values())
        lost = any(isinstance(seen, specs.Lost) for seen in visible(found, ()))
        return spec_of_object(spec.value, path) if lost or _is_of_a_pass(spec.value) else spec
    if isinstance(spec, specs.StaticSpec) and isinstance(spec.value, str | bytes):
        return TensorSpec(dtypes.string, TensorShape(()))
    return spec


def _is_of_a_pass(value: Any) -> bool:
    """Whether an object has been made in the branch or pass that is being traced."""
    innermost = scopes.innermost()
    return scopes.depth() > 1 and innermost is not None and id(value) in innermost.born


__all__ = ["generalised", "is_alike", "join_elements"]
