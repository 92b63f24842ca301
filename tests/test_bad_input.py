"""What bad input says: the whole text, the user's line in it, and where the traceback ends."""

import linecache
import sys
import traceback

import numpy as np
import pytest

import autograph_lite as ag
from runtime.errors import InvalidArgumentError

FILE = __file__
SPEC = ag.TensorSpec


def failing(function, *args):
    """The error of a call, the line where its traceback ends, and the text of that line."""
    with pytest.raises(Exception) as caught:
        function(*args)
    entries = traceback.extract_tb(caught.value.__traceback__)
    last = [entry for entry in entries if entry.filename == FILE][-1]
    if sys.version_info >= (3, 11):  # before, the frame that raises again cannot be hidden
        assert last is entries[-1], "the traceback ends in the library"
    return caught.value, last.lineno, linecache.getline(FILE, last.lineno).strip()


class Strange:
    def __repr__(self):
        return "<a Strange>"


@ag.function
def doubled(x):
    return x * 2


@ag.function
def as_tensor(x):
    return ag.constant(x)


# ---- an argument of an unsupported type


def test_an_object_that_the_function_cannot_use():
    error, _, text = failing(doubled, Strange())
    assert type(error) is TypeError
    assert str(error) == "unsupported operand type(s) for *: 'Strange' and 'int'"
    assert text == "return x * 2"


def test_an_object_that_cannot_become_a_tensor():
    error, line, text = failing(as_tensor, Strange())
    assert type(error) is TypeError
    assert str(error) == (
        f"{FILE}:{line}: <a Strange> (a Strange) cannot become a tensor; expected a tensor, a "
        "NumPy array, a number, a string, or nested lists of them"
    )
    assert text == "return ag.constant(x)"


@pytest.mark.parametrize(
    "array, name",
    [
        (np.array(["2020-01-01"], "datetime64[D]"), "datetime64[D]"),
        (np.zeros(1, [("a", np.int32)]), "[('a', '<i4')]"),
    ],
)
def test_an_array_of_an_unsupported_dtype(array, name):
    error, line, text = failing(doubled, array)
    assert type(error) is TypeError
    assert str(error) == (
        f"{FILE}:{line}: there are no tensors of NumPy's dtype {name}; expected one of bool, "
        "uint8, int8, uint16, int16, uint32, int32, uint64, int64, float16, float32, float64, "
        "complex64, complex128, string"
    )
    assert text == "function(*args)"  # the call


def test_rows_of_different_lengths():
    error, line, _ = failing(as_tensor, [[1, 2], [3]])
    assert type(error) is ValueError
    assert str(error) == (
        f"{FILE}:{line}: rows of different lengths cannot become a tensor: [[1, 2], [3]]"
    )


@pytest.mark.parametrize(
    "args, text",
    [((), "missing a required argument: 'x'"), ((1, 2), "too many positional arguments")],
)
def test_the_wrong_number_of_arguments(args, text):
    error, _, _ = failing(doubled, *args)
    assert type(error) is TypeError
    assert str(error) == f"doubled(): {text}"


# ---- shapes that cannot broadcast


@ag.function
def added(x, y):
    z = x * 2.0
    return z + y


@ag.function(input_signature=[SPEC([None]), SPEC([None])])
def added_late(x, y):
    z = x * 2.0
    return z + y


def test_shapes_that_cannot_broadcast():
    error, line, text = failing(added, ag.constant([1.0, 2.0]), ag.constant([1.0, 2.0, 3.0]))
    assert type(error) is InvalidArgumentError
    assert isinstance(error, ValueError)
    assert str(error) == (
        f"{FILE}:{line}: AddV2 cannot take (float32[2], float32[3]): shapes (2,) and (3,) cannot "
        "be broadcast together"
    )
    assert text == "return z + y"


def test_shapes_that_turn_out_not_to_broadcast():
    error, line, text = failing(added_late, [1.0, 2.0], [1.0, 2.0, 3.0])
    assert type(error) is InvalidArgumentError
    assert str(error).startswith(f"{FILE}:{line}: ")
    assert str(error).endswith("operands could not be broadcast together with shapes (2,) (3,)")
    assert text == "return z + y"


def test_eager_shapes_that_cannot_broadcast():
    x, y = ag.constant([1.0, 2.0]), ag.constant([1.0, 2.0, 3.0])
    with pytest.raises(InvalidArgumentError) as caught:
        x + y
    assert str(caught.value) == (
        f"{FILE}:{caught.traceback[0].lineno + 1}: AddV2 cannot take (float32[2], float32[3]): "
        "shapes (2,) and (3,) cannot be broadcast together"
    )


