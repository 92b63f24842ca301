"""`try` around code that raises when the graph runs."""

from __future__ import annotations

import math

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check, check_all

INTS = np.array([3, 1, 2, 5], np.int32)
FLOATS = np.array([1.5, -2.0, 4.0])


def raise_in_a_loop(xs):
    total = 0
    for x in xs:
        try:
            if x == 2:
                raise ValueError("two")
            total = total + x
        except ValueError:
            total = total + 100
    return total


def updates_before_the_raise_stay(xs):
    total = 0
    for x in xs:
        try:
            total += 1
            if x > 2:
                raise KeyError("big")
            total += 10
        except KeyError:
            total += 100
    return total


def several_handlers(xs):
    total = 0
    for x in xs:
        try:
            if x == 1:
                raise KeyError("one")
            if x == 2:
                raise IndexError("two")
            if x == 5:
                raise OSError("five")
            total += x
        except (KeyError, IndexError):
            total += 100
        except OSError:
            total += 1000
    return total


def else_and_finally(xs):
    total = 0
    for x in xs:
        try:
            if x > 2:
                raise ValueError
        except ValueError:
            total += 100
        else:
            total += 10
        finally:
            total += 1
    return total


def message_of_the_error(xs):
    try:
        if xs[0] > 2:
            raise ValueError(f"bad {xs[0]}")
    except ValueError as error:
        print("caught", error)
        return xs[1]
    return xs[2]


def raise_from_a_handler(xs):
    for x in xs:
        try:
            try:
                if x == 2:
                    raise ValueError("two")
            except ValueError:
                raise RuntimeError("again") from None
            finally:
                print("inner", x)
        except RuntimeError as error:
            print("outer", error)
    return xs[0]


def bare_raise(xs):
    total = 0
    for x in xs:
        try:
            try:
                if x > 2:
                    raise ValueError("big")
                total += 1
            except ValueError:
                total += 10
                raise
        except ValueError:
            total += 100
    return total


def raise_in_a_helper(xs):
    def checked(x):
        if x == 1:
            raise ValueError("one")
        return x * 2

    total = 0
    for x in xs:
        try:
            total += checked(x)
        except ValueError:
            total -= 1
    return total


def index_out_of_range(xs):
    i = 0
    while True:
        try:
            i += 1
            if xs[i] > 40:
                break
        except IndexError:
            return -i
    return i


def failed_assertion(xs):
    try:
        assert xs[0] < 2, "too large"
        result = 1
    except AssertionError:
        result = 2
    return result


def return_from_every_part(xs):
    try:
        if xs[0] > xs[1]:
            return 1
        if xs[0] == xs[1]:
            raise ValueError
    except ValueError:
        return 2
    else:
        return 3


def break_out_of_a_try(xs):
    total = 0
    for x in xs:
        try:
            if x == 2:
                break
            total += x
        finally:
            total += 100
    return total


def python_errors_are_caught_while_tracing(xs):
    try:
        return {}["missing"]
    except KeyError as error:
        return xs[0] + len(str(error))


def list_that_grows(xs):
    kept, refused = [], []
    for x in xs:
        try:
            if x == 2:
                raise ValueError
            kept.append(x)
            if x == 5:
                raise KeyError
        except ValueError:
            refused.append(x)
        except KeyError:
            kept.append(-x)
    return kept, refused


class Counter:
    def __init__(self):
        self.good = 0
        self.bad = 0


def attributes_change(xs):
    counter = Counter()
    seen = {}
    for x in xs:
        try:
            counter.good += x
            if x > 2:
                raise ValueError
            seen["last"] = x
        except ValueError:
            counter.bad += x
    return counter.good, counter.bad, seen.get("last", -1)


def name_bound_in_body_or_handler(xs):
    try:
        if xs[0] > 2:
            raise ValueError
        y = xs[0] * 2
    except ValueError:
        y = xs[0] * 3
    return y


def name_that_only_the_body_needs(xs):
    t = 1
    seen = 0
    try:
        if xs[1] > t:
            raise ValueError
        t = t + xs[0]
        seen = t * xs[2]
    except ValueError:
        seen = -1
    return seen


def counter_that_only_the_body_needs(xs):
    seen = []
    for x in xs:
        t = x
        try:
            t += 1
            if t > 3:
                raise ValueError
            t *= 2
        except ValueError:
            seen.append(x)
        finally:
            seen.append(-x)
    return seen


