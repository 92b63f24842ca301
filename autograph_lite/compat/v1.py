"""The names of TensorFlow 1: graphs built first, and run in sessions.

    import autograph_lite as ag

    ag.compat.v1.disable_eager_execution()
    x = ag.compat.v1.placeholder(ag.float32, [None])
    with ag.compat.v1.Session() as session:
        print(session.run(x * 2, feed_dict={x: [1, 2]}))

Names that are not here are those of `autograph_lite` itself.
"""

from __future__ import annotations

from typing import Any

from runtime.api.v1 import assign as assign
from runtime.api.v1 import assign_add as assign_add
from runtime.api.v1 import assign_sub as assign_sub
from runtime.graph_mode import disable_eager_execution as disable_eager_execution
from runtime.graph_mode import enable_eager_execution as enable_eager_execution
from runtime.graph_mode import get_default_graph as get_default_graph
from runtime.graph_mode import global_variables as global_variables
from runtime.graph_mode import global_variables_initializer as global_variables_initializer
from runtime.graph_mode import group as group
from runtime.graph_mode import local_variables_initializer as local_variables_initializer
from runtime.graph_mode import no_op as no_op
from runtime.graph_mode import placeholder as placeholder
from runtime.graph_mode import placeholder_with_default as placeholder_with_default
from runtime.graph_mode import reset_default_graph as reset_default_graph
from runtime.graph_mode import trainable_variables as trainable_variables
from runtime.graph_mode import variables_initializer as variables_initializer
from runtime.session import InteractiveSession as InteractiveSession
from runtime.session import Session as Session
from runtime.session import get_default_session as get_default_session

enable_v2_behavior = enable_eager_execution
disable_v2_behavior = disable_eager_execution


def __getattr__(name: str) -> Any:
    import autograph_lite

    return getattr(autograph_lite, name)
