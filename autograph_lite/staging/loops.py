"""`while` and `for` whose test or iterable is a tensor: a `While` of the graph.

The body is traced with placeholders of what the loop variables are before the loop. If it leaves
them with another dtype, shape or structure, what holds for both is tried next, until the variables
come out as they went in: Python numbers adapt, shapes generalise, names first bound in the body
become perhaps-unbound ones.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from autograph_lite.errors import StagingError
from autograph_lite.operators.dispatch import asked
from autograph_lite.operators.undefined import Undefined, unbound_reads
from autograph_lite.printing import Prints
from autograph_lite.staging import array_stores
from autograph_lite.staging.contents import Slot
from autograph_lite.staging.either import EitherSpec, can_change, lasts
from autograph_lite.staging.either import ObjectSpec as OneObject
from autograph_lite.staging.generators import with_ambient
from autograph_lite.staging.holders import Own
from autograph_lite.staging.kept import kept_spec
from autograph_lite.staging.lists import StagedList
from autograph_lite.staging.objects import has_in_place, is_object
from autograph_lite.staging.possible_values import Carried
from autograph_lite.staging.scopes import (
    ABSENT,
    Place,
    Scope,
    Traced,
    is_ours,
    note,
    trace,
    tracking,
)
from autograph_lite.staging.sharing import Sharing
from autograph_lite.staging.specs import (
    SameSpec,
    Spec,
    TensorSpec,
    UnboundSpec,
    is_bound,
    join,
)
from autograph_lite.staging.tuples import join_growing, may_grow
from autograph_lite.staging.unrolling import GrowsWithEachPass, WantsPythonItems
from autograph_lite.staging.visible import visible
from runtime import dtypes
from runtime.context import building, unnoticed
from runtime.control_flow import as_condition, build_while, function_graph, unbound
from runtime.convert import convert_to_tensor
from runtime.graph import FunctionGraph
from runtime.handles import ArrayHandle
from runtime.locations import user_location
from runtime.ops.comparison import less, logical_and
from runtime.shapes import SCALAR, TensorShape
from runtime.tensor import Tensor

State = tuple[Any, ...]
MOST_TRACINGS = 20
"""Tracings of a body before its variables are taken to have no common description."""
_MANY_PASSES = 4
_MANY_TENSORS = 50
"""Variables that grow ever faster, as a tree doubles with each of these, are made of so much."""


@dataclass(slots=True)
class LoopOptions:
    """What `set_loop_options` and the kind of loop ask for.

    Attributes:
      shape_invariants: pairs (initial value, shape that holds on every pass).
      maximum_iterations: passes after which the loop ends, or None.
    """

    shape_invariants: list[tuple[Any, TensorShape]] | None = None
    maximum_iterations: Any = None

    @classmethod
    def of(cls, options: dict[str, Any] | None) -> LoopOptions:
        """From the keyword arguments of `set_loop_options`."""
        given = options or {}
        return cls(given.get("shape_invariants"), given.get("maximum_iterations"))


def while_loop(
    test: Callable[[], Any],
    body: Callable[[], Any],
    get_state: Callable[[], State],
    set_state: Callable[[State], Any],
    names: tuple[str, ...],
    options: LoopOptions | dict[str, Any] | None = None,
    going: Any = None,
) -> None:
    """A `while` statement with a tensor as its condition.

    Args:
      test: the condition.
      body: one pass.
      get_state: gives the loop variables.
      set_state: sets them.
      names: what they are called.
      options: what `set_loop_options` asked for.
      going: what the condition has given before the first pass, if it has been asked already.
    """
    get_state, set_state, names = with_ambient(get_state, set_state, names)
    if not isinstance(options, LoopOptions):
        options = LoopOptions.of(options)
    try:
        _Loop(test, body, get_state, set_state, names, options, going is not None).stage()
    except _TestHasEffects:
        _test_in_body(going, test, body, get_state, set_state, names, options)


class _TestHasEffects(Exception):
    """The condition changes variables or does something else than to compute."""


def _test_in_body(
    going: Any,
    test: Callable[[], Any],
    body: Callable[[], Any],
    get_state: Callable[[], State],
    set_state: Callable[[State], Any],
    names: tuple[str, ...],
    options: LoopOptions,
) -> None:
    """A loop whose condition has effects: it is asked at the end of each pass."""
    going = as_condition(going, f"the loop at {user_location()}")

    def step() -> None:
        nonlocal going
        body()
        with Prints():  # it has been asked, and what is known has been printed
            going = as_condition(asked(test()), f"the loop at {user_location()}")

    def get() -> State:
        return (going, *get_state())

    def set_(state: State) -> None:
        nonlocal going
        going = state[0]
        set_state(tuple(state[1:]))

    _Loop(lambda: going, step, get, set_, ("the condition", *names), options).stage()


class _Loop:
    """One staged loop: the variables by name, and the places that its body changes."""

    def __init__(
        self,
        test: Callable[[], Any],
        body: Callable[[], Any],
        get_state: Callable[[], State],
        set_state: Callable[[State], Any],
        names: tuple[str, ...],
        options: LoopOptions,
        is_asked: bool = False,
    ) -> None:
        """Takes a loop; `is_asked` if the condition has been asked already, and may be moved."""
        self.test = test
        self.is_asked = is_asked
        self.body = body
        self.get_state = get_state
        self.set_state = set_state
        self.names = names
        self.options = options
        self.where = f"of the loop at {user_location()}"
        self.places: list[Place] = []
        self.before = visible(get_state(), names)
        self.sharing = _sharing_of(names)
        # Variables that were to stay the arrays that they are.
        self.kept: set[int] = set()
        # Variables that may hold what they held before the loop, which others hold too.
        self.apart: set[int] = set()
        self.may_keep_apart = True
        # What variables may be at the beginning of a pass, by their numbers.
        self.carried: dict[int, Carried] = {}

    def stage(self) -> None:
        before = self.before
        try:
            try:
                outputs, specs = self._fixed_point()
            except StagingError:
                if not self.apart:
                    raise
                # As copies they can be looked at, if not be changed.
                self.apart, self.may_keep_apart = set(), False
                self.places, self.sharing = [], _sharing_of(self.names)
                self.kept, self.before = set(), before
                self.set_state(before)
                outputs, specs = self._fixed_point()
        except BaseException as error:
            self.set_state(before)
            if isinstance(error, WantsPythonItems) and self.options.maximum_iterations is not None:
                raise StagingError(*error.args) from None  # unrolled, it would have no such limit
            raise
        leaves = iter(outputs)
        values = [spec.build(leaves) for spec in specs]
        self.set_state(tuple(values[: len(self.names)]))
        for place, value in zip(self.places, values[len(self.names) :], strict=True):
            if tracking():
                note(place.owner, place.kind, place.key)
            place.write(value)
        self.sharing.mark(values)

    def _fixed_point(self) -> tuple[list[Any], list[Spec]]:
        initial = list(self.before)
        specs = [self._first_spec(v, n) for v, n in zip(initial, self.names, strict=True)]
        sizes: list[int] = []
        for _ in range(MOST_TRACINGS):
            attempt = _Attempt(self, specs, initial)
            options = self.options
            with Prints() as prints:
                attempt.trace()
            if self.options is not options:
                count = len(self.names)
                named = zip(initial[:count], self.names, strict=True)
                specs[:count] = [self._first_spec(value, name) for value, name in named]
                continue
            new_places = attempt.new_places()
            if new_places:
                self.places += [place for place, _ in new_places]
                for place, value in new_places:
                    value = Undefined(place.name) if value is ABSENT else value
                    initial.append(value)
                    specs.append(_spec_of_place(place, value))
                continue
            if self._keep_stored(attempt, specs, initial):
                continue
            joined = attempt.joined_specs()
            if attempt.holds_for(joined):
                if attempt.finds_values():
                    continue
                if attempt.finds_shared(initial, joined):
                    specs = self._kept_apart(joined, initial)
                    continue
                prints.show()
                with unnoticed():
                    attempt.finish(joined)
                    start = attempt.initial_leaves(initial)
                    made = build_while(attempt.test_graph, attempt.body_graph, start)
                    return made[1:] if attempt.counted else made, joined
            specs = joined
            sizes.append(sum(1 for spec in specs for _ in spec.tensors()))
            if _grows_on(sizes):
                break
        raise GrowsWithEachPass(
            f"the variables {self.where} change their type on every pass: "
            + ", ".join(self.names)
            + "; give them a fixed dtype and rank before the loop"
        )

    def _keep_stored(self, attempt: _Attempt, specs: list[Spec], initial: list[Any]) -> bool:
        """Has variables stay arrays that others hold too, where the body stores to them."""
        stored = [n for n in range(len(specs)) if self._is_own(n) and attempt.stores_to(n)]
        count = len(self.names)
        left = attempt.traced.values if attempt.traced is not None else None
        ends = [left[n] for n in stored if n < count] if left is not None else []
        array_stores.check_carried(ends, [place.owner for place in self.places])
        if not stored:
            return False
        self.set_state(self.before)
        more = False
        for number in stored:
            array = array_stores.held_too(initial[number], self._own(number))
            if array is not None:
                if number in self.kept:
                    array_stores.refuse_chosen()
                self.kept.add(number)
                specs[number], initial[number] = SameSpec(array), array
                if number < count:
                    self.before = (*self.before[:number], array, *self.before[number + 1 :])
                    self.set_state(self.before)
                more = True
            else:
                array_stores.carry_on(initial[number])
        if more:
            # What is in the containers among them may now be known to stay.
            firsts = [self._first_spec(v, n) for v, n in zip(initial, self.names, strict=False)]
            pairs = zip(self.places, initial[count:], strict=True)
            firsts += [_spec_of_place(place, value) for place, value in pairs]
            for number in set(range(len(specs))) - self.kept:
                specs[number] = firsts[number]
        if left is not None and not more:
            for number in stored:
                if number < count:
                    array_stores.check_next_pass(number, left, self.names[number], attempt.placed)
        return more

    def _is_own(self, number: int) -> bool:
        """Whether a variable of the loop is one variable, or attribute or item, of the user's."""
        count = len(self.names)
        return number < count or self.places[number - count].kind != "content"

    def _own(self, number: int) -> Own:
        """Through what an array is stored to that a variable of the loop holds."""
        if number < len(self.names):
            return Own(self.names[number])
        place = self.places[number - len(self.names)]
        return Own(None, Slot(place.owner, place.kind, place.key))

    def _kept_apart(self, specs: list[Spec], initial: list[Any]) -> list[Spec]:
        """The specs, in which what others hold as well is itself while the loop leaves it alone."""
        found = list(specs)
        if not self.may_keep_apart:
            return found
        for slot in range(len(self.names)):
            value, spec = initial[slot], specs[slot]
            if (slot,) in self.sharing.paths and spec.is_by_value and slot not in self.apart:
                if can_change(value) and lasts(value):
                    found[slot] = EitherSpec(OneObject(value), spec)
                    self.apart.add(slot)
        if found != specs:
            self.sharing = _sharing_of(self.names)
        return found

    def _first_spec(self, value: Any, name: str) -> Spec:
        if type(value) is ArrayHandle or (type(value) in (StagedList, dict) and is_ours(value)):
            # Its contents are noted where they change; it may have other names.
            return SameSpec(value)
        if is_object(value) and lasts(value) and has_in_place(value):
            return SameSpec(value)  # `p += 1` leaves the same object there
        spec = kept_spec(value, value, name)
        for given, shape in self.options.shape_invariants or ():
            if given is value and isinstance(spec, TensorSpec):
                return TensorSpec(spec.dtype, TensorShape(shape), spec.weak)
        return spec

    def set_options(self, maximum_iterations: Any, shape_invariants: Any) -> None:
        """Takes what the body has said of the loop by a call of `set_loop_options`."""
        known = self.options
        shapes, most = known.shape_invariants, known.maximum_iterations
        if shapes is None and shape_invariants is not None:
            before = dict(zip(map(id, self.get_state()), self.before, strict=False))
            shapes = [(before.get(id(v), v), TensorShape(shape)) for v, shape in shape_invariants]
        if most is None:
            most = maximum_iterations
        if shapes is not known.shape_invariants or most is not known.maximum_iterations:
            self.options = LoopOptions(shapes, most)


