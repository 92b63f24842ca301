"""Storing to arrays while tracing.

An array that nobody else holds is a value: a store makes a new tensor, which the variable holds
from then on. Where others hold it too (another name, a view, a container, the caller of a helper),
they have to see what is stored: then all of them become members of one `Memory`. NumPy's own arrays
cannot become tensors for those who hold them already. So the function is traced again, with those
arrays made as tensors from the start.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from autograph_lite.errors import AutographError, StagingError
from autograph_lite.staging import item_arrays, scopes, views
from autograph_lite.staging.holders import Held, Own, holders, own_variable
from autograph_lite.staging.memory import Memory, memory_of, memory_with
from autograph_lite.staging.outside_arrays import base_of, place_of, taken_in
from autograph_lite.staging.places import is_symbolic
from autograph_lite.staging.scopes import Arrays, Scope, note_constant
from runtime import nest
from runtime.convert import convert_to_tensor
from runtime.dtypes import DType, from_numpy
from runtime.graph import FunctionGraph
from runtime.handles import ArrayHandle, contents, set_in_place
from runtime.locations import user_location
from runtime.ops.indexing import set_item
from runtime.ops.shaping import identity
from runtime.tensor import SymbolicTensor, Tensor

_CHOSEN = (
    "{}: an array is stored to that other names or containers may hold too, on some paths: a "
    "staged branch or loop has put another in its place; store before that, or give each name an "
    "array of its own, as in `b = a.copy()`"
)
_OUTSIDE = (
    "{}: an array that was not made in the traced function, or that NumPy has computed while "
    "tracing, is stored to while another name, view or container holds it too; store through the "
    "name or attribute that holds the array, or make a copy first, as in `b = a.copy()`"
)


_LENT = (
    "{}: an array is stored to that is also in a list whose length depends on a tensor, which "
    "cannot see it change; put a copy into the list, as in `rows.append(row.copy())`"
)


class WantsTensors(AutographError):
    """An array of NumPy's has to be a tensor: the function is to be traced again.

    Attributes:
      scope: the trace in which the array has been made.
      sites: where arrays have been made, of which one is it or it may have been computed from them.
      refusal: what is wrong if it does not help that those are tensors, if that is possible.
    """

    def __init__(
        self, scope: Scope, sites: frozenset[Any], refusal: StagingError | None = None
    ) -> None:
        made = ", ".join(map(str, sites))
        super().__init__(
            f"{user_location()}: the array made at {made} has to be a tensor from the start"
        )
        self.scope = scope
        self.sites = sites
        self.refusal = refusal


# ---- which arrays are the same


def _arrays() -> Arrays | None:
    stack = scopes.stack()
    return stack[0].arrays if stack else None


def _key(value: Any) -> int:
    """The same number for arrays, tensors and views of the same memory."""
    if isinstance(value, np.ndarray):
        return id(base_of(value))
    return _key_of_root(views.chain_of(value)[0])


def _key_of_root(root: SymbolicTensor) -> int:
    memory = memory_with(root)
    if memory is not None:
        return id(memory)
    arrays = _arrays()
    made = arrays.constants.get(id(root)) if arrays is not None else None
    return id(root) if made is None else id(base_of(made[1]))


def _keys_of_origins(value: Any) -> set[int]:
    if isinstance(value, np.ndarray):
        return {_key(value)}
    return {_key_of_root(root) for root in views.origins(value)}


def _is_array(value: Any) -> bool:
    """Whether a value is what NumPy has an array for: a number on its own is none."""
    if isinstance(value, SymbolicTensor):
        return value.shape.rank != 0 and value.dtype.kind in "biufc"
    return isinstance(value, np.ndarray)


def others(
    owner: Any, own: Own, before_loop: bool = False, lenders: Sequence[Any] = ()
) -> list[Held]:
    """Who else holds an array, or a view of it, or what it is a view of.

    Args:
      owner: the array.
      own: through what it is stored to.
      before_loop: see `holders`.
      lenders: lists that have lent it, and do not count.

    Raises:
      StagingError: only the running graph knows whether somebody does.
    """
    wanted, origins = _key(owner), _keys_of_origins(owner)
    found: dict[int, Held] = {}

    def is_wanted(value: Any) -> bool:
        if not _is_array(value):
            return False
        if isinstance(value, SymbolicTensor) and not views.is_known_here(value):
            # What a branch or pass that is over has left in a variable that nobody reads.
            return False
        return _key(value) == wanted or not origins.isdisjoint(_keys_of_origins(value))

    for held in holders(is_wanted, own, before_loop):
        if _key(held.value) != wanted:
            if lenders and _is_lent_by(held, lenders):
                continue
            raise StagingError(_CHOSEN.format(user_location()))
        found.setdefault(id(held.value), held)
    return list(found.values())


def _is_lent_by(held: Held, lenders: Sequence[Any]) -> bool:
    """Whether what somebody holds is another item of lists, or one in them."""
    if held.slot is not None and any(held.slot.owner is lender for lender in lenders):
        return True
    if not isinstance(held.value, SymbolicTensor):
        return False
    known = item_arrays.loans_of(held.value, memory_of(held.value))
    return any(loan.owner is lender for loan in known for lender in lenders)


# ---- storing


def store(owner: Any, index: Any, value: Any, own: Own) -> Any:
    """`owner[index] = value`, of an array or a symbolic tensor.

    Args:
      owner: the array.
      index: where.
      value: what.
      own: through what it is stored to.

    Returns:
      What that is to hold now: `owner` itself, or a tensor.
    """
    if isinstance(owner, np.ndarray):
        return _store_to_numpy(owner, index, value, own)
    memory = _memory_for(owner, own)
    if memory is None and _is_fixed(own):
        memory = _gathered(None, [owner])
    if memory is None:
        return set_item(owner, index, value)
    memory.store(owner, index, value)
    return owner


def _is_fixed(own: Own) -> bool:
    """Whether what an array is stored to through cannot hold another one."""
    return own.slot is not None and isinstance(own.slot.owner, tuple)


def replace(owner: Any, value: Any, own: Own) -> Any:
    """Gives all elements of an array new values; see `store`."""
    if isinstance(owner, np.ndarray):
        _check_cast(convert_to_tensor(value).dtype, from_numpy(owner.dtype))
        return _store_to_numpy(owner, Ellipsis, value, own)
    new = _fitting(value, owner)
    memory = _memory_for(owner, own)
    if memory is None:
        return note_made(identity(new))
    memory.replace(owner, new)
    return owner


def _fitting(value: Any, owner: SymbolicTensor) -> Tensor:
    """A value as one of the dtype and shape of an array, as NumPy casts what is put into it."""
    tensor = convert_to_tensor(value)
    _check_cast(tensor.dtype, owner.dtype)
    if tensor.dtype is owner.dtype and tensor.shape == owner.shape:
        if owner.shape.is_fully_defined():
            return tensor
    return set_item(owner, Ellipsis, tensor)


def _check_cast(found: DType, wanted: DType) -> None:
    if not np.can_cast(found.np_dtype, wanted.np_dtype, "same_kind"):
        raise TypeError(
            f"{user_location()}: Cannot cast output from dtype('{found.name}') to "
            f"dtype('{wanted.name}') with casting rule 'same_kind'"
        )


def _memory_for(owner: SymbolicTensor, own: Own) -> Memory | None:
    """The memory of an array that others hold too; None if nobody does."""
    _note_stored(owner)
    _check_lent(owner)
    memory = memory_of(owner)
    if memory is None and not _is_array(owner):
        return None
    lent = item_arrays.loans_of(owner, memory)
    found = others(owner, own, lenders=[loan.owner for loan in lent])
    for held in found:
        if isinstance(held.value, np.ndarray):
            _want_tensors(held.value)
    if memory is None and not found and item_arrays.is_put_back(lent, own.slot):
        item_arrays.check_store(owner, lent, own.slot)
        return None
    item_arrays.check_store(owner, lent, None)
    return _gathered(memory, [owner, *(held.value for held in found)])


def _gathered(memory: Memory | None, members: list[Any]) -> Memory:
    """One memory of all these tensors."""
    chains = [(tensor, *views.chain_of(tensor)) for tensor in members if memory_of(tensor) is None]
    if memory is None:
        known = [memory_of(tensor) for tensor in members]
        memory = next((found for found in known if found is not None), None)
    if memory is None:
        root = chains[0][1]
        memory = memory_with(root)
        if memory is None or memory.now is not root:
            memory = Memory(root)
            # Somebody may hold it who has not been found, and what is noted of it must not move.
            memory.take_in(root, [])
    for tensor, _, steps in sorted(chains, key=lambda chain: len(chain[2])):
        if memory_of(tensor) is None:
            memory.take_in(tensor, steps)
    return memory


def is_lent(value: Any, now: bool = True) -> bool:
    """Whether an array, or a view of it, is in a list of the graph.

    Args:
      value: the array.
      now: whether to look only for lists that are there now, as variables hold them.
    """
    arrays = _arrays()
    if arrays is None or not arrays.lent:
        return False
    lent = {
        id(array) if isinstance(array, np.ndarray) else _key_of_root(array)
        for array in arrays.lent.values()
    }
    if isinstance(value, Memory):
        keys = {id(value)}
    elif isinstance(value, np.ndarray):
        keys = {id(base_of(value))}
    elif isinstance(value, SymbolicTensor):
        # An item of a list goes back into it, so that the list sees what is stored.
        keys = set(map(_key_of_root, views.origins(value, in_lists=False)))
    else:
        return False
    # What has been put into a list by a trace that was taken back is not there.
    if lent.isdisjoint(keys):
        return False
    return not now or item_arrays.is_in_list(keys & lent, _key_of_root)


def _check_lent(value: Any, now: bool = True) -> None:
    if is_lent(value, now):
        raise StagingError(_LENT.format(user_location()))


def _note_stored(owner: SymbolicTensor) -> None:
    """Notes that a tensor, which may stand for a variable of a loop, has been stored to."""
    arrays = _arrays()
    if arrays is not None:
        for root in list(views.origins(owner, arrays.stored)):
            arrays.stored[id(root)] = root


def stores_to_inputs(graph: FunctionGraph) -> list[SymbolicTensor]:
    """The inputs of the graph of a function that stand for arrays which it has stored to."""
    arrays = _arrays()
    stored = [] if arrays is None else list(arrays.stored.values())
    return [one for one in stored if one.op.type == "Placeholder" and one.graph is graph]


# ---- NumPy's own arrays


def _store_to_numpy(owner: Any, index: Any, value: Any, own: Own) -> Any:
    _check_lent(owner)
    staged = is_symbolic(index) or isinstance(value, SymbolicTensor) or scopes.depth() > 1
    arrays = _arrays()
    if not staged:
        if arrays is not None and arrays.constants:
            for held in others(owner, own):
                if isinstance(held.value, Tensor):
                    _want_tensors(owner)
        owner[index] = value
        return owner
    if arrays is not None and owner.dtype.kind in "biufc":
        tensor = _from_outside(owner, own)
        if tensor is not None:
            return store(tensor, index, value, own)
        if _is_fixed(own) or others(owner, own):
            _want_tensors(owner)
    return set_item(owner, index, value)


def _from_outside(array: Any, own: Own, before_loop: bool = False) -> SymbolicTensor | None:
    """What stands for an array from outside, which something else than `own` holds."""
    slot = place_of(array)
    if slot is None or slot.is_same(own.slot):
        return None
    found = others(array, own, before_loop)
    if any(held.slot is None or not held.slot.is_same(slot) for held in found):
        raise StagingError(_OUTSIDE.format(user_location()))
    made = taken_in(array, slot)
    if made is None:
        raise StagingError(_OUTSIDE.format(user_location()))
    return made


def note_variable(before: Any, tensor: Any) -> None:
    """Notes that a tensor stands, in the body of a loop, for what was an array before."""
    if isinstance(before, np.ndarray) or (isinstance(before, SymbolicTensor) and _is_made(before)):
        note_made(tensor)
        return
    arrays = _arrays()
    if arrays is None or not isinstance(before, SymbolicTensor) or not _is_array(before):
        return
    if not isinstance(tensor, SymbolicTensor):
        return
    if not _is_plain(before):
        note_tensors(tensor)
    elif _is_computed(before):
        arrays.carried[id(contents(tensor))] = contents(tensor)


def _is_made(tensor: SymbolicTensor) -> bool:
    return tensor.shape.rank != 0 and bool(scopes.stack()) and _is_numpys(tensor)


def want_tensors(array: Any) -> None:
    """Has the function traced again, with an array made as a tensor, if the trace has made it."""
    for scope in reversed(scopes.stack()):
        for known in (base_of(array), array):
            found = scope.arrays.sites.get(id(known))
            if found is not None:
                raise WantsTensors(scope, frozenset([found[1]]))


def _want_tensors(array: Any) -> NoReturn:
    """Has the function traced again, see `want_tensors`.

    An array that the trace has not been seen to make may have been computed from those that it has.
    """
    want_tensors(array)
    refusal = StagingError(_OUTSIDE.format(user_location()))
    if place_of(array) is None:
        for scope in reversed(scopes.stack()):
            sites = frozenset(site for _, site in scope.arrays.sites.values())
            if sites:
                raise WantsTensors(scope, sites, refusal)
    raise refusal


def note_array(array: Any) -> Any:
    """Notes that the trace has made an array; gives that, or a tensor in its place."""
    stack = scopes.stack()
    if not stack or array.dtype.kind not in "biufc":
        return array
    if isinstance(array.base, np.ndarray):
        return array
    site = user_location()
    scope = next((s for s in reversed(stack) if s.is_function), stack[0])
    if site in scope.arrays.symbolic:
        return as_member(convert_to_tensor(np.array(array)))
    scope.arrays.sites[id(array)] = (array, site)
    return array


def as_member(tensor: Any) -> Any:
    """A tensor as an array that changes in place."""
    if isinstance(tensor, SymbolicTensor) and memory_of(tensor) is None:
        made = identity(tensor)
        _gathered(None, [made])
        return made
    return tensor


def tensor_of(array: Any) -> Any:
    """A tensor that stands for an array, for those who go on to look at its items."""
    tensor = convert_to_tensor(array)
    note_constant(tensor, array)
    return tensor


def note_made(value: Any) -> Any:
    """Notes that a tensor stands for an array of NumPy's, which `+=` changes; gives it."""
    arrays = _arrays()
    if arrays is not None and isinstance(value, SymbolicTensor) and value.shape.rank != 0:
        root = contents(value)
        arrays.made[id(root)] = root
    return value


