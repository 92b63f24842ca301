"""Python state that a traced function reads: when it changes, the function is traced again."""

import collections
import types

import numpy as np
import pytest

import autograph_lite as ag

SCALE = 2
CONFIG = types.SimpleNamespace(rate=3, names=("a", "b"))
RATES = {"low": 1}


def helper(x):
    return x + SCALE


def other_helper(x):
    return x - 100


one = ag.constant(1)


@pytest.fixture(autouse=True)
def restored(monkeypatch):
    for name in ("SCALE", "CONFIG", "RATES", "helper"):
        monkeypatch.setitem(globals(), name, globals()[name])


def set_global(name, value):
    globals()[name] = value


def test_a_changed_global_is_seen_and_a_restored_one_finds_its_trace():
    @ag.function
    def f(x):
        return x * SCALE

    assert int(f(one)) == 2 and int(f(one)) == 2
    set_global("SCALE", 5)
    assert int(f(one)) == 5 and int(f(one)) == 5
    set_global("SCALE", 2)
    assert int(f(one)) == 2
    assert f.experimental_get_tracing_count() == 2
    assert "SCALE is 5, and was 2" in f.explain_retraces()


def test_a_global_read_by_a_helper_is_guarded():
    @ag.function
    def f(x):
        return helper(x)

    assert int(f(one)) == 3
    set_global("SCALE", 10)
    assert int(f(one)) == 11


def test_a_global_read_by_an_inner_traced_function_is_guarded():
    @ag.function
    def inner(x):
        return x * SCALE

    @ag.function
    def outer(x):
        return inner(x) + 1

    assert [int(outer(one)) for _ in range(3)] == [3, 3, 3]
    set_global("SCALE", 7)
    assert int(outer(one)) == 8


def test_a_replaced_function_is_seen():
    @ag.function
    def f(x):
        return helper(x)

    assert int(f(one)) == 3
    set_global("helper", other_helper)
    assert int(f(one)) == -99 and int(f(one)) == -99


@pytest.mark.parametrize(
    "values", [(1, True), (0.0, -0.0), (1, 1.0), ("a", "b"), (None, 1), ((1, 2), (1, 3))]
)
def test_values_are_told_apart_by_type_and_sign(values):
    traces = []
    state = values[0]

    @ag.function
    def f(x):
        traces.append(state)
        return x

    f(one), f(one)
    state = values[1]
    f(one), f(one)
    assert [repr(t) for t in traces] == [repr(v) for v in values]


def test_closure_cells_are_guarded():
    k = 1

    @ag.function
    def f(x):
        return x + k

    assert int(f(one)) == 2
    k = 10
    assert int(f(one)) == 11 and int(f(one)) == 11


def test_attributes_of_globals_and_items_with_constant_keys_are_guarded(monkeypatch):
    @ag.function
    def f(x):
        return x * CONFIG.rate + RATES["low"] + len(CONFIG.names)

    assert int(f(one)) == 6
    monkeypatch.setattr(CONFIG, "rate", 10)
    assert int(f(one)) == 13
    monkeypatch.setitem(RATES, "low", 0)
    assert int(f(one)) == 12
    monkeypatch.setattr(CONFIG, "names", ())
    assert int(f(one)) == 10 and int(f(one)) == 10


class Scaler:
    factor = 2

    def __init__(self, k):
        self.k = k
        self.inner = types.SimpleNamespace(bias=0)
        self.act = None

    @ag.function
    def __call__(self, x):
        y = x * self.k * self.factor + self.inner.bias
        return y if self.act is None else self.act(y)


def test_attributes_of_self_are_guarded():
    scaler = Scaler(3)
    assert int(scaler(one)) == 6 and int(scaler(one)) == 6
    scaler.k = 4
    assert int(scaler(one)) == 8
    scaler.inner.bias = 1
    assert int(scaler(one)) == 9
    scaler.inner = types.SimpleNamespace(bias=5)
    assert int(scaler(one)) == 13
    scaler.act = lambda y: -y
    assert int(scaler(one)) == -13
    scaler.factor = 1
    assert int(scaler(one)) == -9 and int(scaler(one)) == -9


def test_attributes_of_an_argument_are_guarded():
    @ag.function
    def f(x, cfg):
        return x + cfg.rate

    cfg = types.SimpleNamespace(rate=1)
    assert int(f(one, cfg)) == 2
    cfg.rate = 2
    assert int(f(one, cfg)) == 3 and int(f(one, cfg=cfg)) == 3


