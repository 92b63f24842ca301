"""NumPy's functions give the same on tensors, eager and symbolic, as on arrays."""

from __future__ import annotations

import copy
import pickle
import sys
from typing import Any

import numpy as np
import pytest

import autograph_lite as ag
from runtime import numpy_face
from runtime.errors import SymbolicTensorError
from tests.runtime.numpy_cases import CASES, VALUES

ALL = [(name, text) for name, texts in CASES.items() for text in texts]


def plain(value: Any) -> Any:
    """Tensors, in structures, as arrays."""
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    return np.asarray(value)


def evaluate(text: str, values: dict[str, Any]) -> Any:
    with np.errstate(all="ignore"):
        return eval(text, {"np": np, **values})


def check(found: Any, expected: Any) -> None:
    if isinstance(expected, list):
        assert len(found) == len(expected)
        for f, e in zip(found, expected, strict=True):
            check(f, e)
        return
    assert found.shape == expected.shape
    if expected.dtype.kind in "fc":
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-10)
    else:
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(("name", "text"), ALL, ids=[text for _, text in ALL])
def test_like_numpy(name: str, text: str) -> None:
    expected = plain(evaluate(text, VALUES))
    tensors = {key: ag.constant(value) for key, value in VALUES.items()}
    found = evaluate(text, tensors)
    check(plain(found), expected)
    if expected is not True and isinstance(found, ag.Tensor):
        assert not isinstance(found, np.ndarray)

    def traced(values: dict[str, Any]) -> Any:
        return evaluate(text, values)

    symbolic = ag.function(traced, autograph=False)(tensors)
    check(plain(symbolic), expected)


def test_every_supported_function_has_a_case() -> None:
    tested = set(CASES)
    missing = [name for name in numpy_face.supported() if name not in tested]
    assert not missing


def test_at_least_200_functions() -> None:
    assert len(numpy_face.supported()) >= 200


@pytest.mark.parametrize(
    "text",
    ["np.sum(x, axis=0)", "np.concatenate([x, x + 1])", "np.sort(x)", "np.var(x, 1)", "x.T.sum(0)"],
)
def test_unknown_sizes(text: str) -> None:
    @ag.function(autograph=False, input_signature=[ag.TensorSpec([None, None], ag.float64)])
    def traced(x: Any) -> Any:
        return evaluate(text, {"x": x})

    value = VALUES["x"]
    check(plain(traced(ag.constant(value))), plain(evaluate(text, {"x": value})))


# ---- arrays and tensors together


def test_operators_with_an_array_on_the_left_give_tensors() -> None:
    t = ag.constant([1.0, 2.0])
    for made in (np.ones(2) + t, np.float64(3) * t, np.array([1, 2]) - t, np.ones((2, 2)) @ t):
        assert isinstance(made, ag.Tensor)
        assert made.dtype == "float32"


def test_in_place_operators_of_arrays_take_eager_tensors() -> None:
    array = np.ones(2)
    array += ag.constant([1.0, 2.0])
    assert array.tolist() == [2.0, 3.0]


def test_dtype_of_ufuncs_is_that_of_the_computation() -> None:
    t = ag.constant([16777216.0])
    assert np.add(t, 1, dtype=np.float64).numpy().tolist() == [16777217.0]


def test_membership() -> None:
    t = ag.constant([[1.0, 2.0]])
    assert 2.0 in t and 5.0 not in t


def test_asarray_shares_memory_and_cannot_be_written_to() -> None:
    t = ag.constant([1.0, 2.0])
    array = np.asarray(t)
    assert np.shares_memory(array, np.asarray(t))
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 5
    assert t.numpy().flags.writeable


@pytest.mark.parametrize("value", [2.5, [1, 2], [[1.0], [2.0]], [True], ["a", "b"], 1j, []])
def test_arrays_and_buffers_of_tensors_have_their_shape(value: Any) -> None:
    t = ag.constant(value)
    for array in (np.asarray(t), np.array(t), np.asarray(ag.transpose(t))):
        assert array.dtype == t.numpy().dtype
        assert array.size == np.size(value)
    assert np.asarray(t).shape == t.shape
    if sys.version_info >= (3, 12) and t.dtype != "string":
        view = memoryview(t)
        assert view.readonly
        assert np.asarray(view).tolist() == np.asarray(t).tolist()


def test_dlpack_gives_the_values() -> None:
    t = ag.constant([1.0, 2.0])
    array = np.from_dlpack(t)
    assert array.tolist() == [1.0, 2.0]


def test_pickling_and_copying() -> None:
    t = ag.constant([[1, 2]])
    for made in (pickle.loads(pickle.dumps(t)), copy.copy(t), copy.deepcopy(t)):
        assert made.numpy().tolist() == [[1, 2]]


