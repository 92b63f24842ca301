"""Moving between the spatial axes, the channels and the batch."""

from __future__ import annotations

from typing import Any

from runtime.convert import convert_to_tensor
from runtime.ops.nn_windows import is_channels_last
from runtime.ops.padding import pad
from runtime.ops.shaping import ints_argument, reshape, shape, transpose
from runtime.static import static_value
from runtime.tensor import Tensor


def _sizes(x: Tensor, rank: int | None) -> list[Any]:
    """The sizes, numbers where they are known and scalar tensors elsewhere."""
    if x.shape.rank is None or (rank is not None and x.shape.rank != rank):
        raise ValueError(f"expected a tensor of rank {rank or 'known'}, found shape {x.shape}")
    dynamic = None if x.shape.is_fully_defined() else shape(x)
    return [dynamic[i] if d is None else d for i, d in enumerate(x.shape.as_list())]  # type: ignore[index]


def _reshaped(x: Tensor, sizes: list[Any]) -> Tensor:
    if all(type(s) is int for s in sizes):
        return reshape(x, sizes)
    from runtime.ops.joining import stack

    return reshape(x, stack(sizes))


def _divided(size: Any, block: int, what: str) -> Any:
    if type(size) is int and size % block:
        raise ValueError(f"{what} {size} cannot be divided into blocks of {block}")
    return size // block


def depth_to_space(
    input: Any, block_size: int, data_format: str = "NHWC", name: str | None = None
) -> Tensor:
    """Channels moved into blocks of pixels.

    Args:
      input: shape (batch, height, width, channels).
      block_size: the size of a block; there are channels / block_size ** 2 channels after.
      data_format: "NHWC" or "NCHW".
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.depth_to_space([[[[1, 2, 3, 4]]]], 2).numpy().reshape(2, 2).tolist()
    [[1, 2], [3, 4]]
    """
    x = convert_to_tensor(input)
    b = int(block_size)
    last = is_channels_last(data_format)
    if not last:
        x = transpose(x, [0, 2, 3, 1])
    n, h, w, c = _sizes(x, 4)
    c = _divided(c, b * b, "the number of channels")
    x = transpose(_reshaped(x, [n, h, w, b, b, c]), [0, 1, 3, 2, 4, 5])
    made = _reshaped(x, [n, h * b, w * b, c])
    return made if last else transpose(made, [0, 3, 1, 2])


def space_to_depth(
    input: Any, block_size: int, data_format: str = "NHWC", name: str | None = None
) -> Tensor:
    """Blocks of pixels moved into channels.

    Args:
      input: shape (batch, height, width, channels); height and width are multiples of the block.
      block_size: the size of a block.
      data_format: "NHWC" or "NCHW".
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.space_to_depth([[[[1], [2]], [[3], [4]]]], 2).numpy().ravel().tolist()
    [1, 2, 3, 4]
    """
    x = convert_to_tensor(input)
    b = int(block_size)
    last = is_channels_last(data_format)
    if not last:
        x = transpose(x, [0, 2, 3, 1])
    n, h, w, c = _sizes(x, 4)
    h, w = _divided(h, b, "the height"), _divided(w, b, "the width")
    x = transpose(_reshaped(x, [n, h, b, w, b, c]), [0, 1, 3, 2, 4, 5])
    made = _reshaped(x, [n, h, w, c * b * b])
    return made if last else transpose(made, [0, 3, 1, 2])


def _pairs(value: Any, what: str) -> list[tuple[int, int]]:
    known = static_value(convert_to_tensor(value))
    if known is None:
        raise ValueError(f"{what} must be known while tracing")
    return [(int(a), int(b)) for a, b in known.reshape(-1, 2)]


def space_to_batch(input: Any, block_shape: Any, paddings: Any, name: str | None = None) -> Tensor:
    """Every other pixel, and so on, moved into images of their own.

    Args:
      input: shape (batch, *spatial, ...).
      block_shape: how many pixels are between neighbours of a new image, for each spatial axis.
      paddings: for each spatial axis the zeros to add before and after.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.space_to_batch([[[1], [2], [3], [4]]], [2], [[0, 0]]).numpy().reshape(2, 2).tolist()
    [[1, 3], [2, 4]]
    """
    x = convert_to_tensor(input)
    blocks = ints_argument(block_shape, "block_shape")
    m = len(blocks)
    sides = _pairs(paddings, "paddings")
    rest = (x.shape.rank or m + 1) - m - 1
    x = pad(x, [(0, 0), *sides, *[(0, 0)] * rest])
    sizes = _sizes(x, None)
    split = [
        part
        for size, b in zip(sizes[1 : m + 1], blocks, strict=True)
        for part in (_divided(size, b, "a padded axis of size"), b)
    ]
    x = _reshaped(x, [sizes[0], *split, *sizes[m + 1 :]])
    order = [2 * i + 2 for i in range(m)] + [0] + [2 * i + 1 for i in range(m)]
    x = transpose(x, order + list(range(2 * m + 1, 2 * m + 1 + rest)))
    count = 1
    for b in blocks:
        count *= b
    return _reshaped(x, [sizes[0] * count, *split[::2], *sizes[m + 1 :]])


def batch_to_space(input: Any, block_shape: Any, crops: Any, name: str | None = None) -> Tensor:
    """What `space_to_batch` undoes.

    Args:
      input: shape (batch, *spatial, ...).
      block_shape: how many pixels were between neighbours, for each spatial axis.
      crops: for each spatial axis how much to cut off before and after.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.batch_to_space([[[1], [3]], [[2], [4]]], [2], [[0, 0]]).numpy().ravel().tolist()
    [1, 2, 3, 4]
    """
    x = convert_to_tensor(input)
    blocks = ints_argument(block_shape, "block_shape")
    m = len(blocks)
    sides = _pairs(crops, "crops")
    sizes = _sizes(x, None)
    count = 1
    for b in blocks:
        count *= b
    batch = _divided(sizes[0], count, "the batch size")
    x = _reshaped(x, [*blocks, batch, *sizes[1:]])
    order = [m]
    for i in range(m):
        order += [m + 1 + i, i]
    x = transpose(x, order + list(range(2 * m + 1, m + len(sizes))))
    joined = [s * b for s, b in zip(sizes[1 : m + 1], blocks, strict=True)]
    x = _reshaped(x, [batch, *joined, *sizes[m + 1 :]])
    index = tuple(slice(a, size - b) for (a, b), size in zip(sides, joined, strict=True))
    whole = (slice(None), *index)
    return x[whole] if any(a or b for a, b in sides) else x
