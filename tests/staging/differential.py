"""Runs a function as plain Python on NumPy values and staged on tensors, and compares.

`check(f, *args)` is what the tests use. NumPy's arrays and scalars among the arguments are tensors
for the staged run; Python's own values are handed over as they are. Compared are the results
(structure, values, dtypes where Python's value has one), what is printed, and the exception. Where
arguments and results are real numbers, the gradient is compared with central differences.
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import io
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import autograph_lite as ag

Function = Callable[..., Any]


@dataclasses.dataclass
class Seen:
    """What a call gave: a result or an exception, and what it printed."""

    result: Any = None
    error: BaseException | None = None
    printed: str = ""

    def __str__(self) -> str:
        end = repr(self.result)
        if self.error is not None:
            end = f"{type(self.error).__name__}: {self.error}"
        return f"{end}\n{self.printed}" if self.printed else end


def check(
    function: Function,
    *args: Any,
    gradient: bool = True,
    dtypes: bool = True,
    rtol: float = 1e-5,
) -> Any:
    """Asserts that `function` does the same staged as plain.

    Args:
      function: a plain function; it is staged by `ag.function`.
      *args: its arguments; NumPy values become tensors.
      gradient: whether to compare the gradient too, where there is one.
      dtypes: whether dtypes must agree too, where NumPy has one.
      rtol: how far numbers may differ.

    Returns:
      What plain Python gives.
    """
    plain = run_plain(function, args)
    staged = run_staged(ag.function(function), args)
    found = difference(plain, staged, dtypes, rtol)
    assert found is None, f"{function.__name__}{args}: {found}\nplain: {plain}\nstaged: {staged}"
    if gradient and plain.error is None:
        found = gradient_difference(function, args)
        assert found is None, f"{function.__name__}{args}: {found}"
    return plain.result


def check_all(function: Function, *calls: tuple[Any, ...], **options: Any) -> None:
    """`check` for several calls; those of one signature run one and the same graph."""
    staged_function = ag.function(function)
    for args in calls:
        plain, staged = run_plain(function, args), run_staged(staged_function, args)
        found = difference(plain, staged, options.get("dtypes", True), options.get("rtol", 1e-5))
        assert found is None, f"{function.__name__}{args}: {found}\n{plain}\n{staged}"
        if options.get("gradient", True) and plain.error is None:
            found = gradient_difference(function, args)
            assert found is None, f"{function.__name__}{args}: {found}"


def run_plain(function: Function, args: tuple[Any, ...]) -> Seen:
    """A call as plain Python, on copies of the arguments."""
    return _run(function, copy.deepcopy(args))


def run_staged(function: Function, args: tuple[Any, ...]) -> Seen:
    """A call on tensors."""
    return _run(function, tuple(as_tensors(a) for a in copy.deepcopy(args)))


def _run(function: Function, args: tuple[Any, ...]) -> Seen:
    output = io.StringIO()
    seen = Seen()
    with contextlib.redirect_stdout(output), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        try:
            seen.result = function(*args)
        except Exception as error:
            seen.error = error
    seen.printed = output.getvalue()
    return seen


def as_tensors(value: Any) -> Any:
    """`value` with tensors in the places of NumPy's values."""
    if isinstance(value, np.ndarray | np.generic):
        return ag.constant(value)
    return _mapped(as_tensors, value)