def test_attributes_of_helper_objects_are_guarded():
    class Layer:
        def __init__(self, k):
            self.k = k

        def apply(self, x):
            return x * self.k

        def __call__(self, x):
            return x + self.k

    layers = [Layer(2), Layer(3)]

    @ag.function
    def f(x):
        for layer in layers:
            x = layer(layer.apply(x))
        return x

    assert int(f(one)) == (1 * 2 + 2) * 3 + 3
    layers[1].k = 0
    assert int(f(one)) == 0 and int(f(one)) == 0


def test_what_the_trace_changes_itself_is_not_guarded():
    count = 0
    log = []
    table = {"n": 0}

    class Counter:
        calls = 0

    counter = Counter()

    @ag.function
    def f(x):
        nonlocal count
        count += 1
        log.append(count)
        table["n"] += 1
        counter.calls += 1
        return x + 1

    for _ in range(4):
        f(one)
    assert (count, log, table, counter.calls) == (1, [1], {"n": 1}, 1)
    log.clear()
    count = 0
    f(one)
    assert log == [] and count == 0


def test_properties_are_not_run_to_check_guards():
    runs = []

    class Model:
        @property
        def k(self):
            runs.append(1)
            return 2

        @ag.function
        def f(self, x):
            return x * self.k

    model = Model()
    for _ in range(3):
        assert int(model.f(one)) == 2
    assert runs == [1]


def test_a_replaced_variable_is_seen():
    class Model:
        def __init__(self):
            self.v = ag.Variable(1)

        @ag.function
        def f(self, x):
            return x + self.v

    model = Model()
    assert int(model.f(one)) == 2
    model.v.assign(5)
    assert int(model.f(one)) == 6
    assert model.f.experimental_get_tracing_count() == 1
    model.v = ag.Variable(100)
    assert int(model.f(one)) == 101 and int(model.f(one)) == 101


def test_without_autograph_guards_work_too():
    @ag.function(autograph=False)
    def f(x):
        return x * SCALE

    assert int(f(one)) == 2
    set_global("SCALE", 3)
    assert int(f(one)) == 3


def test_library_constants_are_no_guards():
    @ag.function
    def f(x):
        return x * np.pi

    f(ag.constant(1.0))
    [concrete] = f._cache
    assert not concrete.guards


def test_attributes_of_objects_handed_to_helpers_are_guarded():
    cfg = types.SimpleNamespace(rate=2)

    def scaled(x, settings):
        return x * settings.rate

    class Layer:
        def apply(self, x, *, settings):
            return x + settings.rate

    layer = Layer()

    @ag.function
    def f(x):
        return layer.apply(scaled(x, cfg), settings=cfg)

    assert int(f(one)) == 4 and int(f(one)) == 4
    cfg.rate = 10
    assert int(f(one)) == 20 and int(f(one)) == 20


def test_objects_made_while_tracing_are_no_guards():
    def scaled(x, settings):
        return x * settings.rate

    @ag.function
    def f(x):
        return scaled(x, types.SimpleNamespace(rate=3))

    for _ in range(3):
        assert int(f(one)) == 3
    assert f.experimental_get_tracing_count() == 1


def test_lists_and_dicts_that_are_only_read_are_guarded():
    sizes = [1, 2]
    table = {"a": 1}
    layers = [lambda x: x + 1]

    @ag.function
    def f(x):
        for size in sizes:
            x = x + size
        for layer in layers:
            x = layer(x)
        for name in table:
            x = x * table[name]
        return x

    assert int(f(one)) == 5 and int(f(one)) == 5
    sizes.append(3)
    assert int(f(one)) == 8
    table["b"] = 2
    assert int(f(one)) == 16
    table["b"] = 3
    assert int(f(one)) == 24
    layers[0] = lambda x: x - 1
    assert int(f(one)) == 18 and int(f(one)) == 18
    assert "the items of layers have changed" in f.explain_retraces()


def test_generators_and_unconverted_functions_are_guarded_too():
    offset, factor = 1, 2

    def items(x):
        for n in range(2):
            yield x + n * offset

    @ag.autograph.do_not_convert
    def times(x):
        return x * factor

    @ag.function
    def f(x):
        for item in items(x):
            x = x + item
        return times(x)

    assert int(f(one)) == 8
    offset = 10
    assert int(f(one)) == 26
    factor = 3
    assert int(f(one)) == 39 and int(f(one)) == 39