def _spec_of_place(place: Place, value: Any) -> Spec:
    """How a loop hands on what is in a place: an array that others hold too stays there."""
    if type(value) is ArrayHandle and place.kind != "content":
        return SameSpec(value)
    return kept_spec(value, value, place.name)


class _Inside(threading.local):
    loops: tuple[_Loop, ...] = ()


_inside_of = _Inside()


@contextmanager
def _inside(loop: _Loop) -> Iterator[None]:
    """Within the block, the body of a loop is traced."""
    before = _inside_of.loops
    _inside_of.loops = (*before, loop)
    try:
        yield
    finally:
        _inside_of.loops = before


def set_options(maximum_iterations: Any, shape_invariants: Any) -> None:
    """Says how the innermost loop whose body is being traced is to be staged."""
    if _inside_of.loops:
        _inside_of.loops[-1].set_options(maximum_iterations, shape_invariants)


def _sharing_of(names: Sequence[str]) -> Sharing:
    return Sharing(names, repeats=True)


def _grows_on(sizes: list[int]) -> bool:
    """Whether what variables are made of has grown ever faster, by the sizes after each tracing."""
    if sizes[-1] < _MANY_TENSORS:
        return False
    steps = [b - a for a, b in pairwise(sizes[-_MANY_PASSES - 1 :])]
    return len(steps) == _MANY_PASSES and all(a < b for a, b in pairwise([0, *steps]))