@pytest.mark.parametrize(
    "function",
    [
        raise_in_a_loop,
        updates_before_the_raise_stay,
        several_handlers,
        else_and_finally,
        message_of_the_error,
        raise_from_a_handler,
        bare_raise,
        raise_in_a_helper,
        index_out_of_range,
        failed_assertion,
        return_from_every_part,
        break_out_of_a_try,
        python_errors_are_caught_while_tracing,
        list_that_grows,
        attributes_change,
        name_bound_in_body_or_handler,
        name_that_only_the_body_needs,
        counter_that_only_the_body_needs,
    ],
)
def test_like_python(function):
    other = np.array([1, 1, 50, 2], np.int32)
    check_all(function, (INTS,), (other,), (INTS[::-1].copy(),), gradient=False, dtypes=False)


def test_what_no_handler_is_for_goes_on():
    def f(xs):
        try:
            if xs[0] > 2:
                raise ValueError("large")
        except KeyError:
            return xs[1]
        return xs[2]

    check(f, INTS, gradient=False)
    check(f, INTS * 0, gradient=False)


def test_division_by_zero_is_caught():
    @ag.function
    def f(a, b):
        try:
            return a // b
        except ZeroDivisionError:
            return a * 0 - 1

    assert int(f(ag.constant(7), ag.constant(2))) == 3
    assert int(f(ag.constant(7), ag.constant(0))) == -1


def test_variables_keep_what_was_assigned_before_the_raise():
    v = ag.Variable(0)

    @ag.function
    def f(x):
        try:
            v.assign_add(1)
            if x > 2:
                raise ValueError
            v.assign_add(10)
        except ValueError:
            v.assign_add(100)

    f(ag.constant(1))
    assert int(v) == 11
    f(ag.constant(3))
    assert int(v) == 112


def test_nothing_staged_leaves_no_try_in_the_graph():
    @ag.function
    def f(x):
        try:
            y = x + 1.0
        except ValueError:
            y = x
        return y

    graph = f.get_concrete_function(ag.constant(1.0)).graph
    assert "Try" not in [op.type for op in graph.get_operations()]


def test_the_class_of_a_caught_exception():
    def f(n):
        try:
            if n > 0:
                raise ValueError("q", 1)
        except Exception as e:
            return type(e).__name__
        return "none"

    def g(n):
        try:
            if n > 0:
                raise ValueError("q")
            if n < -1:
                raise KeyError("q")
        except Exception as e:
            return type(e).__name__
        return "none"

    def of_an_operation(n):
        items = [1, 2, 3]
        try:
            return str(items[n])
        except Exception as e:
            return type(e).__name__

    check_all(f, (np.int32(2),), (np.int32(-2),), gradient=False)
    check_all(g, (np.int32(2),), (np.int32(-2),), (np.int32(0),), gradient=False)
    with pytest.raises(ag.errors.StagingError, match="class of the exception is known only"):
        ag.function(of_an_operation)(ag.constant(2))


def test_gradients_go_through_a_list_that_a_try_changes():
    def grown(xs, x):
        kept = [x]
        for v in xs[:2]:
            kept.append(v * x)
        try:
            if x > 10:
                raise ValueError
            kept.append(x * 3)
        except ValueError:
            kept = [x, x * 2]
        return kept

    def in_a_loop(xs, x):
        kept = [x]
        for v in xs:
            try:
                kept.append(v * x)
                if v > 3:
                    raise ValueError
                kept[0] = kept[0] + v * v
            except ValueError:
                kept = [v, kept[-1]]
        return kept

    for function in (grown, in_a_loop):
        check_all(function, (FLOATS, np.float64(2.0)), (-FLOATS, np.float64(20.0)))


def test_what_a_try_hands_on_is_not_written_over():
    def f(xs, n):
        ys = xs * 1.0
        try:
            if n > 3:
                raise ValueError("large")
            zs = ys
        except ValueError:
            zs = ys * 2.0
        zs = zs.copy()
        zs[0] = 5.0
        return ys, zs

    @ag.function
    def g(x, n):
        y = ag.tanh(x)
        try:
            if n > 3:
                raise ValueError("large")
            z = y
        except ValueError:
            z = y * 2.0
        return y, ag.sin(z)

    check_all(f, (FLOATS, np.int32(2)), (FLOATS, np.int32(5)))
    # Arrays as large as this are worth writing over.
    x = np.linspace(0.0, 1.0, 5000)
    for n, factor in ((2, 1.0), (5, 2.0)):
        y, z = g(ag.constant(x), ag.constant(n))
        np.testing.assert_allclose(y, np.tanh(x))
        np.testing.assert_allclose(z, np.sin(np.tanh(x) * factor))


class Refused(Exception):
    pass


def risen(value, n):
    for _ in range(n):
        value = np.sin(value) + 0.1
        if value > 0.9:
            raise Refused("high")
    return value


def what_a_handler_binds_for_nobody(x, n, k):
    u = x
    try:
        try:
            if k > 0:
                raise Refused("some")
        except Refused:
            for _ in range(k):
                u = np.sin(risen(x, n))
        u = x * 2.0
    except Exception:
        u = x * 3.0
    return u


