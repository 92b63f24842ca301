"""What an `except` clause gets of an exception that the graph raises.

It is an exception of the class that the clause is for, or of the one class that the body may raise.
Its text, its `args` and its attributes are tensors, taken from the exception that is really raised.

Where several classes may arrive, and the clause asks which it is, the clause is traced once for
each class. Elsewhere `isinstance` is a question that the running graph answers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NoReturn

import numpy as np

from autograph_lite.errors import AutographError, StagingError
from autograph_lite.operators.calls import is_library_module
from autograph_lite.operators.undefined import Undefined
from autograph_lite.staging import specs
from autograph_lite.staging.raising import attributes_of, builtin_attributes
from autograph_lite.staging.specs import Leaves, NextLeaf, Spec, StaticSpec, StructureSpec
from autograph_lite.staging.specs import TensorSpec as _Tensor
from runtime import dtypes, nest
from runtime.context import executing_eagerly
from runtime.control_flow import unbound
from runtime.errors import AssertionFailedError
from runtime.locations import user_location
from runtime.ops.apply import apply
from runtime.ops.lists import ListValue
from runtime.ops.python_text import encoded
from runtime.ops.registry import NO_GRADIENT, define
from runtime.ops.registry import Spec as OutputSpec
from runtime.shapes import SCALAR, TensorShape
from runtime.tensor import EagerTensor, Tensor
from runtime.try_flow import reraise

Kinds = tuple[type[BaseException], ...]


class Asking:
    """Whether a clause that asks for the class of what it gets can be traced for each class."""

    def __init__(self) -> None:
        self.active = False


class ClassIsAsked(AutographError):
    """A clause has asked for the class of what it has caught."""

    def __init__(self, asking: Asking) -> None:
        super().__init__("the class of a caught exception is asked for")
        self.asking = asking


def _ask_for_class(spec: CaughtSpec) -> NoReturn:
    if spec.asking.active:
        raise ClassIsAsked(spec.asking)
    raise StagingError(
        f"{user_location()}: the class of the exception is known only when the graph runs; "
        "write an `except` clause for each class whose name is needed, or ask isinstance()"
    )


class _OfUnknownClass(type):
    """The class of a caught exception, of which the graph alone knows the class."""

    ag_spec: CaughtSpec

    @property
    def __name__(cls) -> str:  # type: ignore[override]
        _ask_for_class(cls.ag_spec)


def _class_as_users_see_it(self: Any) -> type:
    """The `__class__` of an exception of unknown class: the library may look, the user asks."""
    frame = sys._getframe(1)
    if not is_library_module(frame.f_globals.get("__name__"), frame.f_code.co_filename):
        _ask_for_class(self.ag_spec)
    return type(self)


def type_(error: Any) -> type:
    """`type(error)` of a caught exception."""
    if not error.ag_spec.is_exact:
        _ask_for_class(error.ag_spec)
    kind: type = error.ag_spec.kind
    # Python's own `assert` raises the one, a staged one the other.
    return AssertionError if kind is AssertionFailedError else kind


def is_instance(error: Any, kinds: Any) -> Any:
    """`isinstance(error, kinds)` of a caught exception: known, or a tensor."""
    spec: CaughtSpec = error.ag_spec
    if issubclass(spec.kind, kinds):
        return True
    if spec.is_exact:
        return False
    if spec.asking.active:
        raise ClassIsAsked(spec.asking)
    outputs = {"outputs": [OutputSpec(dtypes.bool_, SCALAR)]}
    return apply(IS_INSTANCE, [error.ag_error], {"kinds": kinds, **outputs})


def _is_instance(error: Any, kinds: Any, outputs: Any) -> Any:
    return np.bool_(isinstance(error[0], kinds))


IS_INSTANCE = define(
    "IsInstance",
    kernel=_is_instance,
    infer=lambda inputs, attrs: attrs["outputs"][0],
    gradient=NO_GRADIENT,
)


@dataclass(frozen=True, slots=True)
class CaughtSpec(Spec):
    """What is known of an exception that is caught.

    Attributes:
      kind: its class, or one that it is derived from.
      is_exact: whether it is known to be of that class itself.
      args: the spec of its arguments; None if nothing is known of them.
      attributes: pairs of the name and the spec of what the user's code has set.
      asking: whether the clause can be traced for each class.
      cause: the spec of what it was raised from; None if of nothing.
    """

    kind: type[BaseException]
    is_exact: bool
    args: Spec | None
    attributes: tuple[tuple[str, Spec], ...]
    asking: Asking = field(default_factory=Asking, compare=False)
    cause: Spec | None = field(default=None, compare=False)

    def _leaves(self, value: Any, path: str) -> Leaves:
        if isinstance(value, Undefined):
            return [unbound(t.dtype, t.shape) for t in self.tensors()]
        found = [value.message, value.ag_error]
        for name, spec in self._parts():
            kept = value.ag_kept.get(name)
            if kept is None:
                kept = _fetched(value.ag_error, name, spec, strict=False)
                kept = [tensor for tensor, t in zip(kept, spec.tensors(), strict=True) if _real(t)]
            found += kept
        return found

    def tensors(self) -> Iterator[_Tensor]:
        yield _Tensor(dtypes.string, SCALAR)
        yield _Tensor(dtypes.variant, SCALAR)
        for _, spec in self._parts():
            yield from filter(_real, spec.tensors())

    def build(self, leaves: NextLeaf) -> Any:
        message, error = next(leaves), next(leaves)
        kept = {
            name: [next(leaves) for _ in filter(_real, spec.tensors())]
            for name, spec in self._parts()
        }
        return self.fresh(message, error, kept)

    def _parts(self) -> Iterator[tuple[str, Spec]]:
        """What has tensors that gradients go through, which are handed on with the exception."""
        for name, spec in (("args", self.args), *self.attributes):
            if spec is not None and _is_plain(spec) and any(map(_real, spec.tensors())):
                yield name, spec

    def fresh(self, message: Tensor, error: Tensor, kept: Any = None) -> BaseException:
        """The exception.

        Args:
          message: its text.
          error: what the graph has caught.
          kept: by name the real tensors of its parts; those that are not there are taken from it.
        """
        members: dict[str, Any] = {
            "__ag_staged__": True,
            "__module__": self.kind.__module__,
            "message": message,
            "ag_error": error,
            "ag_kept": kept or {},
            "ag_spec": self,
            "ag_raise": staticmethod(lambda: reraise(error)),
            "__setattr__": _setting,
            "__cause__": property(_cause, _kept("__cause__").__set__),
        }
        for name in ("__context__", "__suppress_context__"):
            members[name] = property(partial(_context, name), _kept(name).__set__)
        for name in builtin_attributes(self.kind):
            members[name] = property(_refusing(name))
        if self.args is not None:
            members["args"] = property(_getter("args", self.args))
        for name, spec in self.attributes:
            members[name] = property(_getter(name, spec))
        if issubclass(self.kind, StopIteration):
            members["value"] = property(lambda self: self.args[0] if self.args else None)
        if not self.is_exact:
            members["__class__"] = property(_class_as_users_see_it)
        kind = self.kind
        metaclass = type if self.is_exact else _OfUnknownClass
        staged: Any = metaclass(self.kind.__name__, (kind,), members)
        made: BaseException = staged.__new__(staged, message)
        BaseException.args.__set__(made, (message,))  # type: ignore[attr-defined]
        return made


def _real(spec: _Tensor) -> bool:
    return spec.dtype.is_differentiable


def _getter(name: str, spec: Spec) -> Callable[[Any], Any]:
    def get(self: Any) -> Any:
        if not _is_plain(spec):
            _refuse(name)
        leaves = _fetched(self.ag_error, name, spec)
        kept = iter(self.ag_kept.get(name, ()))
        pairs = zip(leaves, spec.tensors(), strict=True)
        return spec.build(iter([next(kept, leaf) if _real(t) else leaf for leaf, t in pairs]))

    return get


def _refusing(name: str) -> Callable[[Any], Any]:
    def get(self: Any) -> Any:
        _refuse(name)

    return get


def _setting(self: Any, name: str, value: Any) -> None:
    if name in ("__cause__", "__context__", "__suppress_context__"):
        asked_by = sys._getframe(1)
        # The library sets what the traced code does.
        is_own = asked_by.f_globals.get("__name__", "").startswith("autograph_lite")
        if not (is_own or _is_users(asked_by)):
            BaseException.__setattr__(self, name, value)
            return
    elif name.startswith("__"):
        BaseException.__setattr__(self, name, value)
        return
    raise StagingError(
        f"{user_location()}: `{name}` of an exception that staged code has raised cannot be set; "
        "raise a new one that has it, `raise ... from` the one that was caught"
    )


def _is_users(frame: Any) -> bool:
    """Whether it is traced code that asks, not Python's own, such as what prints tracebacks."""
    name, filename = frame.f_globals.get("__name__"), frame.f_code.co_filename
    return not executing_eagerly() and not is_library_module(name, filename)


