"""`try` whose body may raise when the graph runs: a `Try` of the graph.

The body is first run as Python runs it, in the graph being built. If nothing in it can raise when
the graph runs, that is all: an exception that it raised is Python's business, now. Otherwise what
was added is taken back, and body, handlers and `else` are traced into graphs of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from itertools import chain
from typing import Any

from autograph_lite.errors import AutographError, StagingError
from autograph_lite.operators.exceptions import Handler, python_try
from autograph_lite.operators.undefined import Undefined
from autograph_lite.printing import Prints
from autograph_lite.staging import loans, views
from autograph_lite.staging.caught import Asking, CaughtSpec, ClassIsAsked, Kinds, caught_spec
from autograph_lite.staging.either import can_change, joined_beside
from autograph_lite.staging.generators import with_ambient
from autograph_lite.staging.handed_on import at, held_by, path_to
from autograph_lite.staging.kept import kept_spec
from autograph_lite.staging.later_reads import pending, user_frames
from autograph_lite.staging.loops import MOST_TRACINGS
from autograph_lite.staging.raised import Raised
from autograph_lite.staging.raising import assert_bound
from autograph_lite.staging.retraced import Known, KnownPlace, known_of
from autograph_lite.staging.scopes import (
    ABSENT,
    NeverReturns,
    Place,
    Traced,
    innermost,
    is_among,
    note,
    scope,
    seen_from,
    stack,
    trace,
)
from autograph_lite.staging.sharing import Sharing
from autograph_lite.staging.specs import (
    Lost,
    MaybeUnbound,
    MaybeUnboundSpec,
    SameSpec,
    Spec,
    StaticSpec,
    UnboundSpec,
    apart,
    is_bound,
    join,
    unguarded,
)
from autograph_lite.staging.visible import visible
from runtime import dtypes, nest
from runtime.context import building, thread, unnoticed
from runtime.control_flow import function_graph, unbound
from runtime.errors import OutOfScopeError, SymbolicTensorError
from runtime.graph import FunctionGraph, Operation
from runtime.handles import ArrayHandle
from runtime.locations import user_location
from runtime.shapes import SCALAR
from runtime.tensor import SymbolicTensor, Tensor
from runtime.try_flow import build_try, cells_placeholder, checkpoint, may_raise

State = tuple[Any, ...]
Variables = tuple[Callable[[], State], Callable[[State], None], tuple[str, ...]]
Part = Callable[[], None] | None
Handlers = tuple[Handler, ...] | Callable[["Raised"], Sequence[Handler]]


def try_(
    body: Part,
    handlers: tuple[Handler, ...],
    orelse: Part,
    final: Part,
    variables: Variables,
) -> None:
    """A `try` statement while a graph is built; see `operators.exceptions.try_`."""
    if final is None:
        _try_except(body, handlers, orelse, variables)
        return

    def inner() -> None:
        _try_except(body, handlers, orelse, variables)

    # What is known is printed once, though the graph may get the statements twice.
    prints = Prints()

    def clean_up(error: BaseException) -> None:
        nonlocal prints
        with Prints() as prints:
            final()
        raise error

    with pending(final):
        try:
            _try_except(inner, ((lambda: BaseException, clean_up),), None, variables)
        except BaseException as error:
            if not isinstance(error, AutographError):
                prints.show()
            raise
    final()


def _try_except(
    body: Part, handlers: tuple[Handler, ...], orelse: Part, variables: Variables
) -> None:
    with pending(*(handler for _, handler in handlers), orelse):
        _with_handlers(body, handlers, orelse, with_ambient(*variables))


def _with_handlers(
    body: Part, handlers: tuple[Handler, ...], orelse: Part, variables: Variables
) -> None:
    get_state, set_state, names = variables
    before = visible(get_state(), names)
    set_state(before)
    loans.settle_all()
    known = known_of(body)
    if body is not None:
        body = _asking_for_values(body, get_state, before)
    if known.risky:
        StagedTry(body, handlers, orelse, variables, known).stage()
        return
    mark = Mark()
    with watching_risks() as risks, scope() as changed, known.part("body"), Prints() as prints:
        failure: BaseException | None = None
        try:
            if body is not None:
                body()
        except BaseException as error:
            failure = error
        if risks.found:
            loans.close(changed)
            changed.take_back()
            loans.forget_changes()
    if isinstance(failure, KeyboardInterrupt) and risks.found:
        raise failure  # the user's, who does not want to wait
    if risks.found:
        mark.go_back()
        set_state(before)
        known.risky = True
        StagedTry(body, handlers, orelse, variables, known).stage()
        return
    changed.hand_over()
    prints.show()
    if failure is None:
        if orelse is not None:
            orelse()
        return
    if isinstance(failure, AutographError | SymbolicTensorError | OutOfScopeError):
        raise failure
    _handle_now(failure, handlers)


def _asking_for_values(
    body: Callable[[], None], get_state: Callable[[], State], before: State
) -> Callable[[], None]:
    """A body that raises by its end what reading the values raises that it leaves in variables.

    Functions that it calls may have read attributes that are there on some paths only.
    """

    @wraps(body)
    def asking() -> None:
        body()
        for value, old in zip(get_state(), before, strict=True):
            if value is not old and value is not unguarded(value):
                assert_bound(unguarded(value).bound, value.op.attrs["error"])

    return asking


def _handle_now(failure: BaseException, handlers: tuple[Handler, ...]) -> None:
    """Python's own way: nothing staged was involved."""

    def fail() -> None:
        raise failure

    python_try(fail, handlers, None, None)


