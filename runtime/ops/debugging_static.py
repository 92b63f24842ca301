"""Assertions about dtypes, ranks and shapes: at once, or when the graph runs if it must be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.dtypes import as_dtype
from runtime.locations import user_location
from runtime.ops import comparison
from runtime.ops.debugging import Assert
from runtime.shapes import TensorShape
from runtime.tensor import Tensor


def assert_type(
    tensor: Any, tf_type: Any, message: str | None = None, name: str | None = None
) -> None:
    """Checks the dtype of a tensor, at once.

    Raises:
      TypeError: it has another.

    >>> import autograph_lite as ag
    >>> ag.debugging.assert_type(ag.constant(1), ag.int32)
    """
    x, wanted = convert_to_tensor(tensor), as_dtype(tf_type)
    if x.dtype is not wanted:
        said = f"{message} " if message else ""
        raise TypeError(
            f"{user_location()}: {said}expected a tensor of {wanted.name}, found {x.dtype.name}"
        )


def assert_integer(x: Any, message: str | None = None, name: str | None = None) -> None:
    """Checks, at once, that `x` is of an integer dtype.

    Raises:
      TypeError: it is not.

    >>> import autograph_lite as ag
    >>> ag.debugging.assert_integer(ag.constant(1))
    """
    found = convert_to_tensor(x).dtype
    if not found.is_integer:
        said = f"{message} " if message else ""
        raise TypeError(f"{user_location()}: {said}expected integers, found {found.name}")


def _ranked(x: Any, fits: Callable[[Any], Any], wanted: str, message: str | None) -> Any:
    from runtime.ops.shaping import rank

    tensor = convert_to_tensor(x)
    known = tensor.shape.rank
    said = f"{message} " if message else ""
    if known is not None:
        if not fits(known):
            raise ValueError(
                f"{user_location()}: {said}expected a tensor of rank {wanted}, found shape "
                f"{tensor.shape}"
            )
        return None
    return Assert(
        fits(rank(tensor)), [f"{said}expected a tensor of rank {wanted}, found", rank(tensor)]
    )


def assert_rank(x: Any, rank: Any, message: str | None = None, name: str | None = None) -> Any:
    """Checks the number of dimensions.

    Raises:
      ValueError: it is another; in a graph that does not know it, when it runs.

    >>> import autograph_lite as ag
    >>> ag.debugging.assert_rank([1, 2], 1)
    """
    return _ranked(x, lambda found: found == rank, str(rank), message)


def assert_rank_at_least(
    x: Any, rank: Any, message: str | None = None, name: str | None = None
) -> Any:
    """Checks that there are at least `rank` dimensions; see `assert_rank`.

    >>> import autograph_lite as ag
    >>> ag.debugging.assert_rank_at_least([[1, 2]], 1)
    """
    return _ranked(x, lambda found: found >= rank, f"at least {rank}", message)


def assert_rank_in(
    x: Any, ranks: Sequence[int], message: str | None = None, name: str | None = None
) -> Any:
    """Checks that the number of dimensions is one of `ranks`; see `assert_rank`.

    >>> import autograph_lite as ag
    >>> ag.debugging.assert_rank_in([1, 2], (0, 1))
    """
    from runtime.ops.reductions import reduce_any

    def fits(found: Any) -> Any:
        if isinstance(found, int):
            return found in ranks
        return reduce_any(comparison.equal(found, list(ranks)))

    return _ranked(x, fits, " or ".join(map(str, ranks)), message)


def assert_scalar(tensor: Any, message: str | None = None, name: str | None = None) -> Tensor:
    """Checks, at once, that a tensor has no dimensions, and gives it back.

    Raises:
      ValueError: it has some.

    >>> import autograph_lite as ag
    >>> ag.debugging.assert_scalar(3).numpy()
    np.int32(3)
    """
    x = convert_to_tensor(tensor)
    if x.shape.rank != 0:
        said = f"{message} " if message else ""
        raise ValueError(f"{user_location()}: {said}expected a scalar, found shape {x.shape}")
    return x


def assert_same_float_dtype(tensors: Any = None, dtype: Any = None) -> Any:
    """Checks, at once, that tensors are of one floating point dtype, and gives it.

    Raises:
      ValueError: their dtypes differ or are not floating point.

    >>> import autograph_lite as ag
    >>> ag.debugging.assert_same_float_dtype([ag.constant(1.0)])
    ag.float32
    """
    wanted = None if dtype is None else as_dtype(dtype)
    for tensor in tensors or ():
        found = convert_to_tensor(tensor).dtype
        if wanted is None:
            wanted = found
        if found is not wanted:
            raise ValueError(f"{user_location()}: expected {wanted.name}, found {found.name}")
    wanted = wanted or dtypes.float32
    if not wanted.is_floating:
        raise ValueError(f"{user_location()}: expected floating point, found {wanted.name}")
    return wanted


def assert_shapes(
    shapes: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Any:
    """Checks shapes in which letters stand for sizes that must agree.

    Args:
      shapes: a dict, or a list of pairs, of tensors and their shapes: tuples of sizes and letters,
        or a string of them; `...` or "*" in front or at the end stands for any dimensions.
      data: more to show if it fails.
      summarize: how many elements to show at either end of each axis.
      message: what to say first if it fails.
      name: accepted for TensorFlow's sake.

    Raises:
      ValueError: a shape does not fit; in a graph that does not know it, when it runs.

    >>> import autograph_lite as ag
    >>> ag.debugging.assert_shapes([(ag.ones([2, 3]), ("N", 3)), (ag.ones([2]), ("N",))])
    """
    from runtime.ops.shaping import shape

    pairs = list(shapes.items()) if isinstance(shapes, dict) else list(shapes)
    said = f"{message} " if message else ""
    sizes: dict[str, Any] = {}
    for tensor, wanted in pairs:
        x = convert_to_tensor(tensor.deref() if hasattr(tensor, "deref") else tensor)
        symbols = list(wanted) if isinstance(wanted, str | tuple | list) else [wanted]
        rank = x.shape.rank
        if rank is None:
            raise ValueError(f"{user_location()}: {said}the rank of {x!r} must be known")
        for axis, symbol in _aligned(symbols, rank, x.shape, said):
            size: Any = x.shape[axis]
            if size is None:
                size = shape(x)[axis]
            expected = int(symbol) if str(symbol).isdigit() else sizes.setdefault(symbol, size)
            told = f"{said}axis {axis} of shape {x.shape} must have size {symbol}"
            if isinstance(size, int) and isinstance(expected, int):
                if size != expected:
                    raise ValueError(f"{user_location()}: {told} = {expected}, found {size}")
            else:
                Assert(comparison.equal(size, expected), [told, *(data or ())], summarize)


def _aligned(symbols: list[Any], rank: int, shape: TensorShape, said: str) -> list[tuple[int, Any]]:
    """Pairs (axis, symbol) of the dimensions that a symbol stands for."""
    free = ("...", "*", Ellipsis)
    joined = "".join(map(str, symbols)) if symbols else ""
    if joined.startswith("..."):
        symbols = ["...", *symbols[3:]] if symbols[0] == "." else symbols
    elif joined.endswith("..."):
        symbols = [*symbols[:-3], "..."] if symbols[-1] == "." else symbols
    if symbols and symbols[0] in free:
        symbols = symbols[1:]
        start, fits = rank - len(symbols), rank >= len(symbols)
    elif symbols and symbols[-1] in free:
        symbols = symbols[:-1]
        start, fits = 0, rank >= len(symbols)
    else:
        start, fits = 0, rank == len(symbols)
    if not fits:
        raise ValueError(
            f"{user_location()}: {said}expected a shape like {tuple(symbols)}, found {shape}"
        )
    pairs = [(start + i, s) for i, s in enumerate(symbols)]
    return [(axis, s) for axis, s in pairs if s is not None and s != "."]


def assert_proper_iterable(values: Any) -> None:
    """Checks that `values` is a list or the like rather than a single tensor or string.

    Raises:
      TypeError: it is not.

    >>> import autograph_lite as ag
    >>> ag.debugging.assert_proper_iterable([1, 2])
    """
    if isinstance(values, Tensor | np.ndarray | str | bytes) or not hasattr(values, "__iter__"):
        raise TypeError(
            f"{user_location()}: expected a list of values, found {type(values).__name__}"
        )


def is_numeric_tensor(tensor: Any) -> bool:
    """Whether `tensor` is a tensor of numbers.

    >>> import autograph_lite as ag
    >>> ag.debugging.is_numeric_tensor(ag.constant(1)), ag.debugging.is_numeric_tensor(1)
    (True, False)
    """
    return isinstance(tensor, Tensor) and tensor.dtype.is_numeric


def is_tensor(x: Any) -> bool:
    """Whether `x` is a tensor or a variable.

    >>> import autograph_lite as ag
    >>> ag.is_tensor(ag.constant(1)), ag.is_tensor(1)
    (True, False)
    """
    from runtime.variables import Variable

    return isinstance(x, Tensor | Variable)
