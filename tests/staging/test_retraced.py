"""What is traced again begins with what the traces before have found."""

import numpy as np

import autograph_lite as ag
from tests.staging.differential import check_all

TRACED = []


@ag.autograph.experimental.do_not_convert
def note():
    TRACED.append(1)


def nested(x):
    rows = [x]
    try:
        if x > 1:
            raise ValueError("one")
    except ValueError:
        rows.append(x)
        try:
            if x > 2:
                raise ValueError("two")
        except ValueError:
            rows.append(x * 2)
            try:
                if x > 3:
                    raise ValueError("three")
            except ValueError:
                rows.append(x * 3)
                try:
                    if x > 4:
                        raise ValueError("four")
                except ValueError:
                    note()
                    rows.append(x * 4)
    return rows


def in_objects(x):
    table = {"rows": [x], "count": 0}
    try:
        if x > 1:
            raise ValueError("one")
        table["count"] += 1
    except ValueError:
        table["rows"].append(x)
        for number in range(3):
            try:
                if x > number:
                    raise KeyError(number)
                table["rows"].append(x + number)
            except KeyError as error:
                table["count"] += error.args[0]
                table["key"] = x
    return table["rows"], table["count"]


def test_handlers_in_handlers_change_a_list_from_outside():
    check_all(nested, *((np.float64(x),) for x in (0.5, 1.5, 2.5, 3.5, 4.5)))


def test_handlers_change_what_is_in_containers():
    check_all(in_objects, *((np.float64(x),) for x in (0.5, 1.5, 2.5)))


def test_each_level_of_handlers_is_traced_once_more_not_twice_as_often():
    TRACED.clear()
    ag.function(nested)(np.float64(2.5))
    assert len(TRACED) == 5
