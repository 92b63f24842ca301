"""What an operation is: one definition holds all that the rest of the runtime asks of it.

An op is defined once, beside the public function that applies it:

    NEGATIVE = define("Neg", kernel=np.negative, infer=rules.same, elementwise=True)

    @gradient(NEGATIVE)
    def _(op, dy):
        return (negative(dy),)
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Any, NamedTuple

from runtime.dtypes import DType
from runtime.shapes import TensorShape

Kernel = Callable[..., Any]


class Spec(NamedTuple):
    """What is known of one output before it is computed."""

    dtype: DType
    shape: TensorShape


Infer = Callable[..., "Spec | Sequence[Spec]"]


class OpDef:
    """The facts about one op. See `define` for the meaning of each attribute."""

    __slots__ = (
        "aliases",
        "checks",
        "elementwise",
        "fresh",
        "gradient",
        "holds",
        "infer",
        "infix",
        "inplace",
        "kernel",
        "measures",
        "name",
        "specialise",
        "stateful",
    )

    name: str
    kernel: Kernel
    infer: Infer
    gradient: Any
    specialise: Callable[..., Kernel | None] | None
    infix: str | None
    elementwise: bool
    aliases: int | None
    inplace: Kernel | None
    stateful: bool
    holds: Container[int]
    fresh: bool | Container[int]
    measures: Container[int]
    checks: bool

    def __repr__(self) -> str:
        return f"<op {self.name}>"


REGISTRY: dict[str, OpDef] = {}

NO_GRADIENT = "no gradient"
"""The gradient of an op through which none flows (comparisons, integer results, state)."""


def define(
    name: str,
    *,
    kernel: Kernel,
    infer: Infer,
    gradient: Any = None,
    specialise: Callable[..., Kernel | None] | None = None,
    infix: str | None = None,
    elementwise: bool = False,
    aliases: int | None = None,
    inplace: Kernel | None = None,
    stateful: bool = False,
    holds: Container[int] = (),
    fresh: bool | Container[int] = True,
    measures: Container[int] = (),
    checks: bool = False,
) -> OpDef:
    """Defines an op and registers it under its name.

    Args:
      name: unique, in TensorFlow's spelling where TensorFlow has the op.
      kernel: `kernel(*arrays, **attrs)` computes the output (a tuple or list for several). It gets
        arrays or NumPy scalars and may return either; it must not write to its inputs.
      infer: `infer(inputs, attrs)` gives the `Spec` of the output, or a list of them. `inputs`
        have `.dtype` and `.shape`; it raises ValueError or TypeError when they cannot be right.
      gradient: `gradient(op, *output_gradients)` gives one gradient (or None) per input, made
        with public functions; NO_GRADIENT for an op that stops gradients. `@gradient(OP)` sets it.
      specialise: `specialise(attrs, inputs)` may give a faster kernel of the arrays alone, made
        once per plan for these attributes and these dtypes and shapes; None keeps `kernel`.
      infix: Python's operator that does the same to two arrays or NumPy scalars, for plans.
      elementwise: each element of the output depends on the same place of the (broadcast) inputs,
        and the kernel is a NumPy ufunc that takes `out=`.
      aliases: the number of the input whose memory the output may share.
      inplace: like `kernel`, but free to write into its first input and to return it.
      stateful: runs in program order, is never dropped, merged or folded.
      holds: the numbers of the inputs that somebody keeps hold of after the op has run, such as a
        variable or a list: nobody may write into their memory any more.
      fresh: whether the outputs are new memory, or the numbers of those that are. They are not
        where somebody else holds them, too.
      measures: the numbers of the inputs of which the shape and dtype matter, but not the elements:
        gradients need not keep them.
      checks: it raises where something is wrong, and has no other effect.
    """
    if name in REGISTRY:
        raise ValueError(f"op {name} is defined twice")
    op = OpDef()
    op.name = name
    op.kernel = kernel
    op.infer = infer
    op.gradient = gradient
    op.specialise = specialise
    op.infix = infix
    op.elementwise = elementwise
    op.aliases = aliases
    op.inplace = inplace
    op.stateful = stateful
    op.holds = holds
    op.fresh = fresh
    op.measures = measures
    op.checks = checks
    REGISTRY[name] = op
    return op


def gradient(*ops: OpDef) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Makes the decorated function the gradient of `ops`; see `define` for its form."""

    def attach(function: Callable[..., Any]) -> Callable[..., Any]:
        for op in ops:
            op.gradient = function
        return function

    return attach
