"""The programs of the page on staging: each is checked against plain Python, then shown.

The first line of a docstring is the heading, the rest what the page says about it.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses

import numpy as np

import autograph_lite as ag

XS = np.array([1.0, -2.0, 3.0])
N = np.int32(3)
X = np.float64(1.5)


def weak_numbers(xs):
    """Loop variables

    A Python number before a loop takes the dtype, and the shape, that the body gives it.
    """
    total = 0
    for x in xs:
        total += x
    return total


def maybe_bound(x):
    """Names

    A name that one path binds may be read later; where it is unbound, Python's own error is raised
    when the graph gets there.
    """
    if x > 0:
        y = x * 2
    return y


def jumps(xs, limit):
    """Jumps

    `break`, `continue`, `return` and the `else` of loops, in any mixture. What can be said with
    `if` and `else` is; flags are for the rest.
    """
    total = 0.0
    for x in xs:
        if x < 0:
            continue
        total += x
        if total > limit:
            return x
    return total


def assignment_expressions(x, limit):
    """Assignment expressions

    `:=` in an operand that Python may skip binds a name on some paths only, like an assignment in a
    branch, and that is what it becomes.
    """
    if x > 0 and (y := x * 2) < limit:
        x += y
    return x


def raising(x):
    """Exceptions

    `raise` and `assert` become operations that raise, at the user's line, when the graph gets there.
    """
    if x < 0:
        raise ValueError(f"negative: {x:.2f}")
    assert x < 100, "too large"
    return x**0.5


def catching(x):
    """Exceptions that are caught

    `try` with `except`, `else` and `finally` works on what the graph raises. The arguments and
    attributes of a caught exception are those that it was raised with.
    """
    try:
        if x < 0:
            raise ValueError("negative", x)
        y = x * 2
    except ValueError as error:
        y = error.args[1] ** 2
    return y


def managing(x):
    """Context managers

    An exception that the graph raises ends at the `with` whose manager swallows it.
    """
    y = x
    with contextlib.suppress(ValueError):
        if x < 2:
            raise ValueError("small")
        y = x * 2
    return y


def lists(xs):
    """Lists

    A list is a Python list until its length depends on a tensor; then it is a list of the graph.
    What is returned is a list again.
    """
    kept = []
    for x in xs:
        if x > 0:
            kept.append(x)
    return kept, len(kept)


def slices(xs, n):
    """Slices

    Their ends may be tensors: of lists and tuples, read, assigned to and deleted.
    """
    items = [1.0, 2.0, 3.0, 4.0]
    items[n:] = [x for x in xs if x > 0]
    del items[:1]
    return items[::-1], (1, 2, 3)[:n]


def tuples(xs):
    """Tuples that grow

    A tuple that a loop makes longer is one again when the graph has run.
    """
    seen = ()
    for i, x in enumerate(xs):
        if x > 0:
            seen = (*seen, (i, x))
    return seen


def comprehensions(xs):
    """Comprehensions

    They are the loops they stand for; so are generator expressions that a builtin reads to the end.
    """
    return sum(x * x for x in xs if x > 0)


def dicts(n):
    """Items and attributes

    Stores are noted while a branch or loop is traced, and become its variables. A dict may gain a
    key in the body of a loop.
    """
    state = {"x": 1}
    for i in range(n):
        state["x"] = state["x"] * 2
        state["last"] = i
    return state


def iteration(xs, n):
    """Iteration

    `enumerate`, `zip`, `reversed`, `map`, `filter`, `range`, iterators, and functions of `itertools`
    and `functools`, in any combination.
    """
    total = 0.0
    for i, x in enumerate(reversed(xs)):
        if i < n:
            total = total * 2 + x
    return total


def a_window(xs):
    """Loops that are unrolled

    A loop whose variables gain objects with each pass, such as a deque, a linked list or a dict
    with new keys, is unrolled where it goes over a tensor of known length, of 1000 items at most.
    """
    window = collections.deque(maxlen=2)
    means = []
    for x in xs:
        window.append(x)
        means.append(sum(window) / len(window))
    return means


def conditions(x, y):
    """Conditions

    Chained comparisons, `and` and `or` evaluate what Python would, and give the operand it would.
    """
    return x or y, 0 < x < y


def text(xs):
    """Text

    `print`, f-strings, `%`, `str.format`, `str` and `repr` of tensors are made when the graph runs,
    of NumPy's values. Such text has what `str` has: operators, items, methods, `len` and `in`.
    """
    for i, x in enumerate(xs):
        print(f"{i:>3} {x:8.3f}", "-" * i)
        if str(x).startswith("-"):
            print("negative: " + str(x)[1:].rjust(5))
    return x


def buffers(xs):
    """NumPy code

    An array that the function makes and fills is updated functionally; in the plan, in place.
    """
    out = np.zeros(3)
    for i in range(len(xs)):
        if xs[i] > 0:
            out[i] = xs[i] * 2
    return out


@dataclasses.dataclass
class Point:
    x: float
    y: float

    def move(self, dx):
        self.x += dx


def objects(xs):
    """Objects

    Dataclasses, attrs classes, named tuples and plain objects are changed, or replaced, by branches
    and loops.
    """
    point = Point(0.0, 1.0)
    for dx in xs:
        point.move(dx)
        if dx > 0:
            point = Point(point.x, point.y * 2)
    return point


SHOWN = [
    (weak_numbers, (XS,)),
    (maybe_bound, (X,)),
    (jumps, (XS, X)),
    (assignment_expressions, (X, X)),
    (raising, (X,)),
    (catching, (X,)),
    (managing, (X,)),
    (lists, (XS,)),
    (slices, (XS, N)),
    (tuples, (XS,)),
    (comprehensions, (XS,)),
    (dicts, (N,)),
    (iteration, (XS, N)),
    (a_window, (XS,)),
    (conditions, (X, X)),
    (text, (XS,)),
    (buffers, (XS,)),
    (objects, (XS,)),
]
"""Functions of the page with arguments for them."""


# ---- what is refused


def a_set(xs):
    """A set of a tensor's elements. Use `ag.unique`."""
    return {x for x in xs}