class Mark:
    """How far the graph being built had come."""

    def __init__(self) -> None:
        self.graph = thread.graph
        self.count = len(self.graph.operations) if self.graph is not None else 0

    def has_effects(self) -> bool:
        """Whether something has been added since that does more than to compute."""
        added = [] if self.graph is None else self.graph.operations[self.count :]
        return any(op.opdef.stateful for op in added)

    def go_back(self) -> None:
        """Takes back what was added since."""
        if self.graph is not None:
            self.graph.forget_after(self.count)


class _Risks:
    """Whether anything was added to a graph that may raise when it runs."""

    def __init__(self, note: Callable[[], None] | None) -> None:
        self.found = False
        self.note = note

    def __call__(self, opdef: Any) -> None:
        if may_raise(opdef):
            self.found = True
            if self.note is not None:
                self.note()


@contextmanager
def watching_risks(note: Callable[[], None] | None = None) -> Iterator[_Risks]:
    """Within the block, operations that may raise are noticed before they are added."""
    outer = thread.before_adding
    risks = _Risks(note)

    def both(opdef: Any) -> None:
        if outer is not None:
            outer(opdef)
        risks(opdef)

    thread.before_adding = both
    try:
        yield risks
    finally:
        thread.before_adding = outer


class StagedTry:
    """One staged `try` without `finally`: its variables, and the places that its parts change.

    Its handlers may be a function that gives them when it is known what the body may raise.
    """

    def __init__(
        self,
        body: Part,
        handlers: Handlers,
        orelse: Part,
        variables: Variables,
        known: Known,
    ) -> None:
        self.body = body
        self.known = known
        self.handlers = handlers
        self.handled: list[tuple[Kinds, Any]] = []
        # The numbers of the handlers that are traced for each class.
        self.asked: set[int] = set()
        self.orelse = orelse
        self.get_variables, self.set_variables, self.variables = variables
        self.places: list[Place] = []
        self.names = list(self.variables)
        self.where = f"of the `try` at {user_location()}"
        given = self.get_variables()
        self.before = list(given[: len(self.names)])
        # Variables behind the named ones: only the body needs them, as they are now.
        self.restored = given[len(self.names) :]
        self.around = stack()
        # What the variables are where the body may raise: what they were before it does not count.
        self.specs: list[Spec] = [UnboundSpec(Lost(name)) for name in self.names]
        self.first: list[Spec] | None = None
        # What the last checkpoint has stored, and the checkpoint.
        self.last: list[Any] = []
        self.stored: Operation | None = None
        # What each checkpoint has stored: the handlers may find the arrays of any.
        self.left_at_raise: list[list[Tensor]] = []
        before = list(map(self._spec, self.before, self.before, self.names))
        if known.before != before:
            known.before, known.after = before, None
        elif known.after is not None:
            # Objects that a body has made are others when it is traced again.
            self.specs = [
                new if _holds_objects(spec) else spec
                for spec, new in zip(known.after, self.specs, strict=True)
            ]
            self._add_known_places()
        # What others hold too where something may be raised.
        self.at_raise = self._nothing_shared()
        # Variables that are one of several objects, as others hold those too; whether that is new.
        self.one_of_several: set[int] = set()
        self.begins_again = False

    def _nothing_shared(self) -> Sharing:
        return Sharing(self.variables, sum(1 for _ in user_frames()))

    def stage(self) -> None:
        try:
            self._fixed_point()
        except BaseException:
            self.set_state(self.before)
            raise

    def get_state(self) -> list[Any]:
        """The values of the variables, then what is in the places."""
        # What a branch inside has left in a variable that nobody reads is nobody's.
        found = list(visible(self.get_variables()[: len(self.variables)], self.variables))
        for place in self.places:
            value = place.read()
            found.append(Undefined(place.name) if value is ABSENT else value)
        return found

    def set_state(self, values: Sequence[Any]) -> None:
        """Sets the variables, and what is in the places."""
        count = len(self.variables)
        self.set_variables((*values[:count], *self.restored))
        for place, value in zip(self.places, values[count:], strict=True):
            note(place.owner, place.kind, place.key)
            place.write(value)

    def _fixed_point(self) -> None:
        for _ in range(MOST_TRACINGS):
            body: Traced | None = None
            try:
                with Prints() as prints:
                    body = self._trace_body()
                    if self.orelse is not None and body.error is None:
                        self._widen(list(body.values), list(body.left))
                    ends = [*self._trace_handlers(body), self._trace_else(body)]
            except StagingError:
                # The handlers may not have found in its places what the body leaves there.
                if body is not None and (self._add_places([body]) or not self._is_settled()):
                    continue
                raise
            if self._add_places([body, *ends]):
                continue
            if self._is_settled():
                prints.show()
                self._remember()
                self._build(body, ends)
                return
        raise StagingError(
            f"the variables {self.where} have no common type on all paths: " + ", ".join(self.names)
        )

    def _is_settled(self) -> bool:
        """Whether the body has been traced with what is known at its end."""
        return not self.begins_again and (self.first is None or self.specs == self.first)

    def _keep_objects(self, state: Sequence[Any]) -> None:
        """Has variables be one of several objects that others hold too, and no copy of one."""
        for slot in range(len(self.variables)):
            value = state[slot]
            if (slot,) in self.at_raise.paths and slot not in self.one_of_several:
                if can_change(value) and is_among(value, self.around):
                    self.one_of_several.add(slot)
                    self.specs[slot] = UnboundSpec(Lost(self.names[slot]))
                    self.begins_again = True

    def _add_places(self, parts: list[Traced]) -> bool:
        """Makes variables of the places that the parts change; False if all are known."""
        known = {place.identity for place in self.places}
        found = {
            identity: change
            for traced in parts
            for identity, change in traced.scope.changes.items()
            if identity not in known
        }
        for place, before in found.values():
            self._add_place(place, Undefined(place.name) if before is ABSENT else before)
        return bool(found)

    def _add_place(self, place: Place, before: Any) -> None:
        self.places.append(place)
        self.names.append(place.name)
        self.before.append(before)
        self.specs.append(UnboundSpec(Lost(place.name)))

    def _remember(self) -> None:
        """Notes what has been found out, for when the statement around this one is traced again."""
        count = len(self.variables)
        self.known.after = self.specs[:count]
        given = self._reachable() if self.places else []
        self.known.places = [
            KnownPlace(
                *(path, type(place.owner), place.kind, place.key),
                self._spec(before, before, place.name),
                spec,
            )
            for place, before, spec in zip(
                self.places, self.before[count:], self.specs[count:], strict=True
            )
            if (path := path_to(place.owner, given)) is not None
        ]

    def _reachable(self) -> list[Any]:
        """What the parts can reach: their variables, then the others that they know."""
        handlers = self.handlers
        known = [handlers] if callable(handlers) else [handler for _, handler in handlers]
        parts = [self.body, *known, self.orelse]
        return self.before[: len(self.variables)] + list(chain(*map(held_by, parts)))

    def _add_known_places(self) -> None:
        """Makes variables of the places that the parts have changed when they were traced last."""
        given = self._reachable() if self.known.places else []
        seen: set[Any] = set()
        for known in self.known.places:
            owner = at(given, known.path)
            place = Place(owner, known.kind, known.key)
            if type(owner) is not known.owner or place.identity in seen:
                continue
            seen.add(place.identity)
            found = place.read()
            value = Undefined(place.name) if found is ABSENT else found
            is_like = self._spec(value, value, place.name) == known.before
            self._add_place(place, value)
            if is_like and not _holds_objects(known.after):
                self.specs[-1] = known.after

    # ---- the parts

    def _trace_body(self) -> Traced:
        if self.begins_again:
            self.at_raise, self.begins_again = self._nothing_shared(), False
        graph = function_graph("try")
        cells = cells_placeholder(graph)
        graph.inputs.append(cells)
        self.last, self.first, self.stored = [], None, None
        self.left_at_raise.clear()

        def note() -> None:
            # The lists are looked at more than once while the user's code changes them.
            with loans.amid_a_change():
                keep_state()

        def keep_state() -> None:
            with unnoticed():
                # Here, where what changes is noted in the right scope.
                loans.settle_all()
                state = self.get_state()
            known = self.stored is not None and self.stored.graph is graph
            if known and len(state) == len(self.last) and all(map(self._same, state, self.last)):
                return
            self.last = state
            with seen_from(self.around):
                self._widen(state, state)
            self.first = self.first or list(self.specs)
            self.at_raise.look([(state, innermost())], self.specs, self.places)
            self._keep_objects(state)
            with unnoticed():
                leaves = self._leaves(self.specs, state)
                checkpoint(cells, leaves)
            self.left_at_raise.append(leaves)
            # One in a branch may not run; one that is taken back belongs to no graph.
            assert thread.graph is not None
            self.stored = thread.graph.operations[-1]

        def run() -> State:
            self.set_state(self.before)
            if self.body is not None:
                self.body()
            return tuple(self.get_state())

        with watching_risks(note), self.known.part("body"):
            return trace(graph, run)

    def _trace_handlers(self, body: Traced) -> list[Traced]:
        raised = Raised(body)
        handlers = self.handlers(raised) if callable(self.handlers) else self.handlers
        self.handled = []
        ends: list[Traced] = []
        for number, (kinds, handler) in enumerate(handlers):
            classes = _classes(kinds())
            known = raised.take(classes)
            asking = Asking()
            if number not in self.asked:
                asking.active = len({type(e) for e in known}) > (1 if raised.is_all else 0)
                try:
                    spec = caught_spec(classes, known, raised.is_all, asking)
                    ends.append(self._trace_handler(classes, handler, spec))
                    continue
                except ClassIsAsked as asked:
                    if asked.asking is not asking:
                        raise
                    self.asked.add(number)
                finally:
                    asking.active = False
            for kind in _narrower_first(known):
                some = [error for error in known if type(error) is kind]
                spec = caught_spec((kind,), some, True)
                ends.append(self._trace_handler((kind,), handler, spec))
            if not raised.is_all:
                spec = caught_spec(classes, [], False)
                ends.append(self._trace_handler(classes, handler, spec))
        return ends

    def _trace_handler(self, kinds: Kinds, handler: Any, spec: CaughtSpec) -> Traced:
        graph = function_graph("except")
        enter = self._placeholders(graph)
        message = graph.placeholder(dtypes.string, SCALAR, "message")
        error = graph.placeholder(dtypes.variant, SCALAR, "error")
        graph.inputs += [message, error]
        caught = spec.fresh(message, error)

        def run() -> State:
            enter()
            if handler is not None:
                _call_handling(handler, caught)
            return tuple(self.get_state())

        with self.known.part(f"except {len(self.handled)}"):
            traced = trace(graph, run)
        self.handled.append((kinds, handler))
        return traced

    def _trace_else(self, body: Traced) -> Traced:
        """What happens if nothing is raised; without `else`, the end of the body."""
        if self.orelse is None:
            return body
        graph = function_graph("else")
        enter = self._placeholders(graph, body)
        orelse = self.orelse

        def run() -> State:
            enter()
            orelse()
            return tuple(self.get_state())

        with self.known.part("else"):
            return trace(graph, run)

    def _placeholders(self, graph: FunctionGraph, body: Traced | None = None) -> Callable[[], None]:
        """Adds inputs for the variables to a graph; gives what sets the variables to them.

        Args:
          graph: the graph.
          body: if the graph runs after the body, the body: what it has bound is bound.
        """
        made: list[tuple[Spec, list[SymbolicTensor]]] = []
        for name, spec in zip(self.names, self.specs, strict=True):
            tensors = [graph.placeholder(t.dtype, t.shape, name) for t in spec.tensors()]
            graph.inputs += tensors
            made.append((spec, tensors))
        if body is None and self.specs == self.first:
            # What earlier checkpoints have stored is of the same specs then.
            views.note_choices([one for _, tensors in made for one in tensors], self.left_at_raise)

        sharing = self._sharing(self.specs, [] if body is None else [body])

        def enter() -> None:
            # Lists and objects of a part are born in its trace: their changes are nobody else's.
            values = [
                before if _is_nothing(spec) else spec.build(iter(tensors))
                for before, (spec, tensors) in zip(self.before, made, strict=True)
            ]
            self.set_state(values if body is None else _as_bound(values, body))
            sharing.mark(values)
            if body is None:
                self.at_raise.mark(values)

        return enter

    # ---- types and values

    def _sharing(self, specs: list[Spec], ends: list[Traced]) -> Sharing:
        """What others hold too of what is made anew where parts end."""
        sharing = Sharing(list(self.variables))
        found = [
            (traced.values, traced.scope)
            for traced in ends
            if traced.error is None and len(traced.values) == len(specs)
        ]
        sharing.look(found, specs, self.places)
        return sharing

    def _same(self, value: Any, before: Any) -> bool:
        """Whether a variable is as it was: what happens in the body's own objects nobody notes."""
        return value is before and not self._holds_own(value)

    def _holds_own(self, value: Any) -> bool:
        if isinstance(value, MaybeUnbound):
            return self._holds_own(value.value)
        if can_change(value):
            return not is_among(value, self.around)
        parts = None if isinstance(value, Tensor) else nest.parts(value)
        return parts is not None and any(map(self._holds_own, parts[1]))

    def _spec(self, value: Any, left: Any, path: str) -> Spec:
        """The spec of a variable; an object that was there before the statement is itself.

        What the parts change in it is noted where it changes, as it may have other names.

        Args:
          value: what the variable holds.
          left: the same, with copies of what a part has changed in it.
          path: what the user calls it.
        """
        if type(value) is ArrayHandle and any(value is before for before in self.before):
            # An array that others hold too stays what it was.
            return SameSpec(value)
        if isinstance(value, MaybeUnbound) and isinstance(left, MaybeUnbound):
            return MaybeUnboundSpec(self._spec(value.value, left.value, path), left.undefined)
        spec = kept_spec(value, left, path)
        lasts = can_change(value) and is_among(value, self.around)
        return SameSpec(value, spec) if lasts and not isinstance(spec, SameSpec) else spec

    def _widen(self, values: list[Any], left: list[Any]) -> None:
        new = map(self._spec, values, left, self.names)
        self.specs = [
            found if _is_nothing(spec) else self._joined(slot, spec, found)
            for slot, (spec, found) in enumerate(zip(self.specs, new, strict=True))
        ]

    def _joined(self, slot: int, spec: Spec, other: Spec) -> Spec:
        """What holds of a variable on two paths."""
        name = self.names[slot]
        if slot not in self.one_of_several or spec == other:
            return join(spec, other, name, self.where)
        return joined_beside(spec, other, lambda a, b: join(a, b, name, self.where))

    def _leaves(self, specs: list[Spec], values: list[Any]) -> list[Tensor]:
        triples = zip(specs, values, self.names, strict=True)
        return [leaf for spec, value, name in triples for leaf in spec.leaves(value, name)]

    def _left(self, traced: Traced) -> list[Any]:
        """What a part has left; of one of several objects, itself rather than a copy."""
        found = list(traced.left)
        for slot in self.one_of_several:
            value = traced.values[slot]
            if can_change(value) and is_among(value, self.around):
                found[slot] = value
        return found

    def _end_specs(self, ends: list[Traced]) -> list[Spec]:
        """What holds of the variables after the statement, however it has ended."""
        joined: list[Spec] = []
        for number, name in enumerate(self.names):
            spec: Spec | None = None
            for traced in ends:
                if traced.error is None:
                    new = self._spec(traced.values[number], traced.left[number], name)
                    spec = new if spec is None else self._joined(number, spec, new)
            joined.append(spec or self.specs[number])
        return joined

    def _build(self, body: Traced, ends: list[Traced]) -> None:
        self.set_state(self.before)
        *handled, last = ends
        after = self._end_specs(ends)
        if last is not body:
            self._finish(body, self.specs)
        for traced in ends:
            self._finish(traced, after)
        kinds = [kinds for kinds, _ in self.handled]
        handlers = [(k, t.graph) for k, t in zip(kinds, handled, strict=True)]
        orelse = None if last is body else last.graph
        initial = self._leaves(self.specs, [Lost(name) for name in self.names])
        specs = [(t.dtype, t.shape) for spec in after for t in spec.tensors()]
        outputs = build_try(body.graph, handlers, orelse, initial, specs)
        leaves = iter(outputs)
        values = tuple(spec.build(leaves) for spec in after)
        self.set_state(values)
        self._sharing(after, ends).mark(values)
        if all(t.error is not None for t in ends):
            raise NeverReturns(f"every path {self.where} raises")

    def _finish(self, traced: Traced, specs: list[Spec]) -> None:
        graph = traced.graph
        with building(graph), unnoticed():
            if traced.error is not None:
                leaves: list[Any] = [
                    unbound(t.dtype, t.shape) for spec in specs for t in spec.tensors()
                ]
            else:
                leaves = self._leaves(specs, self._left(traced))
            graph.outputs = [graph.resolve(t) for t in leaves]


