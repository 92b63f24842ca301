"""Windows that slide over the spatial axes: their sizes, places and padding.

Kernels here see images with channels last: (batch, *spatial, channels).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime.shapes import TensorShape

Pair = tuple[int, int]


class Window(NamedTuple):
    """How a window moves; each field has one entry a spatial axis.

    Attributes:
      size: how many elements it covers.
      strides: how far it moves.
      dilations: the distance of the elements it covers.
      padding: "SAME", "VALID", or pairs of sizes of padding before and after.
    """

    size: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    padding: Any


def reach(size: int, dilation: int) -> int:
    """How far a window extends, gaps included."""
    return (size - 1) * dilation + 1


def pads(window: Window, spatial: Sequence[int]) -> list[Pair]:
    """The padding before and after each spatial axis."""
    if window.padding == "VALID":
        return [(0, 0)] * len(spatial)
    if window.padding != "SAME":
        return [tuple(p) for p in window.padding]
    made = []
    for length, size, stride, dilation in zip(
        spatial, window.size, window.strides, window.dilations, strict=True
    ):
        needed = max((-(-length // stride) - 1) * stride + reach(size, dilation) - length, 0)
        made.append((needed // 2, needed - needed // 2))
    return made


def out_sizes(window: Window, spatial: Sequence[int | None]) -> tuple[int | None, ...]:
    """How many places the window has along each axis; None for an axis of unknown size.

    Raises:
      ValueError: an axis is too short.
    """
    made: list[int | None] = []
    for i, length in enumerate(spatial):
        size, stride, dilation = window.size[i], window.strides[i], window.dilations[i]
        if length is None:
            made.append(None)
        elif window.padding == "SAME":
            made.append(-(-length // stride))
        else:
            extra = 0 if window.padding == "VALID" else sum(window.padding[i])
            free = length + extra - reach(size, dilation)
            if free < 0:
                raise ValueError(
                    f"a window that reaches over {reach(size, dilation)} elements does not fit "
                    f"into an axis of size {length + extra}"
                )
            made.append(free // stride + 1)
    return tuple(made)


def places_of(window: Window, spatial: Sequence[int]) -> tuple[int, ...]:
    """`out_sizes` of axes whose sizes are known, as they are in kernels."""
    return out_sizes(window, spatial)  # type: ignore[return-value]


def padded(x: Any, window: Window, value: Any = 0) -> Any:
    """`x` with padding around its spatial axes; `x` itself if there is none."""
    sides = pads(window, x.shape[1:-1])
    if not any(a or b for a, b in sides):
        return x
    shape = [x.shape[0]]
    inside: list[slice] = [slice(None)]
    for length, (before, after) in zip(x.shape[1:-1], sides, strict=True):
        shape.append(length + before + after)
        inside.append(slice(before, before + length))
    made = np.full((*shape, x.shape[-1]), value, x.dtype)
    made[tuple(inside)] = x
    return made


def unpadded(x: Any, window: Window, spatial: Sequence[int]) -> Any:
    """What `padded` made, without the padding."""
    sides = pads(window, spatial)
    inside = [slice(before, before + n) for (before, _), n in zip(sides, spatial, strict=True)]
    index = (slice(None), *inside)
    return x[index]


def taps(window: Window, places: Sequence[int]) -> Iterator[tuple[tuple[int, ...], Any]]:
    """For each element of the window its number, and the index of what it covers, at all places."""
    for tap in np.ndindex(*window.size):
        index: list[Any] = [slice(None)]
        for t, dilation, stride, count in zip(
            tap, window.dilations, window.strides, places, strict=True
        ):
            start = t * dilation
            index.append(slice(start, start + (count - 1) * stride + 1, stride))
        yield tap, tuple(index)


def patches(x: Any, window: Window, places: Sequence[int]) -> Any:
    """What the window covers: a view of shape (batch, *places, *size, channels) of padded `x`."""
    spatial = x.strides[1:-1]
    moving = tuple(s * stride for s, stride in zip(spatial, window.strides, strict=True))
    inside = tuple(s * dilation for s, dilation in zip(spatial, window.dilations, strict=True))
    return np.lib.stride_tricks.as_strided(
        x,
        (x.shape[0], *places, *window.size, x.shape[-1]),
        (x.strides[0], *moving, *inside, x.strides[-1]),
        writeable=False,
    )


# ---- arguments


def per_axis(value: Any, rank: int, channels_last: bool, what: str) -> tuple[int, ...]:
    """An argument that is one number, one a spatial axis, or one for every axis of the tensor.

    Raises:
      ValueError: it has another length, or moves over batch or channels.
    """
    if value is None:
        return (1,) * rank
    given: Any = [value] if isinstance(value, int | np.integer) else value
    numbers = [int(n) for n in given]
    if len(numbers) == 1:
        return tuple(numbers * rank)
    if len(numbers) == rank:
        return tuple(numbers)
    if len(numbers) == rank + 2:
        spatial = numbers[1:-1] if channels_last else numbers[2:]
        others = (numbers[0], numbers[-1] if channels_last else numbers[1])
        if others != (1, 1):
            raise ValueError(f"{what} over batch and channels must be 1, found {value!r}")
        return tuple(spatial)
    raise ValueError(f"{what} must be 1, {rank} or {rank + 2} numbers, found {value!r}")


def padding_argument(padding: Any, rank: int, channels_last: bool) -> Any:
    """ "SAME", "VALID" or explicit pairs, of the spatial axes only.

    Raises:
      ValueError: it is none of these.
    """
    if isinstance(padding, str):
        if padding.upper() not in ("SAME", "VALID"):
            raise ValueError(f'padding must be "SAME", "VALID" or pairs, found {padding!r}')
        return padding.upper()
    pairs = [tuple(int(n) for n in pair) for pair in padding]
    if len(pairs) == rank + 2:
        pairs = pairs[1:-1] if channels_last else pairs[2:]
    if len(pairs) != rank or any(len(p) != 2 for p in pairs):
        raise ValueError(f"padding needs a pair of sizes for each axis, found {padding!r}")
    return tuple(pairs)


def is_channels_last(data_format: str | None) -> bool:
    """Whether the channels are the last axis.

    Raises:
      ValueError: there is no such format.
    """
    if data_format is None or data_format in ("NHWC", "NWC", "NDHWC"):
        return True
    if data_format in ("NCHW", "NCW", "NCDHW"):
        return False
    raise ValueError(f"data_format must be like NHWC or NCHW, found {data_format!r}")


def image_dims(shape: TensorShape, rank: int) -> tuple[int | None, ...]:
    """The sizes of images with `rank` spatial axes.

    Raises:
      ValueError: the tensor has another rank.
    """
    if shape.rank is not None and shape.rank != rank + 2:
        raise ValueError(f"expected a tensor of rank {rank + 2}, found shape {shape}")
    return tuple(shape.with_rank(rank + 2).as_list())
