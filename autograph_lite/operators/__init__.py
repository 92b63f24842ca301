"""What converted code calls, as `ag__`: one operator for each construct of Python.

Each asks whether what it decides on is a Python value; then it does what Python does. If it is
staged, the work goes to `autograph_lite.staging`.
"""

from autograph_lite.operators.asserts import assert_
from autograph_lite.operators.builtins_ import *  # noqa: F403
from autograph_lite.operators.calls import converted
from autograph_lite.operators.conditionals import cond, if_exp
from autograph_lite.operators.contexts import with_
from autograph_lite.operators.displays import list_of, star, tuple_of
from autograph_lite.operators.exceptions import except_star, raising, try_
from autograph_lite.operators.frames import looking_back
from autograph_lite.operators.generators import generator
from autograph_lite.operators.items import (
    ask_for,
    attribute,
    augitem,
    getitem,
    merging,
    new_dict,
    new_list,
    new_set,
    setitem,
    shape,
    slice_,
    sure_items,
    tracked,
)
from autograph_lite.operators.logic import (
    and_,
    and_once,
    both,
    compare,
    either,
    in_,
    is_,
    is_not,
    is_sequence,
    not_,
    not_in,
    or_,
    or_once,
)
from autograph_lite.operators.loops import for_loop, while_loop
from autograph_lite.operators.namespaces import locals_
from autograph_lite.operators.text import fstring, fstring_lazy, percent
from autograph_lite.operators.undefined import Undefined, ld, ld_free
from autograph_lite.operators.unpacking import unpacked, unzip
