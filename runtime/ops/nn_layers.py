"""Dropout, embeddings and biases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.convert import convert_to_tensor
from runtime.ops.casting import cast
from runtime.ops.elementwise import add
from runtime.ops.gathering import gather
from runtime.ops.gradients_support import masked
from runtime.ops.nn_activations import as_floats
from runtime.ops.shaping import dims_argument, reshape, shape_tensor
from runtime.static import static_value
from runtime.tensor import Tensor


def dropout(
    x: Any, rate: Any, noise_shape: Any = None, seed: int | None = None, name: str | None = None
) -> Tensor:
    """Elements set to 0 at random, the others scaled up to keep the expected sum.

    Args:
      x: a tensor of floats.
      rate: the share that is dropped, in [0, 1).
      noise_shape: the shape of the random decisions, which broadcast; that of `x` by default.
      seed: an operation with a seed has a sequence of its own.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.dropout([1.0, 2.0], rate=0.0).numpy().tolist()
    [1.0, 2.0]
    """
    from runtime.ops.random_stateful import uniform

    return _dropped(x, rate, noise_shape, lambda dims, dtype: uniform(dims, dtype=dtype, seed=seed))


def stateless_dropout(
    x: Any,
    rate: Any,
    seed: Any,
    rng_alg: Any = "auto_select",
    noise_shape: Any = None,
    name: str | None = None,
) -> Tensor:
    """`dropout` whose decisions depend on `seed` alone.

    Args:
      x: a tensor of floats.
      rate: the share that is dropped, in [0, 1).
      seed: two integers.
      rng_alg: there is one generator.
      noise_shape: the shape of the random decisions, which broadcast; that of `x` by default.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.stateless_dropout([1.0, 2.0], rate=0.0, seed=[1, 2]).numpy().tolist()
    [1.0, 2.0]
    """
    from runtime.ops.random_stateless import stateless_uniform

    return _dropped(
        x, rate, noise_shape, lambda dims, dtype: stateless_uniform(dims, seed, dtype=dtype)
    )


def _dropped(x: Any, rate: Any, noise_shape: Any, draw: Callable[[Any, Any], Tensor]) -> Tensor:
    tensor = as_floats(x)
    known = static_value(convert_to_tensor(rate))
    if known is not None:
        if not 0 <= float(known) < 1:
            raise ValueError(f"rate must be in [0, 1), found {float(known)}")
        if float(known) == 0:
            return tensor
    share = cast(convert_to_tensor(rate), tensor.dtype)
    dims = shape_tensor(tensor) if noise_shape is None else _filled(noise_shape, tensor)
    kept = draw(dims, tensor.dtype) >= share
    return masked(kept, tensor / (1 - share))


def _filled(noise_shape: Any, x: Tensor) -> Any:
    """`noise_shape` with the sizes of `x` in the place of None."""
    if isinstance(noise_shape, list | tuple) and None in noise_shape:
        sizes = x.shape.as_list()
        return [s if d is None else d for d, s in zip(noise_shape, sizes, strict=True)]
    dims, tensor = dims_argument(noise_shape)
    return tensor if dims is None else dims


def embedding_lookup(
    params: Any, ids: Any, max_norm: Any = None, name: str | None = None
) -> Tensor:
    """The rows of `params` that `ids` name.

    Args:
      params: shape (rows, ...), or a list of one such table.
      ids: integers of any shape.
      max_norm: rows of a greater L2 norm are scaled down to it.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.embedding_lookup([[1.0, 2.0], [3.0, 4.0]], [1, 1]).numpy().tolist()
    [[3.0, 4.0], [3.0, 4.0]]
    """
    if isinstance(params, list | tuple) and len(params) == 1 and isinstance(params[0], Tensor):
        params = params[0]
    rows = gather(params, ids)
    if max_norm is None:
        return rows
    from runtime.ops.clipping import clip_by_norm

    numbers = convert_to_tensor(ids)
    if rows.shape.rank is None or numbers.shape.rank is None:
        raise ValueError("max_norm needs a table and ids of known rank")
    return clip_by_norm(rows, max_norm, list(range(numbers.shape.rank, rows.shape.rank)))


def bias_add(
    value: Any, bias: Any, data_format: str | None = None, name: str | None = None
) -> Tensor:
    """`value` with one number added to each channel.

    Args:
      value: a tensor of rank 2 or more.
      bias: a vector, one number a channel.
      data_format: the channels are the last axis, unless this starts with "NC": the second then.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.bias_add([[1.0, 2.0]], [10.0, 20.0]).numpy().tolist()
    [[11.0, 22.0]]
    """
    x = convert_to_tensor(value)
    b = cast(convert_to_tensor(bias, dtype_hint=x.dtype), x.dtype)
    if b.shape.rank not in (None, 1):
        raise ValueError(f"bias must be a vector, found shape {b.shape}")
    if data_format is not None and data_format.startswith("NC") and x.shape.rank is not None:
        b = reshape(b, [-1] + [1] * (x.shape.rank - 2))
    axis = 1 if data_format is not None and data_format.startswith("NC") else -1
    channels = x.shape[axis] if x.shape.rank else None
    size = b.shape.num_elements()
    if channels is not None and size is not None and channels != size:
        raise ValueError(f"{size} biases do not fit the {channels} channels of shape {x.shape}")
    return add(x, b, name)