def a_new_key(n):
    """A key of a dict that only the running graph knows. Make the keys before, or use a list."""
    found = {}
    for i in range(n):
        found[i] = i
    return found


class Ramp:
    def __init__(self, x):
        self.x = x

    def __getattr__(self, name):
        return self.x if self.x > 0 else 0.0


def a_made_attribute(x):
    """A `__getattr__` that branches on a tensor: Python calls it as it is. Make it a property."""
    return Ramp(x).height


def a_sentinel(x):
    """`iter` with a sentinel. Use `while`."""
    for y in iter(lambda: x, x):
        x = y
    return x


def a_class_pattern(x):
    """A pattern of a class or mapping that compares a tensor. Compare with `if`."""
    match Point(x, 1.0):
        case Point(x=0.0):
            return 1.0
    return 2.0


def a_deque(xs):
    """A `deque` whose length depends on the values of tensors. Use a list."""
    queue = collections.deque()
    for x in xs:
        if x > 0:
            queue.append(x)
    return list(queue)


def a_python_iterator(xs):
    """`next` of a Python iterator that was made outside of the loop. Count a position."""
    weights = iter([1.0, 2.0, 3.0])
    total = 0.0
    for x in xs:
        total += x * next(weights)
    return total


def on_a_stack(x):
    """An `ExitStack` that may swallow what the graph raises. Write a `with` for each manager."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.suppress(ValueError))
        if x < 0:
            raise ValueError("negative")
    return x


def a_filled_stack(x):
    """What an `ExitStack` holds cannot depend on a tensor. Push always, and ask in the callback."""
    done = []
    with contextlib.ExitStack() as stack:
        if x < 0:
            stack.callback(done.append, 1)
    return done


def a_changed_exception(x):
    """Setting attributes of an exception that staged code raised. Raise a new one `from` it."""
    try:
        if x < 0:
            raise ValueError("negative")
    except ValueError as error:
        error.where = x
        raise
    return x


def a_row_that_has_moved(xs):
    """Changing an item of such a list after its items have moved. Take the item from the list again;
    what is done to it before that reaches the list."""
    rows = [[x] for x in xs if x > 0]
    row = rows[0]
    row.append(1.0)
    rows.reverse()
    row.append(2.0)
    return rows


def a_current_group(n):
    """Changing a list that others hold too, where a branch or loop has put another in its place, or
    has put it in a list whose length depends on a tensor. Put it there when it is done, or take it
    from the list again."""
    group = []
    groups = [group]
    for i in range(n):
        if i % 3 == 0:
            group = []
            groups.append(group)
        group.append(i)
    return groups


def going_over_two(n):
    """Letting a list grow, by a tensor's decision, while anything but a `for` over itself goes over
    it. Go over the list itself, or over a copy of it."""
    items = [1, 2]
    for k, x in enumerate(items):
        if x < n:
            items.append(x + k)
    return items


SHARED = []
TABLE = np.zeros(2)


def a_list_outside(xs):
    """Growing, by a tensor's decision, a list that was made outside of the traced function. Make it
    inside, or use a TensorArray."""
    for x in xs:
        if x > 0:
            SHARED.append(x)
    return xs


def text_as_bytes(x):
    """The bytes of text that is made of tensors. Other methods of `str` are staged."""
    return f"{x}".encode()


def a_set_in_a_branch(x):
    """Changing, in a branch or loop, what is no list, dict, object or array item. Use a list."""
    seen = {1}
    if x > 0:
        seen.add(2)
    return len(seen)


def an_array_of_a_branch(x):
    """Storing to an array that a branch or loop has chosen, where others hold it too. Store in the
    branch, or make a copy."""
    a, b = np.zeros(2), np.ones(2)
    chosen = a if x > 0 else b
    chosen[0] = x
    return a, b


def an_array_in_a_list(xs):
    """Storing to an array after it has been put in a list whose length depends on a tensor. Put a
    copy there."""
    rows = []
    row = np.zeros(2)
    for x in xs:
        row[0] = x
        rows.append(row)
    return rows


def an_array_chosen_from_a_list(xs):
    """Storing to an array that a branch or loop has chosen from a list. Note its index, and store
    through the list."""
    rows = [np.zeros(2) for x in xs if x > 0]
    best = rows[0]
    for row in rows:
        if row[0] > best[0]:
            best = row
    best[1] = 1.0
    return rows


def marked(seen, n):
    if n > 0:
        seen[0] += n
        marked(seen, n - 1)


def an_array_in_a_recursion(n):
    """Storing to an array argument in a function that calls itself where a tensor decides. Return
    a copy, or write a loop."""
    seen = np.zeros(2)
    marked(seen, n)
    return seen


def an_array_from_outside(x):
    """Storing to an array from outside of the function that two variables hold. Use one of them."""
    a = TABLE
    b = TABLE
    a[0] = x
    return b


def a_doubtful_key(x):
    """Asking for a dict as a whole, with a key of one branch. Its keys, values and length may be."""
    found = {"a": 1.0}
    if x > 0:
        found["b"] = x
    return str(found)


def an_iterator_that_a_loop_has_left(n):
    """Going on with one of Python's iterators, which a loop has left where a tensor decides."""
    numbers = iter([1, 2, 3])
    for number in numbers:
        if number >= n:
            break
    return list(numbers)


