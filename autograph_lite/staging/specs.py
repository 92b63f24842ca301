"""What is known of a Python value that a staged branch or loop hands on.

A `Spec` is the type of such a value: a tensor's dtype and shape, a structure of specs, a Python
object that stays the same, or a name that has no value. Two specs are joined when two branches
meet, or when a loop variable changes from pass to pass.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

import runtime.dtypes as dtypes
from autograph_lite.errors import StagingError
from autograph_lite.operators.undefined import Undefined
from autograph_lite.staging.scopes import born, note_constant
from runtime import context, nest
from runtime.control_flow import unbound
from runtime.convert import convert_to_tensor
from runtime.dtypes import DType
from runtime.ops.apply import apply
from runtime.ops.casting import cast
from runtime.ops.promotion import result_dtype
from runtime.ops.registry import Spec as Spec_
from runtime.ops.registry import define, gradient
from runtime.shapes import TensorShape
from runtime.tensor import EagerTensor, SymbolicTensor, Tensor

Leaves = list[Tensor]
NextLeaf = Iterator[Any]


class Lost(Undefined):
    """What a variable holds whose value no later code reads: anything will do."""


class Spec:
    """The type of a value; see the subclasses.

    Attributes:
      is_by_value: whether containers and objects are made anew of their parts.
    """

    is_by_value: ClassVar[bool] = False

    def leaves(self, value: Any, path: str) -> Leaves:
        """The tensors that make up `value`, brought to this spec, in the graph being built."""
        if isinstance(value, Lost):
            return [unbound(t.dtype, t.shape) for t in self.tensors()]
        if self.is_by_value and getattr(type(value), "__ag_either__", False) and value.fixed:
            from autograph_lite.staging.either import chosen_leaves

            return chosen_leaves(self, value, path)
        return self._leaves(value, path)

    def _leaves(self, value: Any, path: str) -> Leaves:
        raise AssertionError

    def build(self, leaves: NextLeaf) -> Any:
        """The value made up of these tensors."""
        raise AssertionError

    def tensors(self) -> Iterator[TensorSpec]:
        """The specs of the tensors that `leaves` gives."""
        return iter(())


_DIGITS = (float, complex)


@dataclass(frozen=True, slots=True)
class TensorSpec(Spec):
    """A tensor; a weak one began as a Python number and takes its partner's dtype."""

    dtype: DType
    shape: TensorShape
    weak: bool = False

    def _leaves(self, value: Any, path: str) -> Leaves:
        if type(value) in _DIGITS and self.dtype.size > 4 and self.dtype.kind in "fc":
            # Beside wider numbers a Python number keeps all its digits.
            return [convert_to_tensor(value, self.dtype)]
        tensor = as_tensor(value)
        if isinstance(tensor, SymbolicTensor) and tensor.op.type == "Unbound":
            return [unbound(self.dtype, self.shape)]
        if tensor.dtype is not self.dtype:
            tensor = cast(tensor, self.dtype)
        return [tensor]

    def build(self, leaves: NextLeaf) -> Any:
        tensor = next(leaves)
        if isinstance(tensor, SymbolicTensor):
            tensor.weak = self.weak
        return tensor

    def tensors(self) -> Iterator[TensorSpec]:
        yield self


