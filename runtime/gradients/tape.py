"""GradientTape: remembers operations, to go back through them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from runtime import context, nest
from runtime.context import thread
from runtime.convert import convert_to_tensor
from runtime.errors import OutOfScopeError
from runtime.gradients.activity import graphs_of, variables_read, varied_outputs
from runtime.gradients.reverse import STRUCTURED, Gradient, Gradients, Sweep
from runtime.gradients.sums import (
    carries_gradient,
    is_list,
    ones_for,
    zeros,
    zeros_for,
    zeros_for_variable,
)
from runtime.gradients.unconnected import UnconnectedGradients
from runtime.locations import user_location
from runtime.ops.state import READ
from runtime.tensor import SymbolicTensor, Tensor
from runtime.variables import Variable


class GradientTape:
    """Records the operations that run within its block, to give gradients of their results.

    Args:
      persistent: whether gradients may be asked for more than once.
      watch_accessed_variables: whether trainable variables are watched from their first use on.

    Raises:
      RuntimeError: gradients are asked for again, of a tape that is not persistent.

    >>> import autograph_lite as ag
    >>> x = ag.constant(3.0)
    >>> with ag.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = x * x
    >>> tape.gradient(y, x).numpy()
    np.float32(6.0)
    """

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent = persistent
        self._watch_accessed = watch_accessed_variables
        self._recording = False
        self._used = False
        self._graph: Any = None
        self._clear()

    def _clear(self) -> None:
        self._ops: list[Any] = []
        self._recorded: set[int] = set()
        # By id, the tensors that are watched or made of such: alive, so that ids stay theirs.
        self._tracked: dict[int, Tensor] = {}
        self._variables: dict[int, Any] = {}
        self._explicit: dict[int, Any] = {}
        self._alive: list[Any] = []

    # ---- recording

    def __enter__(self) -> GradientTape:
        self._start()
        return self

    def __exit__(self, *exc: object) -> None:
        if self._recording:
            self._stop()

    def _start(self) -> None:
        if self._recording:
            raise ValueError(f"{user_location()}: this GradientTape is recording already")
        self._graph = thread.graph
        self._recording = True
        context.enter_busy()
        thread.recorders = (*thread.recorders, self)

    def _stop(self) -> None:
        self._recording = False
        thread.recorders = tuple(r for r in thread.recorders if r is not self)
        context.leave_busy()

    def record(self, op: Any) -> None:
        """Notes an operation that has just run or been added to the graph."""
        if getattr(op, "graph", None) is not self._graph:
            # It belongs to a branch, a loop body or another function: what comes of that is told.
            return
        if op.opdef is READ:
            self._access(op.attrs["variable"])
        elif op.opdef.name in STRUCTURED:
            for graph in graphs_of(op):
                for variable in variables_read(graph):
                    self._access(variable)
        outputs = varied_outputs(op, self._tracked, self._variables)
        if outputs:
            self._ops.append(op)
            self._recorded.add(id(op))
            self._track(outputs)

    def extend(self, op: Any) -> None:
        """Notes that an operation has been given more outputs, for another tape's gradients."""
        if id(op) in self._recorded:
            self._track(varied_outputs(op, self._tracked, self._variables))

    def insert(self, op: Any, made: Any, behind: bool = False) -> None:
        """Notes an operation that has been put right before a recorded one, or behind it."""
        if id(op) not in self._recorded:
            return
        outputs = varied_outputs(made, self._tracked, self._variables)
        if outputs:
            number = next(n for n, other in enumerate(self._ops) if other is op)
            self._ops.insert(number + behind, made)
            self._recorded.add(id(made))
            self._track(outputs)

    def _track(self, tensors: Sequence[Tensor]) -> None:
        for tensor in tensors:
            self._tracked[id(tensor)] = tensor

    def _access(self, variable: Any) -> None:
        if self._watch_accessed and variable.trainable:
            self._variables.setdefault(id(variable), variable)

    def tracks(self, tensor: Tensor) -> bool:
        """Whether a tensor is watched or made of what is."""
        return id(tensor) in self._tracked

    def watches(self, variable: Any) -> bool:
        """Whether reads of a variable are recorded."""
        if id(variable) in self._variables:
            return True
        return bool(self._watch_accessed and variable.trainable)

    def watch(self, tensor: Any) -> None:
        """Records from now on what is made of a tensor.

        Args:
          tensor: a tensor or variable, or a structure of them.

        Raises:
          ValueError: there is something else in it.
        """
        for leaf in nest.flatten(tensor, expand_composites=True):
            if isinstance(leaf, Variable):
                self._variables[id(leaf)] = leaf
            elif isinstance(leaf, Tensor):
                own = self._own(leaf)
                if own is not None and carries_gradient(own):
                    self._tracked[id(own)] = own
                    self._alive.append(leaf)
            else:
                raise ValueError(
                    f"{user_location()}: a tape can watch tensors and variables, found {leaf!r}"
                )

    def _own(self, tensor: Tensor) -> Tensor | None:
        """A tensor as the recorded operations know it."""
        if self._graph is None:
            return tensor
        try:
            return self._graph.resolve(tensor)  # type: ignore[no-any-return]
        except OutOfScopeError:
            return None

    @contextmanager
    def stop_recording(self) -> Iterator[None]:
        """Within the block, nothing is recorded.

        Raises:
          ValueError: the tape is not recording.

        >>> import autograph_lite as ag
        >>> x = ag.constant(2.0)
        >>> with ag.GradientTape(persistent=True) as tape:
        ...     tape.watch(x)
        ...     y = x * x
        ...     with tape.stop_recording():
        ...         dy = tape.gradient(y, x)
        >>> dy.numpy()
        np.float32(4.0)
        """
        if not self._recording:
            raise ValueError(f"{user_location()}: this GradientTape is not recording")
        self._stop()
        try:
            yield
        finally:
            graph = self._graph
            self._start()
            self._graph = graph

    def reset(self) -> None:
        """Forgets everything recorded and watched so far.

        >>> import autograph_lite as ag
        >>> x = ag.constant(2.0)
        >>> with ag.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = x * x
        ...     tape.reset()
        ...     tape.watch(x)
        ...     z = y + x
        >>> tape.gradient(z, x).numpy()
        np.float32(1.0)
        """
        self._clear()

    def watched_variables(self) -> tuple[Any, ...]:
        """The variables watched so far, in the order of their first use."""
        return tuple(self._variables.values())

    # ---- gradients

    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> Any:
        """The gradients of the sum of `target` with respect to `sources`.

        Args:
          target: a tensor, or a structure of tensors whose gradients are added.
          sources: tensors and variables, or a structure of them.
          output_gradients: for each target, what its gradient starts from; ones by default.
          unconnected_gradients: what to give for a source that has no influence: NONE or ZERO.

        Returns:
          A gradient for each source, in their structure.

        Raises:
          RuntimeError: the tape is not persistent and has been used before.
          TypeError, ValueError: the sources are no tensors, or the arguments do not fit.
        """
        self._use()
        targets = _tensors(target)
        seeds = _seeds(output_gradients, target, len(targets))
        leaves = nest.flatten(sources, expand_composites=True)
        found = self._gradients(targets, seeds, leaves)
        unconnected = UnconnectedGradients(unconnected_gradients)
        made = [connected(g, s, unconnected) for g, s in zip(found, leaves, strict=True)]
        self._release()
        return nest.pack_sequence_as(sources, made, expand_composites=True)

    def _use(self) -> None:
        if thread.graph is not self._graph:
            # A branch or a pass of a loop is being traced: another one may ask, too, since only
            # one of them will run, or this one be traced again.
            return
        if self._used and not self._persistent:
            raise RuntimeError(
                f"{user_location()}: a GradientTape that is not persistent gives gradients once; "
                "use ag.GradientTape(persistent=True)"
            )
        self._used = True
        if self._recording and not self._persistent:
            self._stop()

    def _release(self) -> None:
        """Gives back the memory of a tape that cannot be asked again."""
        if self._used and not self._persistent:
            self._clear()

    def _gradients(
        self, targets: Sequence[Tensor], seeds: Sequence[Any], sources: Sequence[Any]
    ) -> Gradients:
        """The gradient of each source, None where there is none; seeds of None stand for ones."""
        tensors = [None if isinstance(s, Variable) else self._own(_source(s)) for s in sources]
        tracked = [t for t in tensors if t is not None and id(t) in self._tracked]
        variables = [s for s in sources if isinstance(s, Variable)]
        sweep = Sweep(tracked, variables)
        for target, seed in zip(targets, seeds, strict=True):
            own = self._own(target)
            if own is not None and carries_gradient(own) and id(own) in self._tracked:
                sweep.seed(own, seed_for(own, seed))
        sweep.run(list(self._ops))
        made: Gradients = []
        for source, tensor in zip(sources, tensors, strict=True):
            if isinstance(source, Variable):
                made.append(sweep.variable_gradients.get(id(source)))
            elif tensor is None or id(tensor) not in self._tracked:
                made.append(None)
            else:
                made.append(sweep.gradient(tensor))
        return made

    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """The derivative of each element of `target` with respect to each of `sources`.

        Args:
          target: a tensor.
          sources: tensors and variables, or a structure of them.
          unconnected_gradients: what to give for a source that has no influence: NONE or ZERO.
          parallel_iterations: accepted for TensorFlow's sake.
          experimental_use_pfor: accepted for TensorFlow's sake.

        Returns:
          For each source a tensor of the target's shape followed by the source's.

        >>> import autograph_lite as ag
        >>> x = ag.constant([1.0, 2.0])
        >>> with ag.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = x * x
        >>> tape.jacobian(y, x).numpy().tolist()
        [[2.0, 0.0], [0.0, 4.0]]
        """
        from runtime.gradients.jacobian import jacobian

        self._use()
        leaves = nest.flatten(sources, expand_composites=True)
        unconnected = UnconnectedGradients(unconnected_gradients)
        made = jacobian(self._vjp(leaves), convert_to_tensor(target), leaves, unconnected)
        self._release()
        return nest.pack_sequence_as(sources, made, expand_composites=True)

    def batch_jacobian(
        self,
        target: Any,
        source: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """The Jacobian of each row of `target` with respect to the same row of `source`.

        Args:
          target: a tensor of shape (rows, ...); a row depends on the same row of `source` only.
          source: a tensor of shape (rows, ...).
          unconnected_gradients: what to give if there is no influence: NONE or ZERO.
          parallel_iterations: accepted for TensorFlow's sake.
          experimental_use_pfor: accepted for TensorFlow's sake.

        Returns:
          A tensor of shape (rows, rest of the target's shape, rest of the source's shape).

        Raises:
          ValueError: the numbers of rows differ.

        >>> import autograph_lite as ag
        >>> x = ag.constant([[1.0, 2.0], [3.0, 4.0]])
        >>> with ag.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = x * x
        >>> tape.batch_jacobian(y, x).numpy().tolist()
        [[[2.0, 0.0], [0.0, 4.0]], [[6.0, 0.0], [0.0, 8.0]]]
        """
        from runtime.gradients.jacobian import batch_jacobian

        self._use()
        unconnected = UnconnectedGradients(unconnected_gradients)
        made = batch_jacobian(self._vjp([source]), convert_to_tensor(target), source, unconnected)
        self._release()
        return made

    def _vjp(self, sources: Sequence[Any]) -> Any:
        """`vjp(target, seed)` gives the gradients of `sources`."""

        def vjp(target: Tensor, seed: Tensor) -> Gradients:
            return self._gradients([target], [seed], sources)

        return vjp


def _tensors(target: Any) -> list[Tensor]:
    leaves = nest.flatten(target, expand_composites=True)
    return [t if isinstance(t, Tensor) else convert_to_tensor(t) for t in leaves]


def _seeds(output_gradients: Any, target: Any, count: int) -> list[Any]:
    """What the gradient of each target starts from; None stands for ones."""
    if output_gradients is None:
        return [None] * count
    try:
        found = nest.flatten_up_to(target, output_gradients, False, expand_composites=True)
    except (TypeError, ValueError):
        found = nest.flatten(output_gradients, expand_composites=True)
    if len(found) != count:
        raise ValueError(
            f"{user_location()}: {count} targets need as many output_gradients, found {len(found)}"
        )
    return found


def _source(source: Any) -> Tensor:
    if not isinstance(source, Tensor):
        raise TypeError(
            f"{user_location()}: gradients are taken with respect to tensors and variables, "
            f"found {source!r}"
        )
    return source


def seed_for(target: Tensor, seed: Any) -> Tensor:
    """What the gradient of a target starts from: `seed`, or ones.

    Raises:
      ValueError: it has another dtype or shape than the target.
    """
    if seed is None:
        return ones_for(target)
    tensor = convert_to_tensor(seed, dtype_hint=target.dtype)
    if tensor.dtype is not target.dtype or not tensor.shape.is_compatible_with(target.shape):
        raise ValueError(
            f"{user_location()}: the gradient of a target of {target.dtype.name}{target.shape} "
            f"cannot start from {tensor.dtype.name}{tensor.shape}"
        )
    return tensor


def connected(gradient: Gradient, source: Any, unconnected: UnconnectedGradients) -> Any:
    """A gradient, or what stands for its absence."""
    if gradient is not None or unconnected is UnconnectedGradients.NONE:
        return gradient
    if isinstance(source, Variable):
        return zeros_for_variable(source)
    if isinstance(source, SymbolicTensor) or is_list(source) or not source.shape.is_fully_defined():
        return zeros_for(source)
    return zeros(source.shape.as_tuple(), source.dtype)


__all__ = ["GradientTape", "connected", "seed_for"]
