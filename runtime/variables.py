"""Variables: tensors whose value can be changed, and which outlive the functions that use them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from runtime.context import building, floats_of, thread
from runtime.convert import convert_to_tensor, register_tensor_conversion_function
from runtime.dtypes import DType, as_dtype
from runtime.graph import Graph
from runtime.locations import user_location
from runtime.ops import scattering, state
from runtime.ops.apply import apply
from runtime.ops.promotion import cast_to
from runtime.ops.registry import OpDef
from runtime.shapes import TensorShape
from runtime.tensor import EagerTensor, SymbolicTensor, Tensor, TensorReference


class _Creation(threading.local):
    """What a thread does about variables that are made while it traces a function."""

    hook: Callable[[Variable], None] | None = None
    """Called with each variable made; may raise to refuse it. None: all are refused."""


creation = _Creation()


class Variable:
    """A value that can be changed, with a fixed dtype and shape.

    Works wherever a tensor does; used there, it stands for its value at that moment.

    Args:
      initial_value: a tensor, what can become one, or a function of no arguments that gives one.
      trainable: whether gradient tapes watch it by themselves.
      validate_shape: False lets the shape vary: assignments of any shape are accepted.
      caching_device: accepted for TensorFlow's sake; there is one device.
      name: what it is called; "Variable" by default.
      variable_def: accepted for TensorFlow's sake.
      dtype: the dtype to convert the initial value to.
      import_scope: accepted for TensorFlow's sake.
      constraint: a function kept for optimizers that want it.
      synchronization: accepted for TensorFlow's sake.
      aggregation: accepted for TensorFlow's sake.
      shape: the shape it may have, with None where sizes vary; the initial value's by default.

    Raises:
      ValueError: the initial value is missing or does not fit, or the variable is made during a
        later call of a traced function.

    >>> import autograph_lite as ag
    >>> v = ag.Variable([1.0, 2.0], name="w")
    >>> v.assign_add([1.0, 1.0])
    <ag.Variable 'w:0' shape=(2,) dtype=float32, numpy=array([2., 3.], dtype=float32)>
    """

    __slots__ = (
        "__dict__",
        "__weakref__",
        "_constraint",
        "_dtype",
        "_lock",
        "_name",
        "_shape",
        "_trainable",
        "_value",
    )
    # NumPy's arrays leave binary operators with a variable on the right to the variable.
    __array_priority__ = 100.0

    _value: Any

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        import_scope: Any = None,
        constraint: Any = None,
        synchronization: Any = None,
        aggregation: Any = None,
        shape: Any = None,
    ) -> None:
        if initial_value is None:
            raise ValueError(
                f"{user_location()}: a variable needs an initial value, or a function giving one"
            )
        traced = thread.graph is not None
        if traced and creation.hook is None:
            raise ValueError(
                f"{user_location()}: a variable cannot be made here, while a function is traced: "
                "each trace would make another. Make it once, outside or on the first call only, "
                "and keep it"
            )
        wanted = None if dtype is None else as_dtype(dtype)
        first = _initial(initial_value, wanted)
        self._dtype = first.dtype
        self._shape = _declared(first, shape, validate_shape)
        self._value = first._value
        scope = thread.name_scope
        base = name or "Variable"
        self._name = f"{scope}/{base}" if scope else base
        self._trainable = True if trainable is None else bool(trainable)
        self._constraint = constraint
        self._lock = threading.Lock()
        if traced:
            assert creation.hook is not None
            creation.hook(self)

    # ---- facts

    @property
    def dtype(self) -> DType:
        """The dtype of the value."""
        return self._dtype

    @property
    def shape(self) -> TensorShape:
        """The shape that values have; sizes that vary are None."""
        return self._shape

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self._shape)

    @property
    def name(self) -> str:
        """What it is called, with ":0" behind it."""
        return f"{self._name}:0"

    @property
    def trainable(self) -> bool:
        """Whether gradient tapes watch it by themselves."""
        return self._trainable

    @property
    def constraint(self) -> Any:
        """The function given for optimizers to project values with, or None."""
        return self._constraint

    @property
    def device(self) -> str:
        """Where the value is: always in the memory of this process."""
        return "/device:CPU:0"

    def get_shape(self) -> TensorShape:
        """The shape, as `shape` gives it."""
        return self._shape

    def ref(self) -> TensorReference:
        """A hashable stand-in, equal to itself only; `deref()` gives the variable back."""
        return TensorReference(self)

    # ---- reading

    def value(self) -> Tensor:
        """The present value, as a tensor that later assignments do not change."""
        if thread.graph is None and not thread.recorders:
            return EagerTensor(self._value)
        made: Tensor = apply(state.READ, (), {"variable": self}, f"{self._name}/Read")
        return made

    read_value = value

    def initialized_value(self) -> Tensor:
        """The present value; a variable always has one."""
        return self.value()

    def is_initialized(self, name: str | None = None) -> bool:
        """True: a variable always has a value."""
        return True

    def numpy(self) -> Any:
        """The present value as a NumPy array that is the caller's to change, or a scalar."""
        return EagerTensor(self._value).numpy()

    def eval(self, session: Any = None) -> Any:
        """The present value, as `numpy()` gives it."""
        return self.numpy()

    # ---- assigning

    def assign(
        self,
        value: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Makes `value` the new value.

        Args:
          value: a tensor of this dtype and shape, or what can become one.
          use_locking: accepted for TensorFlow's sake; assignments are atomic.
          name: the operation's name in a graph.
          read_value: False to get the operation rather than the variable.

        Returns:
          The variable.

        Raises:
          ValueError: the shape, or a tensor's dtype, is another.

        >>> import autograph_lite as ag
        >>> ag.Variable(1).assign(5).numpy()
        np.int32(5)
        """
        return self._change(state.ASSIGN, value, name, read_value)

    def assign_add(
        self,
        delta: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Adds `delta` to the value; atomic among threads. See `assign` for the arguments."""
        return self._change(state.ASSIGN_ADD, delta, name, read_value)

    def assign_sub(
        self,
        delta: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Subtracts `delta` from the value; atomic among threads. See `assign` for arguments."""
        return self._change(state.ASSIGN_SUB, delta, name, read_value)

    def _change(self, op: OpDef, value: Any, name: str | None, read_value: bool) -> Any:
        if isinstance(value, SymbolicTensor) and value.weak and _adapts(value.dtype, self._dtype):
            value = cast_to(value, self._dtype)
        tensor = convert_to_tensor(value, self._dtype)
        if not tensor.shape.is_compatible_with(self._shape):
            raise ValueError(
                f"{user_location()}: a value of shape {tensor.shape} cannot be assigned to "
                f"variable {self.name!r} of shape {self._shape}"
            )
        made = apply(op, (tensor,), {"variable": self}, name)
        if isinstance(made, SymbolicTensor):
            if not read_value:
                return made.op
            if type(made.graph) is Graph:
                # A session runs what it is given: here that is the assignment.
                return made
        return self

    def _scatter(self, update: Any, indices: Any, updates: Any, name: str | None) -> Any:
        with self._lock if thread.graph is None else _NO_LOCK:
            self.assign(update(self.value(), indices, updates), name=name)
        return self

    def scatter_nd_update(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Stores `updates` at coordinates, as `ag.tensor_scatter_nd_update` does.

        >>> import autograph_lite as ag
        >>> ag.Variable([1, 2, 3]).scatter_nd_update([[1]], [9]).numpy().tolist()
        [1, 9, 3]
        """
        return self._scatter(scattering.tensor_scatter_nd_update, indices, updates, name)

    def scatter_nd_add(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Adds `updates` at coordinates."""
        return self._scatter(scattering.tensor_scatter_nd_add, indices, updates, name)

    def scatter_nd_sub(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Subtracts `updates` at coordinates."""
        return self._scatter(scattering.tensor_scatter_nd_sub, indices, updates, name)

    def scatter_nd_min(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Takes the smaller of the value and `updates` at coordinates."""
        return self._scatter(scattering.tensor_scatter_nd_min, indices, updates, name)

    def scatter_nd_max(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Takes the larger of the value and `updates` at coordinates."""
        return self._scatter(scattering.tensor_scatter_nd_max, indices, updates, name)

    def _scatter_rows(self, update: Any, slices: Any, name: str | None) -> Any:
        from runtime.ops.shaping import expand_dims

        return self._scatter(update, expand_dims(slices.indices, -1), slices.values, name)

    def scatter_update(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Stores `sparse_delta.values` in the rows `sparse_delta.indices`.

        >>> import autograph_lite as ag
        >>> from types import SimpleNamespace
        >>> rows = SimpleNamespace(indices=ag.constant([0]), values=ag.constant([7]))
        >>> ag.Variable([1, 2]).scatter_update(rows).numpy().tolist()
        [7, 2]
        """
        return self._scatter_rows(scattering.tensor_scatter_nd_update, sparse_delta, name)

    def scatter_add(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Adds `sparse_delta.values` to the rows `sparse_delta.indices`."""
        return self._scatter_rows(scattering.tensor_scatter_nd_add, sparse_delta, name)

    def scatter_sub(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Subtracts `sparse_delta.values` from the rows `sparse_delta.indices`."""
        return self._scatter_rows(scattering.tensor_scatter_nd_sub, sparse_delta, name)

    def scatter_min(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Takes the smaller of the rows `sparse_delta.indices` and `sparse_delta.values`."""
        return self._scatter_rows(scattering.tensor_scatter_nd_min, sparse_delta, name)

    def scatter_max(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Takes the larger of the rows `sparse_delta.indices` and `sparse_delta.values`."""
        return self._scatter_rows(scattering.tensor_scatter_nd_max, sparse_delta, name)

    def gather_nd(self, indices: Any, name: str | None = None) -> Tensor:
        """The elements of the value at coordinates, as `ag.gather_nd` gives them."""
        from runtime.ops.gathering import gather_nd

        return gather_nd(self.value(), indices, name=name)

    def sparse_read(self, indices: Any, name: str | None = None) -> Tensor:
        """The rows of the value that `indices` name."""
        from runtime.ops.gathering import gather

        return gather(self.value(), indices, name=name)

    def set_shape(self, shape: Any) -> None:
        """Adds what is known about the shape.

        Raises:
          ValueError: it contradicts what is known already.
        """
        self._shape = self._shape.merge_with(shape)

    # ---- as Python's other values

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self.value().__array__(dtype, copy)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return getattr(ufunc, method)(*_values(inputs), **kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return func(*_values(args), **{key: _values(v) for key, v in kwargs.items()})

    def __bool__(self) -> bool:
        return bool(self.value())

    def __int__(self) -> int:
        return int(self.value())

    def __float__(self) -> float:
        return float(self.value())

    def __complex__(self) -> complex:
        return complex(self.value())

    def __index__(self) -> int:
        return self.value().__index__()  # type: ignore[no-any-return]

    def __len__(self) -> int:
        return len(self.value())  # type: ignore[arg-type]

    def __iter__(self) -> Any:
        return iter(self.value())  # type: ignore[call-overload]

    def __format__(self, spec: str) -> str:
        return format(self.value(), spec) if spec else str(self)

    def __hash__(self) -> int:
        raise TypeError(
            f"variable {self.name!r} is unhashable, because == compares element by element; "
            "use v.ref() as the key of a dictionary or the member of a set"
        )

    def __getattr__(self, name: str) -> Any:
        # What arrays can do (sum, reshape, T, ...) is done with the value.
        if name.startswith("_") or not hasattr(Tensor, name):
            raise AttributeError(f"a variable has no attribute {name!r}")
        return getattr(self.value(), name)

    def __str__(self) -> str:
        return repr(self)

    def __repr__(self) -> str:
        facts = f"<ag.Variable '{self.name}' shape={self._shape} dtype={self._dtype.name}"
        if thread.graph is not None:
            return f"{facts}>"
        shown = repr(EagerTensor(self._value))
        return f"{facts}, {shown[shown.index('numpy=') :]}"

    def __copy__(self) -> Variable:
        return self.__deepcopy__({})

    def __deepcopy__(self, memo: Any) -> Variable:
        with building(None):
            copied = Variable(
                EagerTensor(self._value),
                trainable=self._trainable,
                constraint=self._constraint,
                shape=self._shape,
            )
        copied._name = self._name
        memo[id(self)] = copied
        return copied

    def __reduce__(self) -> Any:
        return _restored, (EagerTensor(self._value), self._name, self._trainable, self._shape)


class _NoLock:
    """Stands for a lock where none is needed: a graph's operations run in order."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: Any) -> None:
        return None


_NO_LOCK = _NoLock()


def _restored(value: EagerTensor, name: str, trainable: bool, shape: TensorShape) -> Variable:
    made = Variable(value, trainable=trainable, shape=shape)
    made._name = name
    return made


def _adapts(weak: DType, dtype: DType) -> bool:
    """Whether a Python number of one kind may stand for a number of `dtype`."""
    order = "biufc"
    return weak.kind in order and order.find(weak.kind) <= order.find(dtype.kind)


def _declared(first: EagerTensor, shape: Any, validate_shape: bool) -> TensorShape:
    if shape is None:
        return first.shape if validate_shape else TensorShape(None)
    declared = TensorShape(shape)
    if not declared.is_compatible_with(first.shape):
        raise ValueError(
            f"{user_location()}: an initial value of shape {first.shape} does not fit the "
            f"variable's shape {declared}"
        )
    return declared


def _initial(value: Any, dtype: DType | None) -> EagerTensor:
    """The first value, computed at once even while a function is traced."""
    # A variable outlives the trace that makes it: what data that has is no matter.
    with building(None), floats_of(()):
        recorders, thread.recorders = thread.recorders, ()
        try:
            if callable(value) and not isinstance(value, Variable | Tensor):
                value = value()
            if isinstance(value, SymbolicTensor):
                value = EagerTensor(_lifted(value, {}))
            made = convert_to_tensor(value, dtype)
        finally:
            thread.recorders = recorders
    assert isinstance(made, EagerTensor)
    return made


def _lifted(tensor: SymbolicTensor, known: dict[int, Any]) -> Any:
    """The value of a symbolic tensor, from operations that depend on no argument."""
    if id(tensor) in known:
        return known[id(tensor)]
    op = tensor.op
    if op.opdef.name == "Placeholder":
        if op.attrs.get("known") is not None:
            return op.attrs["known"]
        raise ValueError(
            f"{user_location()}: the initial value of a variable depends on {tensor!r}, which has "
            "no value while tracing; give a function of no arguments, or a value that does not "
            "depend on the traced function's arguments"
        )
    result = op.opdef.kernel(*[_lifted(t, known) for t in op.inputs], **op.attrs)
    results = result if type(result) in (tuple, list) else [result]
    for output, array in zip(op.outputs, results, strict=True):
        known[id(output)] = array
    return known[id(tensor)]


def _values(given: Any) -> Any:
    """Arguments of a NumPy function with tensors in place of variables."""
    if isinstance(given, Variable):
        return given.value()
    if type(given) in (list, tuple):
        return type(given)(_values(item) for item in given)
    return given


def _to_tensor(value: Variable, dtype: DType | None, name: Any) -> Tensor:
    return value.value()


register_tensor_conversion_function(Variable, _to_tensor)


_OPERATORS = (
    "add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow matmul "
    "rmatmul and rand or ror xor rxor lt le gt ge eq ne neg pos invert abs getitem divmod "
    "rdivmod round lshift rlshift rshift rrshift"
).split()


def _on_value(method: str) -> Callable[..., Any]:
    """The method of this name, of the tensor that a variable stands for."""

    def operator(self: Variable, *args: Any) -> Any:
        value = self.value()
        own = getattr(value, method, None)
        return NotImplemented if own is None else own(*args)

    operator.__name__ = operator.__qualname__ = method
    return operator


for _name in _OPERATORS:
    setattr(Variable, f"__{_name}__", _on_value(f"__{_name}__"))
