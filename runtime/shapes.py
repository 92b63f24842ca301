"""Partially known shapes: a rank that may be unknown, and dimensions that may be `None`.

>>> a = TensorShape([None, 2])
>>> a.rank, a[1], a.is_fully_defined()
(2, 2, False)
>>> broadcast_shapes(a, TensorShape([3, 1]))
TensorShape([3, 2])
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any, overload

Dims = tuple[int | None, ...]


class TensorShape:
    """The shape of a tensor as far as it is known while tracing.

    Args:
      dims: an iterable of sizes (`None` where unknown), an integer for a vector, another
        TensorShape, or `None` for an unknown rank.

    >>> TensorShape([2, None]).as_list()
    [2, None]
    >>> TensorShape(None).rank is None
    True
    """

    __slots__ = ("_dims",)
    _dims: Dims | None

    def __init__(self, dims: Any = None) -> None:
        if dims is None:
            self._dims = None
        elif type(dims) is tuple and all(type(d) is int or d is None for d in dims):
            self._dims = dims
        elif isinstance(dims, TensorShape):  # also an OpenShape
            self._dims = dims._dims
        elif hasattr(dims, "__index__") and not hasattr(dims, "__len__"):
            self._dims = (_dim(dims),)
        else:
            self._dims = tuple(_dim(d) for d in dims)

    @property
    def dims(self) -> list[int | None] | None:
        """The sizes as a list, or `None` if the rank is unknown."""
        return None if self._dims is None else list(self._dims)

    @property
    def rank(self) -> int | None:
        """The number of dimensions, or `None`."""
        return None if self._dims is None else len(self._dims)

    ndims = rank

    def as_list(self) -> list[int | None]:
        """The sizes as a list.

        Raises:
          ValueError: the rank is unknown.
        """
        if self._dims is None:
            raise ValueError("as_list() of a shape whose rank is unknown")
        return list(self._dims)

    def as_tuple(self) -> Dims | None:
        """The sizes as a tuple, or `None` if the rank is unknown."""
        return self._dims

    def is_fully_defined(self) -> bool:
        """Whether every dimension is known."""
        return self._dims is not None and None not in self._dims

    def num_elements(self) -> int | None:
        """How many elements such a tensor has, or `None` if that is unknown."""
        if self._dims is None:
            return None
        total = 1
        for d in self._dims:
            if d is None:
                return None
            total *= d
        return total

    def is_compatible_with(self, other: Any) -> bool:
        """Whether some tensor could have both shapes.

        >>> TensorShape([None, 2]).is_compatible_with([3, 2])
        True
        """
        a, b = self._dims, TensorShape(other)._dims
        if a is None or b is None:
            return True
        return len(a) == len(b) and all(
            x is None or y is None or x == y for x, y in zip(a, b, strict=True)
        )

    def is_subtype_of(self, other: TensorShape) -> bool:
        """Whether every tensor of this shape is also one of `other`."""
        a, b = self._dims, other._dims
        if b is None:
            return True
        if a is None or len(a) != len(b):
            return False
        return all(y is None or x == y for x, y in zip(a, b, strict=True))

    def merge_with(self, other: Any) -> TensorShape:
        """What is known when both shapes hold.

        Raises:
          ValueError: they contradict each other.
        """
        other = TensorShape(other)
        if self._dims is None:
            return other
        if other._dims is None:
            return self
        if not self.is_compatible_with(other):
            raise ValueError(f"shapes {self} and {other} are not compatible")
        return TensorShape(
            tuple(y if x is None else x for x, y in zip(self._dims, other._dims, strict=True))
        )

    def most_specific_common_supertype(self, other: TensorShape) -> TensorShape:
        """The narrowest shape that admits both: what differs becomes unknown.

        >>> TensorShape([2, 3]).most_specific_common_supertype(TensorShape([2, 4]))
        TensorShape([2, None])
        """
        a, b = self._dims, other._dims
        if a is None or b is None or len(a) != len(b):
            return UNKNOWN
        return TensorShape(tuple(x if x == y else None for x, y in zip(a, b, strict=True)))

    def concatenate(self, other: Any) -> Any:
        """This shape followed by `other`."""
        if isinstance(other, OpenShape):
            return other.__radd__(self)
        other = TensorShape(other)
        if self._dims is None or other._dims is None:
            return UNKNOWN
        return TensorShape(self._dims + other._dims)

    def with_rank(self, rank: int) -> TensorShape:
        """This shape, known to have `rank` dimensions.

        Raises:
          ValueError: it has another number of dimensions.
        """
        if self._dims is None:
            return TensorShape((None,) * rank)
        if len(self._dims) != rank:
            raise ValueError(f"shape {self} must have rank {rank}")
        return self

    def assert_is_compatible_with(self, other: Any) -> None:
        """Checks `is_compatible_with`.

        Raises:
          ValueError: the shapes contradict each other.
        """
        if not self.is_compatible_with(other):
            raise ValueError(f"shapes {self} and {TensorShape(other)} are not compatible")

    def assert_has_rank(self, rank: int) -> None:
        """Checks the rank, where it is known.

        Raises:
          ValueError: the shape has another rank.
        """
        if self.rank not in (None, rank):
            raise ValueError(f"shape {self} must have rank {rank}")

    def assert_is_fully_defined(self) -> None:
        """Checks `is_fully_defined`.

        Raises:
          ValueError: some dimension is unknown.
        """
        if not self.is_fully_defined():
            raise ValueError(f"shape {self} is not fully defined")

    def __add__(self, other: Any) -> Any:
        return self.concatenate(other)

    def __radd__(self, other: Any) -> TensorShape:
        return TensorShape(other).concatenate(self)

    @overload
    def __getitem__(self, index: int) -> int | None: ...
    @overload
    def __getitem__(self, index: slice) -> TensorShape: ...
    def __getitem__(self, index: Any) -> Any:
        if self._dims is None:
            return UNKNOWN if isinstance(index, slice) else None
        if isinstance(index, slice):
            return TensorShape(self._dims[index])
        return self._dims[index]

    def __iter__(self) -> Iterator[int | None]:
        if self._dims is None:
            raise ValueError("iteration over a shape whose rank is unknown")
        return iter(self._dims)

    def __len__(self) -> int:
        if self._dims is None:
            raise ValueError("len() of a shape whose rank is unknown")
        return len(self._dims)

    def __bool__(self) -> bool:
        return self._dims is not None

    def __eq__(self, other: object) -> bool:
        if isinstance(other, OpenShape):
            return NotImplemented
        if isinstance(other, TensorShape):
            return self._dims == other._dims
        try:
            return self._dims == TensorShape(other)._dims
        except (TypeError, ValueError):
            return NotImplemented

    def __hash__(self) -> int:
        return hash(self._dims)

    def __str__(self) -> str:
        return "<unknown>" if self._dims is None else str(self._dims)

    def __repr__(self) -> str:
        return f"TensorShape({None if self._dims is None else list(self._dims)})"

    def __reduce__(self) -> Any:
        return TensorShape, (self._dims,)


class OpenShape(tuple[Any, ...]):
    """A shape as a value in converted code, where only the running graph knows some of the sizes.

    It is the tuple that a NumPy array has, of tensors where a size is unknown. Whatever else is
    asked of it, a TensorShape answers, in which these are `None`.

    >>> shape = OpenShape(["size", 2], TensorShape([None, 2]))
    >>> shape[0], shape.as_list(), isinstance(shape, TensorShape)
    ('size', [None, 2], True)
    """

    static: TensorShape

    def __new__(cls, sizes: Iterable[Any], static: TensorShape) -> OpenShape:
        made = super().__new__(cls, sizes)
        made.static = static
        return made

    def __getattr__(self, name: str) -> Any:
        return getattr(self.static, name)

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return TensorShape

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        if not isinstance(index, slice):
            return found
        static = self.static[index]
        return static if static.is_fully_defined() else OpenShape(found, static)

    def concatenate(self, other: Any) -> Any:
        """This shape followed by `other`."""
        return self + other

    def with_rank(self, rank: int) -> OpenShape:
        """This shape; see `TensorShape.with_rank`."""
        self.static.with_rank(rank)
        return self

    def __add__(self, other: Any) -> Any:
        return OpenShape((*self, *other), self.static + _known(other))

    def __radd__(self, other: Any) -> Any:
        return OpenShape((*other, *self), _known(other) + self.static)

    def __eq__(self, other: object) -> Any:
        return self._compared("==", other)

    def __ne__(self, other: object) -> Any:
        return self._compared("!=", other)

    def __lt__(self, other: Any) -> Any:
        return self._compared("<", other)

    def __le__(self, other: Any) -> Any:
        return self._compared("<=", other)

    def __gt__(self, other: Any) -> Any:
        return self._compared(">", other)

    def __ge__(self, other: Any) -> Any:
        return self._compared(">=", other)

    def _compared(self, symbol: str, other: Any) -> Any:
        if not isinstance(other, tuple | TensorShape):
            return NotImplemented
        return _comparison(tuple(self), symbol, tuple(other))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(self.static)

    __str__ = __repr__


_comparison: Callable[[Any, str, Any], Any]


def set_comparison(comparison: Callable[[Any, str, Any], Any]) -> None:
    """Has shapes with tensors in them compared by `comparison(left, symbol, right)`."""
    global _comparison
    _comparison = comparison


def _known(sizes: Any) -> TensorShape:
    """What is known of a shape that may have tensors in it."""
    if isinstance(sizes, TensorShape):
        return TensorShape(sizes)
    return TensorShape([size if isinstance(size, int) else None for size in sizes])


def _dim(value: Any) -> int | None:
    if value is None:
        return None
    size = operator.index(value)
    if size < 0:
        raise ValueError(f"a dimension must be at least 0, found {size}")
    return size


UNKNOWN = TensorShape(None)
SCALAR = TensorShape(())


def broadcast_dims(a: Dims, b: Dims) -> Dims:
    """NumPy's broadcasting rule for known ranks; a size is unknown if it depends on unknowns.

    Raises:
      ValueError: the sizes can never broadcast.
    """
    if a == b and None not in a:
        return a
    if len(a) < len(b):
        a = (1,) * (len(b) - len(a)) + a
    elif len(b) < len(a):
        b = (1,) * (len(a) - len(b)) + b
    out: list[int | None] = []
    for x, y in zip(a, b, strict=True):
        if x == y or y == 1:
            out.append(x)
        elif x == 1:
            out.append(y)
        elif x is None or y is None:
            # The unknown one must be 1 or equal to the known one, which is not 1.
            out.append(y if x is None else x)
        else:
            raise ValueError(f"shapes {a} and {b} cannot be broadcast together")
    return tuple(out)


def broadcast_shapes(*shapes: TensorShape) -> TensorShape:
    """The shape of an elementwise result.

    Raises:
      ValueError: the shapes can never broadcast.
    """
    dims: Dims = ()
    for shape in shapes:
        if shape._dims is None:
            return UNKNOWN
    for shape in shapes:
        try:
            dims = broadcast_dims(dims, shape._dims or ())
        except ValueError:
            listed = " and ".join(str(s) for s in shapes)
            raise ValueError(f"shapes {listed} cannot be broadcast together") from None
    return TensorShape(dims)


def reduced_dims(dims: Dims | None, axes: Iterable[int] | None, keepdims: bool) -> TensorShape:
    """The shape after reducing over `axes` (all of them if `None`).

    Raises:
      ValueError: an axis is out of range.
    """
    if dims is None:
        return SCALAR if axes is None and not keepdims else UNKNOWN
    if axes is None:
        return TensorShape((1,) * len(dims) if keepdims else ())
    gone = {normal_axis(axis, len(dims)) for axis in axes}
    kept = [(1 if i in gone else d) for i, d in enumerate(dims) if keepdims or i not in gone]
    return TensorShape(tuple(kept))


def normal_axis(axis: int, rank: int) -> int:
    """`axis` counted from the front.

    Raises:
      ValueError: it is not in [-rank, rank).
    """
    if not -rank <= axis < rank:
        raise ValueError(f"axis {axis} is out of range for a tensor of rank {rank}")
    return axis + rank if axis < 0 else axis