@dataclass(frozen=True, slots=True, eq=False)
class StaticSpec(Spec):
    """A Python object that is the same on every path."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StaticSpec) and _same(self.value, other.value)

    def __hash__(self) -> int:
        return 0

    def _leaves(self, value: Any, path: str) -> Leaves:
        return []

    def build(self, leaves: NextLeaf) -> Any:
        return self.value


@dataclass(frozen=True, slots=True, eq=False)
class SameSpec(Spec):
    """A container that stays the same object, whatever happens to its contents.

    Attributes:
      value: the object.
      apart: what holds for a copy of it, where it does not stay; None to look at the object then.
    """

    value: Any
    apart: Spec | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SameSpec) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)

    def _leaves(self, value: Any, path: str) -> Leaves:
        return []

    def build(self, leaves: NextLeaf) -> Any:
        return self.value


@dataclass(frozen=True, slots=True)
class StructureSpec(Spec):
    """A container: `children` by position, and `template` to rebuild it."""

    is_by_value: ClassVar[bool] = True

    kind: Any
    children: tuple[Spec, ...]
    rebuild: Callable[[list[Any]], Any]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, StructureSpec)
            and self.kind == other.kind
            and self.children == other.children
        )

    def __hash__(self) -> int:
        return hash(len(self.children))

    def _leaves(self, value: Any, path: str) -> Leaves:
        parts = nest.parts(value)
        assert parts is not None
        items = parts[1]
        if isinstance(value, dict):
            pairs = zip(self.children, items, items_of(value, parts), strict=True)
            items = [new if isinstance(c, MaybeUnboundSpec) else old for c, old, new in pairs]
        found: Leaves = []
        for number, (child, item) in enumerate(zip(self.children, items, strict=True)):
            found += child.leaves(item, f"{path}[{number}]")
        return found

    def build(self, leaves: NextLeaf) -> Any:
        made = self.rebuild([child.build(leaves) for child in self.children])
        if isinstance(made, dict):
            made = _presence().without_absent(made)
        # It is as new as the tensors in it: what is done to it happens in the trace.
        if type(made) is not tuple:
            born(made)
        return made

    def tensors(self) -> Iterator[TensorSpec]:
        for child in self.children:
            yield from child.tensors()


@dataclass(frozen=True, slots=True)
class UnboundSpec(Spec):
    """A name without a value."""

    undefined: Undefined

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UnboundSpec)

    def __hash__(self) -> int:
        return 1

    def _leaves(self, value: Any, path: str) -> Leaves:
        return []

    def build(self, leaves: NextLeaf) -> Any:
        return self.undefined


@dataclass(frozen=True, slots=True)
class MaybeUnboundSpec(Spec):
    """A name that has a value on some paths only; a bool tensor says whether it has."""

    inner: Spec
    undefined: Undefined

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MaybeUnboundSpec) and self.inner == other.inner

    def __hash__(self) -> int:
        return hash(self.inner)

    def _leaves(self, value: Any, path: str) -> Leaves:
        value = unguarded(value)
        if isinstance(value, Undefined):
            nothing: Leaves = [unbound(t.dtype, t.shape) for t in self.inner.tensors()]
            return [convert_to_tensor(False), *nothing]
        if isinstance(value, MaybeUnbound):
            return [value.bound, *self.inner.leaves(value.value, path)]
        return [convert_to_tensor(True), *self.inner.leaves(value, path)]

    def build(self, leaves: NextLeaf) -> Any:
        bound, value = next(leaves), self.inner.build(leaves)
        known = known_flag(bound)
        if known is not None:
            return value if known else self.undefined
        return MaybeUnbound(bound, value, self.undefined)

    def tensors(self) -> Iterator[TensorSpec]:
        yield TensorSpec(dtypes.bool_, TensorShape(()))
        yield from self.inner.tensors()


_SPECIAL: dict[type, Callable[[Any, str], Spec | None]] = {}
_JOINERS: list[Callable[[Spec, Spec, str, str], Spec | None]] = []
_ALTERNATIVES: list[Callable[[Spec, Spec, str, str], Spec | None]] = []


def register_kind(
    kinds: Iterable[type],
    spec: Callable[[Any, str], Spec | None],
    joiner: Callable[[Spec, Spec, str, str], Spec | None],
    is_alternative: bool = False,
) -> None:
    """Teaches `spec_of` and `join` a further kind of values.

    Args:
      kinds: their classes.
      spec: `spec(value, path)` gives a value's spec, or None to treat it like any other.
      joiner: `joiner(a, b, path, where)` joins two specs of which one may be of this kind; None
        if it has nothing to say.
      is_alternative: whether the joiner is only asked where nothing else holds for both.
    """
    for kind in kinds:
        _SPECIAL[kind] = spec
    (_ALTERNATIVES if is_alternative else _JOINERS).append(joiner)


def _no_object(value: Any, path: str) -> Spec | None:
    return None


_object_spec: Callable[[Any, str], Spec | None] = _no_object


def set_object_spec(spec: Callable[[Any, str], Spec | None]) -> None:
    """Teaches `spec_of` which objects are made up of tensors: None for all others."""
    global _object_spec
    _object_spec = spec


class MaybeUnbound:
    """The value of a name that only some paths bind.

    Attributes:
      bound: a scalar bool tensor: whether the name has a value.
      value: what it is if so.
      undefined: tells the name, and the error that a read raises.
    """

    __slots__ = ("bound", "undefined", "value")
    __ag_staged__ = True

    def __init__(self, bound: Tensor, value: Any, undefined: Undefined) -> None:
        self.bound = bound
        self.value = value
        self.undefined = undefined


def _presence() -> Any:
    # It is built on this module.
    from autograph_lite.staging import presence

    return presence


def _guard(value: Any, bound: Any, error: Exception, undefined: Any) -> Any:
    if not bound:
        made = type(error)(*error.args)
        made._located = True  # type: ignore[attr-defined]
        raise made
    return value


GUARD = define(
    "Guard",
    kernel=_guard,
    infer=lambda inputs, attrs: Spec_(inputs[0].dtype, inputs[0].shape),
    aliases=0,
)


@gradient(GUARD)
def _(op: Any, dy: Tensor) -> Any:
    return dy, None


def guarded(value: Any, error: Exception) -> Any:
    """A perhaps-unbound value as one that raises `error`, if it is read where it is unbound.

    For attributes and items, which are read without asking first.
    """
    if not isinstance(value, MaybeUnbound):
        return value
    attrs = {"error": error, "undefined": value.undefined}

    def guard(item: Any) -> Any:
        if isinstance(item, SymbolicTensor):
            return apply(GUARD, (item, value.bound), attrs)
        parts = nest.parts(item)
        return item if parts is None else parts[2]([guard(part) for part in parts[1]])

    return guard(value.value)


def unguarded(value: Any) -> Any:
    """What `guarded` was given, if `value` is what it made."""
    if isinstance(value, SymbolicTensor) and value.op.opdef is GUARD:
        op = value.op
        return MaybeUnbound(op.inputs[1], op.inputs[0], op.attrs["undefined"])
    return value


def items_of(table: dict[Any, Any], parts: nest.Parts) -> list[Any]:
    """The items of a dict, in parts: a `MaybeUnbound` for each that is there on some paths only."""
    return _presence().items_of(table, parts[0][1])  # type: ignore[no-any-return]


def as_tensor(value: Any) -> Tensor:
    """A tensor of the graph being built; one made of a Python number is weak."""
    if isinstance(value, Tensor):
        return value
    tensor = convert_to_tensor(value)
    if type(value) is np.ndarray:
        note_constant(tensor, value)
    if type(value) in (int, float, bool, complex) and isinstance(tensor, SymbolicTensor):
        tensor.weak = True
    return tensor


def known_flag(flag: Any) -> bool | None:
    """What a bool tensor says once the graph has run; None while it is being built."""
    if isinstance(flag, EagerTensor) and context.executing_eagerly():
        return bool(flag)
    return None


def is_number(value: Any) -> bool:
    """Whether `value` is a Python number that can become a tensor."""
    return isinstance(value, bool | int | float | complex)


def spec_of(value: Any, path: str = "") -> Spec:
    """The spec of a value."""
    if isinstance(value, SymbolicTensor):
        return TensorSpec(value.dtype, value.shape, value.weak)
    if isinstance(value, EagerTensor):
        return TensorSpec(value.dtype, value.shape)
    if isinstance(value, Undefined):
        return UnboundSpec(value)
    if isinstance(value, MaybeUnbound):
        return MaybeUnboundSpec(spec_of(value.value, path), value.undefined)
    if isinstance(value, bool | int | float | complex) and type(value).__module__ == "builtins":
        number = _number_tensor(value)
        return TensorSpec(number.dtype, number.shape, weak=True)
    if is_array(value):
        dtype = dtypes.from_numpy(value.dtype)
        return TensorSpec(dtype, TensorShape(value.shape))
    if isinstance(value, BaseException):
        return getattr(type(value), "ag_spec", None) or StaticSpec(value)
    special = _SPECIAL.get(type(value))
    if special is not None:
        found = special(value, path)
        if found is not None:
            return found
    parts = nest.parts(value)
    if parts is not None:
        kind, items, rebuild = parts
        if isinstance(value, dict):
            # What code reads there raises an error if it is not there; the dict may lack it.
            items = items_of(value, parts)
        return StructureSpec(kind, tuple(spec_of(item, path) for item in items), rebuild)
    return _object_spec(value, path) or StaticSpec(value)


def is_bound(value: Any) -> bool:
    """Whether what a variable holds says that its name is sure to have a value."""
    return not isinstance(spec_of(value), MaybeUnboundSpec | UnboundSpec)


def is_array(value: Any) -> bool:
    """Whether `value` is NumPy's and of a dtype that tensors have."""
    return (
        type(value).__module__ == "numpy"
        and hasattr(value, "__array__")
        and hasattr(value, "dtype")
        and value.dtype.kind in "biufc"
    )


