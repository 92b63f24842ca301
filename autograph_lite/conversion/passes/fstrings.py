"""Text with fields: f-strings and `'...' % values`."""

from __future__ import annotations

from typing import Any

import gast

from autograph_lite.conversion.templates import call, constant, thunk

__all__ = ["convert_fstring", "convert_percent", "fields_of"]


def fields_of(node: Any) -> tuple[str, list[Any]] | None:
    """The fields of an f-string.

    Args:
      node: a `JoinedStr`.

    Returns:
      A template for `str.format`, and the fields in the order of their evaluation; or None, if
      there are none, or no such template says the same.

    Example:
      >>> node = gast.parse("f'{{a}} {b!r:>{c}}'").body[0].value
      >>> template, fields = fields_of(node)
      >>> template, [field.id for field in fields]
      ('{{a}} {!r:>{}}', ['b', 'c'])
    """
    template: list[str] = []
    fields: list[Any] = []
    for part in node.values:
        if isinstance(part, gast.Constant):
            template.append(part.value.replace("{", "{{").replace("}", "}}"))
            continue
        fields.append(part.value)
        spec = _spec(part.format_spec, fields)
        if spec is None:
            return None
        template.append(f"{{{_conversion(part)}{spec}}}")
    return ("".join(template), fields) if fields else None


def _conversion(part: Any) -> str:
    return f"!{chr(part.conversion)}" if part.conversion not in (None, -1) else ""


def _spec(node: Any, fields: list[Any]) -> str | None:
    if node is None:
        return ""
    spec = [":"]
    for part in node.values:
        if isinstance(part, gast.Constant):
            if "{" in part.value or "}" in part.value:
                return None
            spec.append(part.value)
        elif part.format_spec is not None:
            return None
        else:
            fields.append(part.value)
            spec.append(f"{{{_conversion(part)}}}")
    return "".join(spec)


def convert_fstring(node: Any, template: str, fields: list[Any]) -> Any:
    """`f'{a:>{b}}'` becomes `ag__.fstring('{:>{}}', a, b)`.

    Python formats each field before it evaluates the next one. Where that can be told, the
    fields are handed over as lambdas.
    """
    text = constant(template, node)
    if all(isinstance(field, (gast.Name, gast.Constant)) for field in fields):
        return call("fstring", node, text, *fields)
    return call("fstring_lazy", node, text, *map(thunk, fields))


def convert_percent(node: Any) -> Any:
    """`'fmt' % v` becomes `ag__.percent('fmt', v)`."""
    return call("percent", node, node.left, node.right)