def in_place(tensor: Any, operator: Any, operand: Any, own: Own | None = None) -> Any:
    """`tensor += operand` and its kin.

    Args:
      tensor: the left operand.
      operator: what gives the new elements.
      operand: the right operand.
      own: through what it is changed, by default the variable assigned to.

    Returns:
      The tensor, if it stands for an array that others hold too, or a new one.
    """
    new = operator(tensor, operand)
    if not scopes.stack():
        return new
    own = own_variable() if own is None else own
    lent = item_arrays.loans_of(tensor, memory_of(tensor))
    if _is_numpys(tensor) or item_arrays.is_of_arrays(lent):
        return replace(tensor, new, own)
    if not isinstance(new, SymbolicTensor) or not _is_array(tensor) or not _is_computed(tensor):
        return new
    if not _is_plain(new):
        return new
    memory = _memory_for(tensor, own)
    if memory is None:
        return new
    memory.replace(tensor, _fitting(new, tensor))
    return tensor


def _is_computed(tensor: SymbolicTensor) -> bool:
    """Whether a tensor stands for an array that operators have given, or is a view of one.

    An argument itself is none: `x += y` makes a new tensor of it.
    """
    arrays = _arrays()
    assert arrays is not None
    return all(
        steps or root.op.type not in _GIVEN or id(root) in arrays.carried
        for root, steps in views.alternatives(tensor)
    )


