"""`x.shape` where only the running graph knows the length of `x`."""

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check_all


def size_in_test(x):
    a = x[x > 0]
    if a.shape[0] == 2:
        return 1
    if a.shape[0]:
        return 2
    return 0


def shapes_compared(x):
    a, b = x[x > 0], x[x > 1]
    wanted = (2,)
    if a.shape == (2,) and wanted == a.shape and a.shape != (2, 1):
        return 1
    if a.shape == b.shape:
        return 2
    return 3 if x.shape == a.shape else 4


def of_a_comprehension(x):
    a = np.array([w for w in x if w > 0])
    return np.ones((a.shape[0], 2)).shape[0] if a.shape[0] > 1 else -1


def unpacked(x):
    a = x[x > 0][:, None] * np.ones(3)
    n, m = a.shape
    return n * m + a.shape[-2] - a.shape[1]


def new_arrays(x):
    a = x[x > 0]
    return np.zeros(a.shape), np.ones(a.shape[0]), np.full(a.shape + (2,), 3.0), np.zeros(a.size)


def reshaped(x):
    a = x[x > 0]
    n = a.shape[0]
    return a.reshape(n, 1), a.reshape(-1, n), a.reshape(a.shape), a[: n // 2]


def gone_over(x):
    a = x[x > 0]
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i] * (a.shape[0] + 1)
    for n in a.shape:
        total += n
    return total


def as_text(x):
    a = x[x > 0]
    return f"{a.shape} {a.shape[0]}", str(a.shape)


def by_other_ways(x):
    a = x[x > 0]
    return np.shape(a)[0], getattr(a, "shape")[-1], a.size, len(a)  # noqa: B009


def in_a_loop(x):
    a = x[x > 0]
    shape = a.shape
    while shape[0] > 1:
        a = a[1:]
        shape = a.shape
    return shape[0]


ARRAYS = [(np.array(x),) for x in ([1.0, 2.0, -1.0], [-1.0, 2.0, 5.0, 4.0], [-1.0], [3.0, 2.0])]


@pytest.mark.parametrize(
    "f",
    [
        *(size_in_test, shapes_compared, of_a_comprehension, unpacked, new_arrays, gone_over),
        *(as_text, by_other_ways, in_a_loop),
    ],
)
def test_as_plain_python(f):
    check_all(f, *ARRAYS)


def test_reshaping_as_plain_python():
    check_all(reshaped, *(a for a in ARRAYS if (a[0] > 0).any()))


def test_size_is_a_plain_number_beside_floats():
    @ag.function
    def f(x):
        a = x[x > 0]
        return a * a.shape[0], a / len(a), a * a.size, a * np.size(a)

    made = f(np.array([1, 2, -1], np.float32))
    assert [t.dtype for t in made] == [ag.float32] * 4


def test_interface_of_tensor_shape():
    @ag.function
    def f(x):
        shape = x[x > 0].shape
        assert isinstance(shape, ag.TensorShape)
        assert (shape.rank, shape.ndims, shape.as_list()) == (1, 1, [None])
        assert not shape.is_fully_defined() and shape.is_compatible_with([3])
        return ag.zeros(shape.with_rank(1).concatenate([3]))

    assert f(np.array([1.0, 2.0, -1.0])).shape == (2, 3)


def test_known_shapes_stay_python_numbers():
    @ag.function
    def f(x):
        assert type(x.shape) is ag.TensorShape and type(x.shape[0]) is int
        return x

    f(ag.constant([1.0, 2.0]))


def test_printed(capsys):
    @ag.function
    def f(x):
        print(x[x > 0].shape)

    f(np.array([1.0, 2.0, -1.0]))
    assert capsys.readouterr().out == "(2,)\n"


def test_arguments_declared_with_unknown_sizes_show_them_as_none():
    seen = []

    @ag.function(input_signature=[ag.TensorSpec([None, 2], ag.float32)])
    def f(x):
        seen.append((str(x.shape), x.shape[0] is None, x.shape.as_list()))
        return x[x[:, 0] > 0].shape[0]

    assert int(f(np.array([[1, 2], [-1, 0]], np.float32))) == 1
    assert seen == [("(None, 2)", True, [None, 2])]