def a_key_for_a_tensor(n):
    """Storing at a key that only the running graph knows to be new. Make the keys before."""
    found = {"k0": 1}
    found[f"k{n}"] = 2
    return found


def one_of_many(n):
    """What may be one of very many objects after a loop. Keep the number of the one that it is."""
    points = [Point(float(i), 0.0) for i in range(16)]
    found = points[0]
    for i in range(n):
        found = points[i]
    return found.x


REFUSED = [
    (one_of_many, (N,)),
    (a_set, (XS,)),
    (a_new_key, (N,)),
    (a_made_attribute, (X,)),
    (a_sentinel, (X,)),
    (a_class_pattern, (X,)),
    (a_deque, (XS,)),
    (a_python_iterator, (XS,)),
    (an_iterator_that_a_loop_has_left, (N,)),
    (on_a_stack, (X,)),
    (a_filled_stack, (X,)),
    (a_changed_exception, (X,)),
    (a_row_that_has_moved, (XS,)),
    (a_current_group, (N,)),
    (going_over_two, (N,)),
    (a_list_outside, (XS,)),
    (text_as_bytes, (X,)),
    (a_set_in_a_branch, (X,)),
    (an_array_of_a_branch, (X,)),
    (an_array_in_a_list, (XS,)),
    (an_array_chosen_from_a_list, (XS,)),
    (an_array_in_a_recursion, (N,)),
    (an_array_from_outside, (X,)),
    (a_doubtful_key, (X,)),
    (a_key_for_a_tensor, (N,)),
]
"""Functions that are refused, with arguments for them."""


def tensors(args):
    """The arguments as tensors."""
    return tuple(ag.constant(a) for a in args)