def test_an_item_that_has_gone_is_not_taken_for_none():
    class Handler:
        pass

    handlers = [Handler()]

    @ag.function
    def f(x):
        for handler in handlers:
            if handler is None:
                return x
        return x + 1

    for _ in range(3):
        assert f(one).numpy() == 2
    handlers[0] = None
    assert f(one).numpy() == 1


@pytest.mark.parametrize(
    "kind, key",
    [
        (collections.deque, 0),
        (lambda items: dict(enumerate(items)), 0),
        (lambda items: collections.OrderedDict(enumerate(items)), 0),
        (lambda items: collections.defaultdict(int, enumerate(items)), 0),
        (lambda items: collections.Counter(dict(enumerate(items))), 0),
        (list, 0),
        (list, 500),
    ],
)
def test_containers_whose_methods_are_called_are_guarded(kind, key):
    numbers = kind([1] * (key + 2))

    @ag.function
    def total(x):
        return x + sum(numbers.values() if hasattr(numbers, "values") else numbers.copy())

    for _ in range(3):
        assert int(total(one)) == key + 3
    assert total.experimental_get_tracing_count() == 1
    numbers[key] = 10
    assert int(total(one)) == key + 12


def test_sets_are_guarded_unless_the_trace_changes_them():
    names, seen = {"a"}, set()

    @ag.function
    def f(x):
        seen.add("x")
        return x + len(names)

    for _ in range(3):
        assert int(f(one)) == 2
    assert f.experimental_get_tracing_count() == 1
    names.add("b")
    assert int(f(one)) == 3 and f.experimental_get_tracing_count() == 2


def test_looking_for_an_item_of_a_defaultdict_does_not_make_it():
    table = collections.defaultdict(int)

    @ag.function
    def f(x):
        if "size" in table:
            return x * table["size"]
        return x

    for _ in range(3):
        assert int(f(one)) == 1
    assert not table
    table["size"] = 5
    assert int(f(one)) == 5


def test_lists_that_are_only_appended_to_are_not_guarded():
    seen = []

    @ag.function
    def f(x):
        seen.append(x)
        return x

    for _ in range(4):
        f(one)
    assert len(seen) == 4 and f.experimental_get_tracing_count() == 1


def test_named_tuples_are_guarded():
    Config = collections.namedtuple("Config", "rate offset")
    box = types.SimpleNamespace(config=Config(1, ag.constant(2)))

    @ag.function
    def f(x):
        return x * box.config.rate + box.config.offset

    for _ in range(3):
        assert int(f(one)) == 3
    box.config = Config(5, ag.constant(2))
    assert int(f(one)) == 7
    box.config = Config(5, ag.constant(10))
    assert int(f(one)) == 15
    assert f.experimental_get_tracing_count() == 2


class Layer:
    offset = 0

    def __init__(self, weight, scale=1):
        self.weight = ag.constant(weight)
        self.options = types.SimpleNamespace(scale=scale)


def through_layers(x, layers):
    for layer in layers:
        x = x * layer.weight * layer.options.scale + layer.offset
    return x


@pytest.mark.parametrize("kind", [list, tuple, lambda layers: dict(enumerate(layers))])
@pytest.mark.parametrize("handed_in", [False, True])
def test_attributes_of_objects_in_containers_are_guarded(kind, handed_in):
    made = [Layer(2), Layer(3)]
    kept = kind(made)

    @ag.function
    def run(x, layers=None):
        layers = layers or kept
        return through_layers(x, layers.values() if isinstance(layers, dict) else layers)

    def call():
        return int(run(one, kept) if handed_in else run(one))

    for _ in range(3):
        assert call() == 6
    made[1].weight = ag.constant(4)
    assert call() == 8
    assert run.experimental_get_tracing_count() == 1
    made[0].options.scale = 10
    assert call() == 80
    made[1].offset = 1
    assert call() == 81
    assert run.experimental_get_tracing_count() == 3