def _kept(name: str) -> Any:
    """What Python itself keeps of an exception, as a descriptor."""
    return vars(BaseException)[name]


def _cause(self: Any) -> Any:
    """`error.__cause__` of a caught exception."""
    if not _is_users(sys._getframe(1)):
        return _kept("__cause__").__get__(self)
    spec: CaughtSpec = self.ag_spec
    if spec.cause is None:
        apply(CHECK_NO_CAUSE, [self.ag_error])
        return None
    if not isinstance(spec.cause, CaughtSpec):
        if spec.asking.active:
            raise ClassIsAsked(spec.asking)
        _refuse("__cause__")
    outputs = [OutputSpec(dtypes.string, SCALAR), OutputSpec(dtypes.variant, SCALAR)]
    attrs = {"kind": spec.cause.kind, "is_exact": spec.cause.is_exact, "outputs": outputs}
    message, error = apply(CAUSE_OF_ERROR, [self.ag_error], attrs)
    return spec.cause.fresh(message, error)


def _context(name: str, self: Any) -> Any:
    """`error.__context__` of a caught exception, and whether that is shown."""
    if not _is_users(sys._getframe(1)):
        return _kept(name).__get__(self)
    raise StagingError(
        f"{user_location()}: `{name}` of an exception that staged code has raised is known only "
        "when the graph runs; `raise ... from` what was caught, and ask for `__cause__`"
    )


