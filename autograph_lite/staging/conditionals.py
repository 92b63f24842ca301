"""`if`, conditional expressions, `and` and `or` whose condition is a tensor: the graph's `If`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph_lite.errors import StagingError
from autograph_lite.operators import logic
from autograph_lite.operators.conditionals import no_body, no_state, set_no_state
from autograph_lite.operators.dispatch import asked
from autograph_lite.operators.undefined import Undefined
from autograph_lite.staging.either import (
    Beside,
    EitherSpec,
    EitherValue,
    alternatives,
    can_change,
    fork,
    made_anew,
)
from autograph_lite.staging.either import ObjectSpec as OneObject
from autograph_lite.staging.generators import with_ambient
from autograph_lite.staging.kept import kept_spec
from autograph_lite.staging.objects import is_object, spec_of_object
from autograph_lite.staging.scopes import (
    ABSENT,
    NeverReturns,
    Place,
    Traced,
    is_ours,
    is_outside,
    note,
    trace,
    tracking,
)
from autograph_lite.staging.sharing import Sharing
from autograph_lite.staging.specs import (
    Spec,
    StaticSpec,
    TensorSpec,
    is_number,
    join,
    spec_of,
)
from autograph_lite.staging.visible import visible
from runtime.context import building, unnoticed
from runtime.control_flow import as_condition, build_if, function_graph, unbound
from runtime.locations import user_location
from runtime.tensor import SymbolicTensor, Tensor

State = tuple[Any, ...]


def cond(
    test: Any,
    body: Callable[[], Any],
    orelse: Callable[[], Any] = no_body,
    get_state: Callable[[], State] = no_state,
    set_state: Callable[[State], Any] = set_no_state,
    names: tuple[str, ...] = (),
) -> None:
    """An `if` statement on a tensor: traces both branches, joins what they leave behind."""
    get_state, set_state, names = with_ambient(get_state, set_state, names)
    before = visible(get_state(), names)

    def arm(branch: Callable[[], Any]) -> Callable[[], State]:
        def run() -> State:
            set_state(before)
            branch()
            return visible(get_state(), names)

        return run

    try:
        state = _stage(test, arm(body), arm(orelse), names, "of the `if`")
    except BaseException:
        set_state(before)
        raise
    # Variables behind the named ones are only as they were for each branch; nobody needs them now.
    set_state((*state, *before[len(names) :]))


def if_exp(test: Any, body: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
    """`x if test else y` on a tensor."""
    label = ("the conditional expression",)
    return _stage(test, lambda: (body(),), lambda: (orelse(),), label, "of it")[0]


def and_(a: Any, b: Callable[[], Any], truth: Any = None) -> Any:
    """`a and b` where the truth of `a` is a tensor: `b` is evaluated only where Python would."""
    label = ("the result of `and`",)
    truth = asked(a) if truth is None else truth
    return _stage(truth, lambda: (b(),), lambda: (a,), label, "of it")[0]


def or_(a: Any, b: Callable[[], Any], truth: Any = None) -> Any:
    """`a or b` where the truth of `a` is a tensor: `b` is evaluated only where Python would."""
    if isinstance(a, EitherValue) and any(value is None for value in alternatives(a)):
        # Where it is None, it is not what `or` gives.
        return fork(logic.or_, (a, b), {})
    label = ("the result of `or`",)
    truth = asked(a) if truth is None else truth
    return _stage(truth, lambda: (a,), lambda: (b(),), label, "of it")[0]


def leaves_of_either(
    test: Any, first: Callable[[], State], second: Callable[[], State], count: int
) -> list[Any]:
    """The tensors that one of two alternatives is made of, of which there are `count`."""
    if not count:
        return []
    names = tuple(f"a part of it ({number})" for number in range(count))
    return list(_stage(test, first, second, names, "of it"))


def select(choices: Sequence[tuple[Any, Any]], otherwise: Callable[[], Any], label: str) -> Any:
    """The value of the first choice whose condition holds, else what `otherwise()` gives.

    A value that is `Later` is made in its branch.
    """
    if not choices:
        return otherwise()
    (test, value), *rest = choices
    if isinstance(test, bool):
        return _called(value) if test else select(rest, otherwise, label)

    def others() -> State:
        return (select(rest, otherwise, label),)

    return _stage(test, lambda: (_called(value),), others, (label,), "of it")[0]


def _called(value: Any) -> Any:
    return value() if isinstance(value, Later) else value


class Later:
    """A value that is made in its branch only."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make

    def __call__(self) -> Any:
        return self.make()


