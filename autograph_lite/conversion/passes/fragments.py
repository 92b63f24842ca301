"""Functions made of parts of the user's function, and what hands their variables around."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import gast

from autograph_lite.conversion.names import Names
from autograph_lite.conversion.scopes import Scope
from autograph_lite.conversion.templates import call, constant, load, place, store, strings

__all__ = ["Fragments"]


class Fragments:
    """Makes the fragments of one function.

    Attributes:
      declared: the function's own variables that some fragment binds.
      handed: the variables that the last functions made by `state` in this block hand around,
        which the next construct of the block may use, too; None if there are none.
    """

    def __init__(self, scope: Scope, names: Names) -> None:
        self.scope = scope
        self.names = names
        self.declared: dict[str, None] = {}
        self.handed: list[str] | None = None

    def define(
        self,
        role: str,
        body: list[Any],
        binds: Iterable[str],
        at: Any,
        params: tuple[str, ...] = (),
    ) -> tuple[str, list[Any]]:
        """Makes a function of a block.

        Args:
          role: what the function is called, unless the user has something of that name.
          body: the block.
          binds: the names that the block itself binds.
          at: the statement it is a part of.
          params: names of parameters.

        Returns:
          The function's name, and its definition.
        """
        name = self.names.role(role)
        args = [place(gast.Name(param, gast.Param(), None, None), at) for param in params]
        body = self.declarations(binds, at) + (body or [place(gast.Pass(), at)])
        arguments = gast.arguments(args, [], None, [], [], None, [])
        node = place(gast.FunctionDef(name, arguments, body, [], None, None, []), at)
        node.fragment = True
        return name, [node]

    def declarations(self, binds: Iterable[str], at: Any) -> list[Any]:
        """The `nonlocal` and `global` statements that let a fragment bind names."""
        binds = list(binds)
        global_names = [name for name in binds if name in self.scope.globals]
        outer = [name for name in binds if name not in self.scope.globals]
        self.declared.update((n, None) for n in outer if n not in self.scope.nonlocals)
        new: list[Any] = []
        if global_names:
            new.append(place(gast.Global(global_names), at))
        if outer:
            new.append(place(gast.Nonlocal(outer), at))
        return new

    def state(
        self, state: list[str], at: Any, restored: Sequence[str] = ()
    ) -> tuple[list[Any], list[Any]]:
        """Makes what reads and what sets the variables that a construct hands around.

        Args:
          state: the variables.
          at: the construct.
          restored: further variables, which nobody needs behind the construct, but which each
            branch, and each tracing of a body, must find as they were before; the names handed on
            leave them out.

        Returns:
          Definitions, and the operator's arguments.
        """
        every = [*state, *restored]
        if not every:
            return [], []
        get_name, set_name = self.names.role("get_state"), self.names.role("set_state")
        definitions: list[Any] = []
        if every != self.handed:
            definitions = self._handing(every, at)
            # Where a name of a function around may be unbound, Python's error tells the line.
            self.handed = every if all(map(self.scope.owns, every)) else None
        return definitions, [load(get_name, at), load(set_name, at), strings(state, at)]

    def _handing(self, names: list[str], at: Any) -> list[Any]:
        targets = place(gast.Tuple([store(name, at) for name in names], gast.Store()), at)
        values = place(gast.Tuple([load(name, at) for name in names], gast.Load()), at)
        getting = [place(gast.Return(values), at)]
        _, get_state = self.define("get_state", getting, (), at)
        param = self.names.role("values")
        setting = [place(gast.Assign([targets], load(param, at), None), at)]
        _, set_state = self.define("set_state", setting, names, at, (param,))
        return get_state + set_state

    def call(self, name: str, at: Any, args: list[Any], **keywords: Any) -> Any:
        """The statement `ag__.name(*args, **keywords)`."""
        made = call(name, at, *args)
        for key, value in keywords.items():
            if value is not None:
                made.keywords.append(place(gast.keyword(key, value), at))
        return place(gast.Expr(made), at)

    def nothing(self, at: Any) -> Any:
        """What stands for a fragment that would do nothing."""
        return constant(None, at)
