"""Sums of products over named axes: `einsum` and `tensordot`."""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.convert import convert_to_tensor
from runtime.ops.apply import apply
from runtime.ops.gradients_support import conjugate, unbroadcast
from runtime.ops.promotion import operands
from runtime.ops.registry import Spec, define, gradient
from runtime.shapes import TensorShape, normal_axis
from runtime.static import static_value
from runtime.tensor import Tensor

# ---- equations


def parse(equation: str, count: int) -> tuple[list[str], str]:
    """The labels of each operand and of the result, '.' standing for an ellipsis.

    Raises:
      ValueError: the equation is not one, or is for another number of operands.

    >>> parse("ij,jk", 2)
    (['ij', 'jk'], 'ik')
    """
    text = equation.replace(" ", "").replace("...", ".")
    left, arrow, right = text.partition("->")
    terms = left.split(",")
    if len(terms) != count:
        raise ValueError(f"{equation!r} is for {len(terms)} operands, found {count}")
    for part in (*terms, right):
        if part.count(".") > 1 or any(c != "." and c not in string.ascii_letters for c in part):
            raise ValueError(f"{part!r} in {equation!r} is not made of letters and one ellipsis")
    if not arrow:
        everything = "".join(terms)
        once = {c for c in everything if everything.count(c) == 1 and c != "."}
        right = ("." if "." in everything else "") + "".join(sorted(once))
    for c in right:
        if not any(c in term for term in terms):
            raise ValueError(f"{c!r} in the result of {equation!r} is in no operand")
        if right.count(c) > 1:
            raise ValueError(f"{c!r} stands twice in the result of {equation!r}")
    return terms, right


def spelled_out(terms: list[str], right: str, ranks: Sequence[int | None]) -> tuple[list[str], str]:
    """The equation with letters for its ellipses.

    Raises:
      ValueError: the rank of an operand is unknown or does not fit its labels.
    """
    widths = []
    for term, rank in zip(terms, ranks, strict=True):
        named = len(term.replace(".", ""))
        if "." in term and rank is None:
            raise ValueError("an ellipsis in einsum needs operands of known rank")
        extra = 0 if rank is None else rank - named
        if extra < 0 or ("." not in term and extra):
            raise ValueError(f"labels {term.replace('.', '...')!r} do not fit a rank of {rank}")
        widths.append(extra)
    if not any("." in term for term in terms):
        return terms, right
    used = set("".join(terms) + right)
    free = [c for c in string.ascii_letters if c not in used][: max(widths)]
    made = [
        term.replace(".", "".join(free[len(free) - width :]))
        for term, width in zip(terms, widths, strict=True)
    ]
    return made, right.replace(".", "".join(free))


def _text(terms: Sequence[str], right: str) -> str:
    return f"{','.join(terms)}->{right}"


# ---- kernels


def _contraction(terms: Sequence[str], right: str) -> Callable[[Any, Any], Any] | None:
    """The two-operand equation as one call of matmul, which BLAS computes; None if it is none."""
    a, b = terms
    if any(len(set(t)) != len(t) for t in terms):
        return None
    batch = [c for c in a if c in b and c in right]
    summed = [c for c in a if c in b and c not in right]
    a_free = [c for c in a if c not in b]
    b_free = [c for c in b if c not in a]
    if not summed or any(c not in right for c in a_free + b_free):
        return None
    a_order = [a.index(c) for c in batch + a_free + summed]
    b_order = [b.index(c) for c in batch + summed + b_free]
    made = "".join(batch + a_free + b_free)
    order = [made.index(c) for c in right]
    sizes = len(batch), len(a_free), len(summed)

    def kernel(x: Any, y: Any) -> Any:
        x, y = x.transpose(a_order), y.transpose(b_order)
        n, free, inner = sizes
        shape = x.shape[: n + free] + y.shape[n + inner :]
        if x.shape[:n] != y.shape[:n] or x.shape[n + free :] != y.shape[n : n + inner]:
            # A size of 1 against another: einsum broadcasts, matmul does not.
            return None
        rows, columns = _product(x.shape[n : n + free]), _product(y.shape[n + inner :])
        middle = _product(x.shape[n + free :])
        left = x.reshape((*x.shape[:n], rows, middle))
        other = y.reshape((*y.shape[:n], middle, columns))
        return np.matmul(left, other).reshape(shape).transpose(order)

    return kernel