def _fetched(error: Tensor, name: str, spec: Spec, strict: bool = True) -> list[Any]:
    outputs = [OutputSpec(t.dtype, t.shape) for t in spec.tensors()]
    if not outputs:
        return []
    attrs: dict[str, Any] = {"name": name, "take": partial(_taken, spec), "strict": strict}
    attrs.update(outputs=outputs, outputs_list=True)
    return list(apply(PART_OF_ERROR, [error], attrs))


def _refuse(name: str) -> NoReturn:
    raise StagingError(
        f"{user_location()}: `{name}` of an exception that staged code raises in several ways is "
        "not of one kind, or holds a list of any length or an object; str() of it can be had. Keep "
        "what is needed of it in a variable before the `raise`, or write an `except` clause for "
        "each class"
    )


def _is_plain(spec: Spec) -> bool:
    """Whether values of a spec are made of tensors and Python's containers."""
    if isinstance(spec, StructureSpec):
        return all(map(_is_plain, spec.children))
    return isinstance(spec, _Tensor | StaticSpec)


class _Several(Spec):
    """Stands for what has no one spec."""


_SEVERAL = _Several()


def _kernel(
    error: Any,
    name: str,
    take: Callable[[Any], list[Any]],
    strict: bool,
    outputs: Sequence[OutputSpec],
    outputs_list: bool,
) -> list[Any]:
    try:
        return take(getattr(error[0], name))
    except (TypeError, ValueError, AttributeError):
        if not strict:
            # It is handed on only; who asks for it is told.
            return [np.zeros(_smallest(o.shape), o.dtype.np_dtype) for o in outputs]
        raise TypeError(
            f"`{name}` of the exception that was caught, {error[0]!r}, is not what those raised by "
            "the statements of this `try` have"
        ) from None


def _smallest(shape: TensorShape) -> list[int]:
    return [] if shape.rank is None else [shape[axis] or 0 for axis in range(shape.rank)]


def _taken(spec: Spec, value: Any) -> list[Any]:
    found: list[Any] = []
    _take(spec, value, found)
    return found


def _take(spec: Spec, value: Any, found: list[Any]) -> None:
    """Takes a value to pieces as a spec says."""
    if isinstance(spec, StructureSpec):
        parts = nest.parts(value)
        if parts is None:
            raise TypeError
        for child, item in zip(spec.children, parts[1], strict=True):
            _take(child, item, found)
    elif isinstance(spec, _Tensor):
        found.append(_array(spec, value))


def _array(spec: _Tensor, value: Any) -> Any:
    if isinstance(value, EagerTensor):
        # The gradients' way: it is cast by an operation that tapes see.
        return value._value if spec.dtype is dtypes.string else value
    if spec.dtype is dtypes.string:
        if not isinstance(value, str):
            raise TypeError
        return encoded(value)
    array = np.asarray(value)
    if array.dtype.kind not in "biufc" or not spec.shape.is_compatible_with(array.shape):
        raise TypeError
    return array.astype(spec.dtype.np_dtype)[()]


