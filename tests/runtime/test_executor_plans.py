"""Plans as text: what is left out, moved, merged and written over, and how it reads."""

import textwrap

import numpy as np
import pytest

import autograph_lite as ag

SPEC = ag.TensorSpec
SCALAR = SPEC([], ag.int32)
LARGE = SPEC([4096], ag.float64)
UNKNOWN = SPEC([None], ag.float64)


def body(function, *specs):
    """The statements of a plan, without the factory around them."""
    lines = ag.function(function).get_concrete_function(*specs).plan_source().splitlines()
    return textwrap.dedent("\n".join(lines[2:-1])) + "\n"


def same(text, expected):
    assert text == textwrap.dedent(expected).lstrip("\n"), text


# ---- how it reads


def test_a_loop_with_a_branch_reads_like_the_program():
    def collatz(n):
        steps = 0
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        return steps

    same(body(collatz, SCALAR), """
        steps = c0
        while n != c1:
            n = n // c2 if n % c2 == c0 else c3 * n + c1
            steps = steps + c1
        return (steps,)
    """)  # fmt: skip


def test_elif_and_conditions():
    def f(a, b):
        if a > 3 and not b > 4:
            a, b = a + 1, b + 2
        elif a > 1 or b < 2:
            a = a * 2
        elif not a == b:
            b = a
        return a, b

    same(body(f, SCALAR, SCALAR), """
        if a > c3 and not b > c4:
            a = a + c1
            b = b + c2
        elif a > c1 or b < c2:
            a = a * c2
        elif not a == b:
            b = a
        return (a, b)
    """)  # fmt: skip


def test_array_expressions_of_one_line_stay_one_line():
    def smooth(x):
        return (x[:-2] + x[1:-1] * 2.0 + x[2:]) / 4.0

    same(
        body(smooth, UNKNOWN),
        "real_div = (x[:-2] + x[1:-1] * a2 + x[2:]) / a4\nreturn (real_div,)\n",
    )


def test_items():
    def f(x, i):
        x[i] = x[i - 1] + x[0]
        return x

    def loop(x, n):
        for i in range(1, n):
            x[i] = x[i - 1] + 1.0
        return x

    assert "x[i - c1] + x[0]" in body(f, UNKNOWN, SCALAR)
    text = body(loop, UNKNOWN, SCALAR)
    assert "x = copy_array(x)" in text
    assert "x[the_position] = x[the_position - c1] + c1_float64\n" in text


def test_names_do_not_hide_what_python_needs():
    def f(abs, np):
        while abs < np:
            abs = abs + 1
        return abs

    concrete = ag.function(f).get_concrete_function(SCALAR, SCALAR)
    assert int(concrete(ag.constant(1), ag.constant(4))) == 4


def test_the_lines_of_a_plan_are_not_too_long():
    def chain(a):
        for _ in range(100):
            a = a * 3 + 1
        return a

    text = body(chain, SCALAR)
    assert max(map(len, text.splitlines())) < 120
    compile(text.replace("return", "x ="), "plan", "exec")


# ---- what is left out, computed ahead, and used again


def test_what_nobody_needs_is_left_out():
    def f(x):
        ag.sin(x)
        unused = x * 3
        return x + 1

    same(body(f, SCALAR), "return (x + c1,)\n")


def test_constants_are_computed_ahead():
    def f(x):
        return x + ag.reduce_sum(ag.range(5)) * 2

    same(body(f, SCALAR), "return (x + c20,)\n")


def test_what_fails_is_not_computed_ahead():
    @ag.function
    def f(x):
        if x > 0:
            return ag.constant(1) // ag.constant(0)
        return x

    assert int(f(ag.constant(-1))) == -1
    with pytest.raises(ZeroDivisionError):
        f(ag.constant(1))


def test_equal_expressions_are_computed_once():
    def f(x):
        return ag.sin(x) * ag.sin(x)

    assert body(f, UNKNOWN).count("np_sin(") == 1


def test_a_branch_on_what_is_known_is_taken_ahead():
    def f(x):
        y = ag.constant(3) > 2
        if y:
            return x + 1
        return x - 1

    assert "if" not in body(f, SCALAR)


