"""Runs a graph operation by operation, every input copied: slow, and hard to get wrong."""

import numpy as np

from runtime.context import warnings_off, warnings_on


def run(graph, arrays):
    """The outputs of a graph for these inputs."""
    token = warnings_off()
    try:
        return _run(graph, [_copied(a) for a in arrays])
    finally:
        warnings_on(token)


def _run(graph, arrays):
    values = {id(t): a for t, a in zip(graph.inputs, arrays, strict=True)}
    for op in graph.operations:
        inputs = [_copied(values[id(t)]) for t in op.inputs]
        if op.type == "Placeholder":
            continue
        results = _apply(op, inputs)
        for tensor, result in zip(op.outputs, results, strict=True):
            values[id(tensor)] = result
    return [values[id(t)] for t in graph.outputs]


def _apply(op, inputs):
    if op.type == "Const":
        return [op.attrs["value"]]
    if op.type == "If":
        then, orelse = op.attrs["then"], op.attrs["orelse"]
        condition, *rest = inputs
        split = len(then.inputs)
        return _run(then, rest[:split]) if condition else _run(orelse, rest[split:])
    if op.type == "While":
        return _loop(op, inputs)
    if op.type == "Call":
        return _run(op.attrs["function"], inputs)
    result = op.opdef.kernel(*inputs, **op.attrs)
    return list(result) if isinstance(result, (tuple, list)) else [result]


def _loop(op, inputs):
    test, body, count = op.attrs["test"], op.attrs["body"], op.attrs["carried"]
    carried, captured = inputs[:count], inputs[count:]
    split = len(test.inputs) - count
    while _run(test, carried + captured[:split])[0]:
        carried = _run(body, [_copied(v) for v in carried + captured[split:]])
    return carried


def _copied(value):
    return np.array(value)[()] if np.ndim(value) == 0 else np.array(value)
