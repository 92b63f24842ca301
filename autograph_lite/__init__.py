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

The names are TensorFlow's: a program moves by changing its import to
`import autograph_lite as tf`.
"""

from __future__ import annotations

import importlib as _importlib
import os as _os
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

import runtime.ops.operators as _operators
from autograph_lite.function import ConcreteFunction as ConcreteFunction
from autograph_lite.function import function as function
from autograph_lite.lifting import init_scope as init_scope
from runtime.context import executing_eagerly as executing_eagerly
from runtime.context import set_converter as _set_converter
from runtime.control_flow import case as case
from runtime.control_flow import cond as cond
from runtime.control_flow import switch_case as switch_case
from runtime.control_flow import while_loop as while_loop
from runtime.dtypes import *  # noqa: F403
from runtime.graph import Graph as Graph
from runtime.graph import Operation as Operation
from runtime.locations import register_library as _register_library
from runtime.shapes import TensorShape as TensorShape
from runtime.tensor import Tensor as Tensor
from runtime.tensor_spec import TensorSpec as TensorSpec
from runtime.variables import Variable as Variable

if _TYPE_CHECKING:
    from runtime.api.top import *  # noqa: F403

__version__ = "0.1.0"

_register_library(_os.path.dirname(__file__))


def _converted(function: _Any) -> _Any:
    # The converter is imported when it is first needed.
    from autograph_lite.operators.calls import converted

    return converted(function)


_set_converter(_converted)

# What is not needed to define a function is imported when it is first asked for: namespaces, rarely
# used names, and the operations, which are all in one module.
_OPERATIONS = "runtime.api.top"
_LAZY = {
    "autodiff": "runtime.api.autodiff",
    "autograph": "autograph_lite.autograph",
    "compat": "autograph_lite.compat",
    "config": "autograph_lite.config",
    "bitwise": "runtime.api.bitwise",
    "debugging": "runtime.api.debugging",
    "errors": "runtime.errors",
    "linalg": "runtime.api.linalg",
    "math": "runtime.api.math",
    "nest": "runtime.api.nest",
    "nn": "runtime.api.nn",
    "optimizers": "runtime.api.optimizers",
    "random": "runtime.api.random",
    "signal": "runtime.api.signal",
    "strings": "runtime.api.strings",
}
_LAZY_NAMES = {
    "GradientTape": "runtime.gradients.tape",
    "UnconnectedGradients": "runtime.gradients.unconnected",
    "custom_gradient": "runtime.gradients.custom",
    "recompute_grad": "runtime.gradients.custom",
    "grad": "runtime.gradients.functional",
    "hessian": "runtime.gradients.functional",
    "jacobian": "runtime.gradients.functional",
    "jvp": "runtime.gradients.functional",
    "value_and_grad": "runtime.gradients.functional",
    "vjp": "runtime.gradients.functional",
    "gradients": "runtime.gradients.graphs",
    "convert": "autograph_lite.autograph",
}


def __getattr__(name: str) -> _Any:
    if name in _LAZY:
        found: _Any = _importlib.import_module(_LAZY[name])
    elif name in _LAZY_NAMES:
        found = getattr(_importlib.import_module(_LAZY_NAMES[name]), name)
    elif name == "__all__":
        return [known for known in __dir__() if not known.startswith("_")]
    else:
        operations = None if name.startswith("_") else _importlib.import_module(_OPERATIONS)
        if not hasattr(operations, name):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = getattr(operations, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    operations = vars(_importlib.import_module(_OPERATIONS))
    public = (name for name in operations if not name.startswith("_") and name != "annotations")
    return sorted({*globals(), *_LAZY, *_LAZY_NAMES, *public})
