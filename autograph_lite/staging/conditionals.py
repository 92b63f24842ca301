"""`if`, conditional expressions, `and` and `or` whose condition is a tensor: the graph's `If`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph_lite.errors import StagingError
from autograph_lite.operators.dispatch import asked
from autograph_lite.operators.undefined import Undefined
from autograph_lite.staging.either import EitherValue, can_change, fork
from autograph_lite.staging.generators import with_ambient
from autograph_lite.staging.kept import kept_spec
from autograph_lite.staging.scopes import (
    ABSENT,
    NeverReturns,
    Place,
    Traced,
    is_ours,
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
    orelse: Callable[[], Any],
    get_state: Callable[[], State],
    set_state: Callable[[State], Any],
    names: tuple[str, ...],
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


def and_(a: Any, b: Callable[[], Any]) -> Any:
    """`a and b` with a tensor `a`: `b` is evaluated only where Python would."""
    label = ("the result of `and`",)
    return _stage(asked(a), lambda: (b(),), lambda: (a,), label, "of it")[0]


def or_(a: Any, b: Callable[[], Any]) -> Any:
    """`a or b` with a tensor `a`: `b` is evaluated only where Python would."""
    label = ("the result of `or`",)
    return _stage(asked(a), lambda: (a,), lambda: (b(),), label, "of it")[0]


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
        values = [
            slots.object_or_value(
                n,
                *(a.values and a.values[i] for a in arms),
                *(a.left and a.left[i] for a in arms),
            )
            for i, n in enumerate(names)
        ]
        places = _changed_places(first, second)
        stored = [slots.value(p.name, *_left_at(p, before, arms)) for p, before in places]
        outputs = build_if(condition, first.graph, second.graph)
    leaves = iter(outputs)
    state = tuple(make(leaves) for make in values)
    made = list(state)
    for (place, _), make in zip(places, stored, strict=True):
        new = make(leaves)
        made.append(new)
        if tracking():
            note(place.owner, place.kind, place.key)
        place.write(new)
    slots.mark_shared(names, places, made)
    return state


def _truth(value: Any) -> Any:
    """The truth value of an alternative."""
    staged = isinstance(value, Tensor) or getattr(type(value), "__ag_staged__", False)
    return as_condition(value, "the `if`") if staged else bool(value)


class _Slots:
    """Adds to both branches the outputs that the values they hand on are made of."""

    def __init__(self, arms: tuple[Traced, Traced], where: str, condition: Tensor) -> None:
        self.arms = arms
        self.where = where
        self.condition = condition
        # What each branch leaves where, and the spec of what is made of both.
        self.joined: list[tuple[Any, Any, Spec]] = []

    def value(
        self, name: str, a: Any, b: Any, left_a: Any = ABSENT, left_b: Any = ABSENT
    ) -> Callable[[Any], Any]:
        """Takes what the branches leave in one variable; gives how to make the joint value.

        Args:
          name: what the variable is called.
          a: the object that the first branch leaves there.
          b: the object that the second one leaves there.
          left_a: what that object was like at the end of the branch.
          left_b: the same for the second.
        """
        first, second = self.arms
        left_a = a if left_a is ABSENT else left_a
        left_b = b if left_b is ABSENT else left_b
        self.joined.append((a, b, _AS_IT_IS))
        if first.error is not None:
            return self._only(b, left_b, second, first, name)
        if second.error is not None:
            return self._only(a, left_a, first, second, name)
        if a is b or (is_number(a) and type(a) is type(b) and repr(a) == repr(b)):
            return lambda leaves: a
        spec = join(kept_spec(a, left_a, name), kept_spec(b, left_b, name), name, self.where)
        self.joined[-1] = (a, b, spec)
        for arm, value in ((first, left_a), (second, left_b)):
            with building(arm.graph):
                arm.graph.outputs += [arm.graph.resolve(t) for t in spec.leaves(value, name)]
        return spec.build

    def object_or_value(
        self, name: str, a: Any, b: Any, left_a: Any, left_b: Any
    ) -> Callable[[Any], Any]:
        """`value`, but of two objects that lasted longer than the branches, one of them itself."""
        first, second = self.arms
        both_return = first.error is None and second.error is None
        if both_return and a is not b and _lasts(a, first) and _lasts(b, second):
            either = EitherValue(self.condition, a, b, fixed=True)
            self.joined.append((a, b, _AS_IT_IS))
            return lambda leaves: either
        return self.value(name, a, b, left_a, left_b)

    def mark_shared(
        self, names: tuple[str, ...], places: list[tuple[Place, Any]], made: list[Any]
    ) -> None:
        """Refuses to change what others hold too, see `Sharing`."""
        sharing = Sharing(names)
        specs = [spec for _, _, spec in self.joined]
        for number, arm in enumerate(self.arms):
            if arm.error is None:
                values = [pair[number] for pair in self.joined]
                sharing.look(values, specs, [place for place, _ in places], arm.scope)
        sharing.mark(made)

    def _only(
        self, value: Any, left: Any, arm: Traced, raising: Traced, name: str
    ) -> Callable[[Any], Any]:
        """The other branch always raises, so this one's value holds."""
        if _lasts(value, arm) or not _is_made_in(left, arm):
            return lambda leaves: value
        spec = kept_spec(value, left, name)
        with building(arm.graph):
            arm.graph.outputs += [arm.graph.resolve(t) for t in spec.leaves(left, name)]
        with building(raising.graph):
            raising.graph.outputs += [unbound(t.dtype, t.shape) for t in spec.tensors()]
        return spec.build


_AS_IT_IS: Spec = StaticSpec(None)


def _lasts(value: Any, arm: Traced) -> bool:
    """Whether a branch leaves an object that the trace made before it, and that can change."""
    return can_change(value) and is_ours(value) and id(value) not in arm.scope.born


def _is_made_in(value: Any, arm: Traced) -> bool:
    if isinstance(value, SymbolicTensor):
        return value.graph is arm.graph
    spec: Spec = spec_of(value)
    return not isinstance(spec, TensorSpec) and any(True for _ in spec.tensors())


def _changed_places(first: Traced, second: Traced) -> list[tuple[Place, Any]]:
    return list({**first.scope.changes, **second.scope.changes}.values())


def _left_at(place: Place, before: Any, arms: tuple[Traced, Traced]) -> list[Any]:
    """What each branch leaves at a place, then copies; an absent item is like an unbound name."""
    raw = [arm.after.get(place.identity, before) for arm in arms]
    left = [arm.after_left.get(place.identity, before) for arm in arms]
    return [Undefined(place.name) if value is ABSENT else value for value in [*raw, *left]]


__all__ = ["StagingError", "and_", "cond", "if_exp", "or_"]
