"""Strings: tensors of bytes, joined, cut, changed and converted element by element."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.dtypes import as_dtype
from runtime.locations import user_location
from runtime.ops.apply import apply
from runtime.ops.printing import fill
from runtime.ops.registry import NO_GRADIENT, OpDef, Spec, define
from runtime.ops.rules import reduced_shape
from runtime.shapes import SCALAR, TensorShape, broadcast_shapes
from runtime.tensor import Tensor


def each(function: Callable[..., Any], *arrays: Any, dtype: Any = object) -> Any:
    """`function` of the elements of arrays that broadcast, as an array."""
    made = np.frompyfunc(function, len(arrays), 1)(*arrays)
    return np.asarray(made, dtype=dtype) if dtype is not object else _objects(made)


def _objects(made: Any) -> Any:
    if isinstance(made, np.ndarray):
        return made
    wrapped = np.empty((), object)
    wrapped[()] = made
    return wrapped


def _elementwise(name: str, function: Callable[..., Any], dtype: Any = dtypes.string) -> OpDef:
    """An op on strings; `function(element, ..., **attrs)` works on one element."""
    out = object if dtype is dtypes.string else dtype.np_dtype

    def kernel(*arrays: Any, **attrs: Any) -> Any:
        return each(lambda *items: function(*items, **attrs), *arrays, dtype=out)

    return define(
        name,
        kernel=kernel,
        infer=lambda inputs, attrs: Spec(dtype, broadcast_shapes(*[t.shape for t in inputs])),
        gradient=NO_GRADIENT,
    )


def text(value: Any) -> Tensor:
    """`value` as a tensor of strings.

    Raises:
      TypeError: it is something else.
    """
    made = convert_to_tensor(value)
    if made.dtype is not dtypes.string:
        raise TypeError(f"{user_location()}: expected strings, found {made.dtype.name}: {value!r}")
    return made


# ---- from values to text


def _format_kernel(*arrays: Any, pieces: Any, summarize: int) -> Any:
    return _objects(fill(pieces, arrays, summarize).encode())


FORMAT = define(
    "StringFormat",
    kernel=_format_kernel,
    infer=lambda inputs, attrs: Spec(dtypes.string, SCALAR),
    gradient=NO_GRADIENT,
)


def format(
    template: str,
    inputs: Any,
    placeholder: str = "{}",
    summarize: int = 3,
    name: str | None = None,
) -> Tensor:
    """A template with tensors put in, as `ag.print` shows them.

    Args:
      template: text with a placeholder for each tensor.
      inputs: a tensor, or a list or tuple of them.
      placeholder: what to replace.
      summarize: how many elements to show at either end of each axis; -1 for all.
      name: the operation's name in a graph.

    Returns:
      A scalar string tensor.

    Raises:
      ValueError: there are more or fewer tensors than placeholders.

    >>> import autograph_lite as ag
    >>> ag.strings.format("x = {}!", ag.constant([1.5, 2.0])).numpy()
    b'x = [1.5 2]!'
    """
    values = inputs if isinstance(inputs, list | tuple) else [inputs]
    parts = template.split(placeholder)
    if len(parts) - 1 != len(values):
        raise ValueError(
            f"{user_location()}: the template has {len(parts) - 1} placeholders {placeholder!r}, "
            f"but there are {len(values)} inputs"
        )
    pieces: list[str | int] = [parts[0]]
    for number, part in enumerate(parts[1:]):
        pieces += [number, part]
    tensors = [convert_to_tensor(v) for v in values]
    return apply(FORMAT, tensors, {"pieces": tuple(pieces), "summarize": summarize}, name)


def _as_string(x: Any, form: str) -> bytes:
    if isinstance(x, builtins.bool | np.bool_):
        return (form.replace("d", "s") % ("true" if x else "false")).encode()
    if isinstance(x, np.complexfloating | complex):
        return f"({form % x.real},{form % x.imag})".encode()
    if isinstance(x, bytes):
        return (form % x.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
    return (form % x).encode()


AS_STRING = _elementwise("AsString", _as_string)


def as_string(
    input: Any,
    precision: int = -1,
    scientific: bool = False,
    shortest: bool = False,
    width: int = -1,
    fill: str = "",
    name: str | None = None,
) -> Tensor:
    """Each element as text.

    Args:
      input: numbers, bools or strings.
      precision: digits behind the point.
      scientific: write floats as 1.5e+00.
      shortest: write floats whichever way is shorter.
      width: the least number of characters.
      fill: what fills the width: "0", " ", or "-" to fill on the right.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.strings.as_string([1, -2]).numpy().tolist()
    [b'1', b'-2']
    """
    x = convert_to_tensor(input)
    if scientific and shortest:
        raise ValueError(f"{user_location()}: as_string is scientific or shortest, not both")
    kind = x.dtype.kind
    letter = "s" if kind in "bS" else "d" if kind in "iu" else "f"
    if letter == "f":
        letter = "e" if scientific else "g" if shortest else "f"
    elif precision > -1 and kind not in "S":
        raise ValueError(
            f"{user_location()}: precision is for floating point, found {x.dtype.name}"
        )
    digits = f".{precision}" if precision > -1 else ""
    room = str(width) if width > -1 else ""
    return apply(AS_STRING, (x,), {"form": f"%{fill}{room}{digits}{letter}"}, name)


def _number(item: bytes, kind: str) -> Any:
    try:
        stripped = item.strip().replace(b"_", b"?")
        return float(stripped) if kind == "f" else int(stripped)
    except ValueError:
        raise ValueError(f"{item!r} is not a number") from None


def _to_number_kernel(x: Any, out_type: Any) -> Any:
    kind = out_type.kind
    return each(lambda item: _number(item, kind), x, dtype=out_type.np_dtype)


TO_NUMBER = define(
    "StringToNumber",
    kernel=_to_number_kernel,
    infer=lambda inputs, attrs: Spec(attrs["out_type"], inputs[0].shape),
    gradient=NO_GRADIENT,
)


def to_number(input: Any, out_type: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """The numbers that strings spell.

    Args:
      input: strings.
      out_type: float32, float64, int32 or int64.
      name: the operation's name in a graph.

    Raises:
      InvalidArgumentError: a string is no number.

    >>> import autograph_lite as ag
    >>> ag.strings.to_number(["1.5", "-2"]).numpy().tolist()
    [1.5, -2.0]
    """
    wanted = as_dtype(out_type)
    if wanted.kind not in "iuf":
        raise TypeError(f"{user_location()}: to_number makes integers or floats, not {wanted.name}")
    return apply(TO_NUMBER, (text(input),), {"out_type": wanted}, name)


# ---- joining


def _join_kernel(*arrays: Any, separator: bytes = b"") -> Any:
    return each(lambda *items: separator.join(items), *arrays)


JOIN = define(
    "StringJoin",
    kernel=_join_kernel,
    infer=lambda inputs, attrs: Spec(dtypes.string, broadcast_shapes(*[t.shape for t in inputs])),
    gradient=NO_GRADIENT,
)


def join(inputs: Sequence[Any], separator: str = "", name: str | None = None) -> Tensor:
    """Strings put together, element by element.

    Args:
      inputs: tensors of strings whose shapes broadcast.
      separator: what stands between two.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.strings.join(["a", ["b", "c"]], separator="-").numpy().tolist()
    [b'a-b', b'a-c']
    """
    return apply(JOIN, [text(x) for x in inputs], {"separator": separator.encode()}, name)


def _reduce_join_kernel(x: Any, axis: Any, keepdims: bool, separator: bytes) -> Any:
    # The axes are joined in their order, so the first of them runs fastest.
    axes = tuple(range(x.ndim)) if axis is None else tuple(a % x.ndim for a in reversed(axis))
    kept = [i for i in range(x.ndim) if i not in axes]
    flat = np.transpose(x, (*kept, *axes)).reshape([*(x.shape[i] for i in kept), -1])
    made = np.empty(flat.shape[:-1], object)
    for place in np.ndindex(*made.shape):
        made[place] = separator.join(flat[place].tolist())
    if keepdims:
        made = made.reshape([1 if i in axes else d for i, d in enumerate(x.shape)])
    return made


REDUCE_JOIN = define(
    "ReduceJoin",
    kernel=_reduce_join_kernel,
    infer=lambda inputs, attrs: Spec(dtypes.string, reduced_shape(inputs[0].shape, attrs)),
    gradient=NO_GRADIENT,
)


def reduce_join(
    inputs: Any,
    axis: Any = None,
    keepdims: bool = False,
    separator: str = "",
    name: str | None = None,
) -> Tensor:
    """The strings along some axes put together into one.

    Args:
      inputs: strings.
      axis: the axis, or a list of them in the order in which to go; all by default.
      keepdims: keep the axes, with size 1.
      separator: what stands between two.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.strings.reduce_join([["a", "b"], ["c", "d"]], axis=1).numpy().tolist()
    [b'ab', b'cd']
    """
    from runtime.ops.shaping import ints_argument

    axes = None if axis is None else ints_argument(axis, "axis")
    attrs = {"axis": axes, "keepdims": keepdims, "separator": separator.encode()}
    return apply(REDUCE_JOIN, (text(inputs),), attrs, name)


# ---- one string at a time


def _units(item: bytes, unit: str) -> int:
    return len(item.decode("utf-8", "replace")) if unit == "UTF8_CHAR" else len(item)


LENGTH = _elementwise("StringLength", _units, dtypes.int32)


def length(input: Any, unit: str = "BYTE", name: str | None = None) -> Tensor:
    """How long each string is, in bytes or (unit "UTF8_CHAR") characters; int32.

    >>> import autograph_lite as ag
    >>> ag.strings.length(["ab", ""]).numpy().tolist()
    [2, 0]
    """
    return apply(LENGTH, (text(input),), {"unit": unit}, name)


def _cased(item: bytes, method: str, encoding: str) -> bytes:
    if encoding:
        changed: bytes = getattr(item.decode("utf-8", "surrogateescape"), method)().encode(
            "utf-8", "surrogateescape"
        )
        return changed
    return getattr(item, method)()  # type: ignore[no-any-return]


CASE = _elementwise("StringCase", _cased)


def upper(input: Any, encoding: str = "", name: str | None = None) -> Tensor:
    """Each string in capitals; with encoding "utf-8" letters beyond ASCII, too.

    >>> import autograph_lite as ag
    >>> ag.strings.upper("ab").numpy()
    b'AB'
    """
    return apply(CASE, (text(input),), {"method": "upper", "encoding": encoding}, name)


def lower(input: Any, encoding: str = "", name: str | None = None) -> Tensor:
    """Each string in small letters; with encoding "utf-8" letters beyond ASCII, too.

    >>> import autograph_lite as ag
    >>> ag.strings.lower("AB").numpy()
    b'ab'
    """
    return apply(CASE, (text(input),), {"method": "lower", "encoding": encoding}, name)


STRIP = _elementwise("StringStrip", lambda item: item.strip())


def strip(input: Any, name: str | None = None) -> Tensor:
    """Each string without white space at its ends.

    >>> import autograph_lite as ag
    >>> ag.strings.strip(" a ").numpy()
    b'a'
    """
    return apply(STRIP, (text(input),), {}, name)


def _substring(item: bytes, start: Any, count: Any, unit: str) -> bytes:
    chars: Any = item.decode("utf-8", "replace") if unit == "UTF8_CHAR" else item
    begin, size = int(start), len(chars)
    if not -size <= begin <= size:
        raise ValueError(f"position {begin} is out of range of the string {item!r}")
    begin = begin + size if begin < 0 else begin
    part = chars[begin : begin + max(int(count), 0)]
    return part.encode() if unit == "UTF8_CHAR" else part  # type: ignore[no-any-return]


SUBSTR = _elementwise("Substr", _substring)


def substr(input: Any, pos: Any, len: Any, unit: str = "BYTE", name: str | None = None) -> Tensor:
    """A part of each string.

    Args:
      input: strings.
      pos: where the part starts; negative values count from the end.
      len: how long it is, at most.
      unit: "BYTE" or "UTF8_CHAR".
      name: the operation's name in a graph.

    Raises:
      InvalidArgumentError: `pos` lies outside of a string.

    >>> import autograph_lite as ag
    >>> ag.strings.substr("hello", 1, 3).numpy()
    b'ell'
    """
    inputs = (text(input), convert_to_tensor(pos), convert_to_tensor(len))
    return apply(SUBSTR, inputs, {"unit": unit}, name)


def _replaced(item: bytes, pattern: bytes, rewrite: bytes, count: int) -> bytes:
    import re

    return re.sub(pattern, rewrite.replace(b"\\0", b"\\g<0>"), item, count=count)


REGEX_REPLACE = _elementwise("StaticRegexReplace", _replaced)


def _bytes(value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


def regex_replace(
    input: Any, pattern: str, rewrite: str, replace_global: bool = True, name: str | None = None
) -> Tensor:
    r"""Each string with what matches a regular expression replaced.

    Args:
      input: strings.
      pattern: a regular expression, in Python's language.
      rewrite: the replacement; `\1` stands for the first group, `\0` for the whole match.
      replace_global: replace all matches rather than the first.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.strings.regex_replace("foo", "o+", "0").numpy()
    b'f0'
    """
    attrs = {
        "pattern": _bytes(pattern),
        "rewrite": _bytes(rewrite),
        "count": 0 if replace_global else 1,
    }
    return apply(REGEX_REPLACE, (text(input),), attrs, name)


def _matches(item: bytes, pattern: bytes) -> bool:
    import re

    return re.fullmatch(pattern, item) is not None


REGEX_MATCH = _elementwise("StaticRegexFullMatch", _matches, dtypes.bool_)


def regex_full_match(input: Any, pattern: str, name: str | None = None) -> Tensor:
    """Which strings match a regular expression from end to end.

    >>> import autograph_lite as ag
    >>> ag.strings.regex_full_match(["ab", "abc"], "ab").numpy().tolist()
    [True, False]
    """
    return apply(REGEX_MATCH, (text(input),), {"pattern": _bytes(pattern)}, name)


# ---- one string into many


def _pieces(items: Sequence[bytes]) -> Any:
    made = np.empty(len(items), object)
    made[:] = items
    return made


def _split_kernel(x: Any, sep: bytes, maxsplit: int) -> Any:
    return _pieces(x[()].split(sep or None, maxsplit))


SPLIT = define(
    "StringSplitV2",
    kernel=_split_kernel,
    infer=lambda inputs, attrs: Spec(dtypes.string, TensorShape((None,))),
    gradient=NO_GRADIENT,
)


def split(input: Any, sep: str | None = None, maxsplit: int = -1, name: Any = None) -> Any:
    """The words of a string.

    Args:
      input: a scalar string; or a vector of known length, whose elements are split one by one.
      sep: what separates words; any white space by default.
      maxsplit: how many times to cut, at most.
      name: the operation's name in a graph.

    Returns:
      A vector of strings; for a vector, the list of its elements' vectors.

    >>> import autograph_lite as ag
    >>> ag.strings.split("a b  c").numpy().tolist()
    [b'a', b'b', b'c']
    """
    from runtime.ops.joining import unstack

    x = text(input)
    if x.shape.rank == 0:
        attrs = {"sep": (sep or "").encode(), "maxsplit": maxsplit}
        return apply(SPLIT, (x,), attrs, name)
    if x.shape.rank != 1:
        raise ValueError(
            f"{user_location()}: split takes a string or a vector of them, found {x.shape}"
        )
    return [split(item, sep, maxsplit, name) for item in unstack(x)]


def _split_bytes_kernel(x: Any) -> Any:
    item = x[()]
    return _pieces([item[i : i + 1] for i in range(len(item))])


BYTES_SPLIT = define(
    "StringBytesSplit",
    kernel=_split_bytes_kernel,
    infer=lambda inputs, attrs: Spec(dtypes.string, TensorShape((None,))),
    gradient=NO_GRADIENT,
)
UNICODE_SPLIT = define(
    "UnicodeSplit",
    kernel=lambda x: _pieces([c.encode() for c in x[()].decode("utf-8", "replace")]),
    infer=lambda inputs, attrs: Spec(dtypes.string, TensorShape((None,))),
    gradient=NO_GRADIENT,
)


def bytes_split(input: Any, name: str | None = None) -> Tensor:
    """The bytes of a scalar string, one by one.

    >>> import autograph_lite as ag
    >>> ag.strings.bytes_split("ab").numpy().tolist()
    [b'a', b'b']
    """
    return apply(BYTES_SPLIT, (text(input),), {}, name)


def unicode_split(input: Any, input_encoding: str = "UTF-8", name: str | None = None) -> Tensor:
    """The characters of a scalar string, one by one.

    >>> import autograph_lite as ag
    >>> len(ag.strings.unicode_split("aé", "UTF-8"))
    2
    """
    if input_encoding.upper() != "UTF-8":
        raise ValueError(f"{user_location()}: strings are UTF-8 here, found {input_encoding!r}")
    return apply(UNICODE_SPLIT, (text(input),), {}, name)


UNICODE_DECODE = define(
    "UnicodeDecode",
    kernel=lambda x: np.array([ord(c) for c in x[()].decode("utf-8", "replace")], np.int32),
    infer=lambda inputs, attrs: Spec(dtypes.int32, TensorShape((None,))),
    gradient=NO_GRADIENT,
)
UNICODE_ENCODE = define(
    "UnicodeEncode",
    kernel=lambda x: _objects("".join(map(chr, x.tolist())).encode()),
    infer=lambda inputs, attrs: Spec(dtypes.string, SCALAR),
    gradient=NO_GRADIENT,
)


def unicode_decode(input: Any, input_encoding: str = "UTF-8", name: str | None = None) -> Tensor:
    """The code points of a scalar string, int32.

    >>> import autograph_lite as ag
    >>> ag.strings.unicode_decode("ab", "UTF-8").numpy().tolist()
    [97, 98]
    """
    if input_encoding.upper() != "UTF-8":
        raise ValueError(f"{user_location()}: strings are UTF-8 here, found {input_encoding!r}")
    return apply(UNICODE_DECODE, (text(input),), {}, name)


def unicode_encode(input: Any, output_encoding: str = "UTF-8", name: str | None = None) -> Tensor:
    """The string of a vector of code points.

    >>> import autograph_lite as ag
    >>> ag.strings.unicode_encode([97, 98], "UTF-8").numpy()
    b'ab'
    """
    if output_encoding.upper() != "UTF-8":
        raise ValueError(f"{user_location()}: strings are UTF-8 here, found {output_encoding!r}")
    return apply(UNICODE_ENCODE, (convert_to_tensor(input),), {}, name)
