"""Traced functions as methods, partials, callables, and inside of data structures."""

import abc
import copy
import functools
import gc
import pickle
import weakref

import pytest

import autograph_lite as ag

one = ag.constant(1)


class Base:
    def __init__(self, k):
        self.k = k

    @ag.function
    def scale(self, x):
        return x * self.k

    @ag.function
    def __call__(self, x, y=1):
        return self.scale(x) + y

    @staticmethod
    @ag.function
    def static(x):
        return x + 100

    @ag.function
    @staticmethod
    def static_inside(x):
        return x + 200

    @classmethod
    @ag.function
    def of_class(cls, x):
        return x + len(cls.__name__)

    @ag.function
    @classmethod
    def of_class_inside(cls, x):
        return x - len(cls.__name__)


class Derived(Base):
    @ag.function
    def scale(self, x):
        if x > 0:
            return super().scale(x) + 1000
        return -x


def test_each_object_has_its_own_traces():
    a, b = Base(2), Base(3)
    assert [int(o.scale(one)) for o in (a, b, a, b)] == [2, 3, 2, 3]
    assert a.scale.experimental_get_tracing_count() == 1
    assert Base.scale.experimental_get_tracing_count() == 0
    assert int(Base.scale(a, one)) == 2


def test_bound_functions_have_all_that_functions_have():
    a = Base(2)
    concrete = a.scale.get_concrete_function(ag.TensorSpec([], ag.int32))
    assert int(concrete(ag.constant(5))) == 10
    assert a.scale.python_function(one) is not None
    assert a.scale.name == "scale"
    assert "trace 1" in a.scale.explain_retraces()
    assert "scale(" in a.scale.pretty_printed_concrete_signatures()
    assert a.scale == a.scale and hash(a.scale) == hash(a.scale)
    assert a.scale != Base(2).scale
    assert a.scale.__name__ == "scale"


def test_inheritance_and_super():
    d = Derived(2)
    assert [int(d.scale(ag.constant(v))) for v in (3, -3)] == [1006, 3]
    assert int(d(ag.constant(3))) == 1007


def test_defaults_and_keywords_share_a_trace():
    a = Base(2)
    assert int(a(one)) == int(a(one, 1)) == int(a(one, y=1)) == int(a(x=one, y=1)) == 3
    assert a.__call__.experimental_get_tracing_count() == 1


def test_static_and_class_methods():
    d = Derived(2)
    assert int(Base.static(one)) == int(d.static(one)) == 101
    assert int(Base.static_inside(one)) == int(d.static_inside(one)) == 201
    assert int(Base.of_class(one)) == 5 and int(d.of_class(one)) == 8
    assert int(Base.of_class_inside(one)) == -3 and int(d.of_class_inside(one)) == -6


def test_a_bound_method_keeps_its_object_and_a_trace_does_not():
    a = Base(2)
    bound = a.scale
    seen = weakref.ref(a)
    assert int(bound(one)) == 2
    del a
    assert int(bound(one)) == 2
    del bound
    gc.collect()
    assert seen() is None
    assert not Base.__dict__["scale"]._bound


def test_decorating_a_bound_method_a_partial_and_an_object():
    a = Base(5)

    class Plain:
        k = 3

        def run(self, x):
            return x * self.k if x > 0 else x

        def __call__(self, x):
            return x - self.k if x > 0 else x

    plain = Plain()
    assert int(ag.function(plain.run)(one)) == 3
    assert int(ag.function(plain)(one)) == -2
    assert int(ag.function(functools.partial(plain.run))(one)) == 3
    power = ag.function(functools.partial(lambda x, n: x**n, n=3))
    assert int(power(ag.constant(2))) == 8 and int(power(ag.constant(2), n=2)) == 4
    assert int(functools.partial(a.scale)(one)) == 5
    plain.k = 10
    traced = ag.function(plain.run)
    assert int(traced(one)) == 10
    plain.k = 11
    assert int(traced(one)) == 11


def test_functions_in_data_structures_and_as_arguments():
    table = {"double": ag.function(lambda x: x * 2), "negate": lambda x: -x}

    @ag.function
    def apply(x, f, *more):
        for g in (f, *more):
            x = g(x)
        return x

    assert int(apply(one, table["double"], table["negate"])) == -2
    assert int(apply(one, table["negate"])) == -1
    for _ in range(3):
        apply(one, lambda x: x + 1)
    assert apply.experimental_get_tracing_count() == 3


