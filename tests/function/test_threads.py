"""Many threads: one trace, right results, no deadlock."""

import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import autograph_lite as ag

THREADS = 16


def run_all(work, count=THREADS):
    """Runs `work(number)` in many threads that start together; fails if they hang."""
    barrier = threading.Barrier(count)
    errors = []

    def start(number):
        try:
            barrier.wait(timeout=30)
            work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=start, args=(n,), daemon=True) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads), "threads wait for one another"
    if errors:
        raise errors[0]


def test_concurrent_first_calls_trace_once():
    traces = []

    @ag.function
    def f(x):
        traces.append(threading.get_ident())
        time.sleep(0.05)
        return x * 2

    run_all(lambda n: [float(f(ag.constant(float(n)))) for _ in range(20)] == [2.0 * n] * 20)
    assert len(traces) == 1


def test_results_are_those_of_the_thread():
    @ag.function
    def f(x, k, table):
        return x * k + table["t"]

    def work(number):
        for step in range(100):
            got = f(ag.constant(float(step)), number % 5, {"t": ag.constant(float(number))})
            assert float(got) == step * (number % 5) + number

    run_all(work)
    assert f.experimental_get_tracing_count() == 5


def test_variables_are_updated_atomically():
    v = ag.Variable(0)

    @ag.function
    def add(x):
        v.assign_add(x)
        v.assign_sub(1)

    run_all(lambda n: [add(ag.constant(3)) for _ in range(200)])
    assert v.numpy() == THREADS * 200 * 2


def test_nested_and_mutual_calls_do_not_deadlock():
    @ag.function
    def a(x, n):
        return b(x, n - 1) + 1 if n > 0 else x

    @ag.function
    def b(x, n):
        return c(x, n - 1) * 2 if n > 0 else x

    @ag.function
    def c(x, n):
        return a(x, n - 1) - 3 if n > 0 else x

    def plain(kind, x, n):
        if n <= 0:
            return x
        if kind == 0:
            return plain(1, x, n - 1) + 1
        if kind == 1:
            return plain(2, x, n - 1) * 2
        return plain(0, x, n - 1) - 3

    def work(number):
        rng = random.Random(number)
        for _ in range(40):
            kind, n, x = rng.randrange(3), rng.randrange(6), rng.randrange(100)
            size = rng.randrange(1, 4)
            got = (a, b, c)[kind](ag.constant([x] * size), n)
            assert got.numpy().tolist() == [plain(kind, x, n)] * size

    run_all(work)


def test_methods_of_many_objects():
    class Scaler:
        def __init__(self, k):
            self.k = k
            self.total = ag.constant(0.0)

        @ag.function
        def f(self, x):
            self.total = self.total + x
            return x * self.k

    def work(number):
        for k in range(10):
            scaler = Scaler(k)
            for x in range(5):
                assert float(scaler.f(ag.constant(float(x)))) == x * k
            assert float(scaler.total) == 10.0

    run_all(work)


def test_tracing_while_others_compute_eagerly():
    @ag.function
    def f(x, n):
        for _ in range(20):
            x = x + n
        return x

    def work(number):
        for step in range(30):
            if number % 2:
                assert int(f(ag.constant(1), step)) == 1 + 20 * step
            else:
                x = ag.constant([1.0, 2.0])
                for _ in range(20):
                    x = x * 2.0 + 1.0
                assert isinstance(x.numpy(), np.ndarray)

    with pytest.warns(UserWarning):
        run_all(work)


def test_a_pool_of_workers():
    @ag.function
    def collatz(n):
        steps = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        return steps

    with ThreadPoolExecutor(THREADS) as pool:
        got = list(pool.map(lambda n: int(collatz(ag.constant(n))), range(1, 200)))
    assert got[:6] == [0, 1, 7, 2, 5, 8] and collatz.experimental_get_tracing_count() == 1


@pytest.mark.filterwarnings("ignore::autograph_lite.retracing.RetracingWarning")
def test_tensors_in_attributes_while_others_trace():
    class Model:
        def __init__(self):
            self.scale = ag.constant(2.0)
            self.last = None

        @ag.function
        def f(self, x):
            self.last = x * self.scale
            return self.last

    model = Model()

    def work(number):
        for step in range(30):
            size = 1 + (number + step) % 12
            got = model.f(ag.constant([float(number)] * size))
            assert got.numpy().tolist() == [2.0 * number] * size
            assert isinstance(model.last.numpy(), np.ndarray)

    run_all(work)


def _in_pools(function, *values):
    with ThreadPoolExecutor(3) as pool:
        return sum(pool.map(lambda v: int(function(ag.constant(v))), values))


def test_a_traced_function_waits_for_threads_that_trace():
    twice, thrice = ag.function(lambda x: x * 2), ag.function(lambda x: x * 3)

    def deeper(x):
        return x + _in_pools(twice, 1, 2) + _in_pools(thrice, 1)

    inner = ag.function(deeper)

    @ag.function
    def f(x):
        return x + _in_pools(inner, 1, 2, 3)

    found = []
    thread = threading.Thread(target=lambda: found.append(int(f(ag.constant(1)))), daemon=True)
    thread.start()
    thread.join(60)
    assert found == [1 + 6 + 3 * (6 + 3)]


def test_the_lock_keeps_threads_apart_that_go_on():
    from autograph_lite.waiting import TracingLock

    lock, inside, most = TracingLock(), [], []

    def work(number):
        with lock, lock:
            inside.append(number)
            most.append(len(inside))
            for _ in range(20):
                time.sleep(0.005)
            inside.remove(number)

    run_all(work, 5)
    assert max(most) == 1