def _stage(
    test: Any,
    then: Callable[[], State],
    orelse: Callable[[], State],
    names: tuple[str, ...],
    where: str,
) -> State:
    where = f"{where} at {user_location()}"
    if isinstance(test, EitherValue):
        test = fork(_truth, (test,), {})
    asking = names[0].removeprefix("the result of ") if where.startswith("of it") else "the `if`"
    condition = as_condition(test, asking)
    first = trace(function_graph("then"), then)
    second = trace(function_graph("else"), orelse)
    arms = (first, second)
    if first.error is not None and second.error is not None:
        build_if(condition, first.graph, second.graph)
        raise NeverReturns(f"both branches {where} raise")
    with unnoticed():
        slots = _Slots(arms, where, condition)
        for i, n in enumerate(names):
            slots.add(n, *(a.values and a.values[i] for a in arms))
            slots.left.append([a.left and a.left[i] for a in arms])
        places = _changed_places(first, second)
        for p, before in places:
            raw, left = _left_at(p, before, arms)
            slots.add(p.name, *raw)
            slots.left.append(left)
        makers = slots.makers(names, [place for place, _ in places])
        outputs = build_if(condition, first.graph, second.graph)
    leaves = iter(outputs)
    state = tuple(make(leaves) for make in makers[: len(names)])
    made = list(state)
    for (place, _), make in zip(places, makers[len(names) :], strict=True):
        new = make(leaves)
        made.append(new)
        if tracking():
            note(place.owner, place.kind, place.key)
        place.write(new)
    slots.sharing.mark(made)
    return state


def _truth(value: Any) -> Any:
    """The truth value of an alternative."""
    value = asked(value)
    staged = isinstance(value, Tensor) or getattr(type(value), "__ag_staged__", False)
    return as_condition(value, "the `if`") if staged else bool(value)


class _Slots:
    """Adds to both branches the outputs that the values they hand on are made of."""

    def __init__(self, arms: tuple[Traced, Traced], where: str, condition: Tensor) -> None:
        self.arms = arms
        self.where = where
        self.condition = condition
        self.names: list[str] = []
        # What each branch leaves in a variable or place, and what that was like at its end.
        self.raw: list[tuple[Any, Any]] = []
        self.left: list[list[Any]] = []
        self.specs: list[Spec] = []

    def add(self, name: str, a: Any, b: Any) -> None:
        """Takes what the branches leave in one variable or place.

        Args:
          name: what it is called.
          a: the object that the first branch leaves there.
          b: the object that the second one leaves there.
        """
        self.names.append(name)
        self.raw.append((a, b))

    def makers(self, names: tuple[str, ...], places: list[Place]) -> list[Callable[[Any], Any]]:
        """Gives, for each variable and place, how to make the joint value."""
        slots = range(len(self.raw))
        variables = len(names)
        # The contents of a list or dict are no one object, which could be this or that.
        named = [True] * variables + [place.kind != "content" for place in places]
        self.specs = [self._spec(slot, named[slot]) for slot in slots]
        self.sharing = self._look(names, places)
        apart = [slot for slot in slots if self._is_one_of_two(slot)]
        for slot in apart:
            self.specs[slot] = self._side_by_side(slot)
        if apart:
            self.sharing = self._look(names, places)
        return [self._maker(slot) for slot in slots]

    def _both_return(self) -> bool:
        return all(arm.error is None for arm in self.arms)

    def _spec(self, slot: int, is_named: bool) -> Spec:
        """What is handed on, as far as nobody else holds it.

        Args:
          slot: of what.
          is_named: whether that is a variable, an attribute or an item.
        """
        a, b = self.raw[slot]
        if not self._both_return() or a is b:
            return _AS_IT_IS
        if is_number(a) and type(a) is type(b) and repr(a) == repr(b):
            return _AS_IT_IS
        first, second = self.arms
        if is_named and _lasts(a, first) and _lasts(b, second):
            # Of two objects that lasted longer than the branches, one of them itself.
            return self._side_by_side(slot)
        (left_a, left_b), name = self.left[slot], self.names[slot]
        lasting = _holds_lasting(a, first) or _holds_lasting(b, second)
        try:
            spec = join(kept_spec(a, left_a, name), kept_spec(b, left_b, name), name, self.where)
        except StagingError:
            if not is_named or not lasting:
                raise
            return self._side_by_side(slot)
        if is_named and lasting and isinstance(spec, EitherSpec):
            return self._side_by_side(slot)  # nothing is like both
        return spec

    def _look(self, names: tuple[str, ...], places: list[Place]) -> Sharing:
        """What others hold too, see `Sharing`."""
        sharing = Sharing(names)
        ends = [
            ([pair[number] for pair in self.raw], arm.scope)
            for number, arm in enumerate(self.arms)
            if arm.error is None
        ]
        sharing.look(ends, self.specs, places)
        return sharing

    def _is_one_of_two(self, slot: int) -> bool:
        """Whether others hold what one branch leaves: then it is that itself, or the other one."""
        spec = self.specs[slot]
        if not self._both_return() or spec is _AS_IT_IS or isinstance(spec, Beside):
            return False
        pairs = list(zip(self.raw[slot], self.arms, strict=True))
        if not any(_holds_lasting(value, arm) for value, arm in pairs):
            return False
        return (slot,) in self.sharing.paths or any(_is_outside(value) for value, _ in pairs)

    def _side_by_side(self, slot: int) -> Spec:
        (a, b), (left_a, left_b), name = self.raw[slot], self.left[slot], self.names[slot]
        first, second = self.arms
        return Beside(_side(a, left_a, first, name), _side(b, left_b, second, name))

    def _maker(self, slot: int) -> Callable[[Any], Any]:
        first, second = self.arms
        (a, b), (left_a, left_b), name = self.raw[slot], self.left[slot], self.names[slot]
        if first.error is not None:
            return self._only(b, left_b, second, first, name)
        if second.error is not None:
            return self._only(a, left_a, first, second, name)
        spec = self.specs[slot]
        if spec is _AS_IT_IS:
            return lambda leaves: a
        if isinstance(spec, Beside):
            _hand_on(spec.first, left_a, first, second, name)
            _hand_on(spec.second, left_b, second, first, name)
            return lambda leaves: spec.choose(self.condition, leaves)
        for arm, value in ((first, left_a), (second, left_b)):
            with building(arm.graph):
                arm.graph.outputs += [arm.graph.resolve(t) for t in spec.leaves(value, name)]
        return spec.build

    def _only(
        self, value: Any, left: Any, arm: Traced, raising: Traced, name: str
    ) -> Callable[[Any], Any]:
        """The other branch always raises, so this one's value holds."""
        if _lasts(value, arm) or not _is_made_in(left, arm):
            return lambda leaves: value
        spec = made_anew(kept_spec(value, left, name), name)
        _hand_on(spec, left, arm, raising, name)
        return spec.build


