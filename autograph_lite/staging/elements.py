"""What is known of the elements of a list, and what holds for all of them."""

from __future__ import annotations

from autograph_lite.staging import specs
from autograph_lite.staging.specs import Spec, StructureSpec, TensorSpec
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


def generalised(spec: Spec) -> Spec:
    if isinstance(spec, specs.StaticSpec) and isinstance(spec.value, str | bytes):
        return TensorSpec(dtypes.string, TensorShape(()))
    return spec


__all__ = ["generalised", "is_alike", "join_elements"]
