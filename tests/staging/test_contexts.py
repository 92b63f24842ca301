"""`with` blocks that raise when the graph runs: what their managers swallow, and do."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check_all, run_plain

SIGNS = [(np.float64(v),) for v in (1.0, -1.0, 5.0)]


def suppressed(x):
    y = x
    with contextlib.suppress(ValueError):
        if x < 0:
            raise ValueError("negative")
        y = x * 2
    return y


def always_raised(x):
    y = x
    with contextlib.suppress(ValueError):
        y = x * 2
        raise ValueError("always")
    return y


def another_class(x):
    y = x
    with contextlib.suppress(KeyError):
        if x < 0:
            raise ValueError("negative")
        y = x * 2
    return y


def two_managers(x):
    y = x
    with contextlib.suppress(ValueError), contextlib.suppress(KeyError):
        if x < 0:
            raise ValueError("negative")
        if x > 3:
            raise KeyError("big")
        y = x * 2
    return y


def a_failed_assertion(x):
    y = x
    with contextlib.suppress(AssertionError):
        assert x > 0
        y = x * 2
    return y


def a_return_inside(x):
    with contextlib.suppress(ValueError):
        if x < 0:
            raise ValueError("negative")
        return x * 2
    return x


def nothing_suppressed(x):
    with contextlib.suppress():
        if x < 0:
            raise ValueError("negative")
        x = x * 2
    return x


def python_raises(x):
    y = 1.0
    with contextlib.suppress(KeyError):
        y = {}["a"]
    return x * y


def a_value(x):
    with contextlib.nullcontext(x) as z:
        if z > 0:
            z = z * 2
    return z


class Quiet:
    """Swallows ValueErrors, and counts how it is left."""

    def __init__(self, log):
        self.log = log

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        self.log.append(1.0 if kind is None else 2.0)
        return kind is ValueError


class Always:
    def __enter__(self):
        return 3.0

    def __exit__(self, *raised):
        return True


class Noting:
    def __init__(self, log):
        self.log = log

    def __enter__(self):
        self.log.append(0.0)

    def __exit__(self, kind, error, traceback):
        self.log.append(1.0 if kind is None else 2.0)


class Limit:
    def __init__(self, limit):
        self.limit = limit

    def __enter__(self):
        if self.limit > 3:
            self.limit = self.limit * 2
        return self

    def __exit__(self, kind, error, traceback):
        return self.limit < 0


def own_manager(x):
    log = []
    with Quiet(log):
        if x < 0:
            raise ValueError("negative")
        log.append(x)
    return log


def own_manager_lets_through(x):
    log = []
    y = x
    try:
        with Quiet(log):
            y = x * 2
            if x < 0:
                raise KeyError("negative")
    except KeyError:
        y = y + 1
    return y, log


def own_manager_of_everything(x):
    y = x
    with Always() as factor:
        y = x * factor
        if x < 0:
            raise ValueError("negative")
        y = y * 2
    return y


def own_manager_of_failed_lookups(x):
    items = [1.0, 2.0]
    y = x
    with Always():
        y = x * items[ag.cast(x, ag.int32) if isinstance(x, ag.Tensor) else int(x)]
    return y


def exit_that_notes(x):
    log = []
    try:
        with Noting(log):
            if x < 0:
                raise ValueError("negative")
            log.append(x)
    except ValueError:
        log.append(9.0)
    return log


def exit_that_asks_a_tensor(x):
    y = x
    with Limit(x) as limit:
        y = limit.limit
        if x < 0:
            raise ValueError("negative")
    return y


@contextlib.contextmanager
def quietly():
    try:
        yield
    except ValueError:
        pass


@contextlib.contextmanager
def noting(log, x):
    if x > 2:
        log.append(7.0)
    try:
        yield x * 3
    finally:
        log.append(1.0)


@contextlib.contextmanager
def translating():
    try:
        unused = yield
        assert unused is None
    except ValueError as error:
        raise KeyError("translated") from error


def a_generator(x):
    y = x
    with quietly():
        if x < 0:
            raise ValueError("negative")
        y = x * 2
    return y


def a_generator_with_finally(x):
    log = []
    y = x
    try:
        with noting(log, x) as tripled:
            if x < 0:
                raise ValueError("negative")
            y = tripled
    except ValueError:
        y = y - 1
    return y, log


def a_generator_that_translates(x):
    y = x
    with translating():
        if x < 0:
            raise ValueError("negative")
        y = x * 2
    return y


def counter_that_only_the_block_needs(x):
    count = 1
    y = x
    with contextlib.suppress(ValueError):
        count += 1
        if x < 0:
            raise ValueError("negative")
        y = x * count
    return y


def counter_in_the_block_of_a_generator(x):
    count = 1
    y = x
    with quietly():
        count += 1
        if x < 0:
            raise ValueError("negative")
        y = x * count
    return y


def counter_in_the_block_of_a_manager(x):
    count = 1
    y = x
    with Always() as factor:
        count += 1
        if x < 0:
            raise ValueError("negative")
        y = x * count * factor
    return y


class Either:
    """Its `__exit__` ends with a None that is only one of what it returns."""

    def __init__(self, swallows):
        self.swallows = swallows

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        return self.swallows or None


class EitherOfTwo(Either):
    def __exit__(self, kind, error, traceback):
        return None if kind is None else self.swallows


def exit_that_returns_one_or_none(x):
    y = x
    with Either(True):
        if x < 0:
            raise ValueError("negative")
        y = x * 2
    with EitherOfTwo(True):
        if x > 3:
            raise ValueError("big")
        y = y + 1
    return y


class Narrow(ValueError):
    """A ValueError of which `__exit__` is told what it is."""


class OnlyNarrow:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        return kind is Narrow


class Printing:
    def __init__(self, x):
        self.x = x

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        print("left", self.x, kind is None)


def exit_that_tells_classes_apart(x):
    y = x
    with OnlyNarrow():
        if x < 0:
            raise Narrow("negative")
        if x > 3:
            raise ValueError("big")
        y = x * 2
    return y


def exit_that_prints(x):
    y = x
    with contextlib.suppress(ValueError):
        with Printing(x):
            if x < 0:
                raise ValueError("negative")
            y = x * 2
    return y


@pytest.mark.parametrize(
    "function",
    [
        *(exit_that_tells_classes_apart, exit_that_prints),
        *(counter_that_only_the_block_needs, counter_in_the_block_of_a_generator),
        *(counter_in_the_block_of_a_manager, exit_that_returns_one_or_none),
        *(suppressed, always_raised, another_class, two_managers, a_failed_assertion),
        *(a_return_inside, nothing_suppressed, python_raises, a_value),
        *(own_manager, own_manager_lets_through, own_manager_of_everything),
        *(own_manager_of_failed_lookups, exit_that_notes, exit_that_asks_a_tensor),
        *(a_generator, a_generator_with_finally, a_generator_that_translates),
    ],
)
def test_with(function):
    check_all(function, *SIGNS)


def jumps(xs):
    total = 0
    for x in xs:
        with contextlib.suppress(ValueError):
            if x < 0:
                raise ValueError("negative")
            if x == 2:
                continue
            if x > 3:
                break
            total += x
        total += 100
    return total


def a_generator_in_a_loop(xs):
    total = 0
    last = 0
    for x in xs:
        with quietly():
            total += 1
            if x % 2 == 0:
                raise ValueError(x)
            last = x
            total += 10
    return total, last


def raised_in_an_inner_loop(xs):
    total = 0
    with contextlib.suppress(KeyError):
        for x in xs:
            total += x
            if total > 4:
                raise KeyError(total)
        total = total * 2
    return total


def a_variable_of_the_pass_before(xs):
    last = 10
    total = 0
    for x in xs:
        with contextlib.suppress(ValueError):
            if x < 2:
                raise ValueError(x)
            last = x
        total = total * 3 + last
    return total


@pytest.mark.parametrize(
    "function",
    [jumps, a_generator_in_a_loop, raised_in_an_inner_loop, a_variable_of_the_pass_before],
)
def test_with_and_loops(function):
    rows = [[1, 2, -3, 4], [1, -2], [], [2, 3, 5, 1, -1]]
    check_all(function, *[(np.array(row, np.int32),) for row in rows])


def on_a_stack(x):
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.suppress(ValueError))
        if x < 0:
            raise ValueError("negative")
    return x


def test_a_stack_of_managers_that_swallow_is_refused():
    assert run_plain(on_a_stack, (np.float64(-1.0),)).error is None
    with pytest.raises(ag.errors.StagingError, match="ExitStack .* write a `with` for each"):
        ag.function(on_a_stack)(ag.constant(-1.0))


def harmless_on_a_stack(x):
    with contextlib.ExitStack() as stack:
        stack.callback(list)
        if x > 0:
            x = x * 2
    return x


def test_other_stacks_work():
    check_all(harmless_on_a_stack, *SIGNS)


@contextlib.contextmanager
def yielding(times):
    if times == 1:
        yield 1
    elif times == 2:
        try:
            yield 1
        finally:
            yield 2
    elif times == 3:
        for number in range(3):
            yield number


@contextlib.contextmanager
def one_way_or_the_other(first):
    if first:
        yield 1
    else:
        try:
            yield 2
        except ValueError:
            pass


@pytest.mark.parametrize("times", range(4))
def test_how_often_a_generator_yields(times):
    def f(x):
        with yielding(times) as value:
            x = x + value
        return x

    check_all(f, *SIGNS)


@contextlib.contextmanager
def yielding_or_not(times):
    if times:
        yield times


@pytest.mark.parametrize("manager", [one_way_or_the_other, yielding_or_not])
@pytest.mark.parametrize("given", [False, True])
def test_generators_that_are_turned_inside_out(manager, given):
    def f(x):
        y = x
        try:
            with manager(given) as value:
                if x < 0:
                    raise ValueError("negative")
                y = x + value
        except ValueError:
            y = 7.0
        return y

    check_all(f, *SIGNS)


def test_what_cannot_be_staged_leaves_the_block_too():
    left = []

    class Noting:
        def __enter__(self):
            return self

        def __exit__(self, kind, error, traceback):
            left.append(kind)

    @ag.function
    def f(x):
        with Noting():
            return {x: 1}

    with pytest.raises(TypeError, match="unhashable"):
        f(ag.constant(1.0))

    @ag.function
    def g(xs):
        with Noting():
            made = iter(lambda: xs, xs)
        return made

    with pytest.raises(ag.errors.StagingError, match="a sentinel cannot be staged"):
        g(ag.constant([1.0]))
    assert [issubclass(left[0], TypeError), left[1]] == [True, ag.errors.StagingError]


def taped(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.gradient(y, x)


def test_the_tape_keeps_its_with():
    assert "with ag__.converted(ag.GradientTape)() as tape:" in ag.autograph.to_code(taped)
    assert "ag__.with_(" in ag.autograph.to_code(suppressed)
    assert float(ag.function(taped)(ag.constant(3.0))) == 6.0


class Counting:
    def __init__(self):
        self.left = 0

    def __enter__(self):
        self.weight = 0.5
        return self

    def __exit__(self, kind, error, traceback):
        self.left = self.left + 1
        return kind is not None and issubclass(kind, ValueError)


def manager_that_is_read(x):
    s = 0.0
    with Counting() as guard:
        if x > 1:
            raise ValueError("a")
        s = x
    return s + guard.left + guard.weight


def manager_of_each_pass(xs):
    s = 0.0
    for x in xs:
        with Counting() as guard:
            if x > 1:
                raise ValueError("a")
            s += x
        s += guard.left + guard.weight
    return s


def manager_in_another(x):
    s = x
    with contextlib.suppress(ValueError):
        with Counting() as guard:
            if x > 5:
                raise ValueError("a")
            s += 1
        s += guard.weight + guard.left
        if x > 3:
            raise ValueError("b")
    return s


def manager_around_what_may_fail(xs):
    kept = [x for x in xs if x > 1]
    with Counting() as guard:
        if xs[0] > 0:
            with Counting() as other:
                raise ValueError("a")
        first = kept[0]
    return first + guard.left


@contextlib.contextmanager
def lending(table, amount):
    table["a"] += amount
    try:
        yield amount * 0.5
    finally:
        table["a"] = table["a"] * 0.5


def array_in_a_generator(x):
    buf = np.zeros(4)
    table = {"a": x}
    with contextlib.suppress(ValueError):
        with lending(table, x):
            if x > 1:
                raise ValueError("a")
            buf[buf < x] = x
    return buf, table


def variables_that_only_the_block_reads(x):
    s = x
    table = {"a": x}
    with lending(table, x) as half:
        table["b"] = s * half
        s += 1
        if s > 2:
            raise ValueError("large")
    return table


@pytest.mark.parametrize(
    "function",
    [
        *(manager_that_is_read, manager_in_another, array_in_a_generator),
        variables_that_only_the_block_reads,
    ],
)
def test_state_of_managers_and_blocks(function):
    check_all(function, *[(np.float64(v),) for v in (0.5, 2.0, 4.0, 6.0)])


@pytest.mark.parametrize("function", [manager_of_each_pass, manager_around_what_may_fail])
def test_state_of_managers_and_loops(function):
    check_all(function, *[(np.array(v),) for v in ([0.5, 2.0, -1.0], [2.0, 3.0, 0.5], [0.5, 0.2])])


class Owing:
    def __init__(self, amount):
        self.amount = amount


@contextlib.contextmanager
def lending(owing, amount):
    owing.amount += amount
    try:
        yield amount * 0.5
    finally:
        owing.amount = owing.amount / 2


def of_one_of_two_dtypes(x):
    owing = Owing(x)
    s = x
    if x > 1:
        s = np.where(np.zeros(3) + x > 0, 1.0, 0.0).sum()
    with lending(owing, s * 2) as half:
        s = s + half
    return s, owing.amount


def managers_of_two_kinds(x):
    owing = Owing(x)
    s = x
    manager = lending(owing, x) if x > 0 else contextlib.nullcontext(1.0)
    with manager as given:
        s = s + given
    return s, owing.amount


@pytest.mark.parametrize("function", [of_one_of_two_dtypes, managers_of_two_kinds])
def test_managers_of_values_that_branches_choose(function):
    check_all(function, *((np.float64(v),) for v in (2.0, 0.5, -1.0)), dtypes=False)