def test_python_numbers() -> None:
    t = ag.constant([[1.5, 2.0]])
    assert t.tolist() == [[1.5, 2.0]]
    assert t.item(0) == 1.5
    assert (t.size, t.nbytes, t.itemsize, t.ndim) == (2, 8, 4, 2)
    assert divmod(ag.constant(7), 2)[1].item() == 1
    assert round(ag.constant(2.567), 1).item() == pytest.approx(2.6)


def test_symbolic_tensors_become_no_arrays() -> None:
    @ag.function(autograph=False)
    def traced(x: Any) -> Any:
        with pytest.raises(SymbolicTensorError, match="NumPy array"):
            np.asarray(x)
        with pytest.raises(SymbolicTensorError, match="numpy_function"):
            np.savetxt("nowhere", x)
        with pytest.raises(SymbolicTensorError, match="numpy_function"):
            np.busday_count(x, x)
        array = np.ones(2)
        array += x
        return array

    assert traced(ag.constant([1.0, 2.0])).numpy().tolist() == [2.0, 3.0]


def test_functions_without_a_counterpart_run_on_eager_values() -> None:
    made = np.histogram2d(ag.constant([1.0, 2.0]), ag.constant([1.0, 2.0]), bins=2)
    assert made[0].tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_gradients_flow_through_numpy_functions() -> None:
    x = ag.constant([1.0, 2.0])
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = np.sum(np.square(x)) + np.log2(x)[1]
    expected = [2.0, 4.0 + 1 / (2 * np.log(2))]
    np.testing.assert_allclose(tape.gradient(y, x).numpy(), expected, rtol=1e-6)


def test_variables_take_part() -> None:
    v = ag.Variable([1.0, 4.0])
    assert isinstance(np.sqrt(v), ag.Tensor)
    assert np.concatenate([v, v]).shape == (4,)
    assert v.sum().numpy() == 5.0
    assert (np.ones(2, np.float32) + v).numpy().tolist() == [2.0, 5.0]


def test_notebooks_show_the_repr() -> None:
    assert ag.constant([1])._repr_html_() == (
        "<pre>&lt;ag.Tensor: shape=(1,), dtype=int32, numpy=array([1], dtype=int32)&gt;</pre>"
    )


_MANY = {
    "bool": np.arange(200000) % 3 > 0,
    "uint8": np.full(100000, 200, np.uint8),
    "int8": np.arange(-100, 100).astype(np.int8),
    "float16": np.full(100000, 1, np.float16),
}


@pytest.mark.parametrize("kind", _MANY)
@pytest.mark.parametrize("name", ["mean", "average", "std", "var", "nanmean", "median", "nanstd"])
def test_means_of_small_dtypes_are_added_up_in_wide_ones(kind: str, name: str) -> None:
    array, function = _MANY[kind], getattr(np, name)
    wide = function(array.astype(np.float64))
    expected = np.float16(wide) if kind == "float16" else wide
    for found in (
        function(ag.constant(array)),
        ag.function(lambda x: function(x), autograph=False)(array),
    ):
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(float(found), expected, rtol=1e-12)
    if name in ("mean", "std", "var"):
        assert getattr(ag.constant(array), name)().dtype == expected.dtype


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.int64, np.uint64])
@pytest.mark.parametrize("decimals", [-1, -2, -5])
def test_integers_are_rounded_to_tens(dtype: Any, decimals: int) -> None:
    low = 0 if np.dtype(dtype).kind == "u" else -128
    values = np.arange(low, 256 + low if np.dtype(dtype).itemsize == 1 else 700).astype(dtype)
    expected = np.array([round(int(v), decimals) for v in values]).astype(dtype)
    found = np.round(ag.constant(values), decimals)
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, expected)
    assert int(round(ag.constant(dtype(15)), -1)) == 20
    assert int(ag.function(lambda x: round(x, -1))(dtype(25))) == 20


def test_numbers_out_of_the_range_of_a_small_dtype_promote() -> None:
    for add in (lambda x: x + np.uint8(250), lambda x: x + np.array([250], np.uint8)):
        for found in (add(ag.constant(np.int8(100))), ag.function(add)(np.int8(100))):
            assert found.dtype == np.int16
            assert int(np.sum(found)) == 350
    kept = ag.constant(np.int8(100)) + np.uint8(20)
    assert kept.dtype == np.int8


@pytest.mark.parametrize("operator", ["<", "<=", ">", ">=", "==", "!="])
@pytest.mark.parametrize("number", [300, -300, 2**70, -(2**70), 5])
def test_comparisons_with_numbers_that_a_dtype_cannot_hold(operator: str, number: int) -> None:
    for text in (f"x {operator} {number}", f"{number} {operator} x"):
        compare = eval(f"lambda x: {text}")
        for dtype in (np.int8, np.uint8, np.int64, np.uint64):
            expected = compare(5)
            assert bool(compare(ag.constant(dtype(5)))) is expected
            assert bool(ag.function(compare, autograph=False)(dtype(5))) is expected


