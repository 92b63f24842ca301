"""Samples of the lists behind TensorArrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.convert import constant, convert_to_tensor
from runtime.locations import Location
from runtime.ops import list_edits as edits
from runtime.ops import list_splices
from runtime.ops import lists as ops
from runtime.ops.apply import apply
from runtime.ops.list_splices import spliced
from runtime.ops.unpacking import check_count
from runtime.shapes import TensorShape
from tests.ops.sampling import Sample, uniform

ROWS = uniform((3, 2))
I = np.int32(1)
HERE = Location("samples.py", 1, "f")


def split(x: Any) -> Any:
    """The rows of `x` as a list."""
    return apply(ops.FROM_TENSOR, (x,))


def joined(values: Any, x: Any) -> Any:
    """A list made of rows of `x`, as a tensor."""
    return ops.stack(values, x.dtype, TensorShape((2,)))


def facts(x: Any) -> dict[str, Any]:
    return {"dtype": x.dtype, "element_shape": TensorShape((2,))}


def changed(op: Any, **attrs: Any) -> Any:
    """A list after `op`, as a tensor; places never written count as zeros."""

    def fn(x: Any, *rest: Any) -> Any:
        return joined(apply(op, (split(x), *rest), attrs), x)

    return fn


def no_shape(fn: Any, args: Any, **options: Any) -> Sample:
    """A sample the length of whose result is known only when it runs."""
    return Sample(fn, args, known=False, **options)


STACKED = [
    no_shape(lambda x: joined(split(x), x), [ROWS]),
    Sample(lambda x: joined(split(x), x), [np.ones((2, 2), np.float32)], grad=False),
    no_shape(lambda x: joined(ops.empty(0), x), [ROWS], grad=False),
    no_shape(lambda x: joined(ops.empty(2), x), [ROWS], grad=False),
]
LIKE = np.ones((3, 2))

SAMPLES = {
    "TensorListReserve": [no_shape(lambda n: ops.length(ops.empty(n)), [np.int32(3)])],
    "TensorListLength": [no_shape(lambda x: ops.length(split(x)), [ROWS], grad=False)],
    "TensorListFromTensor": STACKED,
    "TensorListStack": STACKED,
    "TensorListPack": [
        Sample(lambda a, b: joined(ops.pack([a, b]), a), [uniform((2,)), uniform((2,))]),
    ],
    "TensorListGetItem": [
        Sample(lambda x, i: ops.get(split(x), i, x.dtype, TensorShape((2,))), [ROWS, I]),
        Sample(lambda x: ops.get(split(x), -1, x.dtype, TensorShape((2,))), [ROWS]),
    ],
    "TensorListSetItem": [
        no_shape(changed(ops.SET), [ROWS, I, uniform((2,))]),
        no_shape(changed(ops.SET, grows=True), [ROWS, np.int32(4), uniform((2,))]),
    ],
    "TensorListClear": [no_shape(changed(ops.CLEAR), [ROWS, I])],
    "TensorListPushBack": [no_shape(changed(ops.PUSH), [ROWS, uniform((2,))])],
    "TensorListInsert": [
        no_shape(changed(ops.INSERT), [ROWS, np.int32(at), uniform((2,))])
        for at in (0, 2, -1, 9, -9)
    ],
    "TensorListInsertNone": [no_shape(changed(ops.INSERT_NONE), [ROWS, I])],
    "TensorListDrop": [
        no_shape(changed(ops.DROP), [ROWS, I]),
        no_shape(changed(ops.DROP), [ROWS, np.int32(-1)]),
    ],
    "TensorListResize": [
        no_shape(changed(ops.RESIZE), [ROWS, np.int32(2)]),
        no_shape(changed(ops.RESIZE), [ROWS, np.int32(5)]),
    ],
    "TensorListGather": [
        Sample(
            lambda x, i: apply(ops.GATHER, (split(x), i), facts(x)),
            [ROWS, np.array([2, 0, 2], np.int32)],
        ),
    ],
    "TensorListSpread": [
        no_shape(
            lambda n, i, x: joined(apply(ops.SPREAD, (n, i, x)), x),
            [np.int32(4), np.array([2, 0, 2], np.int32), ROWS],
        ),
    ],
    "TensorListGatherLike": [
        Sample(
            lambda x, i, like: apply(ops.GATHER_LIKE, (split(x), i, like)),
            [ROWS, np.array([2, 0, 2], np.int32), LIKE],
        ),
    ],
    "TensorListScatterIntoExistingList": [
        no_shape(changed(ops.SCATTER, grows=False), [ROWS, np.array([2, 0]), uniform((2, 2))]),
    ],
    "TensorListClearAll": [no_shape(changed(ops.CLEAR_ALL), [ROWS, np.array([2, 0])])],
    "TensorListConcat": [
        no_shape(
            lambda x: apply(
                ops.CONCAT,
                (split(x),),
                {"dtype": x.dtype, "element_shape": TensorShape((None,))},
            ),
            [ROWS],
        ),
    ],
    "TensorListElementLengths": [
        no_shape(lambda x: apply(ops.LENGTHS, (split(x),)), [ROWS], grad=False),
    ],
    "TensorListSplit": [
        no_shape(
            lambda x, n: apply(
                ops.CONCAT,
                (apply(ops.SPLIT, (x, n)),),
                {"dtype": x.dtype, "element_shape": TensorShape((None, 2))},
            ),
            [ROWS, np.array([1, 2])],
        ),
    ],
    "TensorListConcatLike": [
        Sample(
            lambda x, n, like: apply(ops.CONCAT_LIKE, (apply(ops.SPLIT, (x, n)), like, n)),
            [ROWS, np.array([1, 2]), LIKE],
        ),
    ],
    "TensorListGetOrZeros": [
        Sample(lambda x, i, like: ops.get_or_zeros(split(x), i, like), [ROWS, I, uniform((2,))]),
        Sample(
            lambda x, like: ops.get_or_zeros(split(x), convert_to_tensor(7), like),
            [ROWS, uniform((2,))],
        ),
    ],
    "TensorListStackLike": [
        Sample(lambda x, like: ops.stack_like(split(x), like), [ROWS, LIKE]),
    ],
    "TensorListOneElement": [
        no_shape(
            lambda x, i, v: joined(ops.one_element(split(x), i, v), x),
            [ROWS, I, uniform((2,))],
        ),
    ],
    "TensorListAccumulate": [no_shape(changed(ops.ACCUMULATE), [ROWS, I, uniform((2,))])],
    "TensorListAdd": [
        no_shape(
            lambda a, b: joined(ops.add_lists(split(a), split(b)), a), [ROWS, uniform((3, 2))]
        ),
        no_shape(
            lambda a, i, v: joined(ops.add_lists(split(a), ops.one_element(split(a), i, v)), a),
            [ROWS, I, uniform((2,))],
        ),
    ],
    "TensorListCast": [
        no_shape(lambda x: joined(edits.cast_elements(split(x), x.dtype), x), [ROWS]),
    ],
    "TensorListReverse": [no_shape(lambda x: joined(edits.reversed_list(split(x)), x), [ROWS])],
    "TensorListPermute": [
        no_shape(lambda x: joined(edits.permuted(split(x), constant([2, 0, 1])), x), [ROWS]),
    ],
    "TensorListSlice": [
        no_shape(lambda x, i: joined(edits.sliced(split(x), i), x), [ROWS, I]),
        no_shape(lambda x: joined(edits.sliced(split(x), None, None, -2), x), [ROWS]),
    ],
    "TensorListUnslice": [
        no_shape(
            lambda x, y, i: joined(
                apply(edits.UNSLICE, (split(x), split(y), i), {"known": (True, False, False)}), x
            ),
            [ROWS[:2], ROWS, I],
        ),
    ],
    "TensorListSplice": [
        no_shape(
            lambda x, y, i: joined(spliced(split(x), slice(i, None), split(y)), x),
            [ROWS, uniform((2, 2)), I],
        ),
        no_shape(lambda x, i: joined(spliced(split(x), slice(None, i), None), x), [ROWS, I]),
    ],
    "TensorListUnsplice": [
        no_shape(
            lambda dy, x, y, i, p=to_part: joined(
                apply(
                    list_splices.UNSPLICE,
                    (split(dy), split(x), split(y), i),
                    {
                        "known": (True, False, False),
                        "deletes": False,
                        "location": HERE,
                        "to_part": p,
                    },
                ),
                x,
            ),
            [ROWS, ROWS, ROWS[:2], I],
        )
        for to_part in (False, True)
    ],
    "TensorListNothing": [
        no_shape(lambda x: joined(apply(list_splices.NOTHING, (split(x),)), x), [ROWS], grad=False),
    ],
    "CheckCount": [
        Sample(lambda x: [check_count(split(x), 3), x][1], [ROWS], grad=False),
    ],
}
