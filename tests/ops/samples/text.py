"""Samples of strings, printing, assertions, state and calls of Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import string
from runtime.numpy_face import lifted, ufuncs
from runtime.ops import debugging, host_calls, lists, printing, python_text, state
from runtime.ops import strings_ as ops
from runtime.ops.apply import apply
from runtime.shapes import TensorShape
from runtime.variables import Variable
from tests.ops.sampling import Sample, uniform

WORDS = np.array([b"hello", b" World\xc3\xa9 "], object)
ONE = np.array("one two  three".encode(), object)
NUMBERS = np.array([b"1", b" -2 "], object)
VARIABLE = Variable(np.array([1.0, 2.0]))


def quietly(text: str) -> None:
    """Where samples print to."""


def assigned(op: Any) -> list[Sample]:
    return [
        Sample(
            lambda x: apply(op, (x,), {"variable": VARIABLE}),
            [uniform((2,))],
            grad=False,
            random=True,
        )
    ]


SAMPLES = {
    "StringFormat": [
        Sample(lambda x: ops.format("a {} b", x), [uniform((2,))], grad=False),
        Sample(lambda x: ops.format("{}", x), [WORDS]),
    ],
    "PythonText": [
        Sample(lambda x: python_text.ask(str.upper, x), [ONE]),
        Sample(lambda n: python_text.ask(str, n), [np.int32(7)], grad=False),
    ],
    "PythonTextList": [
        Sample(
            lambda x: lists.stack(python_text.ask_list(str.split, x), string, TensorShape(())),
            [ONE],
            known=False,
        ),
    ],
    "AsString": [
        Sample(ops.as_string, [uniform((2,))], grad=False),
        Sample(ops.as_string, [np.array([1, -2], np.int8)]),
        Sample(ops.as_string, [np.array([True, False])]),
        Sample(ops.as_string, [uniform((2,), dtype=np.complex64)], grad=False),
        Sample(lambda x: ops.as_string(x, width=6, fill="0"), [np.int32(7)]),
    ],
    "StringToNumber": [
        Sample(ops.to_number, [NUMBERS]),
        Sample(lambda x: ops.to_number(x, "int64"), [NUMBERS]),
    ],
    "StringJoin": [
        Sample(lambda a, b: ops.join([a, b], "-"), [WORDS, ONE]),
        Sample(lambda a: ops.join([a, ["x"]]), [ONE]),
    ],
    "ReduceJoin": [
        Sample(ops.reduce_join, [WORDS]),
        Sample(lambda x: ops.reduce_join(x, 0, True, ","), [WORDS]),
    ],
    "StringLength": [
        Sample(ops.length, [WORDS]),
        Sample(lambda x: ops.length(x, "UTF8_CHAR"), [WORDS]),
    ],
    "StringCase": [Sample(ops.upper, [WORDS]), Sample(lambda x: ops.lower(x, "utf-8"), [ONE])],
    "StringStrip": [Sample(ops.strip, [WORDS])],
    "Substr": [
        Sample(ops.substr, [WORDS, np.int32(1), np.int32(2)]),
        Sample(ops.substr, [WORDS, np.array([0, -2]), np.array([9, 1])]),
    ],
    "StaticRegexReplace": [Sample(lambda x: ops.regex_replace(x, "l+", r"[\0]"), [WORDS])],
    "StaticRegexFullMatch": [Sample(lambda x: ops.regex_full_match(x, "h.*"), [WORDS])],
    "StringSplitV2": [Sample(ops.split, [ONE], known=False, unknown=False)],
    "StringBytesSplit": [Sample(ops.bytes_split, [ONE], known=False)],
    "UnicodeSplit": [Sample(ops.unicode_split, [ONE], known=False)],
    "UnicodeDecode": [Sample(ops.unicode_decode, [ONE], known=False)],
    "UnicodeEncode": [Sample(ops.unicode_encode, [np.array([97, 233], np.int32)])],
    "PrintV2": [
        Sample(
            lambda x: printing.tensor_print("x", [x], output_stream=quietly) and None,
            [uniform((2,))],
            grad=False,
        )
    ],
    "PrintString": [
        Sample(lambda x: printing.tensor_print(x, output_stream=quietly) and None, [ONE])
    ],
    "Assert": [
        Sample(lambda x: debugging.Assert(x, ["never", x]) and None, [np.array([True])]),
    ],
    "CheckNumerics": [
        Sample(lambda x: debugging.check_numerics(x, "x"), [uniform((2,))]),
    ],
    "ReadVariable": [Sample(lambda x: x * VARIABLE.value(), [uniform((2,))], random=True)],
    "AssignVariable": assigned(state.ASSIGN),
    "AssignAddVariable": assigned(state.ASSIGN_ADD),
    "AssignSubVariable": assigned(state.ASSIGN_SUB),
    "PyFunc": [
        Sample(
            lambda x: host_calls.numpy_function(lambda a: a * 2, [x], "float64"),
            [uniform((2,))],
            known=False,
            grad=False,
        ),
        Sample(
            lambda x: host_calls.numpy_function(lambda a: (a, a.sum()), [x], ["int64", "int64"]),
            [np.array([1, 2])],
            known=False,
        ),
    ],
    "PyFuncStateless": [
        Sample(
            lambda x: host_calls.numpy_function(np.sin, [x], "float64", stateful=False),
            [uniform((2,))],
            known=False,
            grad=False,
        ),
    ],
    "EagerPyFunc": [
        Sample(
            lambda x, y: host_calls.py_function(lambda a, b: a * b * b, [x, y], "float64"),
            [uniform((2,)), uniform((2,))],
            known=False,
        ),
    ],
    "NumpyUfunc": [
        Sample(ufuncs.TABLE[np.copysign], [uniform((2, 2)), uniform((2,))], grad=False),
        Sample(ufuncs.TABLE[np.gcd], [np.array([4, 6]), np.array(10)]),
        Sample(ufuncs.TABLE[np.modf], [uniform((3,), -3, 3)], grad=False),
    ],
    "NumpyFunction": [
        Sample(
            lambda x: lifted.lifted("numpy.sort", [x], [(x.dtype, x.shape)], axis=0),
            [uniform((3, 2))],
            grad=False,
        ),
    ],
}
