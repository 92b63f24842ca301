"""AutoGraph on its own: Python functions become graphs, control flow included, and run on NumPy.

    import autograph_lite as ag

    @ag.function
    def collatz(n):
        steps = 0
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        return steps
"""

import os as _os

import runtime.ops.operators as _operators
from autograph_lite.function import ConcreteFunction as ConcreteFunction
from autograph_lite.function import function as function
from autograph_lite.operators.dispatch import set_staging_probe as _set_staging_probe
from runtime import errors as errors
from runtime.api.top import *  # noqa: F403
from runtime.context import executing_eagerly as executing_eagerly
from runtime.context import thread as _thread
from runtime.dtypes import *  # noqa: F403
from runtime.graph import Graph as Graph
from runtime.graph import Operation as Operation
from runtime.locations import register_library as _register_library
from runtime.shapes import TensorShape as TensorShape
from runtime.tensor import Tensor as Tensor
from runtime.tensor_spec import TensorSpec as TensorSpec

__version__ = "0.1.0"

_register_library(_os.path.dirname(__file__))
_set_staging_probe(lambda: _thread.graph is not None)