def _hand_on(spec: Spec, value: Any, arm: Traced, other: Traced, name: str) -> None:
    """Makes the tensors of a value outputs of its branch; the other one has nothing there."""
    with building(arm.graph):
        arm.graph.outputs += [arm.graph.resolve(t) for t in spec.leaves(value, name)]
    with building(other.graph):
        other.graph.outputs += [unbound(t.dtype, t.shape) for t in spec.tensors()]


_AS_IT_IS: Spec = StaticSpec(None)


def _lasts(value: Any, arm: Traced) -> bool:
    """Whether a branch leaves an object that the trace made before it, and that can change."""
    return can_change(value) and is_ours(value) and id(value) not in arm.scope.born


def _is_outside(value: Any) -> bool:
    """Whether something that can change, or may be one of two, was there before the trace."""
    if isinstance(value, EitherValue):
        return _is_outside(value.first) or _is_outside(value.second)
    return can_change(value) and is_outside(value)


def _holds_lasting(value: Any, arm: Traced) -> bool:
    """Whether a value is, or may be, an object that was there before the branch."""
    if isinstance(value, EitherValue):
        return _holds_lasting(value.first, arm) or _holds_lasting(value.second, arm)
    return _lasts(value, arm) or (_is_outside(value) and id(value) not in arm.scope.born)


def _side(value: Any, left: Any, arm: Traced, name: str) -> Spec:
    """The spec of what one branch leaves, in which what was there before is itself."""
    if isinstance(value, EitherValue):
        parts = (left.first, left.second) if isinstance(left, EitherValue) else (None, None)
        first, second = (value.first, value.second)
        return EitherSpec(_side(first, parts[0], arm, name), _side(second, parts[1], arm, name))
    if _holds_lasting(value, arm):
        return OneObject(value)
    return spec_of_object(left, name) if is_object(left) else kept_spec(value, left, name)


def _is_made_in(value: Any, arm: Traced) -> bool:
    if isinstance(value, SymbolicTensor):
        return value.graph is arm.graph
    spec: Spec = made_anew(spec_of(value), "")
    return not isinstance(spec, TensorSpec) and any(True for _ in spec.tensors())


def _changed_places(first: Traced, second: Traced) -> list[tuple[Place, Any]]:
    return list({**first.scope.changes, **second.scope.changes}.values())


def _left_at(place: Place, before: Any, arms: tuple[Traced, Traced]) -> list[list[Any]]:
    """What each branch leaves at a place, and copies; an absent item is like an unbound name."""
    raw = [arm.after.get(place.identity, before) for arm in arms]
    left = [
        arm.after_left[place.identity] if place.identity in arm.after else arm.left_of(before)
        for arm in arms
    ]
    return [
        [Undefined(place.name) if value is ABSENT else value for value in values]
        for values in (raw, left)
    ]


__all__ = ["StagingError", "and_", "cond", "if_exp", "or_"]
