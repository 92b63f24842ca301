"""Modules: objects that know the variables and modules kept in their attributes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, TypeVar

from runtime import nest
from runtime.naming import name_scope
from runtime.variables import Variable

Method = TypeVar("Method", bound=Callable[..., Any])


class Module:
    """Collects the variables and modules in its attributes, through lists, tuples and dicts.

    Args:
      name: a valid Python identifier; the class's name in snake_case by default.

    Raises:
      ValueError: the name is no identifier.

    >>> import autograph_lite as ag
    >>> class Line(ag.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.weights = [ag.Variable(2.0, name="a"), ag.Variable(1.0, name="b")]
    >>> [v.name for v in Line().trainable_variables]
    ['a:0', 'b:0']
    """

    # Attributes that are never looked into.
    _TF_MODULE_IGNORED_PROPERTIES = frozenset(("_name", "_scope_name", "_name_scope"))

    def __init__(self, name: str | None = None) -> None:
        if name is None:
            name = _snake_case(type(self).__name__)
        elif not name.isidentifier():
            raise ValueError(f"{name!r} is no name for a module: expected a Python identifier")
        self._name = name
        with name_scope(name) as scope:
            self._scope_name = scope

    @property
    def name(self) -> str:
        """The name given to it, or made of its class's."""
        return self._named("_name")

    def _named(self, attribute: str) -> str:
        try:
            return self.__dict__[attribute]  # type: ignore[no-any-return]
        except KeyError:
            raise AttributeError(
                f"{type(self).__name__}.__init__ must call super().__init__() before the name "
                "of the module is used"
            ) from None

    @property
    def name_scope(self) -> name_scope:
        """A context manager: names made within it start with this module's name."""
        return name_scope(self._named("_scope_name"))

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables of this module, then those of its submodules; attributes go by name."""
        return tuple(self._flatten(predicate=_is_variable))

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """Those of `variables` that gradient tapes watch by themselves."""
        return tuple(self._flatten(predicate=_is_trainable))

    @property
    def non_trainable_variables(self) -> tuple[Variable, ...]:
        """Those of `variables` that gradient tapes do not watch by themselves."""
        return tuple(v for v in self.variables if not v.trainable)

    @property
    def submodules(self) -> tuple[Module, ...]:
        """All modules in its attributes, and theirs, and so on."""
        return tuple(self._flatten(predicate=_is_module))

    def _flatten(
        self,
        recursive: bool = True,
        predicate: Callable[[Any], bool] | None = None,
        attribute_traversal_key: Callable[[str], Any] | None = None,
        with_path: bool = False,
    ) -> Iterator[Any]:
        """The values in attributes of which `predicate` holds, each once.

        Args:
          recursive: look into submodules, after all attributes of this one.
          predicate: which values; all by default.
          attribute_traversal_key: the order of attributes; by name by default.
          with_path: give pairs (path, value), where a path is a tuple of names, keys and numbers.
        """
        return _walk(
            self,
            (),
            {id(self)},
            recursive,
            predicate or (lambda value: True),
            attribute_traversal_key,
            with_path,
        )

    @classmethod
    def with_name_scope(cls, method: Method) -> Method:
        """Makes a method enter `name_scope` when called.

        >>> import autograph_lite as ag
        >>> class Scaled(ag.Module):
        ...     @ag.Module.with_name_scope
        ...     def make(self):
        ...         return ag.Variable(1.0, name="v").name
        >>> Scaled().make()
        'scaled/v:0'
        """

        @wraps(method)
        def scoped(self: Any, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return method(self, *args, **kwargs)

        return scoped  # type: ignore[return-value]


def _snake_case(name: str) -> str:
    spread = re.sub(r"([^_])([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", spread).lower().lstrip("_") or "module"


def _is_variable(value: Any) -> bool:
    return isinstance(value, Variable)


def _is_trainable(value: Any) -> bool:
    return isinstance(value, Variable) and value.trainable


def _is_module(value: Any) -> bool:
    return isinstance(value, Module)


def _walk(
    module: Module,
    path: tuple[Any, ...],
    seen: set[int],
    recursive: bool,
    predicate: Callable[[Any], bool],
    order: Callable[[str], Any] | None,
    with_path: bool,
) -> Iterator[Any]:
    attributes = vars(module)
    found: list[tuple[tuple[Any, ...], Module]] = []
    for key in sorted(attributes, key=order):
        if key in module._TF_MODULE_IGNORED_PROPERTIES:
            continue
        for inner, leaf in nest.flatten_with_tuple_paths(attributes[key]):
            # With paths asked for, a value that is reached in two ways is told twice.
            if not with_path:
                if id(leaf) in seen:
                    continue
                seen.add(id(leaf))
            here = (*path, key, *inner)
            if predicate(leaf):
                yield (here, leaf) if with_path else leaf
            if recursive and isinstance(leaf, Module) and not (with_path and leaf is module):
                found.append((here, leaf))
    for here, submodule in found:
        yield from _walk(submodule, here, seen, recursive, predicate, order, with_path)