@pytest.mark.parametrize("value", [1 + 2j, [1 + 2j], np.complex64(1 + 2j)])
def test_imaginary_parts_are_not_dropped(value: Any) -> None:
    with pytest.raises(TypeError, match="cannot become a tensor of dtype float32"):
        ag.constant(value, dtype=ag.float32)


@pytest.mark.parametrize("name", ["float16", "float32", "int8", "uint64", "bool", "complex128"])
def test_dtypes_stand_where_numpy_wants_one(name: str) -> None:
    dtype, plain_dtype = ag.zeros(2, name).dtype, np.dtype(name)
    assert np.dtype(dtype) == plain_dtype
    assert np.zeros(3, dtype).dtype == plain_dtype
    assert np.zeros(2).astype(dtype).dtype == plain_dtype
    assert np.issubdtype(dtype, np.floating) is np.issubdtype(plain_dtype, np.floating)
    assert plain_dtype.type == dtype
    made = ag.function(lambda x: x + np.ones(2, x.dtype))(np.zeros(2, plain_dtype))
    assert made.dtype == name


def test_limits_of_dtypes() -> None:
    x = ag.constant([1.0])
    assert np.finfo(x.dtype).eps == np.finfo(np.float32).eps
    assert np.iinfo(ag.int8).max == 127
    assert ag.function(lambda x: x + np.finfo(x.dtype).eps)(x).dtype == ag.float32


_TRANSFORMS = [
    "np.fft.fft(x)",
    "np.fft.fft(x, 6, axis=0)",
    "np.fft.fft(x, 2, norm='ortho')",
    "np.fft.ifft(x, norm='forward')",
    "np.fft.rfft(x, 3, axis=0, norm='forward')",
    "np.fft.rfft(x, norm='ortho')",
    "np.fft.irfft(x, axis=0, norm='ortho')",
    "np.fft.irfft(x, 5)",
    "np.fft.fft2(x, norm='ortho')",
    "np.fft.ifft2(x, s=(2, 5))",
    "np.fft.fftn(x, s=(5,), axes=(0,))",
    "np.fft.ifftn(x, norm='forward')",
]


@pytest.mark.parametrize("text", _TRANSFORMS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int16])
def test_fourier_transforms(text: str, dtype: Any) -> None:
    x = np.random.default_rng(1).uniform(-9, 9, (3, 4)).astype(dtype)
    expected = evaluate(text, {"x": x})
    unknown = ag.function(
        lambda x: evaluate(text, {"x": x}),
        autograph=False,
        input_signature=[ag.TensorSpec([None, None], dtype)],
    )
    for found in (evaluate(text, {"x": ag.constant(x)}), unknown(x)):
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("text", _TRANSFORMS)
def test_gradients_of_fourier_transforms(text: str) -> None:
    rng = np.random.default_rng(2)
    x, step = rng.uniform(-1, 1, (3, 4)), 1e-6
    weights = rng.uniform(-1, 1, evaluate(text, {"x": x}).shape)

    def loss(x: Any) -> Any:
        return np.sum(np.square(np.abs(evaluate(text, {"x": x}) + 2.0)) * weights)

    watched = ag.constant(x)
    with ag.GradientTape() as tape:
        tape.watch(watched)
        value = loss(watched)
    found = tape.gradient(value, watched)
    for place in np.ndindex(3, 4):
        moved = np.zeros((3, 4))
        moved[place] = step
        slope = (loss(x + moved) - loss(x - moved)) / (2 * step)
        np.testing.assert_allclose(found[place], slope, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (0, 0), (2, 3)])
@pytest.mark.parametrize("call", ["np.max(x, axis=0)", "x.min(axis=-1)", "np.max(x)"])
def test_extremes_of_nothing(shape: tuple[int, ...], call: str) -> None:
    x = np.zeros(shape)
    traced = ag.function(
        lambda x: evaluate(call, {"x": x}),
        autograph=False,
        input_signature=[ag.TensorSpec([None] * len(shape), ag.float64)],
    )
    takes = (
        lambda: evaluate(call, {"x": ag.constant(x)}),
        lambda: traced(x),
        lambda: ag.function(lambda x: evaluate(call, {"x": x}), autograph=False)(x),
    )
    try:
        expected = evaluate(call, {"x": x})
    except ValueError:
        for take in takes:
            with pytest.raises(ValueError, match="zero-size array to reduction operation"):
                take()
    else:
        for take in takes:
            np.testing.assert_array_equal(take(), expected)


def test_builtin_extremes_of_nothing() -> None:
    spec = ag.TensorSpec([None], ag.float32)
    largest = ag.function(lambda x: max(x), input_signature=[spec])
    with pytest.raises(ValueError, match="max"):
        largest(np.zeros(0, np.float32))
    assert float(largest(np.float32([1, 3]))) == 3
    with_default = ag.function(lambda x: min(x, default=7.0), input_signature=[spec])
    assert float(with_default(np.zeros(0, np.float32))) == 7
    assert float(with_default(np.float32([1, 3]))) == 1
    assert float(ag.reduce_max(ag.zeros(0))) == -np.inf