def _is_nothing(spec: Spec) -> bool:
    """Whether nothing is known of a variable: the body cannot raise."""
    return isinstance(spec, UnboundSpec) and isinstance(spec.undefined, Lost)


def _holds_objects(spec: Spec) -> bool:
    """Whether a spec tells of certain objects, not of what any like them are."""
    is_static = isinstance(spec, StaticSpec) and can_change(spec.value)
    return is_static or apart(spec) is not spec


def _as_bound(values: list[Any], body: Traced) -> list[Any]:
    """The values at the end of the body, where names are bound that it has bound."""
    if body.error is not None:
        return values
    return [
        value.value if isinstance(value, MaybeUnbound) and is_bound(left) else value
        for value, left in zip(values, body.left, strict=True)
    ]


def _classes(kinds: Any) -> Kinds:
    return kinds if isinstance(kinds, tuple) else (kinds,)


def _narrower_first(errors: list[BaseException]) -> list[type[BaseException]]:
    kinds = dict.fromkeys(type(error) for error in errors)
    return sorted(kinds, key=lambda kind: -len(kind.__mro__))


def _call_handling(handler: Any, caught: BaseException) -> None:
    """Calls a handler so that a bare `raise` in it finds the exception."""
    try:
        raise caught
    except BaseException as error:
        handler(error)
