"""`print` and text made of staged values: written, and formatted, when the graph runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from autograph_lite.staging.either import EitherSpec
from autograph_lite.staging.specs import StructureSpec, TensorSpec, spec_of
from runtime import dtypes, nest
from runtime.graph import Operation
from runtime.locations import Location, raise_at, user_location
from runtime.ops.apply import apply
from runtime.ops.python_text import as_python, encoded
from runtime.ops.registry import NO_GRADIENT, Spec, define
from runtime.shapes import SCALAR
from runtime.tensor import SymbolicTensor, Tensor

Fill = Callable[[Any], Any]


class Template:
    """Nested Python values with holes for the values of tensors.

    Attributes:
      tensors: what belongs in the holes.
    """

    def __init__(self, values: Any) -> None:
        self.tensors: list[Tensor] = []
        self._fill = self._of(values)

    def _of(self, value: Any) -> Fill:
        if _is_caught(value):
            return self._caught(value)
        if isinstance(value, Tensor):
            number = len(self.tensors)
            self.tensors.append(value)
            if getattr(value, "weak", False):
                return lambda arrays: arrays[number].item()
            return lambda arrays: as_python(arrays[number])
        spec = _list_spec(value)
        if spec is not None:
            first = len(self.tensors)
            self.tensors += spec.leaves(value, "a list")
            return lambda arrays: _plain(spec, iter(arrays[first:]))
        parts = nest.parts(value)
        if parts is None:
            return lambda arrays: value
        _, items, rebuild = parts
        fills = [self._of(item) for item in items]
        return lambda arrays: rebuild([fill(arrays) for fill in fills])

    def _caught(self, error: Any) -> Fill:
        number = len(self.tensors)
        self.tensors.append(error.ag_error)
        return lambda arrays: arrays[number][0]

    def fill(self, arrays: Any) -> Any:
        """The values, with arrays in the holes."""
        return self._fill(arrays)


def _list_spec(value: Any) -> Any:
    """The spec of a list whose length only the running graph knows; None for other values."""
    from autograph_lite.staging.list_specs import is_dynamic

    return spec_of(value, "a list") if is_dynamic(value) else None


def _plain(spec: Any, leaves: Iterator[Any]) -> Any:
    """A value made of the arrays of its tensors, as plain Python code would hold it."""
    from autograph_lite.staging.list_specs import ListSpec

    if isinstance(spec, ListSpec):
        flows = [next(leaves) for _ in spec.tensors()]
        if spec.element is None:
            return spec.kind()
        return spec.kind(_plain(spec.element, iter(row)) for row in zip(*flows, strict=True))
    if isinstance(spec, StructureSpec):
        return spec.rebuild([_plain(child, leaves) for child in spec.children])
    if isinstance(spec, TensorSpec):
        array = next(leaves)
        return array.item() if spec.weak else as_python(array)
    if isinstance(spec, EitherSpec):
        flag = next(leaves)
        values = _plain(spec.first, leaves), _plain(spec.second, leaves)
        return values[0] if flag else values[1]
    return spec.build(leaves)


def _is_caught(value: Any) -> bool:
    """Whether `value` is the exception of a staged `except` clause."""
    return isinstance(value, BaseException) and hasattr(value, "ag_raise")


def holds_staged(value: Any) -> bool:
    """Whether a value is symbolic, or a container with something symbolic inside."""
    if isinstance(value, SymbolicTensor) or _is_caught(value) or _list_spec(value) is not None:
        return True
    if isinstance(value, str | int | float | None):
        return False
    parts = nest.parts(value)
    return parts is not None and any(holds_staged(item) for item in parts[1])


def _print(*arrays: Any, template: Template) -> Any:
    values, options = template.fill(arrays)
    print(*spread_out(values), **options)
    return ()


class Spread:
    """`*values` among the arguments of a `print`, where only the running graph knows how many."""

    __ag_staged__ = True

    def __init__(self, values: Any) -> None:
        self.values = values


def spread(values: Any) -> Any:
    """What stands for `*values` among the arguments of a `print`."""
    from autograph_lite.staging.iterables import is_counted, listed

    if not is_counted(values):
        return values
    made = listed(values)
    return [Spread(made)] if _list_spec(made) is not None else made


def spread_out(values: list[Any]) -> list[Any]:
    """The arguments, with each `Spread` replaced by its values."""
    found: list[Any] = []
    for value in values:
        found += value.values if isinstance(value, Spread) else [value]
    return found


nest.register(Spread, lambda value: (Spread, [value.values], lambda items: Spread(*items)))


PRINT = define(
    "TensorPrint",
    kernel=_print,
    infer=lambda inputs, attrs: [],
    gradient=NO_GRADIENT,
    stateful=True,
)


def print_(*values: Any, **options: Any) -> Operation:
    """`print` of staged values: what Python's print would show of NumPy's values, in its turn."""
    if options.get("file", 0) is None:
        options = {k: v for k, v in options.items() if k != "file"}
    template = Template([list(values), options])
    return apply(PRINT, template.tensors, {"template": template})


def _host_call(*arrays: Any, template: Template, function: Callable[..., Any]) -> Any:
    args, keywords = template.fill(arrays)
    function(*args, **keywords)
    return ()


HOST_CALL = define(
    "HostCall",
    kernel=_host_call,
    infer=lambda inputs, attrs: [],
    gradient=NO_GRADIENT,
    stateful=True,
)


def host_call(function: Callable[..., Any], args: Any, keywords: dict[str, Any]) -> None:
    """Calls `function` for its effect when the graph runs, with NumPy's values for tensors."""
    template = Template([list(args), keywords])
    apply(HOST_CALL, template.tensors, {"template": template, "function": function})


