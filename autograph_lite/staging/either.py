"""Values that are one thing on one path and another on the other: a tensor or None, two dtypes.

Where branches leave values in a variable that no single spec describes, it holds an `EitherValue`:
both alternatives, and a bool tensor that tells which it is. What is done to it is done to each
alternative in a branch of its own, so that a read behaves as Python's would: of `None + 1`, the
error is raised if and when the graph gets there.
"""

from __future__ import annotations

import enum
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from autograph_lite.errors import StagingError
from autograph_lite.operators.undefined import Undefined
from autograph_lite.staging import objects, specs
from autograph_lite.staging.bindings import bindings, variables_of
from autograph_lite.staging.scopes import is_ours, is_outside
from autograph_lite.staging.specs import Leaves, MaybeUnboundSpec, NextLeaf, Spec, UnboundSpec
from runtime import dtypes, nest
from runtime.control_flow import unbound
from runtime.convert import convert_to_tensor, register_tensor_conversion_function
from runtime.errors import SymbolicTensorError
from runtime.locations import user_location
from runtime.ops.comparison import logical_not
from runtime.ops.unpacking import wanted_items
from runtime.shapes import TensorShape
from runtime.tensor import SymbolicTensor, Tensor

FLAG = specs.TensorSpec(dtypes.bool_, TensorShape(()))


@dataclass(frozen=True, slots=True)
class EitherSpec(Spec):
    """A value of one of two specs."""

    first: Spec
    second: Spec

    def _leaves(self, value: Any, path: str) -> Leaves:
        if isinstance(value, EitherValue) and not self._is_one(value, path):
            flag: Any = value.is_first
            a, b = value.first, value.second
            if not self._fit(a, b, path) and self._fit(b, a, path):
                flag, a, b = logical_not(flag), b, a
            if not self._fit(a, b, path):
                return chosen_leaves(self, value, path)
            return [flag, *self.first.leaves(a, path), *self.second.leaves(b, path)]
        if not _is_itself(self.second, value) and self._takes_first(value, path):
            return [convert_to_tensor(True), *self.first.leaves(value, path), *_none(self.second)]
        return [convert_to_tensor(False), *_none(self.first), *self.second.leaves(value, path)]

    def _takes_first(self, value: Any, path: str) -> bool:
        if isinstance(self.first, ObjectSpec):
            return _is_itself(self.first, value)
        return _fits(self.first, value, path)

    def _is_one(self, value: Any, path: str) -> bool:
        """Whether one of the specs holds for a value, though it is an `EitherValue` itself."""
        if self._fit(value.first, value.second, path):
            return False
        return _fits(self.first, value, path) or _fits(self.second, value, path)

    def _fit(self, first: Any, second: Any, path: str) -> bool:
        return _fits(self.first, first, path) and _fits(self.second, second, path)

    def build(self, leaves: NextLeaf) -> Any:
        flag = next(leaves)
        first, second = self.first.build(leaves), self.second.build(leaves)
        known = specs.known_flag(flag)
        if known is not None:
            return first if known else second
        kinds = (ObjectSpec, objects.ObjectSpec)
        fixed = isinstance(self.first, kinds) or isinstance(self.second, kinds)
        fixed = fixed or any(
            getattr(value, "fixed", False) or can_change(value) for value in (first, second)
        )
        return EitherValue(flag, first, second, fixed)

    def tensors(self) -> Iterator[specs.TensorSpec]:
        yield FLAG
        yield from self.first.tensors()
        yield from self.second.tensors()


@dataclass(frozen=True, slots=True)
class Beside(EitherSpec):
    """What two branches leave, of which others hold something: which it is, their condition says.

    Each branch hands on the leaves of its own, without a flag.
    """

    def choose(self, is_first: Any, leaves: NextLeaf) -> Any:
        """The value after the branches."""
        first, second = self.first.build(leaves), self.second.build(leaves)
        if isinstance(first, Undefined):
            return specs.MaybeUnbound(logical_not(is_first), second, first)
        if isinstance(second, Undefined):
            return specs.MaybeUnbound(is_first, first, second)
        # Else what both branches may leave would be there twice after each pass of a loop.
        from autograph_lite.staging.choices import each_once

        return each_once(EitherValue(is_first, first, second, fixed=True))


def by_value(value: Any) -> Any:
    """A container like the one that a value is, where it is one of several; else the value."""
    if not isinstance(value, EitherValue) or not value.fixed:
        return value
    found: Spec | None = None
    for alternative in alternatives(value):
        spec = _value_spec(alternative, "")
        found = spec if found is None else _joined(found, spec, "")
        if found is None:
            return value
    if found is None or not found.is_by_value:
        return value
    return found.build(iter(found.leaves(value, "")))