_GIVEN = ("Placeholder", "Const")


def _is_plain(tensor: SymbolicTensor) -> bool:
    """Whether a tensor comes of arguments, operators and NumPy's functions only.

    Variables and the library's own functions give tensors, as in TensorFlow: those do not change,
    nor does what operators make of them.
    """
    arrays = _arrays()
    assert arrays is not None
    plain, waiting, seen = arrays.plain, [contents(tensor)], []
    while waiting:
        current = waiting.pop()
        known = plain.get(id(current))
        if known is None:
            known = plain[id(current)] = (current, current.op.type != "ReadVariable")
            seen.append(current)
            waiting += [contents(source) for source in _sources(current)]
        if not known[1]:
            # What has been seen on the way may come of it as well.
            for passed in seen:
                del plain[id(passed)]
            plain[id(contents(tensor))] = (contents(tensor), False)
            return False
    return True


def _sources(tensor: SymbolicTensor) -> list[Any]:
    outside = views.outside_of(tensor)
    found = [*tensor.op.inputs, *views.chosen(tensor), outside]
    return [source for source in found if isinstance(source, SymbolicTensor)]


def note_tensors(value: Any) -> Any:
    """Notes that the tensors in a value are such as TensorFlow has; gives it."""
    arrays = _arrays()
    if arrays is not None:
        for tensor in nest.flatten(value):
            if isinstance(tensor, SymbolicTensor) and tensor.shape.rank != 0:
                arrays.plain[id(contents(tensor))] = (contents(tensor), False)
    return value