def _number_tensor(value: Any) -> Any:
    with context.building(None):
        return convert_to_tensor(value)


def join(a: Spec, b: Spec, path: str, where: str, alternatives: bool = True) -> Spec:
    """The narrowest spec that holds for values of both.

    Args:
      a: one path's.
      b: the other's.
      path: what the user calls the value.
      where: what the paths are, for the message.
      alternatives: whether the two may be kept side by side where nothing holds for both.

    Raises:
      StagingError: nothing holds for both.
    """
    if a == b:
        return a
    found = _join_known(a, b, path, where, alternatives)
    if found is not None:
        return found
    for joiner in _ALTERNATIVES if alternatives else ():
        joined = joiner(apart(a, path), apart(b, path), path, where)
        if joined is not None:
            return joined
    raise StagingError(_no_join(a, b, path, where))


def _join_known(a: Spec, b: Spec, path: str, where: str, alternatives: bool) -> Spec | None:
    """The join of two specs of kinds that go together; None if they do not."""
    if isinstance(a, UnboundSpec) or isinstance(b, UnboundSpec):
        bound, other = (b, a) if isinstance(a, UnboundSpec) else (a, b)
        assert isinstance(other, UnboundSpec)
        if isinstance(bound, MaybeUnboundSpec) or isinstance(other.undefined, Lost):
            return bound
        return MaybeUnboundSpec(bound, other.undefined)
    if isinstance(a, MaybeUnboundSpec) or isinstance(b, MaybeUnboundSpec):
        perhaps: Any = a if isinstance(a, MaybeUnboundSpec) else b
        inner_a = a.inner if isinstance(a, MaybeUnboundSpec) else a
        inner_b = b.inner if isinstance(b, MaybeUnboundSpec) else b
        inner = join(inner_a, inner_b, path, where, alternatives)
        return MaybeUnboundSpec(inner, perhaps.undefined)
    if isinstance(a, SameSpec) or isinstance(b, SameSpec):
        return join(apart(a, path), apart(b, path), path, where, alternatives)
    a, b = _text_as_tensor(a, b), _text_as_tensor(b, a)
    if isinstance(a, TensorSpec) and isinstance(b, TensorSpec):
        return _join_tensors(a, b)
    if isinstance(a, StructureSpec) and isinstance(b, StructureSpec) and a.kind == b.kind:
        if len(a.children) == len(b.children):
            children = tuple(
                join(x, y, f"{path}[{i}]", where, alternatives)
                for i, (x, y) in enumerate(zip(a.children, b.children, strict=True))
            )
            return StructureSpec(a.kind, children, a.rebuild)
    for joiner in _JOINERS:
        joined = joiner(a, b, path, where)
        if joined is not None:
            return joined
    return None


