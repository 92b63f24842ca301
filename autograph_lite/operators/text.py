"""Text with fields: f-strings and `%`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from autograph_lite.operators.dispatch import staging_active

__all__ = ["fstring", "fstring_lazy", "percent"]

_CONVERSIONS: dict[str | None, Callable[[Any], Any]] = {"r": repr, "s": str, "a": ascii}


def fstring(template: str, *values: Any) -> Any:
    """An f-string whose fields are plain values.

    Args:
      template: what is around the fields, as for `str.format`.
      values: the fields.

    Example:
      >>> fstring('{}: {:>{}}', 'n', 3, 4)
      'n:    3'
    """
    if staging_active():
        from autograph_lite.staging import dicts
        from autograph_lite.staging import text as staged

        for value in values:
            dicts.refuse(value)
        values = tuple(staged.with_fields(template, values))
        if any(map(staged.holds_staged, values)):
            return staged.fstring(template, values)
    return template.format(*values)


def fstring_lazy(template: str, *fields: Callable[[], Any]) -> Any:
    """An f-string whose fields are evaluated one after the other, each formatted before the next.

    Args:
      template: what is around the fields, as for `str.format`.
      fields: functions that give the fields.

    Example:
      >>> fstring_lazy('{}!', lambda: 1 + 2)
      '3!'
    """
    text: list[str] = []
    values: list[Any] = []
    rest = iter(fields)
    for literal, is_field, conversion, spec in _parts(template):
        text.append(literal)
        if not is_field:
            continue
        first = len(values)
        values.append(next(rest)())
        values += [field() for field in _take(rest, spec.count("{"))]
        if staging_active():
            from autograph_lite.staging import text as staged

            values[first:] = staged.with_fields(template, values[first:])
            if any(map(staged.holds_staged, values[first:])):
                values += staged.with_fields(template, [field() for field in rest])
                return staged.fstring(template, tuple(values))
        text.append(_formatted(values[first], conversion, spec, values[first + 1 :]))
    return "".join(text)


def _take(fields: Iterator[Callable[[], Any]], count: int) -> list[Callable[[], Any]]:
    return [next(fields) for _ in range(count)]


def _formatted(value: Any, conversion: str | None, spec: str, inner: list[Any]) -> str:
    if conversion:
        value = _CONVERSIONS[conversion](value)
    return format(value, spec.format(*inner) if inner else spec)


@lru_cache(1024)
def _parts(template: str) -> list[tuple[str, bool, str | None, str]]:
    import string

    return [
        (literal, name is not None, conversion, spec or "")
        for literal, name, spec, conversion in string.Formatter().parse(template)
    ]


def percent(template: Any, values: Any) -> Any:
    """`template % values`, where the template may be a text.

    Example:
      >>> percent('%d %s', (1, 'a'))
      '1 a'
    """
    if staging_active():
        from autograph_lite.staging import text as staged

        known = isinstance(template, str)
        if known:
            values = staged.with_percents(template, values)
        if staged.is_text(template) or (known and staged.holds_staged(values)):
            return staged.percent(template, values)
    return template % values