def _product(dims: Sequence[int]) -> int:
    total = 1
    for d in dims:
        total *= d
    return total


_KERNELS: dict[str, Callable[..., Any]] = {}


def kernel_for(equation: str) -> Callable[..., Any]:
    """The leanest function for an equation, made once."""
    found = _KERNELS.get(equation)
    if found is None:
        found = _KERNELS[equation] = _make_kernel(equation)
    return found


def _make_kernel(equation: str) -> Callable[..., Any]:
    left, _, right = equation.partition("->")
    terms = left.split(",")
    contract = _contraction(terms, right) if len(terms) == 2 else None

    def whole(*arrays: Any) -> Any:
        if contract is not None:
            made = contract(*arrays)
            if made is not None:
                return made
        greedy = len(arrays) > 2
        return np.array(np.einsum(equation, *arrays, optimize="greedy" if greedy else False))

    return whole


def _einsum_rule(inputs: Any, attrs: Any) -> Spec:
    left, _, right = attrs["equation"].partition("->")
    sizes: dict[str, int | None] = {}
    for term, tensor in zip(left.split(","), inputs, strict=True):
        dims = tensor.shape.as_tuple()
        for label, size in zip(term, dims if dims is not None else [None] * len(term), strict=True):
            known = sizes.get(label)
            if known in (None, 1):
                sizes[label] = size if known is None or size is not None else None
            elif size not in (None, 1, known):
                raise ValueError(
                    f"label {label!r} of {attrs['equation']!r} has sizes {known} and {size}"
                )
    return Spec(inputs[0].dtype, TensorShape(tuple(sizes[c] for c in right)))


EINSUM = define(
    "Einsum",
    kernel=lambda *arrays, equation: kernel_for(equation)(*arrays),
    infer=_einsum_rule,
    specialise=lambda attrs, inputs: kernel_for(attrs["equation"]),
)


# ---- gradient


@gradient(EINSUM)
def _(op: Any, dy: Tensor) -> Any:
    left, _, right = op.attrs["equation"].partition("->")
    terms = left.split(",")
    return tuple(_operand_gradient(op, dy, terms, right, i) for i in range(len(terms)))


def _operand_gradient(op: Any, dy: Tensor, terms: list[str], right: str, which: int) -> Tensor:
    """`dy` contracted with the other operands, and spread over labels that were summed."""
    x, term = op.inputs[which], terms[which]
    pairs = enumerate(zip(terms, op.inputs, strict=True))
    others = [(labels, conjugate(v)) for i, (labels, v) in pairs if i != which]
    factors = [(right, dy), *others]
    wanted, diagonals = _without_repeats(term, set("".join(terms) + right))
    for pair, label in diagonals:
        factors.append((pair, _identity(x, term.index(label))))
    known = set("".join(t for t, _ in factors))
    if any(c not in known for c in wanted):
        from runtime.ops.creation import ones_like

        factors.append((wanted, ones_like(x)))
    equation = _text([t for t, _ in factors], wanted)
    made = apply(EINSUM, [v for _, v in factors], {"equation": equation})
    return unbroadcast(made, x, settled=_settled(x, made))


def _settled(x: Tensor, made: Tensor) -> int:
    """All sizes that are not 1 on both sides; a size of 1 may have been broadcast."""
    rank = x.shape.rank
    if rank is None:
        return 0
    settled = 0
    for d in reversed(x.shape.as_list()):
        if d is None or d == 1:
            break
        settled += 1
    return settled


def _without_repeats(term: str, used: set[str]) -> tuple[str, list[tuple[str, str]]]:
    """`term` with fresh letters for repeated ones, and the pairs that must be equal."""
    free = iter(c for c in string.ascii_letters if c not in used)
    made, pairs = "", []
    for c in term:
        if c in made:
            fresh = next(free)
            pairs.append((c + fresh, c))
            c = fresh
        made += c
    return made, pairs


def _identity(x: Tensor, axis: int) -> Tensor:
    from runtime.ops.creation import eye
    from runtime.ops.shaping import shape

    size = None if x.shape.rank is None else x.shape[axis]
    return eye(shape(x)[axis] if size is None else size, dtype=x.dtype)


# ---- public