def chosen_leaves(spec: Spec, value: EitherValue, path: str) -> Leaves:
    """The leaves of the alternative that a value is, where they are not kept side by side."""
    from autograph_lite.staging.conditionals import leaves_of_either

    def of(alternative: Any) -> Callable[[], tuple[Any, ...]]:
        return lambda: tuple(spec.leaves(alternative, path))

    count = sum(1 for _ in spec.tensors())
    return leaves_of_either(value.is_first, of(value.first), of(value.second), count)


def _is_itself(spec: Spec, value: Any) -> bool:
    """Whether a spec is that of this object, and no other."""
    if isinstance(spec, EitherSpec):
        return _is_itself(spec.first, value) or _is_itself(spec.second, value)
    return isinstance(spec, ObjectSpec) and spec.value is value


def _value_spec(value: Any, path: str) -> Spec:
    """The spec of what is like a value; of objects, attribute by attribute."""
    from autograph_lite.staging.objects import is_object, spec_of_object

    return spec_of_object(value, path) if is_object(value) else specs.spec_of(value, path)


def _fits(spec: Spec, value: Any, path: str) -> bool:
    if isinstance(spec, ObjectSpec):
        return spec.value is value
    if isinstance(spec, EitherSpec) and not isinstance(value, EitherValue):
        return _fits(spec.first, value, path) or _fits(spec.second, value, path)
    found = specs.spec_of(value, path), _value_spec(value, path)
    return any(_joined(spec, own, path) == spec for own in found)


def _none(spec: Spec) -> Leaves:
    return [unbound(t.dtype, t.shape) for t in spec.tensors()]


def _joined(a: Spec, b: Spec, path: str) -> Spec | None:
    """The join of two specs if it is neither an error nor an alternative."""
    try:
        joined = specs.join(a, b, path, "", alternatives=False)
    except objects.LeadToOneAnother:
        raise
    except StagingError:
        return None
    return joined


def join_alternatives(a: Spec, b: Spec, path: str, where: str) -> Spec | None:
    """Two specs that nothing holds for both of, as alternatives; None if there would be more."""
    if isinstance(a, UnboundSpec | MaybeUnboundSpec) or isinstance(b, UnboundSpec):
        return None
    a, b = made_anew(a, path), made_anew(b, path)
    if isinstance(a, EitherSpec) and isinstance(b, EitherSpec):
        first, second = _joined(a.first, b.first, path), _joined(a.second, b.second, path)
        if first is not None and second is not None:
            return EitherSpec(first, second)
        found: EitherSpec | None = a
        for alternative in alternative_specs(b):
            found = found and _with(found, alternative, path, where)
        return found
    if isinstance(a, EitherSpec):
        return _with(a, b, path, where)
    if isinstance(b, EitherSpec):
        return _with(b, a, path, where)
    return EitherSpec(a, b)


def _with(either: EitherSpec, spec: Spec, path: str, where: str) -> EitherSpec | None:
    """Alternatives for which a spec holds too, or which it is one more of, if that is not None."""
    found = _add(either, spec, path)
    if found is not None:
        return found
    if _MOST <= sum(1 for _ in alternative_specs(either)):
        raise StagingError(
            f"{path!r} may be one of more than {_MOST} objects or kinds of values after the paths "
            f"{where}. Keep them in a list, and which one it is in a number; or make a new one of "
            "the values that count"
        )
    if _is_tuple(spec) and any(map(_is_tuple, alternative_specs(either))):
        return None  # one that grows would be another with each pass
    return EitherSpec(either, spec)


def joined_beside(a: Spec, b: Spec, join: Callable[[Spec, Spec], Spec]) -> Spec:
    """Two specs, in which objects that stay the same are themselves beside all else.

    Args:
      a: a spec.
      b: another one.
      join: gives what holds for both, where they are of no such objects.
    """
    if isinstance(a, MaybeUnboundSpec) or isinstance(b, MaybeUnboundSpec):
        inner_a, inner_b = (s.inner if isinstance(s, MaybeUnboundSpec) else s for s in (a, b))
        undefined = a.undefined if isinstance(a, MaybeUnboundSpec) else b.undefined  # type: ignore
        return MaybeUnboundSpec(joined_beside(inner_a, inner_b, join), undefined)
    fixed: dict[int, Spec] = {}
    rest: Spec | None = None
    for spec in (*alternative_specs(a), *alternative_specs(b)):
        if isinstance(spec, specs.SameSpec) and can_change(spec.value):
            spec = ObjectSpec(spec.value)
        if isinstance(spec, ObjectSpec):
            fixed[id(spec.value)] = spec
        else:
            rest = spec if rest is None else join(rest, spec)
    # In this order, so that joining once more changes nothing.
    for spec in reversed(fixed.values()):
        rest = spec if rest is None else EitherSpec(spec, rest)
    assert rest is not None
    return rest