def _cause_kernel(error: Any, kind: type, is_exact: bool, outputs: Any) -> list[Any]:
    cause = error[0].__cause__
    if not isinstance(cause, kind) or (is_exact and type(cause) is not kind):
        raise _another_cause(error[0])
    return [np.array(str(cause).encode(), dtype=object), ListValue([cause])]


def _check_no_cause(error: Any) -> Any:
    if error[0].__cause__ is not None:
        raise _another_cause(error[0])
    return ()


def _another_cause(error: BaseException) -> TypeError:
    return TypeError(
        f"`__cause__` of the exception that was caught, {error!r}, is not what those raised by the "
        "statements of this `try` have"
    )


CAUSE_OF_ERROR = define(
    "CauseOfError",
    kernel=_cause_kernel,
    infer=lambda inputs, attrs: attrs["outputs"],
    gradient=NO_GRADIENT,
)
CHECK_NO_CAUSE = define(
    "CheckNoCause",
    kernel=_check_no_cause,
    infer=lambda inputs, attrs: [],
    gradient=NO_GRADIENT,
    stateful=True,
    checks=True,
)
PART_OF_ERROR = define(
    "PartOfError",
    kernel=_kernel,
    infer=lambda inputs, attrs: attrs["outputs"],
    gradient=NO_GRADIENT,
)


def caught_spec(
    kinds: Kinds,
    known: Sequence[BaseException],
    is_all: bool,
    asking: Asking | None = None,
) -> CaughtSpec:
    """The spec of what a clause gets.

    Args:
      kinds: the classes that the clause is for.
      known: the exceptions of the user's that may get there.
      is_all: whether nothing else may.
      asking: whether the clause can be traced for each class.
    """
    classes = {type(e) for e in known}
    kind, is_exact = _common(kinds), True
    if len(classes) == 1 and (is_all or kind in classes):
        kind = classes.pop()
    elif len(kinds) > 1 or kind in (Exception, BaseException) or classes - {kind}:
        is_exact = False
        if known and is_all:
            kind = _common(tuple(type(e) for e in known))
    args = _joined([e.args for e in known]) if known else None
    members = [attributes_of(e) for e in known]
    names = [n for n in (members[0] if known else ()) if all(n in m for m in members)]
    values = {name: [m[name] for m in members] for name in names if not name.startswith("_")}
    attributes = tuple((name, _joined(found)) for name, found in values.items())
    causes = [_cause_spec(e.__cause__) for e in known]
    cause = causes[0] if causes else None
    if any(other != cause for other in causes):
        cause = _SEVERAL
    return CaughtSpec(kind, is_exact, args, attributes, asking or Asking(), cause)


def _cause_spec(cause: BaseException | None) -> Spec | None:
    """The spec of what an exception of the user's was raised from."""
    found: CaughtSpec | None = getattr(type(cause), "ag_spec", None)
    if cause is None or found is not None:
        return found
    made = caught_spec((type(cause),), [cause], True)
    # No gradient would go through what it holds.
    args = _SEVERAL if made.args and any(map(_real, made.args.tensors())) else made.args
    reals = [name for name, spec in made.attributes if any(map(_real, spec.tensors()))]
    attributes = tuple((n, _SEVERAL if n in reals else s) for n, s in made.attributes)
    return replace(made, args=args, attributes=attributes)


def _common(kinds: Kinds) -> type[BaseException]:
    """The nearest class that all are derived from."""
    first, *others = kinds
    return next(k for k in first.__mro__ if all(issubclass(o, k) for o in others))


def _joined(values: list[Any]) -> Spec:
    found = _textual(specs.spec_of(values[0]))
    for value in values[1:]:
        try:
            found = specs.join(found, _textual(specs.spec_of(value)), "", "", alternatives=False)
        except (StagingError, TypeError):
            return _SEVERAL  # they differ in kind, or in dtype
    return found


def _textual(spec: Spec) -> Spec:
    """A spec with tensors in the place of text: what is raised elsewhere may say otherwise."""
    if isinstance(spec, StaticSpec) and isinstance(spec.value, str):
        return _Tensor(dtypes.string, SCALAR)
    if isinstance(spec, StructureSpec):
        return StructureSpec(spec.kind, tuple(map(_textual, spec.children)), spec.rebuild)
    return spec


__all__ = ["Asking", "CaughtSpec", "ClassIsAsked", "caught_spec", "is_instance", "type_"]