def is_numpys(value: Any) -> bool:
    """Whether a value is an array of NumPy's, or stands for one in the trace."""
    if isinstance(value, SymbolicTensor):
        return _arrays() is not None and _is_numpys(value)
    return isinstance(value, np.ndarray)


def _is_numpys(tensor: SymbolicTensor) -> bool:
    """Whether a tensor is sure to stand for an array."""
    arrays = _arrays()
    assert arrays is not None
    if isinstance(tensor, ArrayHandle):
        return True
    return any(
        id(root) in arrays.made
        or id(root) in arrays.constants
        or root.op.type == "SetItem"
        or memory_with(root) is not None
        for root in views.origins(tensor)
    )


set_in_place(in_place)


# ---- arrays that loops carry


def is_stored(tensor: Any, placeholder: Any) -> bool:
    """Whether a variable of a loop has been stored to in its body.

    Args:
      tensor: what stood for it.
      placeholder: the input of the body's graph that does.
    """
    arrays = _arrays()
    if arrays is None or not arrays.stored:
        return False
    return id(tensor) in arrays.stored or id(placeholder) in arrays.stored


def held_too(value: Any, own: Own) -> Any:
    """An array that a loop stores to, as others that hold it see it, too.

    None if there are none.
    """
    if not _is_array(value):
        return None
    if isinstance(value, np.ndarray):
        tensor = _from_outside(value, own, before_loop=True)
        if tensor is not None:
            return tensor
    found = others(value, own, before_loop=True)
    if found and isinstance(value, np.ndarray):
        _want_tensors(value)
    for held in found:
        if isinstance(held.value, np.ndarray):
            _want_tensors(held.value)
    if not found and not (isinstance(value, SymbolicTensor) and item_arrays.loans_of(value, None)):
        return None
    # From here on, so that the next pass that is traced reads through each what is stored now.
    _gathered(memory_of(value), [value, *(held.value for held in found)])
    return value


