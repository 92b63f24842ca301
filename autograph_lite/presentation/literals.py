"""Arguments given as text: Python literals and the NumPy values that people write.

Nothing is evaluated. The text is parsed, and a small set of forms is understood: literals and
containers of them, signs, `inf`, `nan` and `pi`, and calls of a dtype (`int32(5)`) or of a function
that makes an array or tensor (`np.array([1.0, 2.0])`, `ag.constant(3)`, `TensorSpec([None])`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from autograph_lite.presentation.problems import UsageError, did_you_mean

__all__ = ["parse_arguments", "parse_literal"]

_MODULES = ("np", "numpy", "ag", "tf", "autograph_lite", "math")
_DTYPES = (
    "bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 "
    "complex128"
).split()
_MAKERS = ("array", "asarray", "zeros", "ones", "full", "arange", "linspace", "eye", "identity")
_LARGEST = 1 << 24
"""The most elements that a maker is allowed to make."""


def parse_arguments(texts: list[str]) -> tuple[list[Any], dict[str, Any]]:
    """The positional and the keyword arguments (`name=value`) that texts stand for.

    Raises:
      UsageError: a text is none of the forms that are understood.

    Example:
      >>> parse_arguments(["3", "[1.0, -2]", "k='x'"])
      ([3, [1.0, -2]], {'k': 'x'})
    """
    positional: list[Any] = []
    keywords: dict[str, Any] = {}
    for text in texts:
        name, value = _split_keyword(text)
        if name is None:
            positional.append(parse_literal(value))
        else:
            keywords[name] = parse_literal(value)
    return positional, keywords


def _split_keyword(text: str) -> tuple[str | None, str]:
    name, equals, value = text.partition("=")
    if equals and name.strip().isidentifier() and not value.startswith("="):
        return name.strip(), value
    return None, text


def parse_literal(text: str) -> Any:
    """The value that a text stands for.

    Raises:
      UsageError: the text is none of the forms that are understood.

    Example:
      >>> parse_literal("np.array([1.0, 2.0])")
      array([1., 2.])
      >>> parse_literal("int32(5)")
      np.int32(5)
    """
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError):
        raise UsageError(
            f"the argument {text!r} is not a Python literal; a text needs quotes of its own, as in "
            f"{chr(34)}'text'{chr(34)}"
        ) from None
    try:
        return _Reader(text).value(tree.body)
    except (TypeError, ValueError, OverflowError, MemoryError) as error:
        raise UsageError(f"the argument {text!r} cannot be made: {error}") from None


class _Reader:
    """Turns the nodes of one argument into values."""

    def __init__(self, text: str) -> None:
        self.text = text

    def refuse(self, what: str) -> UsageError:
        return UsageError(
            f"the argument {self.text!r} holds {what}; expected Python or NumPy literals, such as "
            "3, [1.0, 2.0], np.array([1, 2]) or int32(5)"
        )

    def value(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Tuple):
            return tuple(map(self.value, node.elts))
        if isinstance(node, ast.List):
            return [self.value(item) for item in node.elts]
        if isinstance(node, ast.Set):
            return {self.value(item) for item in node.elts}
        if isinstance(node, ast.Dict):
            return self.dictionary(node)
        if isinstance(node, ast.UnaryOp | ast.BinOp):
            return self.number(node)
        if isinstance(node, ast.Call):
            return self.call(node)
        if isinstance(node, ast.Name | ast.Attribute):
            return self.named(node)
        raise self.refuse(f"{ast.unparse(node)!r}")

    def dictionary(self, node: ast.Dict) -> dict[Any, Any]:
        pairs = zip(node.keys, node.values, strict=True)
        made: dict[Any, Any] = {}
        for key, value in pairs:
            if key is None:
                raise self.refuse("'**'")
            made[self.value(key)] = self.value(value)
        return made

    def number(self, node: ast.UnaryOp | ast.BinOp) -> Any:
        """A signed number, or a complex one (`1+2j`)."""
        if isinstance(node, ast.UnaryOp):
            operand = self.value(node.operand)
            if isinstance(node.op, ast.USub):
                return -operand
            if isinstance(node.op, ast.UAdd):
                return operand
            raise self.refuse("an operator that is not a sign")
        left, right = self.value(node.left), self.value(node.right)
        if isinstance(right, complex) and isinstance(left, int | float):
            if isinstance(node.op, ast.Add):
                return left + right
            if isinstance(node.op, ast.Sub):
                return left - right
        raise self.refuse("an expression to compute")

    def named(self, node: ast.Name | ast.Attribute) -> Any:
        import numpy as np

        name = self.name(node)
        if name in ("inf", "nan", "pi", "e"):
            return getattr(np, name)
        if name == "newaxis":
            return None
        if name in _DTYPES or name in ("bool", "int", "float", "complex"):
            return np.dtype({"bool_": "bool"}.get(name, name))
        raise self.refuse(f"the name {ast.unparse(node)!r}")

    def name(self, node: ast.expr) -> str:
        """The last part of a dotted name below a module that is known."""
        if isinstance(node, ast.Name):
            return node.id
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.value.id in _MODULES:
                return node.attr
        raise self.refuse(f"{ast.unparse(node)!r}")

    def call(self, node: ast.Call) -> Any:
        name = self.name(node.func)
        maker = self.maker(name, node)
        if any(isinstance(a, ast.Starred) for a in node.args) or any(
            k.arg is None for k in node.keywords
        ):
            raise self.refuse("star arguments")
        arguments = [self.value(a) for a in node.args]
        return maker(*arguments, **{str(k.arg): self.value(k.value) for k in node.keywords})

    def maker(self, name: str, node: ast.Call) -> Callable[..., Any]:
        import numpy as np

        if name in _DTYPES or name in ("bool", "int", "float", "complex"):
            return getattr(np, name) if name in _DTYPES else {
                "bool": bool, "int": int, "float": float, "complex": complex
            }[name]  # fmt: skip
        if name in _MAKERS:
            return _bounded(getattr(np, name))
        if name in ("constant", "TensorSpec"):
            import autograph_lite as ag

            made: Callable[..., Any] = getattr(ag, name)
            return made
        known = [*_MAKERS, *_DTYPES, "constant", "TensorSpec"]
        hint = did_you_mean(name, known)
        mend = f"; {hint}" if hint.startswith("did") else ""
        raise self.refuse(f"a call of {ast.unparse(node.func)!r}{mend}")


def _bounded(maker: Callable[..., Any]) -> Callable[..., Any]:
    """`maker`, refusing to make what would not fit the machine."""

    def make(*args: Any, **kwargs: Any) -> Any:
        sizes = args[0] if args and maker.__name__ in ("zeros", "ones", "full") else ()
        total = 1
        for size in sizes if isinstance(sizes, list | tuple) else [sizes]:
            total *= size
        spread = [abs(a) for a in args if isinstance(a, int | float)]
        if maker.__name__ in ("arange", "linspace", "eye", "identity"):
            total = max([total, *map(int, spread)])
        if total > _LARGEST:
            raise ValueError(f"{total} elements are more than an argument may have ({_LARGEST})")
        return maker(*args, **kwargs)

    return make