def _format(
    *arrays: Any, template: Template, form: Callable[[Any], str], location: Location
) -> Any:
    values = template.fill(arrays)
    try:
        return encoded(form(values))
    except Exception as error:
        error._located = True  # type: ignore[attr-defined]
        return raise_at(error, location)


def _text(inputs: Any, attrs: Any) -> Spec:
    return Spec(dtypes.string, SCALAR)


FORMAT = define("FormatText", kernel=_format, infer=_text, gradient=NO_GRADIENT)
# Any value can be shown as it is: a `try` around that has nothing to catch.
SHOW = define("ShowText", kernel=_format, infer=_text, gradient=NO_GRADIENT)


def formatted(form: Callable[[Any], str], values: Any, may_fail: bool = True) -> Tensor:
    """A string tensor: what `form` makes of `values` when their tensors are known.

    Args:
      form: `form(values)` gives the text.
      values: a nested structure with tensors in it.
      may_fail: whether `form` may raise.
    """
    template = Template(values)
    attrs = {"template": template, "form": form, "location": user_location()}
    return apply(FORMAT if may_fail else SHOW, template.tensors, attrs)


_PLAIN = re.compile(r"(?:[^{}]|\{\{|\}\}|\{(?:![rsa])?\})*")


def fstring(template: str, values: Any) -> Tensor:
    """An f-string as a string tensor; `template` is in the language of `str.format`."""
    plain = _PLAIN.fullmatch(template) is not None
    return formatted(lambda filled: template.format(*filled), list(values), may_fail=not plain)


def percent(template: Any, values: Any) -> Tensor:
    """`template % values` as a string tensor."""
    return formatted(lambda filled: filled[0] % filled[1], [template, values])


def str_(value: Any) -> Tensor:
    """`str(value)` as a string tensor."""
    return formatted(lambda filled: str(filled[0]), [value], may_fail=False)


def repr_(value: Any) -> Tensor:
    """`repr(value)` as a string tensor."""
    return formatted(lambda filled: repr(filled[0]), [value], may_fail=False)


__all__ = [
    "formatted", "fstring", "holds_staged", "host_call", "percent", "print_", "repr_", "str_",
]  # fmt: skip