def test_loop_variables_that_nobody_needs_are_dropped():
    def f(n):
        i, unused = 0, 0
        while i < n:
            unused = unused + i
            i = i + 1
        return i

    assert "unused" not in body(f, SCALAR)


def test_what_does_not_change_in_a_loop_moves_out_of_it():
    def f(x, n):
        total = 0.0
        for i in range(n):
            for j in range(n):
                total += ag.reduce_sum(ag.cos(x))[None][0] * len(x)
        return total

    text = body(f, UNKNOWN, SCALAR)
    before, _, _ = text.partition("while")
    assert "np_cos(x)" in before
    assert "shape(x)" in before


def test_what_may_fail_does_not_move_out_of_a_loop():
    @ag.function
    def f(x, n):
        total = 0
        for _ in range(n):
            total += 7 // x
        return total

    assert int(f(ag.constant(0), ag.constant(0))) == 0
    with pytest.raises(ZeroDivisionError):
        f(ag.constant(0), ag.constant(1))


# ---- memory


def test_elementwise_results_write_over_what_is_not_needed_any_more():
    def f(x):
        y = ag.sin(x)
        y = y * 2.0
        y = y + x
        return y

    same(body(f, LARGE), """
        add = np_sin(x)
        add = np_multiply(add, a2, add)
        add = np_add(add, x, add)
        return (add,)
    """)  # fmt: skip


def test_small_arrays_are_not_worth_it():
    assert "np_sin(x) * a2" in body(lambda x: ag.sin(x) * 2.0, SPEC([8]))


@pytest.mark.parametrize("spec", [LARGE, UNKNOWN])
def test_arguments_and_constants_are_never_written_to(spec):
    kept = ag.constant(np.ones(4096))

    @ag.function
    def f(x):
        y = kept * 2.0
        x[3] = 5.0
        y[1] = 7.0
        z = kept + 0.0
        for i in range(ag.constant(3)):
            z[i] = x[i]
        return x, y, z

    x = np.zeros(4096)
    for _ in range(2):
        a, b, c = f(x)
        assert x.sum() == 0
        assert float(ag.reduce_sum(kept)) == 4096
        assert (float(ag.reduce_sum(a)), float(ag.reduce_sum(b))) == (5, 2 * 4096 + 5)
        assert float(ag.reduce_sum(c)) == 4093


def test_results_of_two_calls_do_not_share_memory():
    @ag.function
    def f(x):
        for i in range(ag.constant(2)):
            x[i] = 9.0
        return x

    x = ag.constant([1.0, 2.0, 3.0])
    first = f(x)
    second = f(first)
    assert first.numpy().tolist() == second.numpy().tolist() == [9.0, 9.0, 3.0]
    assert x.numpy().tolist() == [1.0, 2.0, 3.0]


def test_a_view_keeps_what_it_views():
    @ag.function
    def f(x):
        y = x + 1.0
        view = y[::-1]
        y[0] = 100.0
        y = y * 2.0
        return view, y

    view, y = f(np.arange(4096.0))
    assert view.numpy()[-1] == 100.0
    assert y.numpy()[0] == 200.0


def test_a_copy_keeps_what_it_copies():
    @ag.function
    def f(x):
        y = x + 1.0
        copy = y[::-1].copy()
        y[0] = 100.0
        y = y * 2.0
        return copy, y

    copy, y = f(np.arange(4096.0))
    assert copy.numpy()[-1] == 1.0
    assert y.numpy()[0] == 200.0


def test_storing_in_a_loop_costs_the_same_however_long_the_array():
    @ag.function
    def fill(x, n):
        for i in range(n):
            x[i] = 1.0
        return x

    x = ag.zeros([4000], ag.float64)
    assert fill(x, ag.constant(3000)).numpy().sum() == 3000
    plan = fill.get_concrete_function(x, ag.constant(3000)).plan_source()
    once, each_pass = plan.split("while ")
    assert "x = copy_array(x)" in once  # the caller's array is not written to
    assert "    x[the_position] = a1\n" in each_pass
    assert "(x" not in each_pass.partition("return")[0]  # nothing else reads all of it


