"""Runs a program as it is and converted, and compares what is seen."""

from __future__ import annotations

import contextlib
import io
import itertools
import linecache
import types
import warnings
from typing import Any

from autograph_lite import operators
from autograph_lite.conversion import pipeline

_numbers = itertools.count()


def namespace_of(text: str, convert: bool, staging: bool = False) -> dict[str, Any]:
    """Runs the text of a module; all functions and methods are converted if wanted."""
    filename = f"<program {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    namespace: dict[str, Any] = {"__name__": "program"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        exec(compile(text, filename, "exec", dont_inherit=True), namespace)
        if convert:
            convert_all(namespace, staging)
    return namespace


def convert_all(namespace: dict[str, Any], staging: bool) -> None:
    """Replaces the functions of a module, and the methods of its classes, by converted ones."""
    for name, value in list(namespace.items()):
        if isinstance(value, types.FunctionType):
            namespace[name] = converted(value, staging)
        elif isinstance(value, type):
            for key, member in list(vars(value).items()):
                if isinstance(member, types.FunctionType):
                    setattr(value, key, converted(member, staging))


def converted(function: types.FunctionType, staging: bool = False) -> types.FunctionType:
    """The converted form, or the function itself if it is a generator or a coroutine."""
    if function.__code__.co_flags & (0x20 | 0x80 | 0x200):
        return function
    return pipeline.convert(function, operators, staging)


def outcome(function: Any, *args: Any) -> tuple[Any, ...]:
    """What a call gives: result or exception, and what it prints."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        try:
            end = ("returns", repr(function(*args)))
        except Exception as error:
            end = ("raises", type(error).__name__, str(error), repr(error.args))
    return (*end, output.getvalue())


def compare(
    text: str, calls: list[tuple[Any, ...]], name: str = "main", staging: bool = False
) -> None:
    """Asserts that a program does the same converted as not.

    Args:
      text: the module.
      calls: the arguments of each call.
      name: the function that is called.
      staging: whether it is converted as it is in order to be traced.
    """
    original, new = namespace_of(text, False), namespace_of(text, True, staging)
    for args in calls:
        expected, found = outcome(original[name], *args), outcome(new[name], *args)
        assert clean(found) == clean(expected), f"{name}{args}, staging={staging}"
        for namespace in (original, new):
            if "Fuel" in namespace:
                namespace["Fuel"].left = 60


def clean(seen: tuple[Any, ...]) -> tuple[Any, ...]:
    """Leaves addresses of objects out."""
    import re

    return tuple(re.sub(r"0x[0-9a-f]+", "0x", part) for part in seen)