def carry_on(value: Any) -> None:
    """Notes that an array has been stored to in a loop."""
    if isinstance(value, SymbolicTensor):
        _note_stored(value)


def check_carried(found: list[Any], owners: list[Any]) -> None:
    """Refuses that the next pass of a loop stores to what this one has put into a list.

    Args:
      found: what the variables that are stored to hold at the end of a pass.
      owners: whose contents a pass changes.
    """
    for value in (*found, *(owner for owner in owners if isinstance(owner, Memory))):
        _check_lent(value, now=False)


def check_next_pass(number: int, ends: Sequence[Any], name: str, placed: Sequence[Any]) -> None:
    """Refuses that the next pass of a loop stores to what others hold by then.

    Args:
      number: which variable is stored to.
      ends: what the variables hold at the end of a pass.
      name: what the variable is called.
      placed: what the variables have held in the pass at its beginning.
    """
    end = ends[number]
    if not _is_array(end) or isinstance(end, np.ndarray):
        return
    own = _keys_of_origins(end)
    for other, (value, before) in enumerate(zip(ends, placed, strict=False)):
        if other != number and _is_array(value) and _is_looked_at(before):
            if not own.isdisjoint(_keys_of_origins(value)):
                refuse_chosen()
    if isinstance(end, SymbolicTensor) and others(end, Own(name), before_loop=True):
        refuse_chosen()


def _is_looked_at(tensor: Any) -> bool:
    """Whether a loop looks at what a variable has held before the pass."""
    if not isinstance(tensor, SymbolicTensor):
        return False
    arrays = _arrays()
    known = contents(tensor)
    graph: Any = known.graph
    if arrays is not None and id(tensor) in arrays.stored:
        return True
    inside = [reference() for reference in graph.inside]
    captured = [out for inner in inside if inner is not None for out, _ in inner.captures]
    used = [t for op in graph.operations for t in op.inputs]
    return any(t is known for t in (*used, *captured))


def refuse_chosen() -> NoReturn:
    """Refuses a store to an array that others hold, and a loop replaces."""
    raise StagingError(_CHOSEN.format(user_location()))


__all__ = [
    "WantsTensors",
    "carry_on",
    "check_carried",
    "check_next_pass",
    "held_too",
    "in_place",
    "is_numpys",
    "is_stored",
    "note_array",
    "note_made",
    "note_tensors",
    "note_variable",
    "others",
    "refuse_chosen",
    "replace",
    "store",
    "tensor_of",
    "want_tensors",
]