def test_large_arrays_are_freed_after_their_last_use():
    import tracemalloc

    @ag.function
    def peak(x):
        total = 0.0
        for _ in range(20):
            x = ag.concat([x[1:], x[:1]], 0)
            total += ag.reduce_max(x)
        return total

    concrete = peak.get_concrete_function(UNKNOWN)
    x = ag.constant(np.ones(200_000))
    concrete(x)
    tracemalloc.start()
    concrete(x)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 5 * x.numpy().nbytes


# ---- where errors come from


def test_an_error_names_the_line_of_the_operation_that_failed():
    @ag.function
    def f(x, i, j):
        a = x[i]
        b = x[j]
        return a + b

    x = ag.constant([1, 2, 3])
    start = f.python_function.__code__.co_firstlineno
    for i, j, line in ((7, 0, 2), (0, 7, 3)):
        with pytest.raises(IndexError, match=f"{__file__}:{start + line}: ") as caught:
            f(x, ag.constant(i), ag.constant(j))
        entry = caught.traceback[-1]
        assert (str(entry.path), entry.lineno + 1, entry.name) == (__file__, start + line, "f")


def test_errors_in_conditions_branches_and_loops_name_their_lines():
    @ag.function
    def f(x, i):
        n = 0
        while n < 3:
            if x[i] > 0:
                n = n + x[i + 1]
            n = n + 1
        return n

    start = f.python_function.__code__.co_firstlineno
    x = ag.constant([1, 1, -1])
    for i, line in ((9, 4), (-4, 4)):
        with pytest.raises(IndexError, match=f"{__file__}:{start + line}: "):
            f(x, ag.constant(i))
    with pytest.raises(IndexError, match=f"{__file__}:{start + 5}: "):
        f(ag.constant([-1, -1, 1]), ag.constant(2))


def test_truth_values_that_leave_a_plan_are_numpys():
    @ag.function
    def f(a, b):
        return not a > b, a > 0 and b > 0, a > 0 or b > 0, a < b < 10

    for result in f(ag.constant(1), ag.constant(2)):
        assert type(result.numpy()) is np.bool_
        assert result.dtype is ag.bool


@pytest.mark.parametrize("in_a_loop", [False, True])
def test_what_a_branch_or_loop_gives_a_variable_is_not_written_over(in_a_loop):
    v = ag.Variable([0, 0])

    @ag.function
    def in_branch(x, n):
        y = x * 2
        if n > 0:
            v.assign(y)
        y[0] = 100
        return y

    @ag.function
    def in_loop(x, n):
        y = x * 2
        for _ in ag.range(n):
            v.assign(y)
        y[0] = 100
        return y

    f = in_loop if in_a_loop else in_branch
    assert f(ag.constant([1, 2]), ag.constant(1)).numpy().tolist() == [100, 4]
    assert v.numpy().tolist() == [2, 4]


def test_constants_of_other_signs_and_dtypes_are_told_apart():
    @ag.function
    def f(x, n):
        return x * 0.0, x * -0.0, ag.fill([n], 1.0), ag.fill([n], 1)

    plus, minus, real, whole = f(ag.constant([1.0]), ag.constant(2))
    assert str(plus.numpy()[0]) == "0.0" and str(minus.numpy()[0]) == "-0.0"
    assert (real.dtype, whole.dtype) == (ag.float32, ag.int32)


def test_what_may_fail_for_its_sizes_does_not_move_out_of_a_loop():
    unknown = ag.TensorSpec([None], ag.int32)

    @ag.function(input_signature=[unknown, unknown, ag.TensorSpec([], ag.int32)])
    def item(x, y, n):
        total = 0
        for _ in ag.range(n):
            total += x[5]
        return total

    @ag.function(input_signature=[unknown, unknown, ag.TensorSpec([], ag.int32)])
    def added(x, y, n):
        total = 0
        for _ in ag.range(n):
            total += ag.reduce_sum(x + y)
        return total

    x, y, none = ag.constant([1, 2]), ag.constant([1, 2, 3]), ag.constant(0)
    assert int(item(x, y, none)) == 0 and int(added(x, y, none)) == 0