# ---- a condition of rank 1


def branch(x):
    if x > 0:
        return x
    return -x


def loop(x):
    while x > 0:
        x = x - 1
    return x


def choice(x):
    return 1 if x > 0 else 2


def conjunction(x):
    return x > 0 and x < 3


def negation(x):
    return not x > 0


RANK_1 = [
    (branch, "the `if`", "if x > 0:"),
    (loop, "the loop", "while x > 0:"),
    (choice, "the conditional expression", "return 1 if x > 0 else 2"),
    (conjunction, "`and`", "return x > 0 and x < 3"),
    (negation, "`not`", "return not x > 0"),
]


@pytest.mark.parametrize("plain, what, source", RANK_1, ids=lambda x: getattr(x, "__name__", ""))
def test_a_condition_of_rank_1(plain, what, source):
    error, line, text = failing(ag.function(plain), ag.constant([1, 2]))
    assert type(error) is ValueError
    assert str(error) == (
        f"{FILE}:{line}: the condition of {what} must be one truth value, found <ag.Tensor "
        "'Greater:0' shape=(2,) dtype=bool>; use ag.reduce_all(x) or ag.reduce_any(x)"
    )
    assert text == source


@pytest.mark.parametrize(
    "plain, what, source", RANK_1[:3], ids=lambda x: getattr(x, "__name__", "")
)
def test_a_condition_that_turns_out_to_have_rank_1(plain, what, source):
    traced = ag.function(plain, input_signature=[SPEC(None)])
    traced([1.0])  # one element counts
    error, line, text = failing(traced, [1.0, 2.0])
    assert type(error) is InvalidArgumentError
    assert str(error) == (
        f"{FILE}:{line}: a condition must be one truth value, found bools of shape (2,); use "
        "ag.reduce_all(x) or ag.reduce_any(x)"
    )
    assert text == source


# ---- a variable that is defined in one branch only, and then read


@ag.function
def one_branch(x):
    if x > 0:
        y = x * 2
    return y + 1


@ag.function
def other_branch(x):
    if x > 0:
        z = x
    else:
        y = x * 2
    return y + 1


@ag.function
def loop_only(n):
    for i in range(n):
        y = i
    return y


@pytest.mark.parametrize(
    "function, bad, good, result, source",
    [
        (one_branch, -1, 1, 3, "return y + 1"),
        (other_branch, 1, -1, -1, "return y + 1"),
        (loop_only, 0, 3, 2, "return y"),
    ],
    ids=["if", "else", "loop"],
)
def test_a_variable_that_is_set_on_one_path_only(function, bad, good, result, source):
    assert int(function(ag.constant(good))) == result
    error, _, text = failing(function, ag.constant(bad))
    assert type(error) is UnboundLocalError
    plain = pytest.raises(UnboundLocalError, function.python_function, bad).value
    assert str(error) == str(plain)  # Python's own words
    assert "'y'" in str(error)
    assert text == source


# ---- a `for` over a 0-d tensor


@ag.function
def over_a_scalar(x):
    total = 0
    for value in x:
        total += value
    return total


def test_a_for_over_a_scalar():
    error, line, text = failing(over_a_scalar, ag.constant(3))
    assert type(error) is TypeError
    assert str(error) == (
        f"{FILE}:{line}: cannot iterate over <ag.Tensor 'x:0' shape=() dtype=int32>, a scalar; "
        "expected a tensor of at least one dimension. To count up to it, use `for i in "
        "ag.range(n)`."
    )
    assert text == "for value in x:"


# ---- failures while the graph runs


@ag.function
def picked(x, i):
    y = x * 2
    return y[i]


@ag.function
def divided(x, y):
    z = x + 1
    return z // y


def test_an_index_out_of_range():
    error, line, text = failing(picked, ag.constant([1, 2]), ag.constant(5))
    assert isinstance(error, IndexError)
    assert str(error) == (
        f"{FILE}:{line}: GetElement: index 5 is out of bounds for axis 0 with size 2"
    )
    assert text == "return y[i]"


def test_an_integer_division_by_zero():
    error, line, text = failing(divided, ag.constant(1), ag.constant(0))
    assert isinstance(error, ZeroDivisionError)
    assert str(error) == f"{FILE}:{line}: FloorDiv: integer division by zero"
    assert text == "return z // y"


def test_a_failure_does_not_spoil_the_function():
    failing(divided, ag.constant(1), ag.constant(0))
    assert int(divided(ag.constant(5), ag.constant(2))) == 3
    assert divided.experimental_get_tracing_count() == 1
