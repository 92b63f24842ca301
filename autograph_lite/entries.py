"""Entries: generated functions that check one call against one trace and run its plan.

An entry is made for a trace and a way of calling it (how many arguments, which keywords, of which
types). It compares types, dtypes, shapes and guards directly, one after the other, calls the plan's
function and wraps what comes out. It takes no lock and builds no key. If anything differs it gives
`MISS`, and the call goes the long way.
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from keyword import iskeyword
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph_lite.arguments import Binder, encode, is_leaf, reference_to
from autograph_lite.guards import (
    ContentGuard,
    IdentityGuard,
    MethodGuard,
    PresenceGuard,
    SameObjectGuard,
    TensorGuard,
    is_value,
    same_value,
)
from autograph_lite.paths import ATTRIBUTE, MISSING, Path, take
from autograph_lite.state import StateWrite, put_or_remove
from runtime import nest
from runtime.context import warnings_off, warnings_on
from runtime.tensor import EagerTensor, SymbolicTensor

if TYPE_CHECKING:
    from autograph_lite.concrete import ConcreteFunction


class _Miss:
    def __repr__(self) -> str:
        return "MISS"


MISS: Any = _Miss()
"""What an entry gives when its trace does not fit the call."""

_SIMPLE = frozenset({int, bool, str, bytes, type(None), type(Ellipsis)})
_INDENT = "    "
_MOST_ITEMS = 500
"""With more items in the containers of a call, its key is quicker than lines for each of them."""

_A_TENSOR, _AN_ARRAY = EagerTensor(None), np.zeros(())


def make_entry(
    concrete: ConcreteFunction, binder: Binder, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """The entry for calls like this one, or None if such calls always go the long way.

    Args:
      concrete: the trace; it fits the call.
      binder: the function's.
      args: the call's arguments, as an example.
      kwargs: its keyword arguments.

    Returns:
      A function `entry(args, kwargs)`.
    """
    writer = _Writer(concrete)
    try:
        writer.write_arguments(binder, args, kwargs)
        writer.write_guards()
        writer.write_state()
    except _NoEntryError:
        return None
    return writer.compiled()


class _NoEntryError(Exception):
    """These calls need more than an entry can do."""


class _Argument:
    """Stands for an argument of the call while its place in canonical order is found."""

    def __init__(self, name: str, value: Any) -> None:
        self.name = name
        self.value = value


class _Writer:
    """Writes one entry."""

    def __init__(self, concrete: ConcreteFunction) -> None:
        self.concrete = concrete
        self.lines: list[str] = []
        self.bindings: dict[str, Any] = {}
        self.bound: dict[Any, str] = {}
        self.taken = 0
        self.items_written = 0
        self.inputs: list[str] = []
        self.roots: dict[int | str, str] = {}
        self.defaults: dict[int | str, Any] = {}
        self.paths: dict[Any, str] = {}

    # ---- pieces of text

    def bind(self, thing: Any, hint: str) -> str:
        """The name by which the entry knows a Python object."""
        key = id(thing)
        if key not in self.bound:
            self.bound[key] = self.name(hint)
            self.bindings[self.bound[key]] = thing
        return self.bound[key]

    def name(self, hint: str) -> str:
        self.taken += 1
        return f"{hint}_{self.taken}"

    def line(self, text: str) -> None:
        self.lines.append(_INDENT * 3 + text)

    def miss_if(self, condition: str) -> None:
        self.line(f"if {condition}: return MISS")

    # ---- the arguments

    def write_arguments(
        self, binder: Binder, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        given = [_Argument(f"a{i}", value) for i, value in enumerate(args)]
        named = {k: _Argument(f"k{i}", value) for i, (k, value) in enumerate(kwargs.items())}
        if named:
            self.miss_if(f"len(args) != {len(args)} or len(kwargs) != {len(kwargs)}")
        else:
            self.miss_if(f"len(args) != {len(args)} or kwargs")
        if given:
            self.line(f"{', '.join(a.name for a in given)}, = args")
        for key, argument in named.items():
            self.line(f"{argument.name} = kwargs[{key!r}]")
        bound = binder.bind(tuple(given), named)
        specs = self.concrete.argument_specs()
        for position, value in enumerate(bound.positional):
            self.argument(position, value, specs)
        for keyword, value in bound.keywords.items():
            self.argument(keyword, value, specs)

    def argument(self, place: int | str, value: Any, specs: Iterator[SymbolicTensor]) -> None:
        if type(value) is _Argument:
            self.roots[place] = value.name
            self.check(value.name, value.value, specs)
        else:
            self.default(value, specs)
            self.roots[place] = self.bind(value, "default")

    def default(self, value: Any, specs: Iterator[SymbolicTensor]) -> None:
        """An argument left to its default: its value is known already, unless it can be changed."""
        if not is_value(value) and nest.parts(value) is not None:
            self.check(self.bind(value, "default"), value, specs)
            return
        leaves: list[Any] = []
        encode(value, leaves)
        for leaf in leaves:
            next(specs)
            name = self.bind(leaf, "default")
            self.inputs.append(f"{name}._value" if type(leaf) is EagerTensor else f"copy({name})")

    def check(self, name: str, value: Any, specs: Iterator[SymbolicTensor]) -> None:
        """Lines that check one argument, or part of one, against what it was in the trace."""
        kind = type(value)
        if is_leaf(value):
            self.leaf(name, value, next(specs))
        elif kind in _SIMPLE:
            self.scalar(name, value)
        elif kind is list or kind is tuple:
            kind_name = kind.__name__
            self.miss_if(f"type({name}) is not {kind_name} or len({name}) != {len(value)}")
            self.items(name, name, value, specs)
        elif kind is dict:
            keys = self.bind(tuple(value), "keys")
            self.miss_if(f"type({name}) is not dict or tuple({name}) != {keys}")
            self.items(name, f"{name}.values()", value.values(), specs)
        elif kind is float or kind is complex:
            constant, same = self.bind(value, "value"), self.bind(same_value, "same")
            self.miss_if(f"{name} is not {constant} and not {same}({name}, {constant})")
        else:
            self.opaque(name, value, specs)

    def items(self, name: str, source: str, values: Any, specs: Iterator[SymbolicTensor]) -> None:
        self.items_written += len(values)
        if self.items_written > _MOST_ITEMS:
            raise _NoEntryError
        names = [f"{name}_{i}" for i in range(len(values))]
        if names:
            self.line(f"{', '.join(names)}, = {source}")
        for item_name, item in zip(names, values, strict=True):
            self.check(item_name, item, specs)

    def scalar(self, name: str, value: Any) -> None:
        if value is None or value is True or value is False:
            self.miss_if(f"{name} is not {value}")
            return
        constant, kind = self.bind(value, "value"), type(value).__name__
        self.miss_if(
            f"{name} is not {constant} and (type({name}) is not {kind} or {name} != {constant})"
        )

    def leaf(self, name: str, value: Any, spec: SymbolicTensor) -> None:
        if type(value) is EagerTensor:
            self.miss_if(f"type({name}) is not EagerTensor")
            array = self.name("v")
            self.line(f"{array} = {name}._value")
            self.array(array, spec)
            self.inputs.append(array)
        elif isinstance(value, np.ndarray | np.generic):
            kind = self.bind(type(value), "kind")
            self.miss_if(f"type({name}) is not {kind}")
            self.array(name, spec)
            # The caller may write to the array later, and a result may share its memory.
            self.inputs.append(f"copy({name})" if isinstance(value, np.ndarray) else name)
        else:
            raise _NoEntryError

    def array(self, array: str, spec: SymbolicTensor) -> None:
        """Lines that check an array's dtype and shape."""
        dtype = self.bind(spec.dtype.np_dtype, "dtype")
        wrong = f"{array}.dtype is not {dtype} and {array}.dtype != {dtype}"
        shape = spec.shape
        if shape.rank is None:
            self.miss_if(wrong)
        elif shape.is_fully_defined():
            self.miss_if(f"{wrong} or {array}.shape != {shape.as_tuple()!r}")
        else:
            self.miss_if(f"{wrong} or {array}.ndim != {shape.rank}")
            for axis, size in enumerate(shape):
                if size is not None:
                    self.miss_if(f"{array}.shape[{axis}] != {size}")

    def opaque(self, name: str, value: Any, specs: Iterator[SymbolicTensor]) -> None:
        """An object that counts by identity, or a container that only its key describes."""
        leaves: list[Any] = []
        key = encode(value, leaves)
        simple = isinstance(value, type) or type(value).__module__ != "builtins"
        if not leaves and simple and type(value) is not types.MethodType:
            from autograph_lite.arguments import Identity

            if type(key) is Identity:
                self.miss_if(f"{name} is not {self.bind(key.reference, 'reference')}()")
                return
        encoded, found = self.bind(encode, "encode"), self.name("leaves")
        self.line(f"{found} = []")
        self.miss_if(f"{encoded}({name}, {found}) != {self.bind(key, 'key')}")
        for number, leaf in enumerate(leaves):
            item = self.name("leaf")
            self.line(f"{item} = {found}[{number}]")
            self.leaf(item, leaf, next(specs))

    # ---- guards and state

    def place(self, path: Path) -> str:
        """An expression for what is at the end of a path."""
        root = path.root
        if root.argument is not None:
            text = self.roots[root.argument]
        else:
            key = ("root", root.identity)
            if key not in self.paths:
                assert root.reference is not None
                keeps = not isinstance(root.reference, type(reference_to(_Miss)))
                if keeps:
                    self.paths[key] = self.bind(root.reference(), "root")
                else:
                    name = self.paths[key] = self.name("root")
                    self.line(f"{name} = {self.bind(root.reference, 'reference')}()")
                    self.miss_if(f"{name} is None")
            text = self.paths[key]
        for kind, key in path.steps:
            text = self.step(text, kind, key)
        return text

    def step(self, text: str, kind: str, key: Any) -> str:
        """An expression for an attribute or item of what `text` stands for."""
        if kind == ATTRIBUTE:
            plain = key.isidentifier() and not iskeyword(key)
            return f"{text}.{key}" if plain else f"getattr({text}, {key!r})"
        return f"{text}[{repr(key) if type(key) in (str, int) else self.bind(key, 'key')}]"

    def write_guards(self) -> None:
        for guard in self.concrete.guards:
            if isinstance(guard, PresenceGuard):
                self.presence(guard.path, guard.is_there)
                continue
            text = self.place(guard.path)
            if isinstance(guard, IdentityGuard):
                self.miss_if(f"{text} is not {self.bind(guard.reference, 'reference')}()")
            elif isinstance(guard, SameObjectGuard):
                self.miss_if(f"{text} is not {self.place(guard.other)}")
            elif isinstance(guard, MethodGuard):
                name, wanted = self.name("method"), self.bind(guard.reference, "reference")
                self.line(f"{name} = {text}")
                self.miss_if(f"getattr({name}, '__func__', {name}) is not {wanted}()")
            elif isinstance(guard, TensorGuard | ContentGuard):
                self.miss_if(f"not {self.bind(guard.matches, 'matches')}({text})")
            elif guard.value is None or guard.value is True or guard.value is False:
                self.miss_if(f"{text} is not {guard.value}")
            else:
                name, constant = self.name("g"), self.bind(guard.value, "value")
                same = self.bind(same_value, "same")
                self.line(f"{name} = {text}")
                self.miss_if(f"{name} is not {constant} and not {same}({name}, {constant})")

    def presence(self, path: Path, wanted: bool) -> None:
        """A line that gives up if there is nothing at a place, or something if that is wanted."""
        owner = self.place(Path(path.root, path.steps[:-1]))
        kind, key = path.steps[-1]
        test = "is" if wanted else "is not"
        self.miss_if(f"{self.bind(take, 'take')}({owner}, {kind!r}, {key!r}) {test} MISSING")

    def write_state(self) -> None:
        concrete = self.concrete
        captured: list[str] = []
        reads = {read.capture: read for read in concrete.state_reads}
        for number, tensor in enumerate(concrete.captured_inputs):
            read = reads.get(number)
            if read is None:
                captured.append(self.bind(tensor._value, "captured"))  # type: ignore[attr-defined]
                continue
            name = f"s{number}"
            self.line(f"{name} = {self.place(read.path)}")
            example = _AN_ARRAY if read.is_array else _A_TENSOR
            self.leaf(name, example, concrete.graph.captures[number][1])
            captured.append(self.inputs.pop())
        self.inputs += captured
        for number, write in enumerate(concrete.state_writes):
            self.line(f"w{number} = {self.place(write.owner)}")

    # ---- the whole

    def compiled(self) -> Any:
        concrete = self.concrete
        plan = concrete.plan
        count = len(concrete.graph.outputs)
        head = [
            f"{_INDENT}def entry(args, kwargs):",
            f"{_INDENT * 2}try:",
            *(self.lines),
            f"{_INDENT * 2}except LOOKUPS:",
            f"{_INDENT * 3}return MISS",
        ]
        results = ", ".join(f"r{i}" for i in range(count))
        run = [
            "token = off()",
            "try:",
            f"{_INDENT}{results + ', = ' if count else ''}plan({', '.join(self.inputs)})",
            f"{_INDENT}failure = None",
            "except Exception as error:",
            f"{_INDENT}failure = error",
            "finally:",
            f"{_INDENT}on(token)",
            "if failure is not None: raise_explained(failure)",
        ]
        for i in range(count):
            run += [f"o{i} = new(EagerTensor)", f"o{i}._value = r{i}"]
        names = [f"o{i}" for i in range(count)]
        for number, write in enumerate(concrete.state_writes):
            run.append(self.store(f"w{number}", write, names))
        run.append(f"return {concrete.output_template.expression(names, self.bind)}")
        body = [*head, *(_INDENT * 2 + text for text in run)]
        self.bindings.update(
            MISS=MISS,
            MISSING=MISSING,
            LOOKUPS=(AttributeError, KeyError, IndexError, TypeError, ValueError),
            EagerTensor=EagerTensor,
            new=object.__new__,
            off=warnings_off,
            on=warnings_on,
            copy=np.array,
            plan=plan.function,
            raise_explained=plan.explain,
        )
        source = "\n".join(
            [f"def bind({', '.join(self.bindings)}):", *body, f"{_INDENT}return entry", ""]
        )
        space: dict[str, Any] = {}
        exec(compile(source, f"<plan of {concrete.name}: entry>", "exec", dont_inherit=True), space)
        entry = space["bind"](**self.bindings)
        entry.source = source
        return entry

    def store(self, owner: str, write: StateWrite, names: list[str]) -> str:
        """A line that writes a result back to where it lives."""
        mine = names[write.first : write.first + len(write.outputs.tensors)]
        value = write.outputs.expression(mine, self.bind)
        if write.outputs.is_doubtful:
            put, key = self.bind(put_or_remove, "put"), self.bind(write.key, "key")
            return f"{put}({owner}, {write.kind!r}, {key}, {value})"
        if write.kind == StateWrite.EXTEND:
            return f"{owner}.extend({value})"
        if write.buffer:
            return f"{self.step(owner, write.kind, write.key)}[...] = {value}._value"
        if write.kind == StateWrite.CONTENT:
            return f"{owner}[:] = {value}"
        if write.kind == ATTRIBUTE:
            return f"setattr({owner}, {write.key!r}, {value})"
        return f"{owner}[{self.bind(write.key, 'key')}] = {value}"
