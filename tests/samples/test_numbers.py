"""The samples about numbers, against plain Python and NumPy."""

import numpy as np
import pytest

import autograph_lite as ag


def plain_collatz(n):
    steps, highest = 0, n
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        highest = max(highest, n)
        steps += 1
    return steps, highest


@pytest.mark.parametrize("start", [1, 2, 27, 97, 837799])
def test_collatz(sample, start):
    steps, highest = sample("collatz").collatz(start)
    assert (int(steps), int(highest)) == plain_collatz(start)


def test_collatz_is_traced_once(sample):
    module = sample("collatz")
    for start in (3, 9, np.int64(12), ag.constant(20, ag.int64)):
        module.collatz(start)
    assert module.collatz.experimental_get_tracing_count() == 1


def test_longest_below(sample):
    best, most = sample("collatz").longest_below(1000)
    expected = max(range(1, 1000), key=lambda n: plain_collatz(n)[0])
    assert (int(best), int(most)) == (expected, plain_collatz(expected)[0])


def test_collatz_prints(sample, capsys):
    sample("collatz").main(["27", "--longest-below", "30"])
    assert capsys.readouterr().out == (
        "27: 111 steps, highest 9232\nlongest below 30: 27 with 111 steps\n"
    )


def test_collatz_refuses_what_never_ends(sample, capsys):
    with pytest.raises(SystemExit):
        sample("collatz").main(["0"])
    assert "a start is a number from 1 on, found 0" in capsys.readouterr().err


@pytest.mark.parametrize(
    "coefficients",
    [[1, -6, 11, -6], [2, 0, -8], [1, 0, -7, 6], [1, -10, 35, -50, 24], [3, -5]],
)
def test_newton_finds_all_real_roots(sample, coefficients):
    roots = sample("newton").main([str(c) for c in coefficients])
    expected = np.roots(np.array(coefficients, float)).real
    np.testing.assert_allclose(sorted(roots), sorted(expected), rtol=1e-6)


def test_newton_gives_up_where_there_is_no_root(sample, capsys):
    assert sample("newton").main(["1", "0", "1", "--most-steps", "50"]) == []
    assert capsys.readouterr().out == "no further real root found in 50 steps\n"


def test_newton_steps_aside_on_a_hilltop(sample):
    x, value, _ = sample("newton").find_root([1.0, 0.0, -4.0], 0.0, 100)
    assert abs(float(x)) == pytest.approx(2.0)
    assert abs(float(value)) < 1e-12


def plain_escape_times(real, imaginary, most):
    times = np.zeros(real.shape, np.int32)
    for place in np.ndindex(real.shape):
        c, z = complex(real[place], imaginary[place]), 0j
        while times[place] < most and z.real * z.real + z.imag * z.imag <= 4.0:
            z = complex(z.real * z.real - z.imag * z.imag + c.real, 2 * z.real * z.imag + c.imag)
            times[place] += 1
    return times


def test_mandelbrot(sample):
    module = sample("mandelbrot")
    real, imaginary = module.grid(60)
    times = module.escape_times(real, imaginary, ag.constant(80)).numpy()
    np.testing.assert_array_equal(times, plain_escape_times(real, imaginary, 80))


def test_mandelbrot_ends_when_all_have_escaped(sample):
    far = np.full((3, 3), 5.0)
    times = sample("mandelbrot").escape_times(far, far, ag.constant(10**9)).numpy()
    assert times.tolist() == [[1, 1, 1]] * 3


def test_mandelbrot_writes_a_picture(sample, tmp_path, capsys):
    out = tmp_path / "set.png"
    sample("mandelbrot").main(["--width", "80", "--steps", "60", "--out", str(out)])
    assert out.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert "80 x 60 points" in capsys.readouterr().out
    pyplot = pytest.importorskip("matplotlib.image")
    picture = pyplot.imread(out)
    assert picture.shape == (60, 80, 3)
    assert picture[30, 40].sum() == 0  # the middle is in the set, and black
    assert picture.max() > 0.9


def test_pagerank(sample):
    module = sample("pagerank")
    names, links = module.parsed(module.WEB)
    ranks, rounds = module.pagerank(
        links, ag.constant(0.85, ag.float64), ag.constant(1e-12, ag.float64)
    )
    degrees = links.sum(1)
    follow = np.where(degrees[:, None] > 0, links / np.maximum(degrees, 1)[:, None], 1 / len(names))
    google = 0.85 * follow + 0.15 / len(names)
    values, vectors = np.linalg.eig(google.T)
    expected = vectors[:, np.argmax(values.real)].real
    np.testing.assert_allclose(ranks.numpy(), expected / expected.sum(), atol=1e-9)
    assert 10 < int(rounds) < 500


def test_pagerank_prints(sample, capsys):
    sample("pagerank").main(["a: b", "b: a", "c: a"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[:3]] == ["a", "b", "c"]
    assert lines[-1].startswith("settled after")