def apart(spec: Spec, path: str = "") -> Spec:
    """The spec of copies of what stays the same object, here or inside; any other as it is."""
    if isinstance(spec, SameSpec):
        return spec.apart if spec.apart is not None else spec_of(spec.value, path)
    if isinstance(spec, MaybeUnboundSpec):
        inner = apart(spec.inner, path)
        return spec if inner is spec.inner else MaybeUnboundSpec(inner, spec.undefined)
    if not isinstance(spec, StructureSpec):
        return spec
    children = tuple(apart(child, path) for child in spec.children)
    if all(new is old for new, old in zip(children, spec.children, strict=True)):
        return spec
    return StructureSpec(spec.kind, children, spec.rebuild)


def _no_join(a: Spec, b: Spec, path: str, where: str) -> str:
    if isinstance(a, TensorSpec) and isinstance(b, TensorSpec):
        return (
            f"{path!r} has dtype {a.dtype.name} on one path and {b.dtype.name} on the other "
            f"{where}; two tensors of different dtypes cannot take turns. Convert one with ag.cast."
        )
    return (
        f"{path!r} is {describe(a)} on one path and {describe(b)} on the other {where}; "
        "a value that a staged branch or loop hands on must be of one kind. "
        "Give it the same type and structure on both paths." + _of_tuples(a, b)
    )