def what_a_handler_binds_for_the_next(x, n, k):
    u = x
    try:
        try:
            if k > 0:
                raise Refused("some")
        except Refused:
            for _ in range(k):
                u = np.sin(risen(x, n))
        u = u * 2.0
        if n > 2:
            raise KeyError("large")
        u = u + 1.0
    except Exception:
        u = u * 3.0
    return u


@pytest.mark.parametrize(
    "f", [what_a_handler_binds_for_nobody, what_a_handler_binds_for_the_next]
)  # fmt: skip
def test_variables_of_handlers_in_a_try(f):
    for k in (0, 2):
        check_all(
            f, *[(np.float64(x), np.int32(n), np.int32(k)) for x in (0.5, -3.0) for n in (0, 5)]
        )


def test_what_a_body_reads_first_and_nobody_later():
    def f(xs, n, k):
        try:
            t = np.sum(xs * xs[k % 4])
            for _ in range(k):
                xs = xs * xs[2]
                if xs[0] > n:
                    raise ValueError("large")
        except ValueError:
            t = -1.0
        return t

    def g(x, n):
        total = x
        try:
            while x < n:
                x = x + 1.0
                if x == 3:
                    raise KeyError("three")
                total = total * x
        except KeyError:
            total = total - 1.0
        return total

    xs = np.array([0.5, -1.25, 2.0, 0.75])
    check_all(f, *[(xs, np.int32(n), np.int32(k)) for n in (1, 9) for k in (0, 1, 3)])
    check_all(g, *[(np.float64(x), np.int32(n)) for x in (0.0, 0.5) for n in (0, 5)])


def test_nested_ones_are_not_traced_over_and_over():
    traces = []

    @ag.autograph.experimental.do_not_convert
    def count():
        traces.append(1)

    def f(x):
        y = x
        try:
            try:
                try:
                    try:
                        try:
                            try:
                                count()
                                y = y + 1.0
                                if x < 0.0:
                                    raise ValueError(x)
                            except ValueError:
                                y = y * 2.0
                                z = y
                                if x < -1.0:
                                    raise KeyError(x) from None
                                y = z + 1.0
                        finally:
                            y = y * 3.0
                    except KeyError as e:
                        y = y + e.args[0]
                        if x < -2.0:
                            raise
                finally:
                    y = y * 5.0
            except KeyError:
                y = -y
                if x < -3.0:
                    raise ValueError(y) from None
        except ValueError as e:
            y = e.args[0] * 2.0
        return y

    ag.function(f)(ag.constant(1.0))
    assert len(traces) < 20
    check_all(f, *[(np.float64(v),) for v in (1.0, -0.5, -1.5, -2.5, -3.5)])


class Box:
    def __init__(self, a):
        self.a = a


def another_name_for_an_object(x):
    box, items = Box(0.0), [x]
    try:
        other, more = box, items
        other.a = x
        more.append(x)
        if x > 1:
            raise ValueError
        other.a *= 2
        more.append(2.0)
    except ValueError:
        box.a += 1
        items.append(1.0)
    other.a += x
    more.append(3.0)
    return box.a, other.a, items, more


def objects_made_in_the_body(x):
    s = 0.0
    try:
        box = Box(x * 2)
        boxes = [Box(x * 3)]
        if x > 1:
            raise ValueError
        box.a += 1
    except ValueError:
        box.a += boxes[0].a
        s = box.a
    return s, boxes[0].a


def bound_after_the_first_risk(x):
    try:
        if x > 1:
            raise ValueError("a")
        y = x * 2
        if x < 0:
            raise ValueError("b")
    except ValueError:
        pass
    return y


def changed_between_two_risks(x):
    values = [0.0]
    try:
        try:
            box, values = Box(math.atan(x)), [x]
            both = (box, 1.0)
            values[int(x > 9)] = x * 2
            box.a += values[0]
            if x > 1:
                raise ValueError
        except KeyError:
            pass
    except ValueError:
        pass
    return box.a, values, both[0].a


def a_key_that_one_path_adds(x):
    table = {}
    try:
        try:
            if x > 1:
                raise ValueError
            table["a"] = x
        except ValueError:
            pass
    finally:
        y = x * x
    return y + 1


@pytest.mark.parametrize(
    "function",
    [
        *(another_name_for_an_object, objects_made_in_the_body, bound_after_the_first_risk),
        *(changed_between_two_risks, a_key_that_one_path_adds),
    ],
)
def test_objects_and_names_of_the_body(function):
    check_all(function, *[(np.float64(v),) for v in (0.5, 1.5, -2.0)])