def test_traced_functions_of_traced_functions():
    @ag.function
    def inner(x, n):
        for _ in range(n):
            x = x + 1
        return x, n

    outer = ag.function(inner)
    x, n = outer(one, 3)
    assert int(x) == 4 and int(n) == 3


def test_abstract_methods():
    class Layer(abc.ABC):
        @abc.abstractmethod
        def core(self, x): ...

        @ag.function
        def run(self, x):
            return self.core(x) * 2

    class Add(Layer):
        def core(self, x):
            return x + 1

    class Mul(Layer):
        def core(self, x):
            return x * 10

    assert [int(layer.run(one)) for layer in (Add(), Mul(), Add())] == [4, 20, 4]


def test_objects_without_weak_references():
    class Slotted:
        __slots__ = ("k",)

        def __init__(self, k):
            self.k = k

        @ag.function
        def f(self, x):
            return x * self.k

    a, b = Slotted(2), Slotted(3)
    assert [int(o.f(one)) for o in (a, b, a, b)] == [2, 3, 2, 3]
    a.k = 7
    assert int(a.f(one)) == 7


def test_objects_with_equality_and_no_hash():
    class Odd:
        def __init__(self, k):
            self.k = k

        def __eq__(self, other):
            raise AssertionError("nobody needs to compare")

        @ag.function
        def f(self, x):
            return x * self.k

    assert int(Odd(2).f(one)) == 2
    odd = Odd(4)
    assert int(odd.f(one)) == 4 and int(odd.f(one)) == 4


def test_a_copied_object_has_traces_of_its_own():
    a = Base(2)
    a.scale(one)
    b = copy.deepcopy(a)
    b.k = 9
    assert int(b.scale(one)) == 9 and int(a.scale(one)) == 2


def test_wrong_arguments_are_told_as_python_tells_them():
    a = Base(2)
    with pytest.raises(TypeError, match="scale"):
        a.scale()
    with pytest.raises(TypeError, match="scale"):
        a.scale(one, one)
    with pytest.raises(TypeError, match="nonsense"):
        a.scale(one, nonsense=1)


def test_bound_functions_as_arguments_and_in_partials():
    a = Base(3)

    @ag.function
    def apply(x, f):
        return f(x) + 1

    for _ in range(3):
        assert int(apply(one, a.scale)) == 4
        assert int(apply(one, functools.partial(a.scale))) == 4
    assert apply.experimental_get_tracing_count() == 2


def test_a_traced_method_in_an_attribute_follows_the_copy():
    class Model:
        def __init__(self, k):
            self.k = k
            self.run = ag.function(self.scale)

        def scale(self, x):
            return x * self.k

    model = Model(2)
    assert int(model.run(one)) == 2
    other = copy.deepcopy(model)
    other.k = 5
    assert int(other.run(one)) == 5 and int(model.run(one)) == 2


def test_methods_with_a_signature_called_on_their_class():
    class Model:
        @ag.function(input_signature=[ag.TensorSpec([], ag.int32)])
        def f(self, x):
            return x + 1

    assert int(Model.f(Model(), one)) == 2


def test_operations_that_are_returned_are_nothing():
    v = ag.Variable(1)

    @ag.function
    def f(x):
        return v.assign_add(x, read_value=False)

    assert f(one) is None and v.numpy() == 2


@ag.function
def of_the_module(x):
    return x + 1


class OfTheModule:
    factor = 3

    @ag.function
    def method(self, x):
        return x * self.factor


def test_functions_and_methods_are_pickled_by_name():
    assert pickle.loads(pickle.dumps(of_the_module)) is of_the_module
    assert pickle.loads(pickle.dumps(OfTheModule.method)) is OfTheModule.method
    made = OfTheModule()
    made.factor = 5
    assert int(pickle.loads(pickle.dumps(made.method))(one)) == 5 * int(one)
    copied = copy.deepcopy([made, made.method])
    copied[0].factor = 7
    assert int(copied[1](one)) == 7 * int(one)
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(ag.function(lambda x: x))