def einsum(equation: str, *inputs: Any, name: str | None = None, **options: Any) -> Tensor:
    """The sum of products of tensors over axes that are named by letters.

    Args:
      equation: for each input one letter an axis, joined by commas, then `->` and the letters of
        the result; letters that are missing there are summed over. `...` stands for any further
        axes. Without `->` the result has the letters that occur once, in alphabetical order.
      *inputs: the tensors.
      name: the operation's name in a graph.
      **options: `optimize`, which is not needed here.

    Raises:
      ValueError: the equation does not fit the inputs.

    >>> import autograph_lite as ag
    >>> ag.einsum("ij,jk->ik", [[1, 2]], [[3], [4]]).numpy().tolist()
    [[11]]
    """
    unknown = set(options) - {"optimize"}
    if unknown:
        raise TypeError(f"einsum takes no argument {sorted(unknown)[0]!r}")
    tensors = _alike(inputs)
    terms, right = parse(equation, len(tensors))
    terms, right = spelled_out(terms, right, [t.shape.rank for t in tensors])
    return apply(EINSUM, tensors, {"equation": _text(terms, right)}, name)


def _alike(inputs: Sequence[Any]) -> list[Tensor]:
    """The inputs as tensors of one dtype."""
    if len(inputs) == 1 and isinstance(inputs[0], list | tuple):
        inputs = inputs[0]
    tensors = [convert_to_tensor(t) for t in inputs]
    for i in range(1, len(tensors)):
        tensors[0], tensors[i] = operands(tensors[0], tensors[i])
    return [operands(tensors[0], t)[1] for t in tensors] if len(tensors) > 1 else tensors


def tensordot(a: Any, b: Any, axes: Any, name: str | None = None) -> Tensor:
    """The sum of products over pairs of axes of two tensors.

    Args:
      a: a tensor.
      b: a tensor.
      axes: how many of the last axes of `a` and first of `b` to sum over, or a pair: the axes of
        `a` and the axes of `b`.
      name: the operation's name in a graph.

    Raises:
      ValueError: the axes do not exist, or have other sizes.

    >>> import autograph_lite as ag
    >>> ag.tensordot([1.0, 2.0], [3.0, 4.0], 1).numpy()
    np.float32(11.0)
    """
    x, y = operands(a, b)
    if x.shape.rank is None or y.shape.rank is None:
        raise ValueError(f"tensordot needs tensors of known rank, found {x.shape} and {y.shape}")
    first, second = _paired_axes(axes, x.shape.rank, y.shape.rank)
    letters = string.ascii_letters
    left = list(letters[: x.shape.rank])
    other = list(letters[x.shape.rank : x.shape.rank + y.shape.rank])
    for i, j in zip(first, second, strict=True):
        other[j] = left[i]
    right = [c for c in left if c not in other] + [c for c in other if c not in left]
    equation = _text(["".join(left), "".join(other)], "".join(right))
    _check_sizes(x.shape, y.shape, first, second)
    return apply(EINSUM, (x, y), {"equation": equation}, name)


def _check_sizes(x: TensorShape, y: TensorShape, first: Any, second: Any) -> None:
    for i, j in zip(first, second, strict=True):
        if x[i] is not None and y[j] is not None and x[i] != y[j]:
            raise ValueError(
                f"tensordot sums over axis {i} of shape {x} and axis {j} of shape {y}, whose sizes "
                f"{x[i]} and {y[j]} differ"
            )


def _paired_axes(axes: Any, a_rank: int, b_rank: int) -> tuple[list[int], list[int]]:
    if isinstance(axes, Tensor):
        axes = static_value(axes)
        if axes is None:
            raise ValueError("the axes of tensordot must be known while tracing")
        axes = axes.tolist()
    if isinstance(axes, int | np.integer):
        if axes < 0 or axes > min(a_rank, b_rank):
            raise ValueError(f"axes={axes} must be between 0 and the lesser rank")
        return list(range(a_rank - axes, a_rank)), list(range(axes))
    if len(axes) != 2:
        raise ValueError(f"axes must be a number or a pair of lists, found {axes!r}")
    first, second = ([int(i) for i in np.ravel(part)] for part in axes)
    if len(first) != len(second):
        raise ValueError(f"axes {axes!r} pairs {len(first)} axes with {len(second)}")
    return [normal_axis(i, a_rank) for i in first], [normal_axis(j, b_rank) for j in second]
