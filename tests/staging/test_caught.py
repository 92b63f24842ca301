"""The arguments and attributes of exceptions that the graph raises and the program catches."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check_all

REALS = [(np.float64(v),) for v in (3.0, -3.0, 0.5)]
INTS = [(np.int32(v),) for v in (3, -3, 0)]
ROW = np.array([1.0, 2.0])


def one_number(x):
    y = x
    try:
        if x < 0:
            raise ValueError(x)
    except ValueError as e:
        y = e.args[0] * 2
    return y


def several_arguments(x):
    y = x
    try:
        if x < 0:
            raise ValueError("neg", x, x * x)
    except ValueError as e:
        name, a, b = e.args
        print(name, len(e.args))
        y = a * b
    return y


def a_key(x):
    try:
        if x < 0:
            raise KeyError("k")
    except KeyError as e:
        return e.args[0], str(e)
    return "none", "x"


class MyError(Exception):
    def __init__(self, code, extra=None):
        super().__init__(f"code {code}")
        self.code = code
        self.extra = extra

    def doubled(self):
        return self.code * 2

    def __str__(self):
        return f"<{self.code}>"


def attributes(n):
    try:
        if n < 0:
            raise MyError(n)
    except MyError as e:
        return e.code + 1, e.doubled(), str(e)
    return n, n, "fine"


def in_a_loop(xs):
    total = 0
    for x in xs:
        try:
            if x < 0:
                raise ValueError(x)
            total += x
        except ValueError as e:
            total += e.args[0] * 100
    return total


def raised_in_two_places(n):
    try:
        if n < 0:
            raise ValueError(n)
        if n == 0:
            raise ValueError(7)
    except ValueError as e:
        return e.args[0]
    return 0


def of_two_kinds(n):
    try:
        if n < 0:
            raise ValueError(n)
        if n == 0:
            raise KeyError("zero")
    except (ValueError, KeyError) as e:
        print("caught", e)
        return 1
    return 0


def wrapped(n):
    try:
        try:
            if n < 0:
                raise ValueError(n)
            if n == 0:
                raise KeyError("zero")
        except ValueError as e:
            raise RuntimeError("wrapped", e.args[0]) from e
    except RuntimeError as r:
        return r.args[1]
    except KeyError as k:
        return -100
    return 0


def without_arguments(n):
    try:
        if n < 0:
            raise StopIteration(n)
        if n == 0:
            raise LookupError
    except LookupError as e:
        return len(e.args)
    except StopIteration as e:
        return e.value
    return 0


def a_row(xs, n):
    try:
        if n < 0:
            raise ValueError(xs)
    except ValueError as e:
        return e.args[0].sum()
    return xs[0]


def containers(xs, n):
    try:
        if n < 0:
            raise ValueError({"x": xs, "n": n}, [n])
    except ValueError as e:
        return e.args[0]["x"].sum() + e.args[1][0]
    return xs[0]


def of_an_assertion(n):
    try:
        if n <= 0:
            raise AssertionError(n * 2)
    except AssertionError as e:
        return e.args[0]
    return 0


@dataclasses.dataclass
class Failed(Exception):
    value: object
    name: str = "f"


def a_dataclass(n):
    try:
        if n <= 0:
            raise Failed(n * 2)
    except Failed as e:
        return e.value, e.name
    return n, "none"


def asked_for_its_class(n):
    try:
        if n <= 0:
            raise Failed(n * 2)
    except Exception as e:
        if isinstance(e, Failed):
            return e.value
    return n


def kept_in_a_variable(n):
    found = None
    try:
        if n <= 0:
            raise Failed(n * 2)
    except Failed as e:
        found = e
    if found is not None:
        return found.value
    return n


def of_a_failed_lookup(n):
    items = [1, 2, 3, 4]
    try:
        return items[n]
    except IndexError as e:
        return str(e), e.args[0]


def a_name_bound_before_else(n):
    try:
        if n < 0:
            raise ValueError("neg")
        r = 10 / n
    except ValueError as e:
        r = 0.5
        print(f"error: {e}", e.args)
    else:
        r = r + 1
    finally:
        print("done", n)
    return r


def attributes_of_two_kinds(x):
    y = x * x
    try:
        if x < 0:
            raise MyError(x * y)
        if x < 1:
            raise MyError(y, extra=x)
    except MyError as e:
        y = e.code * 3 + y
    return y


def in_a_loop_of_reals(xs):
    total = 0.0
    for x in xs:
        try:
            if x < 0:
                raise ValueError("neg", x * x)
            total += x
        except ValueError as e:
            total += e.args[1] * x
    return total


def from_a_function(x):
    def check(v):
        if v < 0:
            raise ValueError(v, "neg")
        return v * 2

    try:
        return check(x)
    except ValueError as e:
        value, text = e.args
        return value * value


def raised_again(x):
    try:
        try:
            if x < 1:
                raise ValueError(x * 2)
            y = x
        except ValueError as e:
            if e.args[0] > 0:
                raise
            y = e.args[0] * 5
    except ValueError as e:
        y = e.args[0] * 7
    return y


def raised_anew(x):
    try:
        try:
            if x < 1:
                raise ValueError(x * 2)
            y = x
        except ValueError as e:
            raise MyError(e.args[0] * x)
    except MyError as e:
        y = e.code * 7
    return y


def kept_over_passes(x):
    best = None
    for k in range(3):
        try:
            if x < k:
                raise MyError(x * k)
        except MyError as e:
            best = e
    return 0.0 if best is None else best.code


def kept_by_the_way(xs):
    last = 0.0
    for x in xs:
        try:
            if x < 0:
                raise MyError(x * 2)
        except MyError as e:
            err = e
            last = err.code
    return last


def texts_in_a_list(n):
    errors = []
    for i in range(n):
        try:
            if i % 2 == 0:
                raise ValueError(i)
        except ValueError as e:
            errors.append(str(e))
    return errors


def numbers_in_a_list(n):
    errors = []
    for i in range(n):
        try:
            if i % 2 == 0:
                raise ValueError(i)
        except ValueError as e:
            errors.append(e.args[0])
    return errors


def as_a_jump(n):
    class Stop(Exception):
        pass

    out = 0
    try:
        for i in range(10):
            out += i
            if i == n:
                raise Stop(i, out)
    except Stop as s:
        i, o = s.args
        return i * 100 + o
    return out


def the_next_clause(n):
    try:
        if n == 0:
            raise ValueError
        if n < 0:
            raise KeyError(n)
    except KeyError as e:
        return e.args[0]
    except Exception as e:
        return 5 + len(e.args)
    return n


def made_before(n):
    try:
        if n < 0:
            e = ValueError(n)
            raise e
    except ValueError as err:
        return err.args[0] + 1
    return n


def raised_from_another(n):
    try:
        if n < 0:
            raise ValueError(f"bad {n}")
    except ValueError as err:
        raise RuntimeError(f"outer: {err}", n) from err
    return n


def attributes_set_later(n):
    try:
        if n < 0:
            err = MyError(n)
            err.note = n * 2
            raise err
    except MyError as e:
        return e.note, e.extra is None
    return n, False


@pytest.mark.parametrize(
    "function, calls",
    [
        (one_number, REALS),
        (several_arguments, REALS),
        (a_key, REALS),
        (attributes_of_two_kinds, REALS),
        (from_a_function, REALS),
        (raised_again, REALS),
        (raised_anew, REALS),
        (kept_over_passes, REALS),
        (attributes, INTS),
        (raised_in_two_places, INTS),
        (of_two_kinds, INTS),
        (wrapped, INTS),
        (without_arguments, INTS),
        (of_an_assertion, INTS),
        (a_dataclass, INTS),
        (asked_for_its_class, INTS),
        (kept_in_a_variable, INTS),
        (of_a_failed_lookup, INTS),
        (a_name_bound_before_else, INTS),
        (texts_in_a_list, INTS),
        (numbers_in_a_list, INTS),
        (as_a_jump, INTS),
        (the_next_clause, INTS),
        (made_before, INTS),
        (raised_from_another, INTS),
        (attributes_set_later, INTS),
        (in_a_loop, [(np.array([1, -2, 3, -4], np.int32),)]),
        (in_a_loop_of_reals, [(np.array([1.0, -2.0, 3.0, -4.0]),)]),
        (kept_by_the_way, [(np.array([3.0, -1.0, 2.0]),)]),
        (a_row, [(ROW, n) for (n,) in INTS]),
        (containers, [(ROW, n) for (n,) in INTS]),
    ],
)
def test_caught(function, calls):
    check_all(function, *calls)


def not_of_one_kind(n):
    try:
        if n < 0:
            raise ValueError(n)
        if n == 0:
            raise ValueError("zero", n)
    except ValueError as e:
        return e.args[0]
    return n


def test_arguments_of_several_kinds_are_refused():
    with pytest.raises(ag.errors.StagingError, match="`args` of an exception .* not of one kind"):
        ag.function(not_of_one_kind)(ag.constant(1))


def of_an_operation(n):
    try:
        if n < 0:
            raise IndexError(n)
        return [1, 2][n]
    except IndexError as e:
        return e.args[0]


def test_arguments_of_what_an_operation_raises():
    function = ag.function(of_an_operation)
    assert int(function(ag.constant(-5))) == -5
    with pytest.raises(ag.errors.InvalidArgumentError, match="is not what those raised by"):
        function(ag.constant(5))


def raised_to_the_caller(n):
    if n < 0:
        raise MyError(n, extra=[n * 2, "x"])
    return n


def test_the_callers_exception_has_its_values():
    with pytest.raises(MyError, match="<-3>") as caught:
        ag.function(raised_to_the_caller)(ag.constant(-3))
    assert (caught.value.code, caught.value.extra) == (-3, [-6, "x"])


def test_arguments_that_differ_in_dtype_are_nobody_s_business_until_they_are_asked_for():
    def f(x, n):
        try:
            if n > 2:
                raise ValueError("large")
            y = {0: x, 1: x * 3.0}[n]
        except Exception:
            y = x * x
        return y

    def asked(x, n):
        try:
            if n > 2:
                raise ValueError("large")
            y = {0: x, 1: x * 3.0}[n]
        except Exception as error:
            y = error.args[0]
        return y

    x = np.float64(1.5)
    check_all(f, *((x, np.int32(n)) for n in (0, 1, 2, 5)))
    with pytest.raises(ag.errors.StagingError, match="`args` of an exception that staged code"):
        ag.function(asked)(x, ag.constant(2))


def test_the_gradient_of_a_try_that_may_return_an_array():
    def f(xs, x, n, k):
        s = 1.5
        vec = np.zeros(4)
        while n > 0:
            n -= 1
            try:
                if not k:
                    return s, vec
                if vec[0] > 1:
                    raise ValueError("large")
                vec = vec + x * 0.75
            except ValueError:
                vec = xs * x
        return s, vec

    xs = np.array([0.5, -1.25, 2.0, 0.75])
    check_all(f, *[(xs, np.float64(1.5), np.int32(n), np.int32(k)) for n in (0, 3) for k in (0, 1)])


def test_an_item_of_a_list_changes_before_an_error():
    def f(x, n, k):
        rows = [[x], [1.0, x], []]
        try:
            rows[k % 3] = [x, x]
            rows[0].append(x)
            if n > 3:
                raise ValueError("large")
        except ValueError:
            x = 1.0
        return rows, x

    check_all(f, *[(np.float64(2.0), np.int32(n), np.int32(k)) for n in (1, 5) for k in (0, 1)])


def test_the_method_of_an_object_that_a_loop_in_a_try_makes_anew():
    @dataclasses.dataclass
    class Point:
        a: float
        b: float

        def scaled(self, c):
            return self if c > 5 else Point(self.a * c, self.b + c)

    def f(xs, x):
        point, u = Point(x, 1.0), 0.0
        try:
            for w in xs:
                if w > 0:
                    point = point.scaled(w)
                    print(point.scaled(x).b)
        except ValueError:
            u = 1.0
        return point.a, point.b, u

    check_all(f, (np.array([1.0, -2.0, 6.0]), np.float64(3.0)))