def _of_tuples(a: Spec, b: Spec) -> str:
    """What to do about tuples of several lengths, if two specs have them."""
    lengths = {*_tuple_lengths(a), *_tuple_lengths(b)}
    if len(lengths) < 2:
        return ""
    shown = " and ".join(str(n) for n in sorted(lengths))
    return f" It holds tuples of lengths {shown}: use a list, which may grow."


def _tuple_lengths(spec: Any) -> list[int]:
    if isinstance(spec, StructureSpec) and spec.kind is tuple:
        return [len(spec.children)]
    if hasattr(spec, "first") and hasattr(spec, "second"):
        return [*_tuple_lengths(spec.first), *_tuple_lengths(spec.second)]
    return []


def _text_as_tensor(spec: Spec, other: Spec) -> Spec:
    """A string that meets another one becomes a string tensor."""

    def is_text(spec: Spec) -> bool:
        if isinstance(spec, StaticSpec):
            return isinstance(spec.value, str | bytes) and not isinstance(spec.value, enum.Enum)
        return isinstance(spec, TensorSpec) and spec.dtype is dtypes.string

    if isinstance(spec, StaticSpec) and is_text(spec) and is_text(other):
        return TensorSpec(dtypes.string, TensorShape(()))
    return spec


def _join_tensors(a: TensorSpec, b: TensorSpec) -> TensorSpec | None:
    shape = a.shape
    if a.shape != b.shape:
        shape = a.shape.most_specific_common_supertype(b.shape)
    if a.dtype is b.dtype:
        return TensorSpec(a.dtype, shape, a.weak and b.weak)
    if a.weak and b.weak:
        return TensorSpec(_wider_number(a.dtype, b.dtype), shape, weak=True)
    if a.weak or b.weak:
        weak, strong = (a, b) if a.weak else (b, a)
        if strong.dtype.kind not in _NUMBERS:
            return None  # text, a list of the graph
        return TensorSpec(_beside_weak(strong.dtype, weak.dtype), shape)
    return None


_NUMBERS = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}


def _wider_number(a: DType, b: DType) -> DType:
    """Of two Python numbers' dtypes, the one that holds both."""
    if a.kind == b.kind:
        return a if a.size >= b.size else b
    return a if _NUMBERS[a.kind] > _NUMBERS[b.kind] else b


def _beside_weak(strong: DType, weak: DType) -> DType:
    if _NUMBERS[weak.kind] <= _NUMBERS[strong.kind]:
        return strong
    return result_dtype(strong, weak)


def describe(spec: Spec) -> str:
    """A spec in the words of an error message."""
    if isinstance(spec, TensorSpec):
        kind = "a Python number, staged as" if spec.weak else "a tensor of"
        return f"{kind} dtype {spec.dtype.name} and shape {spec.shape}"
    if isinstance(spec, StaticSpec):
        return f"{spec.value!r} (a {type(spec.value).__name__})"
    if isinstance(spec, StructureSpec):
        name = getattr(spec.kind, "__name__", None) or str(spec.kind)
        return f"a {name} of {len(spec.children)} items"
    if isinstance(spec, MaybeUnboundSpec):
        return f"perhaps unbound, else {describe(spec.inner)}"
    if isinstance(spec, UnboundSpec):
        return "unbound"
    both: Any = spec
    if hasattr(spec, "first") and hasattr(spec, "second"):
        return f"{describe(both.first)} or {describe(both.second)}"
    cls = getattr(spec, "kind", None)
    return f"a {cls.__name__}" if isinstance(cls, type) else "a value of another kind"


def _same(a: Any, b: Any) -> bool:
    if a is b:
        return True
    try:
        return type(a) is type(b) and bool(a == b)
    except Exception:  # a user's __eq__ may do anything; then only identity counts
        return False