def _mapped(function: Function, value: Any) -> Any:
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(function(v) for v in value))
    if type(value) in (list, tuple):
        return type(value)(function(v) for v in value)
    if type(value) is dict:
        return {k: function(v) for k, v in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.replace(
            value, **{f.name: function(getattr(value, f.name)) for f in dataclasses.fields(value)}
        )
    if hasattr(value, "__dict__") and type(value).__module__.startswith(("tests", "test_")):
        made = copy.copy(value)
        made.__dict__.update({k: function(v) for k, v in vars(value).items()})
        return made
    return value


def difference(plain: Seen, staged: Seen, dtypes: bool = True, rtol: float = 1e-5) -> str | None:
    """How the second differs from the first, in words; None if it does not."""
    if (plain.error is None) != (staged.error is None):
        return "one raises, the other does not"
    if plain.error is not None:
        a, b = plain.error, staged.error
        if not isinstance(b, type(a)):
            return f"raises {b!r}, expected {a!r}"
        if str(a) != str(b):
            return f"the message is {str(b)!r}, expected {str(a)!r}"
    else:
        found = value_difference(plain.result, staged.result, dtypes, rtol, "the result")
        if found is not None:
            return found
    if plain.printed != staged.printed:
        return f"prints {staged.printed!r}, expected {plain.printed!r}"
    return None


def value_difference(plain: Any, staged: Any, dtypes: bool, rtol: float, path: str) -> str | None:
    """How a staged value differs from the plain one, in words; None if it does not."""
    if is_number_like(plain) and isinstance(staged, ag.Tensor):
        return _tensor_difference(plain, staged, dtypes, rtol, path)
    if isinstance(plain, str) and isinstance(staged, ag.Tensor):
        text = staged.numpy()
        text = text.decode() if isinstance(text, bytes) else text
        return None if text == plain else f"{path} is {text!r}, expected {plain!r}"
    if type(plain) is not type(staged) and not (is_number_like(plain) and is_number_like(staged)):
        return f"{path} is a {type(staged).__name__}, expected a {type(plain).__name__}"
    if isinstance(plain, dict):
        if list(plain) != list(staged):
            return f"{path} has keys {list(staged)}, expected {list(plain)}"
        pairs = [(f"{path}[{k!r}]", plain[k], staged[k]) for k in plain]
    elif isinstance(plain, list | tuple):
        if len(plain) != len(staged):
            return f"{path} has {len(staged)} items, expected {len(plain)}"
        pairs = [(f"{path}[{i}]", *p) for i, p in enumerate(zip(plain, staged, strict=True))]
    elif is_number_like(plain):
        same = np.allclose(plain, staged, rtol, 1e-7, equal_nan=True)
        return None if same else f"{path} is {staged!r}, expected {plain!r}"
    elif _attributes(plain) is not None:
        a, b = _attributes(plain), _attributes(staged)
        if set(a) != set(b):
            return f"{path} has attributes {sorted(b)}, expected {sorted(a)}"
        pairs = [(f"{path}.{k}", a[k], b[k]) for k in a]
    else:
        return None if plain == staged else f"{path} is {staged!r}, expected {plain!r}"
    found = (value_difference(a, b, dtypes, rtol, where) for where, a, b in pairs)
    return next((f for f in found if f is not None), None)


def _attributes(value: Any) -> dict[str, Any] | None:
    if type(value).__module__ == "builtins":
        return None
    names = getattr(type(value), "__slots__", None)
    if names:
        return {n: getattr(value, n) for n in names if hasattr(value, n)}
    return getattr(value, "__dict__", None)


def is_number_like(value: Any) -> bool:
    return isinstance(value, bool | int | float | complex | np.ndarray | np.generic)


def _tensor_difference(plain: Any, staged: Any, dtypes: bool, rtol: float, path: str) -> str | None:
    array = np.asarray(staged.numpy())
    expected = np.asarray(plain)
    if array.shape != expected.shape:
        return f"{path} has shape {array.shape}, expected {expected.shape}"
    if dtypes and isinstance(plain, np.ndarray | np.generic) and array.dtype != expected.dtype:
        return f"{path} has dtype {array.dtype}, expected {expected.dtype}"
    if array.dtype.kind in "SO":
        return None if array == expected else f"{path} is {array}, expected {expected}"
    # A Python number may have been staged as what it meets on another path.
    kinds = {"b": "b", "i": "iufc", "u": "iu", "f": "fc", "c": "c"}
    if array.dtype.kind not in kinds.get(expected.dtype.kind, ""):
        return f"{path} has dtype {array.dtype}, expected one like {expected.dtype}"
    if not np.allclose(array, expected, rtol, 1e-6, equal_nan=True):
        return f"{path} is {array}, expected {expected}"
    return None


# ---- gradients


def gradient_difference(function: Function, args: tuple[Any, ...]) -> str | None:
    """How the tape's gradient differs from central differences; None if it does not.

    Also None where there is no gradient: no real argument, no real result, a place where the
    function is not smooth.
    """
    args = tuple(_doubled(a) for a in copy.deepcopy(args))
    places = [n for n, a in enumerate(args) if _is_real(a)]
    if not places:
        return None
    total = _total_of(run_plain(function, args))
    if total is None:
        return None
    numeric = [_central(function, args, n) for n in places]
    if any(n is None for n in numeric):
        return None
    tensors = [as_tensors(a) for a in args]
    staged = ag.function(function)
    with contextlib.redirect_stdout(io.StringIO()), ag.GradientTape() as tape:
        watched = [tensors[n] for n in places]
        for tensor in watched:
            tape.watch(tensor)
        loss = _weighted(_real_leaves(staged(*tensors)))
    found = tape.gradient(loss, watched, unconnected_gradients="zero")
    for n, expected, value in zip(places, numeric, found, strict=True):
        if not np.allclose(value.numpy(), expected, 1e-4, 1e-5):
            return f"the gradient of argument {n} is {value.numpy()}, expected {expected}"
    return None


def _doubled(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return value.astype(np.float64) if value.dtype.kind == "f" else value
    return _mapped(_doubled, value)


def _is_real(value: Any) -> bool:
    return isinstance(value, np.ndarray | np.generic) and value.dtype == np.float64


def _real_leaves(value: Any) -> list[Any]:
    """The numbers of a result, None for what is none, in an order that both runs share."""
    if isinstance(value, ag.Tensor):
        return [ag.cast(value, ag.float64) if value.dtype.kind in "iuf" else None]
    if isinstance(value, str):
        return [None]
    if is_number_like(value):
        kind = np.asarray(value).dtype.kind
        return [np.asarray(value, np.float64) if kind in "iuf" else None]
    if isinstance(value, str):
        return [None]  # as a tensor of text
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in _real_leaves(item)]
    if isinstance(value, list | tuple):
        return [leaf for item in value for leaf in _real_leaves(item)]
    attributes = _attributes(value) or {}
    return [leaf for name in sorted(attributes) for leaf in _real_leaves(attributes[name])]


def _weighted(leaves: list[Any]) -> Any:
    """One number of all leaves, that no two of them can hide in."""
    total: Any = 0.0
    for n, leaf in enumerate(leaves):
        if leaf is None:
            continue
        square = leaf * leaf * 0.5
        part = leaf * (1.0 + 0.5 * n) + square
        total = total + (ag.reduce_sum(part) if isinstance(part, ag.Tensor) else np.sum(part))
    return total


def _total_of(seen: Seen) -> float | None:
    if seen.error is not None:
        return None
    leaves = _real_leaves(seen.result)
    real = any(leaf is not None for leaf in leaves)
    total = float(_weighted(leaves)) if real else float("nan")
    return total if np.isfinite(total) else None


def _central(function: Function, args: tuple[Any, ...], n: int) -> Any:
    """The gradient with respect to argument `n`, by differences; None where it is not smooth."""
    found = np.zeros(np.shape(args[n]))
    for place in np.ndindex(found.shape):
        slopes = []
        for step in (1e-6, -1e-6):
            moved = list(copy.deepcopy(args))
            base = np.array(moved[n])
            base[place] += step
            moved[n] = base if np.ndim(args[n]) else base[()]
            total = _total_of(run_plain(function, tuple(moved)))
            middle = _total_of(run_plain(function, args))
            if total is None or middle is None:
                return None
            slopes.append((total - middle) / step)
            # What the difference of two large numbers is off by would be taken for a slope.
            if abs(middle) * np.finfo(np.float64).eps > 1e-5 * abs(step):
                return None
        if not np.isclose(*slopes, 1e-4, 2e-5):
            return None
        found[place] = np.mean(slopes)
    return found