@pytest.mark.parametrize("size", [10, 1000])
@pytest.mark.parametrize("dtype", [np.float64, np.int8, np.complex128])
def test_arrays_of_all_sizes_are_followed_when_written_to(size, dtype):
    data = np.zeros((size, 2), dtype)[:, ::2]
    summed = ag.function(lambda x: x + int(np.sum(data).real))
    sized = ag.function(lambda x: x + data.shape[0] + data.ndim)
    for _ in range(3):
        assert int(summed(one)) == 1 and int(sized(one)) == 3 + size
    data[5] = 3
    assert int(summed(one)) == 4 and int(sized(one)) == 3 + size
    assert len(summed._cache) == 2
    assert size < 64 or len(sized._cache) == 1
    data = np.zeros((size + 1, 2), dtype)
    assert int(summed(one)) == 1 and int(sized(one)) == 4 + size


class WithProperties:
    _v = 1
    _w = ag.constant(2)
    _made = None

    @property
    def v(self):
        return self._v * SCALE

    @property
    def twice(self):
        return self.v + self.v

    @property
    def w(self):
        return self._w

    @property
    def made(self):
        if self._made is None:
            self._made = 5
        return self._made


def test_what_properties_read_is_followed():
    p = WithProperties()
    f = ag.function(lambda x: x * p.twice)
    tensor = ag.function(lambda x: x * p.w)
    cached = ag.function(lambda x, q: x * q.made)
    assert int(f(one)) == 4 and int(tensor(one)) == 2 and int(cached(one, p)) == 5
    p._v, p._w = 7, ag.constant(9)
    assert int(f(one)) == 28 and int(tensor(one)) == 9 and int(cached(one, p)) == 5
    set_global("SCALE", 3)
    assert int(f(one)) == 42
    assert len(f._cache) == 3


class Model:
    @staticmethod
    def shift(x):
        return x + 1

    @classmethod
    def double(cls, x):
        return x * 2

    def act(self, x):
        return x + 1

    @ag.function
    def call(self, x):
        return self.act(x)


def test_a_method_that_an_object_replaces_is_seen():
    model = Model()
    assert int(model.call(ag.constant(1))) == 2
    model.act = lambda x: x * 10
    assert int(model.call(ag.constant(1))) == 10
    assert "act is now" in model.call.explain_retraces()
    del model.act
    assert int(model.call(ag.constant(1))) == 2
    assert model.call.experimental_get_tracing_count() == 2


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("act", lambda self, x: x * 100),
        ("shift", staticmethod(lambda x: x * 100)),
        ("double", classmethod(lambda cls, x: x * 100)),
    ],
)
def test_a_method_that_a_class_replaces_is_seen(monkeypatch, name, made):
    model = Model()
    of_an_object = ag.function(
        {
            "act": lambda x: model.act(x),
            "shift": lambda x: model.shift(x),
            "double": lambda x: model.double(x),
        }[name]
    )
    of_a_class = ag.function(
        {
            "act": lambda x: Model.act(model, x),
            "shift": lambda x: Model.shift(x),
            "double": lambda x: Model.double(x),
        }[name]
    )
    for f in (of_an_object, of_a_class):
        f(ag.constant(1))
        assert f(ag.constant(1)) == 2
        assert f.experimental_get_tracing_count() == 1
    monkeypatch.setattr(Model, name, made)
    for f in (of_an_object, of_a_class):
        assert f(ag.constant(1)) == 100
        assert f(ag.constant(1)) == 100
        assert f.experimental_get_tracing_count() == 2


def test_attributes_asked_for_by_name_are_guarded():
    class Config:
        pass

    config = Config()

    @ag.function
    def f(x):
        return x * getattr(config, "gain", 1)

    assert [int(f(ag.constant(3))) for _ in range(2)] == [3, 3]
    config.gain = 4
    assert [int(f(ag.constant(3))) for _ in range(2)] == [12, 12]
    config.gain = 5
    assert int(f(ag.constant(3))) == 15
    assert f.experimental_get_tracing_count() == 3


def test_whether_there_is_an_attribute_is_guarded():
    class Config:
        pass

    config = Config()

    @ag.function
    def f(x):
        return x * 2 if hasattr(config, "on") else x

    assert [int(f(ag.constant(3))) for _ in range(2)] == [3, 3]
    config.on = 1
    assert [int(f(ag.constant(3))) for _ in range(2)] == [6, 6]
    config.on = 2
    assert int(f(ag.constant(3))) == 6
    assert f.experimental_get_tracing_count() == 2
    del config.on
    assert int(f(ag.constant(3))) == 3
    config.on = 3
    assert int(f(ag.constant(3))) == 6
    assert f.experimental_get_tracing_count() == 2