def _is_tuple(spec: Spec) -> bool:
    value = (
        spec.kind if isinstance(spec, specs.StructureSpec) else type(getattr(spec, "value", None))
    )
    return value is tuple


_MOST = 12
"""So many kinds of values may be in one variable."""


def alternative_specs(spec: Spec) -> Iterator[Spec]:
    """The specs of all that a value may be."""
    if isinstance(spec, EitherSpec):
        yield from alternative_specs(spec.first)
        yield from alternative_specs(spec.second)
    else:
        yield spec


def made_anew(spec: Spec, path: str) -> Spec:
    """A spec in which objects that only a branch knows are made of their attributes."""
    if not isinstance(spec, EitherSpec):
        return objects.made_anew(spec, path)
    return EitherSpec(made_anew(spec.first, path), made_anew(spec.second, path))


def _add(either: EitherSpec, spec: Spec, path: str) -> EitherSpec | None:
    first = _absorbed(either.first, spec, path)
    if first is not None:
        return EitherSpec(first, either.second)
    second = _absorbed(either.second, spec, path)
    return None if second is None else EitherSpec(either.first, second)


def _absorbed(known: Spec, spec: Spec, path: str) -> Spec | None:
    return _add(known, spec, path) if isinstance(known, EitherSpec) else _joined(known, spec, path)


_NAMES = ("__name__", "__qualname__")
"""What Python gives classes and functions, and users ask for."""


