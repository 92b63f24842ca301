"""Assertions: checked at once where the answer is known, else when the graph runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.context import thread
from runtime.convert import convert_to_tensor
from runtime.errors import InvalidArgumentError
from runtime.locations import user_location
from runtime.ops import comparison
from runtime.ops.apply import apply
from runtime.ops.promotion import operands
from runtime.ops.registry import NO_GRADIENT, Spec, define, gradient
from runtime.ops.text import array_text
from runtime.static import static_value
from runtime.tensor import EagerTensor, Tensor


def _assert_kernel(
    condition: Any, *data: Any, summarize: int, texts: Sequence[Any], place: str
) -> Any:
    if np.all(condition):
        return ()
    shown = iter(data)
    parts = [array_text(next(shown), summarize) if t is None else t for t in texts]
    raise InvalidArgumentError(f"{place}: assertion failed: {' '.join(parts)}")


ASSERT = define(
    "Assert",
    kernel=_assert_kernel,
    infer=lambda inputs, attrs: [],
    gradient=NO_GRADIENT,
    stateful=True,
    checks=True,
)


def Assert(
    condition: Any, data: Sequence[Any], summarize: int | None = None, name: str | None = None
) -> Any:
    """Raises InvalidArgumentError, showing `data`, unless `condition` holds.

    Args:
      condition: a bool tensor, all of whose elements must be true.
      data: tensors and strings to show in the message.
      summarize: how many elements to show at either end of each axis; 3 by default.
      name: the operation's name in a graph.

    Returns:
      The operation, in a graph.

    Raises:
      InvalidArgumentError: it does not hold; in a graph, when it runs.

    >>> import autograph_lite as ag
    >>> ag.debugging.Assert(ag.constant(True), ["never shown"])
    """
    test = convert_to_tensor(condition)
    texts = tuple(d if isinstance(d, str) else None for d in data)
    shown = [convert_to_tensor(d) for d in data if not isinstance(d, str)]
    attrs = {
        "summarize": 3 if summarize is None else summarize,
        "texts": texts,
        "place": str(user_location()),
    }
    apply(ASSERT, (test, *shown), attrs, name)
    return None if thread.graph is None else thread.graph.operations[-1]


def _refused(message: str) -> InvalidArgumentError:
    return InvalidArgumentError(f"{user_location()}: {message}")


def _check(
    holds: Tensor, what: str, data: Sequence[Any], message: str | None, summarize: int | None
) -> Any:
    """Asserts `holds`; at once if it is known now."""
    said = f"{message} " if message else ""
    known = static_value(holds)
    if known is not None:
        if np.all(known):
            return None
        shown = " ".join(
            d if isinstance(d, str) else array_text(d._value, summarize or 3)
            for d in data
            if isinstance(d, str | EagerTensor)
        )
        raise _refused(f"{said}{what} {shown}".rstrip())
    return Assert(holds, [f"{said}{what}", *data], summarize)


def _compared(
    compare: Callable[[Any, Any], Tensor],
    sign: str,
    x: Any,
    y: Any,
    message: str | None,
    summarize: int | None,
) -> Any:
    a, b = operands(x, y)
    what = f"condition x {sign} y did not hold element-wise:"
    data = ["x =", a, "y =", b]
    return _check(compare(a, b), what, data, message, summarize)


def assert_equal(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: Any = None
) -> Any:
    """Checks that `x == y` everywhere.

    Args:
      x: a tensor or what can become one.
      y: likewise; shapes broadcast.
      message: what to say first if it fails.
      summarize: how many elements to show at either end of each axis.
      name: accepted for TensorFlow's sake.

    Raises:
      InvalidArgumentError: it does not hold; in a graph, when it runs.

    >>> import autograph_lite as ag
    >>> ag.debugging.assert_equal([1, 2], [1, 2])
    """
    return _compared(comparison.equal, "==", x, y, message, summarize)


def assert_none_equal(
    x: Any, y: Any, summarize: int | None = None, message: str | None = None, name: Any = None
) -> Any:
    """Checks that `x != y` everywhere; see `assert_equal`.

    >>> import autograph_lite as ag
    >>> ag.debugging.assert_none_equal([1, 2], 3)
    """
    return _compared(comparison.not_equal, "!=", x, y, message, summarize)


def assert_less(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: Any = None
) -> Any:
    """Checks that `x < y` everywhere; see `assert_equal`.

    >>> import autograph_lite as ag
    >>> ag.debugging.assert_less([1, 2], 3)
    """
    return _compared(comparison.less, "<", x, y, message, summarize)


def assert_less_equal(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: Any = None
) -> Any:
    """Checks that `x <= y` everywhere; see `assert_equal`.

    >>> import autograph_lite as ag
    >>> ag.debugging.assert_less_equal([1, 2], 2)
    """
    return _compared(comparison.less_equal, "<=", x, y, message, summarize)


def assert_greater(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: Any = None
) -> Any:
    """Checks that `x > y` everywhere; see `assert_equal`.

    >>> import autograph_lite as ag
    >>> ag.debugging.assert_greater([1, 2], 0)
    """
    return _compared(comparison.greater, ">", x, y, message, summarize)


def assert_greater_equal(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: Any = None
) -> Any:
    """Checks that `x >= y` everywhere; see `assert_equal`.

    >>> import autograph_lite as ag
    >>> ag.debugging.assert_greater_equal([1, 2], 1)
    """
    return _compared(comparison.greater_equal, ">=", x, y, message, summarize)


def assert_positive(
    x: Any, message: str | None = None, summarize: int | None = None, name: Any = None
) -> Any:
    """Checks that `x > 0` everywhere; see `assert_equal`.

    >>> import autograph_lite as ag
    >>> ag.debugging.assert_positive([1, 2])
    """
    return _compared(comparison.greater, ">", x, 0, message, summarize)


def assert_negative(
    x: Any, message: str | None = None, summarize: int | None = None, name: Any = None
) -> Any:
    """Checks that `x < 0` everywhere; see `assert_equal`.

    >>> import autograph_lite as ag
    >>> ag.debugging.assert_negative([-1, -2])
    """
    return _compared(comparison.less, "<", x, 0, message, summarize)


def assert_non_negative(
    x: Any, message: str | None = None, summarize: int | None = None, name: Any = None
) -> Any:
    """Checks that `x >= 0` everywhere; see `assert_equal`.

    >>> import autograph_lite as ag
    >>> ag.debugging.assert_non_negative([0, 2])
    """
    return _compared(comparison.greater_equal, ">=", x, 0, message, summarize)


def assert_non_positive(
    x: Any, message: str | None = None, summarize: int | None = None, name: Any = None
) -> Any:
    """Checks that `x <= 0` everywhere; see `assert_equal`.

    >>> import autograph_lite as ag
    >>> ag.debugging.assert_non_positive([0, -2])
    """
    return _compared(comparison.less_equal, "<=", x, 0, message, summarize)


def assert_near(
    x: Any,
    y: Any,
    rtol: Any = None,
    atol: Any = None,
    message: str | None = None,
    summarize: int | None = None,
    name: Any = None,
) -> Any:
    """Checks that `|x - y| <= atol + rtol * |y|` everywhere.

    Args:
      x: a floating point tensor.
      y: likewise; shapes broadcast.
      rtol: 10 times the dtype's epsilon by default.
      atol: 10 times the dtype's epsilon by default.
      message: what to say first if it fails.
      summarize: how many elements to show at either end of each axis.
      name: accepted for TensorFlow's sake.

    Raises:
      InvalidArgumentError: it does not hold; in a graph, when it runs.

    >>> import autograph_lite as ag
    >>> ag.debugging.assert_near([1.0], [1.0000001])
    """
    from runtime.ops.elementwise import add, multiply, subtract
    from runtime.ops.unary import abs as absolute

    a, b = operands(x, y)
    exact = a.dtype.kind not in "fc"
    epsilon = 0.0 if exact else 10 * np.finfo(a.dtype.real_dtype.np_dtype).eps
    relative = epsilon if rtol is None else rtol
    total = epsilon if atol is None else atol
    bound = add(multiply(absolute(b), float(relative)), float(total))
    holds = comparison.less_equal(absolute(subtract(a, b)), bound)
    what = f"x and y not equal to tolerance rtol = {relative}, atol = {total}:"
    return _check(holds, what, ["x =", a, "y =", b], message, summarize)


# ---- numbers


def _numerics_kernel(x: Any, message: str, place: str) -> Any:
    if x.dtype.kind in "fc" and not np.all(np.isfinite(x)):
        found = " and ".join(
            word for word, test in (("Inf", np.isinf), ("NaN", np.isnan)) if np.any(test(x))
        )
        raise InvalidArgumentError(f"{place}: {message} : Tensor had {found} values")
    return x


CHECK_NUMERICS = define(
    "CheckNumerics",
    kernel=_numerics_kernel,
    infer=lambda inputs, attrs: Spec(inputs[0].dtype, inputs[0].shape),
    aliases=0,
    stateful=True,
    checks=True,
)


@gradient(CHECK_NUMERICS)
def _(op: Any, dy: Tensor) -> Any:
    return (dy,)


def check_numerics(tensor: Any, message: str, name: str | None = None) -> Tensor:
    """`tensor`, after a check that all its elements are finite.

    Args:
      tensor: a floating point tensor.
      message: what to say first if it fails.
      name: the operation's name in a graph.

    Raises:
      InvalidArgumentError: some are not; in a graph, when it runs.

    >>> import autograph_lite as ag
    >>> ag.debugging.check_numerics([1.0, 2.0], "x").numpy().tolist()
    [1.0, 2.0]
    """
    x = convert_to_tensor(tensor)
    if x.dtype.kind not in "fc":
        raise TypeError(
            f"{user_location()}: check_numerics takes floating point, found {x.dtype.name}"
        )
    return apply(CHECK_NUMERICS, (x,), {"message": message, "place": str(user_location())}, name)


def assert_all_finite(x: Any, message: str, name: str | None = None) -> Tensor:
    """`x`, after a check that all its elements are finite; see `check_numerics`.

    >>> import autograph_lite as ag
    >>> ag.debugging.assert_all_finite([1.0], "x").numpy().tolist()
    [1.0]
    """
    return check_numerics(x, message, name)