class _Attempt:
    """One tracing of test and body, with the variables as `specs` say."""

    def __init__(self, loop: _Loop, specs: list[Spec], initial: list[Any]) -> None:
        self.loop = loop
        self.specs = specs
        self.initial = initial
        self.test_graph = function_graph("test")
        self.body_graph = function_graph("body")
        self.placed: list[Any] = []
        self.found: list[Any] = []
        self.values: list[Any] = []
        self.traced: Traced | None = None
        self.counted = loop.options.maximum_iterations is not None
        self.unbound_reads = 0

    def all_names(self) -> list[str]:
        return [*self.loop.names, *(place.name for place in self.loop.places)]

    def _placeholders(self, graph: FunctionGraph) -> list[Any]:
        """Values of the variables inside a graph; their tensors are its first inputs."""
        if self.counted:
            graph.inputs.append(graph.placeholder(dtypes.int32, SCALAR, "passes"))
        first = len(graph.inputs)
        for name, spec in zip(self.all_names(), self.specs, strict=True):
            graph.inputs += [graph.placeholder(t.dtype, t.shape, name) for t in spec.tensors()]
        # What is built may capture tensors from around the loop: those are inputs after these.
        leaves = iter(graph.inputs[first:])
        return [spec.build(leaves) for spec in self.specs]

    def _enter(self, values: list[Any]) -> None:
        count = len(self.loop.names)
        self.loop.set_state(tuple(values[:count]))
        for place, value in zip(self.loop.places, values[count:], strict=True):
            note(place.owner, place.kind, place.key)
            place.write(value)
        self.loop.sharing.mark(values)

    def trace(self) -> None:
        loop = self.loop

        def run_test() -> Any:
            placed = self._placeholders(self.test_graph)
            self._enter(placed)
            condition = as_condition(asked(loop.test()), f"the loop at {user_location()}")
            if self.counted:
                passes = self.test_graph.inputs[0]
                condition = logical_and(less(passes, loop.options.maximum_iterations), condition)
            left = loop.get_state()
            rebinds = any(new is not old for new, old in zip(left, placed, strict=False))
            return condition, rebinds

        def run_body() -> State:
            self.placed = self._placeholders(self.body_graph)
            self._carried()
            for before, tensor in zip(self.initial, self.placed, strict=True):
                array_stores.note_variable(before, tensor)
            self._enter(self.placed)
            with _inside(loop):
                loop.body()
            return visible(loop.get_state(), loop.names)

        reads = unbound_reads()
        with Prints() as prints:
            tested = trace(self.test_graph, run_test)
        if not loop.is_asked:
            prints.show()
        if tested.error is not None:
            raise tested.error
        condition, rebinds = tested.values
        entered = {place.identity for place in loop.places}
        changes = any(identity not in entered for identity in tested.scope.changes)
        if loop.is_asked and (rebinds or changes or _has_effects(self.test_graph)):
            raise _TestHasEffects
        self.test_graph.outputs = [self.test_graph.resolve(condition)]
        self.traced = trace(self.body_graph, run_body)
        self.unbound_reads = unbound_reads() - reads

    def _carried(self) -> dict[int, Carried]:
        """What is known of the variables that are texts or integers, by their numbers."""
        known = self.loop.carried
        found = {
            number: known.setdefault(number, Carried(self.initial[number]))
            for number, spec in enumerate(self.specs)
            if isinstance(spec, TensorSpec) and spec.shape.rank == 0 and spec.dtype.kind in "iuS"
        }
        for number, carried in found.items():
            carried.stand_for(self.placed[number])
        return found

    def finds_values(self) -> bool:
        """Whether a pass may leave a value that was to be thought of, and has not been."""
        if not self.found:
            return False  # every pass raises
        news = [carried.add(self.found[number]) for number, carried in self._carried().items()]
        return any(news)

    def stores_to(self, number: int) -> bool:
        """Whether the body has stored to the array that a variable holds."""
        if not isinstance(self.specs[number], TensorSpec):
            return False
        before = sum(1 for spec in self.specs[:number] for _ in spec.tensors())
        placeholder = self.body_graph.inputs[before + self.counted]
        return array_stores.is_stored(self.placed[number], placeholder)

    def new_places(self) -> list[tuple[Place, Any]]:
        """The places that the body changed and that are not loop variables yet."""
        assert self.traced is not None
        known = {place.identity for place in self.loop.places}
        changes = self.traced.scope.changes
        return [pair for identity, pair in changes.items() if identity not in known]

    def joined_specs(self) -> list[Spec]:
        assert self.traced is not None
        if self.traced.error is not None:
            return self.specs
        found, left = list(self.traced.values), list(self.traced.left)
        for place in self.loop.places:
            for values, after in ((found, self.traced.after), (left, self.traced.after_left)):
                value = after[place.identity]
                values.append(Undefined(place.name) if value is ABSENT else value)
        self.found, self.values = found, left
        joined: list[Spec] = []
        for number, (spec, name) in enumerate(zip(self.specs, self.all_names(), strict=True)):
            if isinstance(spec, SameSpec):
                if found[number] is spec.value:
                    joined.append(spec)
                    continue
                spec = kept_spec(spec.value, spec.value, name)
            new = kept_spec(found[number], left[number], name)
            joined.append(self._joined(spec, new, name))
        return joined

    def _joined(self, spec: Spec, new: Spec, name: str) -> Spec:
        if isinstance(spec, TensorSpec) and isinstance(new, TensorSpec):
            self._check_invariant(spec, new, name)
        if spec != new and may_grow(spec, new):
            try:
                return join(spec, new, name, self.loop.where, alternatives=False)
            except StagingError:
                grown = join_growing(spec, new, name, self.loop.where)
                if grown is not None:
                    return grown
        return join(spec, new, name, self.loop.where)

    def _check_invariant(self, spec: TensorSpec, new: TensorSpec, name: str) -> None:
        """A shape that the user declared is not widened behind their back."""
        for given, shape in self.loop.options.shape_invariants or ():
            position = self.all_names().index(name)
            if position < len(self.loop.before) and given is self.loop.before[position]:
                if not new.shape.is_subtype_of(TensorShape(shape)):
                    raise StagingError(
                        f"{name!r} has shape {new.shape} after a pass {self.loop.where}, but "
                        f"set_loop_options declares {TensorShape(shape)}"
                    )

    def finds_shared(self, initial: list[Any], joined: list[Spec]) -> bool:
        """Whether more turns out to be shared than was known when this was traced."""
        assert self.traced is not None
        sharing, places = self.loop.sharing, self.loop.places
        ends: list[tuple[list[Any], Scope | None]] = [(initial, None)]
        if self.traced.error is None:
            ends.append((self.found, self.traced.scope))
        return sharing.look(ends, joined, places)

    def holds_for(self, joined: list[Spec]) -> bool:
        """Whether what was traced is right for variables of the joined specs too.

        It is if they differ in this only: a Python number has become a tensor of the same dtype,
        or a name was unbound, the body did not try to read it, and every pass binds it.
        """
        after = self.values or [None] * len(joined)
        return all(
            new == old
            or _only_stronger(old, new)
            or (isinstance(old, UnboundSpec) and not self.unbound_reads and is_bound(value))
            for old, new, value in zip(self.specs, joined, after, strict=True)
        )

    def finish(self, joined: list[Spec]) -> None:
        """Gives the body its outputs, and both graphs inputs for names bound in the body."""
        self._widen_inputs(self.test_graph, joined)
        self._widen_inputs(self.body_graph, joined)
        self.specs = joined
        graph = self.body_graph
        with building(graph):
            outputs: list[Tensor] = []
            if self.counted:
                outputs.append(graph.inputs[0] + 1)
            if self.traced is not None and self.traced.error is not None:
                outputs += [unbound(t.dtype, t.shape) for s in self.specs for t in s.tensors()]
            else:
                for name, spec, value in zip(
                    self.all_names(), self.specs, self.values, strict=True
                ):
                    outputs += spec.leaves(value, name)
            graph.outputs = [graph.resolve(t) for t in outputs]

    def _widen_inputs(self, graph: FunctionGraph, joined: list[Spec]) -> None:
        position = 1 if self.counted else 0
        for name, old, new in zip(self.all_names(), self.specs, joined, strict=True):
            count = sum(1 for _ in old.tensors())
            if isinstance(old, UnboundSpec) and not isinstance(new, UnboundSpec):
                made = [graph.placeholder(t.dtype, t.shape, name) for t in new.tensors()]
                graph.inputs[position:position] = made
                count = len(made)
            for tensor, spec in zip(graph.inputs[position:], new.tensors(), strict=False):
                tensor.weak = spec.weak
            position += count

    def initial_leaves(self, initial: list[Any]) -> list[Tensor]:
        leaves: list[Tensor] = [convert_to_tensor(0)] if self.counted else []
        for name, spec, value in zip(self.all_names(), self.specs, initial, strict=True):
            leaves += spec.leaves(value, name)
        return leaves


def _has_effects(graph: FunctionGraph) -> bool:
    """Whether running a graph twice differs from running it once."""
    return any(op.opdef.stateful and not op.opdef.checks for op in graph.operations)


def _only_stronger(old: Spec, new: Spec) -> bool:
    """Whether a Python number has become a tensor of the dtype it was staged as."""
    return (
        isinstance(old, TensorSpec)
        and isinstance(new, TensorSpec)
        and (old.dtype, old.shape) == (new.dtype, new.shape)
    )


__all__ = ["LoopOptions", "while_loop"]
