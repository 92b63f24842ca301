"""`print` and text made of staged values: written, and formatted, when the graph runs."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

from autograph_lite.staging import text_buffers
from autograph_lite.staging.either import EitherValue, fork_effect
from autograph_lite.staging.list_specs import is_dynamic
from autograph_lite.staging.own_text import formats_itself, with_own_text
from autograph_lite.staging.templates import Template
from autograph_lite.staging.templates import holds_staged as holds_staged
from runtime import dtypes, nest
from runtime.locations import Location, raise_at, user_location
from runtime.ops.apply import apply
from runtime.ops.python_text import encoded
from runtime.ops.python_text import is_text as is_text
from runtime.ops.registry import NO_GRADIENT, Spec, define
from runtime.shapes import SCALAR
from runtime.tensor import Tensor, check_text


def _print(*arrays: Any, template: Template, file: Any = None) -> Any:
    values, options = template.fill(arrays)
    print(*spread_out(values), file=text_buffers.opened(file), **options)
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
    return [Spread(made)] if is_dynamic(made) else made


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


def print_(*values: Any, **options: Any) -> None:
    """`print` of staged values: what Python's print would show of NumPy's values, in its turn."""
    file = options.pop("file", None)
    if isinstance(file, EitherValue):
        fork_effect(file, lambda stream: print_(*values, file=stream, **options))
        return
    stream = text_buffers.target(file)
    if stream is None:
        return  # nothing is shown where there is no `sys.stdout`
    if isinstance(stream, text_buffers.TextBuffer):
        stream.write(formatted(_as_printed, [list(values), options], may_fail=False))
        return
    template = Template([list(values), options])
    attrs: dict[str, Any] = {"template": template}
    if not text_buffers.is_stdout(stream):
        attrs["file"] = stream
    apply(PRINT, template.tensors, attrs)


def _as_printed(filled: Any) -> str:
    """What a `print` writes."""
    values, options = filled
    buffer = io.StringIO()
    print(*spread_out(values), file=buffer, **options)
    return buffer.getvalue()


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
        made = form(values)
        check_text(made)  # an object may have kept a tensor
        return encoded(made)
    except Exception as error:
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


_STR, _BOTH = ("__str__",), ("__str__", "__repr__")


def with_fields(template: str, values: Any) -> list[Any]:
    """The fields of a template, with the text of objects that make their own."""
    names = _BOTH if "!r" in template or "!a" in template else _STR
    return [
        value if formats_itself(type(value)) else with_own_text(value, names) for value in values
    ]


def with_percents(template: str, values: Any) -> Any:
    """What a `%` formats, with the text of objects that make their own."""
    names = _BOTH if re.search(r"%[^%\w]*\w*[ra]", template) else _STR
    if type(values) is tuple:
        return tuple(with_own_text(value, names) for value in values)
    if type(values) is dict:
        return {key: with_own_text(value, names) for key, value in values.items()}
    return with_own_text(values, names)


def printed(values: Any) -> list[Any]:
    """What is printed, with the text of objects that make their own."""
    return [with_own_text(value, _STR) for value in values]


def percent(template: Any, values: Any) -> Tensor:
    """`template % values` as a string tensor."""
    return formatted(lambda filled: filled[0] % filled[1], [template, values])


def str_(value: Any) -> Tensor:
    """`str(value)` as a string tensor."""
    value = with_own_text(value, _STR)
    return formatted(lambda filled: str(filled[0]), [value], may_fail=False)


def repr_(value: Any) -> Tensor:
    """`repr(value)` as a string tensor."""
    value = with_own_text(value, ("__repr__",))
    return formatted(lambda filled: repr(filled[0]), [value], may_fail=False)


__all__ = [
    "formatted", "fstring", "holds_staged", "host_call", "is_text", "percent", "print_", "printed",
    "repr_", "str_", "with_fields", "with_percents",
]  # fmt: skip
