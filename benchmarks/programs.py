"""The programs that are measured, once for each system.

Where the code of this library and TensorFlow's is the same, one function takes the library as its
argument; JAX has no loops and branches of Python's and gets its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.systems import JAX, NUMPY, OURS, TENSORFLOW, has, jax, np, ours, ready, tensorflow

Calls = dict[str, Callable[[], Any]]


def _rivals() -> dict[str, Any]:
    """The libraries in which the same source is traced, by name."""
    found = {OURS: ours()}
    if has("tensorflow"):
        found[TENSORFLOW] = tensorflow()
    return found


def collatz() -> Calls:
    """524 steps from 837799: a loop and a branch over one int64."""

    def plain(n: Any) -> Any:
        steps = 0
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        return steps

    start = np.int64(837799)
    calls: Calls = {NUMPY: lambda: plain(start)}
    for name, lib in _rivals().items():
        traced, n = lib.function(plain), lib.constant(837799, lib.int64)
        calls[name] = lambda traced=traced, n=n: traced(n).numpy()
    if has("jax"):
        lax = jax().lax

        def step(state: Any) -> Any:
            n, steps = state
            n = lax.cond(n % 2 == 0, lambda n: n // 2, lambda n: 3 * n + 1, n)
            return n, steps + 1

        compiled = jax().jit(lambda n: lax.while_loop(lambda s: s[0] != 1, step, (n, 0))[1])
        calls[JAX] = lambda: ready(compiled(start))
    assert len({int(call()) for call in calls.values()}) == 1
    return calls


def call() -> Calls:
    """A call of `x * 2 + 1` on four float32."""

    def plain(x: Any) -> Any:
        return x * 2 + 1

    array = np.ones(4, np.float32)
    calls: Calls = {NUMPY: lambda: plain(array)}
    for name, lib in _rivals().items():
        traced, x = lib.function(plain), lib.constant(array)
        calls[name] = lambda traced=traced, x=x: traced(x)
    if has("jax"):
        compiled, x = jax().jit(plain), jax().numpy.asarray(array)
        calls[JAX] = lambda: ready(compiled(x))
    return calls


def mandelbrot() -> Calls:
    """200 x 150 points, at most 100 steps, until all have escaped."""
    real, imaginary = np.meshgrid(np.linspace(-2.1, 0.9, 200), np.linspace(-1.1, 1.1, 150))
    most = 100

    def plain(real: Any, imaginary: Any, most: Any) -> Any:
        x, y = np.zeros_like(real), np.zeros_like(real)
        times = np.zeros(real.shape, np.int32)
        step = 0
        while step < most:
            x2, y2 = x * x, y * y
            inside = x2 + y2 <= 4.0
            if not np.any(inside):
                break
            times = times + inside.astype(np.int32)
            y = np.where(inside, 2.0 * x * y + imaginary, y)
            x = np.where(inside, x2 - y2 + real, x)
            step += 1
        return times

    def written_for(lib: Any) -> Any:
        @lib.function
        def escape_times(real: Any, imaginary: Any, most: Any) -> Any:
            x, y = lib.zeros_like(real), lib.zeros_like(real)
            times = lib.zeros_like(real, dtype=lib.int32)
            step = 0
            while step < most:
                x2, y2 = x * x, y * y
                inside = x2 + y2 <= 4.0
                if not lib.reduce_any(inside):
                    break
                times = times + lib.cast(inside, lib.int32)
                y = lib.where(inside, 2.0 * x * y + imaginary, y)
                x = lib.where(inside, x2 - y2 + real, x)
                step += 1
            return times

        return escape_times

    calls: Calls = {NUMPY: lambda: plain(real, imaginary, most)}
    for name, lib in _rivals().items():
        traced = written_for(lib)
        given = lib.constant(real), lib.constant(imaginary), lib.constant(most)
        calls[name] = lambda traced=traced, given=given: traced(*given).numpy()
    if has("jax"):
        jnp, lax = jax().numpy, jax().lax

        @jax().jit
        def compiled(real: Any, imaginary: Any, most: Any) -> Any:
            def test(state: Any) -> Any:
                step, x, y, _ = state
                return (step < most) & jnp.any(x * x + y * y <= 4.0)

            def body(state: Any) -> Any:
                step, x, y, times = state
                x2, y2 = x * x, y * y
                inside = x2 + y2 <= 4.0
                times = times + inside.astype(jnp.int32)
                y = jnp.where(inside, 2.0 * x * y + imaginary, y)
                return step + 1, jnp.where(inside, x2 - y2 + real, x), y, times

            zero = jnp.zeros_like(real)
            start = (0, zero, zero, jnp.zeros(real.shape, jnp.int32))
            return lax.while_loop(test, body, start)[3]

        calls[JAX] = lambda: ready(compiled(real, imaginary, most))
    expected = plain(real, imaginary, most)
    for name, run in calls.items():
        # Compilers that fuse multiplications and additions round otherwise at the very edge.
        assert (np.asarray(run()) == expected).mean() > 0.99, name
    return calls


def storing() -> Calls:
    """2000 items written, one a pass, into an array of 400,000: all of it is copied just once."""

    def plain(x: Any, n: Any) -> Any:
        for i in range(n):
            x[i] = 1.0
        return x

    x, lib = np.zeros(400_000), ours()
    traced, tensor, n = lib.function(plain), lib.constant(x), lib.constant(2000)
    # Not `.numpy()`: it would be a copy of its own.
    calls: Calls = {NUMPY: lambda: plain(x.copy(), 2000), OURS: lambda: traced(tensor, n)}
    assert len({float(np.asarray(call()).sum()) for call in calls.values()}) == 1
    return calls


def recurrent() -> Calls:
    """A recurrent network of 64 units over 200 steps of 16 sequences, in float32."""
    rng = np.random.default_rng(0)

    def weights(*shape: int) -> Any:
        return (rng.normal(size=shape) / np.sqrt(shape[0])).astype(np.float32)

    inputs = rng.normal(size=(200, 16, 32)).astype(np.float32)
    given = (inputs, weights(32, 64), weights(64, 64), weights(64))

    def plain(inputs: Any, w: Any, u: Any, b: Any) -> Any:
        state = np.zeros((inputs.shape[1], u.shape[0]), np.float32)
        for x in inputs:
            state = np.tanh(x @ w + state @ u + b)
        return state

    def written_for(lib: Any) -> Any:
        @lib.function
        def final_state(inputs: Any, w: Any, u: Any, b: Any) -> Any:
            state = lib.zeros([inputs.shape[1], u.shape[0]])
            for x in inputs:
                state = lib.tanh(x @ w + state @ u + b)
            return state

        return final_state

    calls: Calls = {NUMPY: lambda: plain(*given)}
    for name, lib in _rivals().items():
        traced, tensors = written_for(lib), [lib.constant(a) for a in given]
        calls[name] = lambda traced=traced, tensors=tensors: traced(*tensors).numpy()
    if has("jax"):
        jnp, lax = jax().numpy, jax().lax

        @jax().jit
        def compiled(inputs: Any, w: Any, u: Any, b: Any) -> Any:
            start = jnp.zeros((inputs.shape[1], u.shape[0]), jnp.float32)

            def step(state: Any, x: Any) -> Any:
                return jnp.tanh(x @ w + state @ u + b), None

            return lax.scan(step, start, inputs)[0]

        calls[JAX] = lambda: ready(compiled(*given))
    expected = plain(*given)
    for name, run in calls.items():
        np.testing.assert_allclose(np.asarray(run()), expected, atol=1e-4, err_msg=name)
    return calls