class EitherValue:
    """One of two values; see the module.

    Attributes:
      is_first: a scalar bool tensor: whether it is the first.
      first: one value.
      second: the other.
      fixed: whether they are objects that can change: then it is one of the two itself, not a value
        that is like it.
    """

    __slots__ = ("first", "fixed", "is_first", "second")
    __ag_staged__ = True
    __ag_either__ = True
    __array_priority__ = 200.0

    def __init__(self, is_first: Any, first: Any, second: Any, fixed: bool = False) -> None:
        self.fixed = fixed
        self.is_first = is_first
        self.first = first
        self.second = second

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and not self._has_name(name):
            raise AttributeError(name)
        if self.fixed and _is_method(self, name):
            return _methods(self, name)
        return _alike(fork(lambda value: getattr(value, name), (self,), {}))

    def _has_name(self, name: str) -> bool:
        """Whether it is one of several classes or functions, and the name that they go by."""
        return name in _NAMES and all(hasattr(value, name) for value in alternatives(self))

    def __iter__(self) -> Iterator[Any]:
        count = wanted_items()
        if count is None:
            sizes = {len(value) for value in alternatives(self)}
            if len(sizes) != 1:
                raise StagingError(
                    f"{user_location()}: {self!r} has several lengths; go over it with `for`"
                )
            (count,) = sizes
        return iter(fork(lambda value: _exactly(value, count), (self,), {}))

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        from autograph_lite.operators.calls import converted

        return fork(lambda f, *rest, **named: converted(f)(*rest, **named), (self, *args), keywords)

    def __ag_truth__(self) -> Any:
        from autograph_lite.staging.logic import truth

        return fork(truth, (self,), {})

    def __bool__(self) -> NoReturn:
        raise SymbolicTensorError(
            f"{user_location()}: the bool of {self!r} is not known while tracing; use it as a "
            "condition in converted code"
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<either {self.first!r} or {self.second!r}>"


def alternatives(value: Any) -> Iterator[Any]:
    """All that a value may be."""
    if isinstance(value, EitherValue):
        yield from alternatives(value.first)
        yield from alternatives(value.second)
    else:
        yield value


def _exactly(values: Any, count: int) -> tuple[Any, ...]:
    """The items, of which there must be `count`, as where Python unpacks them."""
    if getattr(values, "items", None) is not None and hasattr(values, "unpacked"):
        return tuple(values.unpacked(count))
    found = tuple(values)
    if len(found) < count:
        raise ValueError(f"not enough values to unpack (expected {count}, got {len(found)})")
    if len(found) > count:
        raise ValueError(f"too many values to unpack (expected {count})")
    return found


def _is_method(value: Any, name: str) -> bool:
    if isinstance(value, EitherValue):
        return _is_method(value.first, name) and _is_method(value.second, name)
    return callable(getattr(type(value), name, None))


def _methods(value: Any, name: str) -> Any:
    """The method of each alternative, side by side."""
    if not isinstance(value, EitherValue):
        return getattr(value, name)
    first, second = _methods(value.first, name), _methods(value.second, name)
    return EitherValue(value.is_first, first, second, fixed=True)


def _alike(value: Any) -> Any:
    """A value both of whose alternatives are the same thing, as that thing."""
    if isinstance(value, EitherValue) and not isinstance(value.first, Tensor):
        try:
            if type(value.first) is type(value.second) and bool(value.first == value.second):
                return value.first
        except Exception:  # a user's __eq__ may do anything
            return value
    return value


def holds_either(values: Any) -> bool:
    """Whether there is an EitherValue among `values`, or in a list, tuple or dict among them."""
    return _find(list(values)) is not None


def _find(value: Any) -> EitherValue | None:
    if isinstance(value, EitherValue):
        return value
    items: Any = ()
    if type(value) in (list, tuple):
        items = value
    elif type(value) is dict:
        from autograph_lite.staging import presence

        items = map(_if_there, presence.items_of(value, value))
    for item in items:
        found = _find(item)
        if found is not None:
            return found
    return None


def _if_there(item: Any) -> Any:
    return item.value if isinstance(item, specs.MaybeUnbound) else item


def _replaced(value: Any, either: EitherValue, chosen: Any) -> Any:
    """A value with `chosen` in the place of `either`; itself if that is not in it."""
    if value is either:
        return chosen
    if type(value) in (list, tuple):
        items = [_replaced(item, either, chosen) for item in value]
        same = all(new is old for new, old in zip(items, value, strict=True))
        return value if same else type(value)(items)
    if type(value) is dict:
        return _replaced_in_dict(value, either, chosen)
    return value


def _replaced_in_dict(table: dict[Any, Any], either: EitherValue, chosen: Any) -> Any:
    from autograph_lite.staging import presence
    from autograph_lite.staging.scopes import Place

    known = presence.items_of(table, table)
    found = [_replaced(_if_there(item), either, chosen) for item in known]
    if all(new is _if_there(old) for new, old in zip(found, known, strict=True)):
        return table
    made: dict[Any, Any] = dict(zip(table, found, strict=True))
    for key, old, new in zip(table, known, found, strict=True):
        if isinstance(old, specs.MaybeUnbound):
            perhaps = specs.MaybeUnbound(old.bound, new, old.undefined)
            made[key] = presence.hold(Place(made, "item", key), perhaps)
    return made


def fork(function: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """Calls a function with each alternative of its arguments, in a branch of its own."""
    from autograph_lite.staging.conditionals import if_exp

    either = _find([args, keywords])
    if either is None:
        return function(*args, **keywords)

    def call(chosen: Any) -> Callable[[], Any]:
        return lambda: fork(
            function, _replaced(args, either, chosen), _replaced(keywords, either, chosen)
        )

    given = (*args, *keywords.values())
    called = [function, *(one for value in given for one in alternatives(value))]
    known = bindings(called)
    if not known:
        return if_exp(either.is_first, call(either.first), call(either.second))
    return _fork_binding(either, call, variables_of(known))


def _fork_binding(
    either: EitherValue, call: Callable[[Any], Callable[[], Any]], variables: tuple[Any, ...]
) -> Any:
    """`fork` of what binds variables from around it: these are what its branches leave, too."""
    get_bound, set_bound, names = variables
    result: Any = Undefined("the result")

    def get_state() -> tuple[Any, ...]:
        return (result, *get_bound())

    def set_state(values: Sequence[Any]) -> None:
        nonlocal result
        result, *bound = values
        set_bound(bound)

    def run(chosen: Any) -> None:
        nonlocal result
        result = call(chosen)()

    fork_effect(either, run, (get_state, set_state, ("the result", *names)))
    return result


def beside(function: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """`fork` of a function that does nothing yet, so that no branch is needed."""
    either = _find([args, keywords])
    if either is None:
        return function(*args, **keywords)
    first, second = (
        beside(function, _replaced(args, either, chosen), _replaced(keywords, either, chosen))
        for chosen in (either.first, either.second)
    )
    return EitherValue(either.is_first, first, second)


def _comparing(symbol: str) -> Callable[[Any, Any], Any]:
    def function(left: Any, right: Any) -> Any:
        from autograph_lite.operators.logic import compare

        return compare(left, symbol, right)

    return function


def _operator(function: Callable[..., Any], reflected: bool = False) -> Callable[..., Any]:
    def method(self: Any, *others: Any) -> Any:
        args = (*others, self) if reflected else (self, *others)
        return fork(function, args, {})

    return method


for _name in "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift".split():
    _function = getattr(operator, _name)
    _plain = _name.rstrip("_")
    setattr(EitherValue, f"__{_plain}__", _operator(_function))
    setattr(EitherValue, f"__r{_plain}__", _operator(_function, reflected=True))
    # A list is changed itself, and so is an object whose class says so.
    setattr(EitherValue, f"__i{_plain}__", _operator(getattr(operator, f"i{_plain}")))
for _name in "neg pos invert abs getitem".split():
    setattr(EitherValue, f"__{_name}__", _operator(getattr(operator, _name)))
for _name, _symbol in zip("lt le gt ge eq ne".split(), "< <= > >= == !=".split(), strict=True):
    setattr(EitherValue, f"__{_name}__", _operator(_comparing(_symbol)))


def _take_apart(value: EitherValue) -> nest.Parts:
    def rebuild(items: list[Any]) -> Any:
        flag, first, second = items
        if isinstance(flag, SymbolicTensor):
            return EitherValue(flag, first, second, value.fixed)
        if hasattr(flag, "_value") or not isinstance(flag, Tensor):
            try:
                return first if bool(flag) else second
            except TypeError:
                return EitherValue(flag, first, second)
        return EitherValue(flag, first, second)

    return EitherValue, [value.is_first, value.first, value.second], rebuild


@dataclass(frozen=True, slots=True, eq=False)
class ObjectSpec(specs.StaticSpec):
    """One object that can change: it and no other."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ObjectSpec) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


def can_change(value: Any) -> bool:
    """Whether a value is an object whose contents or attributes can be changed.

    >>> can_change([]), can_change((1, 2)), can_change("text")
    (True, False, False)
    """
    if isinstance(value, list | dict | set):
        return True
    kind = type(value)
    if kind.__module__.partition(".")[0] in ("builtins", "autograph_lite", "runtime", "numpy"):
        return False
    frozen = getattr(getattr(kind, "__dataclass_params__", None), "frozen", False)
    plain = not isinstance(value, tuple | type | enum.Enum) and not callable(value)
    return plain and not frozen and (hasattr(value, "__dict__") or _has_slots(kind))


def _has_slots(kind: type) -> bool:
    """Whether instances of a class have attributes in slots."""
    return any(vars(base).get("__slots__") for base in kind.__mro__)


_NO_VARIABLES: tuple[Any, ...] = (tuple, lambda state: None, ())


def fork_effect(
    either: EitherValue,
    change: Callable[[Any], Any],
    variables: tuple[Any, ...] = _NO_VARIABLES,
) -> None:
    """Does something to, or with, the alternative that it is, in a branch.

    Args:
      either: one of several values.
      change: what is done.
      variables: what gives the variables that this changes, what sets them, and their names.
    """
    from autograph_lite.staging.conditionals import cond

    def on(value: Any) -> Callable[[], None]:
        def run() -> None:
            if isinstance(value, EitherValue):
                fork_effect(value, change, variables)
            else:
                change(value)

        return run

    cond(either.is_first, on(either.first), on(either.second), *variables)


def _part_spec(value: Any, path: str, fixed: bool) -> Spec:
    if fixed and can_change(value):
        return ObjectSpec(value) if lasts(value) else _value_spec(value, path)
    return specs.spec_of(value, path)


def lasts(value: Any) -> bool:
    """Whether an object is one of the trace's own that go on, or was there before it."""
    return is_ours(value) or is_outside(value)


def _spec(value: Any, path: str) -> Spec:
    from autograph_lite.staging.choices import choice_of

    choice = choice_of(value)
    if choice is not None:
        return choice
    if value.fixed:
        first = _part_spec(value.first, path, True)
        return EitherSpec(first, _part_spec(value.second, path, True))
    return EitherSpec(specs.spec_of(value.first, path), specs.spec_of(value.second, path))


def _as_tensor(value: Any, dtype: Any, name: Any) -> NoReturn:
    raise StagingError(
        f"{user_location()}: {value!r} cannot become one tensor; give the variable the same dtype "
        "on both paths, with ag.cast"
    )


nest.register(EitherValue, _take_apart)
register_tensor_conversion_function(EitherValue, _as_tensor)
specs.register_kind((EitherValue,), _spec, join_alternatives, is_alternative=True)
