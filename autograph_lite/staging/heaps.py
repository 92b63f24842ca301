"""The functions of `heapq` and `bisect`, on lists of traced functions.

Python's own are written in C: they would change a list while tracing, whichever path the graph
takes, and cannot compare what only the graph knows. Where nothing is staged they are what runs, the
list noted first; otherwise the algorithms below, which are Python's too, and are converted.
"""

from __future__ import annotations

import bisect
import heapq
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from autograph_lite.operators.calls import converted_anyway
from autograph_lite.staging import loans, text
from autograph_lite.staging.list_specs import is_dynamic
from autograph_lite.staging.scopes import tracking
from autograph_lite.staging.sorting import less

Function = Callable[..., Any]


def function(f: Any) -> Function | None:
    """What stands in for a function of `heapq` or `bisect`; None for other functions."""
    if getattr(f, "__module__", None) not in ("_heapq", "_bisect"):
        return None
    staged = _STAGED.get(f)
    return None if staged is None else partial(_call, f, staged)


def _call(f: Function, staged: Function, values: Any, *args: Any, **keywords: Any) -> Any:
    given = (values, *args, *keywords.values())
    if is_dynamic(values) or "key" in keywords or any(map(text.holds_staged, given)):
        return _converted(staged)(values, *args, **keywords)
    if tracking() and isinstance(values, list) and f not in _READING:
        loans.change(values, "content", None)
    return f(values, *args, **keywords)


@lru_cache
def _converted(staged: Function) -> Function:
    made: Function = converted_anyway(staged)
    return made


# ---- heaps


def push(heap: Any, item: Any) -> None:
    """`heapq.heappush(heap, item)`"""
    heap.append(item)
    _converted(rise)(heap, 0, len(heap) - 1)


def pop(heap: Any) -> Any:
    """`heapq.heappop(heap)`"""
    if len(heap) == 0:
        raise IndexError("index out of range")
    last = heap.pop()
    if len(heap) == 0:
        return last
    first = heap[0]
    heap[0] = last
    _converted(sink)(heap, 0)
    return first


def replace(heap: Any, item: Any) -> Any:
    """`heapq.heapreplace(heap, item)`"""
    if len(heap) == 0:
        raise IndexError("index out of range")
    first = heap[0]
    heap[0] = item
    _converted(sink)(heap, 0)
    return first


def push_pop(heap: Any, item: Any) -> Any:
    """`heapq.heappushpop(heap, item)`"""
    if len(heap) > 0:
        if less(heap[0], item):
            first = heap[0]
            heap[0] = item
            _converted(sink)(heap, 0)
            return first
    return item


def heapify(heap: Any) -> None:
    """`heapq.heapify(heap)`"""
    for number in range(len(heap) // 2):
        _converted(sink)(heap, len(heap) // 2 - 1 - number)


def rise(heap: Any, start: Any, place: Any) -> None:
    """Lets the item at `place` rise to where it belongs, but not above `start`."""
    item = heap[place]
    while place > start:
        parent = (place - 1) // 2
        if not less(item, heap[parent]):
            break
        heap[place] = heap[parent]
        place = parent
    heap[place] = item


def sink(heap: Any, start: Any) -> None:
    """Moves the smaller children up until the bottom is reached, and lets the item rise there."""
    place = start
    item = heap[start]
    child = 2 * place + 1
    while child < len(heap):
        if child + 1 < len(heap):
            if not less(heap[child], heap[child + 1]):
                child = child + 1
        heap[place] = heap[child]
        place = child
        child = 2 * place + 1
    heap[place] = item
    _converted(rise)(heap, start, place)


# ---- sorted sequences


def left(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> Any:
    """`bisect.bisect_left(a, x, lo, hi, key=key)`"""
    return _converted(_place)(a, x, lo, hi, key, True)


def right(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> Any:
    """`bisect.bisect_right(a, x, lo, hi, key=key)`"""
    return _converted(_place)(a, x, lo, hi, key, False)


def _place(a: Any, x: Any, lo: Any, hi: Any, key: Any, is_left: bool) -> Any:
    """Where `x` belongs in a sorted list, in front of items that equal it or behind them."""
    if lo < 0:
        raise ValueError("lo must be non-negative")
    end = len(a) if hi is None or hi == -1 else hi
    while lo < end:
        middle = (lo + end) // 2
        item = a[middle] if key is None else key(a[middle])
        if less(item, x) if is_left else not less(x, item):
            lo = middle + 1
        else:
            end = middle
    return lo


def insort_left(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> None:
    """`bisect.insort_left(a, x, lo, hi, key=key)`"""
    a.insert(_converted(left)(a, x if key is None else key(x), lo, hi, key=key), x)


def insort_right(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> None:
    """`bisect.insort_right(a, x, lo, hi, key=key)`"""
    a.insert(_converted(right)(a, x if key is None else key(x), lo, hi, key=key), x)


_STAGED: dict[Any, Function] = {
    heapq.heappush: push,
    heapq.heappop: pop,
    heapq.heapreplace: replace,
    heapq.heappushpop: push_pop,
    heapq.heapify: heapify,
    bisect.bisect_left: left,
    bisect.bisect_right: right,
    bisect.insort_left: insort_left,
    bisect.insort_right: insort_right,
}
_READING = (bisect.bisect_left, bisect.bisect_right)

__all__ = ["function"]
