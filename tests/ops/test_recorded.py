"""Our answers against TensorFlow's, which `record_with_tensorflow.py` recorded."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import numpy as np
import pytest

import autograph_lite as ag

RECORDED = pathlib.Path(__file__).parent / "recorded"
TOLERANCE = {
    "float16": 4e-3,
    "float32": 2e-5,
    "complex64": 4e-5,
    "float64": 1e-9,
    "complex128": 1e-9,
}


# TensorFlow forgets to conjugate in the gradients of these; ours agree with differences.
WITHOUT_CONJUGATE = (
    "linalg.det", "linalg.sqrtm", "math.cumprod", "math.multiply_no_nan", "math.xdivy",
    "math.xlog1py", "math.xlogy", "nn.silu", "nn.swish",
)  # fmt: skip
# Where TensorFlow is in error: erf(inf) in float64, the slope of i1 at 0, 0 * log(0) in a slope.
ERRORS = {"math.erf": "VALUE", "math.bessel_i1": "SLOPE", "nn.log_poisson_loss": "SLOPE",
          "math.floormod": "SLOPE"}  # fmt: skip
# It computes these with constants of float32 in float64 too, or adds up more rounding errors.
COARSE = {"nn.gelu": 1e-6, "nn.leaky_relu": 1e-6, "linalg.expm": 1e-4}


def is_left_out(record: Any, what: str) -> bool:
    """Whether a record holds an answer that we do not follow."""
    name = record["name"]
    given = (*record["args"], *record["kwargs"].values())
    first = next((a for a in given if isinstance(a, dict)), None)
    if first is None:
        return False
    if what == "SLOPE" and name in WITHOUT_CONJUGATE and first["dtype"].startswith("complex"):
        return True
    odd = any(v != v or v in (float("inf"), 0.0) for v in np.ravel(first["values"]))
    return ERRORS.get(name) == what and odd


def load() -> dict[str, list[Any]]:
    """The records of all families by the name of the function."""
    found: dict[str, list[Any]] = {}
    for path in sorted(RECORDED.glob("*.json")):
        for record in json.loads(path.read_text()):
            found.setdefault(record["name"], []).append(record)
    return found


RECORDS = load()


def unpacked(value: Any) -> Any:
    if isinstance(value, dict):
        numbers = value["values"]
        if np.dtype(value["dtype"]).kind == "c":
            numbers = [complex(*pair) for pair in numbers]
        return np.array(numbers, value["dtype"]).reshape(value["shape"])
    if isinstance(value, list):
        made = [unpacked(v) for v in value]
        return [ag.constant(v) if isinstance(v, np.ndarray) else v for v in made]
    return value


def find(name: str) -> Any:
    found: Any = ag
    for part in name.split("."):
        found = getattr(found, part)
    return found


def flat(value: Any) -> list[Any]:
    if isinstance(value, list | tuple):
        return [t for item in value for t in flat(item)]
    return [value]


def call(record: Any) -> tuple[Any, list[Any]]:
    """A function of the record's tensors, and their values."""
    args = [unpacked(a) for a in record["args"]]
    kwargs = {k: unpacked(v) for k, v in record["kwargs"].items()}
    given = [a for a in (*args, *kwargs.values()) if isinstance(a, np.ndarray)]
    function = find(record["name"])

    def run(*tensors: Any) -> list[Any]:
        left = iter(tensors)
        made = [next(left) if isinstance(a, np.ndarray) else a for a in args]
        named = {k: next(left) if isinstance(v, np.ndarray) else v for k, v in kwargs.items()}
        return flat(function(*made, **named))

    return run, given


def compare(found: Any, expected: Any, what: str, coarse: float = 0.0) -> None:
    wanted = unpacked(expected)
    value = np.asarray(found)
    inexact = wanted.dtype.kind in "fc"
    assert value.dtype == wanted.dtype, (what, value.dtype, wanted.dtype)
    assert value.shape == wanted.shape, (what, value.shape, wanted.shape)
    tolerance = max(coarse, TOLERANCE.get(expected["dtype"], 0.0))
    if not inexact:
        np.testing.assert_array_equal(value, wanted, err_msg=what)
        return
    scale = float(np.max(np.abs(wanted[np.isfinite(wanted)]), initial=0.0))
    # Subnormal numbers may be flushed to 0 by either side.
    floor = float(np.finfo(wanted.dtype).tiny)
    np.testing.assert_allclose(
        value, wanted, rtol=tolerance, atol=tolerance * scale + floor, err_msg=what
    )


def described(record: Any) -> str:
    shown = [
        f"{a['dtype']}{a['shape']}{a['values'][:8]}" if isinstance(a, dict) else repr(a)
        for a in (*record["args"], *record["kwargs"].values())
    ]
    return f"{record['name']}({', '.join(shown)}, {list(record['kwargs'])})"


@pytest.mark.parametrize("name", sorted(RECORDS))
def test_eager_and_graph_answer_as_recorded(name: str) -> None:
    for record in RECORDS[name]:
        if is_left_out(record, "VALUE"):
            continue
        run, given = call(record)
        what = described(record)
        results = run(*[ag.constant(a) for a in given])
        assert len(results) == len(record["results"])
        for found, expected in zip(results, record["results"], strict=True):
            compare(found.numpy(), expected, what, COARSE.get(name, 0.0))
        traced = ag.function(run, autograph=False)(*[ag.constant(a) for a in given])
        for found, eager in zip(traced, results, strict=True):
            # A plan says x ** 0.5 where eager code calls np.power, which may round otherwise.
            close = 4 * np.finfo(eager.numpy().dtype).eps if eager.dtype.is_floating else 0
            np.testing.assert_allclose(found.numpy(), eager.numpy(), rtol=close, err_msg=what)


@pytest.mark.parametrize(
    "name", sorted(n for n, records in RECORDS.items() if any("gradients" in r for r in records))
)
def test_gradients_are_as_recorded(name: str) -> None:
    for record in RECORDS[name]:
        if "gradients" not in record or is_left_out(record, "SLOPE"):
            continue
        run, given = call(record)
        sources = [ag.constant(a) for a in given]
        wanted = [s for s in sources if s.dtype.is_floating or s.dtype.is_complex]
        with ag.GradientTape() as tape:
            tape.watch(wanted)
            first = run(*sources)[0]
        weights = np.arange(1, first.numpy().size + 1).reshape(first.shape.as_list())
        weights = ag.constant(weights.astype(first.dtype.as_numpy_dtype))
        found = tape.gradient(first, wanted, output_gradients=weights)
        for grad, expected in zip(found, record["gradients"], strict=True):
            what = "gradient of " + described(record)
            if expected is None:
                assert grad is None, what
            else:
                assert grad is not None, what
                compare(grad.numpy(), expected, what, COARSE.get(name, 0.0))
