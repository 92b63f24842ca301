"""The samples about boards, texts, signals and clusters, against plain Python and NumPy."""

import numpy as np
import pytest

import autograph_lite as ag


def plain_generation(board):
    around = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]
    neighbours = sum(np.roll(board, shift, (0, 1)) for shift in around)
    return ((neighbours == 3) | ((board == 1) & (neighbours == 2))).astype(np.int32)


@pytest.mark.parametrize("pattern", ["glider", "r-pentomino", "diehard"])
def test_life(sample, pattern):
    module = sample("life")
    board = module.placed(module.PATTERNS[pattern], 24)
    lived, generation, ending = module.live(board, ag.constant(40))
    assert (int(generation), int(ending)) == (40, 0)
    for _ in range(40):
        board = plain_generation(board)
    np.testing.assert_array_equal(lived.numpy(), board)


@pytest.mark.parametrize(
    "rows, ending",
    [(["OO", "OO"], 1), (["OOO"], 2), (["O"], 3), ([".OO.", "O..O", ".OO."], 1)],
    ids=["block", "blinker", "lone cell", "beehive"],
)
def test_life_knows_how_it_ends(sample, rows, ending):
    module = sample("life")
    board, generation, found = module.live(module.placed(rows, 12), ag.constant(1000))
    assert int(found) == ending
    assert int(generation) < 5
    if ending == 3:
        assert board.numpy().sum() == 0


def test_life_draws(sample, capsys):
    sample("life").main(["--pattern", "blinker", "--size", "10"])
    out = capsys.readouterr().out
    assert "blinker blinks after" in out
    assert "█" in out or "▀" in out


def plain_distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], last if x == y else 1 + min(last, row[j], row[j - 1])
    return row[-1]


@pytest.mark.parametrize(
    "a, b",
    [("kitten", "sitting"), ("intention", "execution"), ("", "abc"), ("abc", ""), ("same", "same")],
)
def test_edit_distance(sample, a, b):
    module = sample("edit_distance")
    distance, script = module.edits(module.letters(a), module.letters(b))
    assert int(distance) == plain_distance(a, b)
    assert replayed(module, a, b, script.numpy()) == b
    assert int(np.sum(script.numpy() != module.KEEP)) == int(distance)


def replayed(module, a, b, script):
    """What the script makes of `a`, taking the letters it brings in from `b`."""
    made, i = "", 0
    for edit in script:
        if edit == module.KEEP:
            made += a[i]
        elif edit != module.DELETE:
            made += b[len(made)]
        i += edit != module.INSERT
    assert i == len(a)
    return made


def test_edit_distance_of_random_texts_is_traced_once(sample):
    module = sample("edit_distance")
    rng = np.random.default_rng(7)
    for _ in range(20):
        a, b = ("".join(rng.choice(list("abc"), rng.integers(1, 15))) for _ in "ab")
        distance, _ = module.edits(module.letters(a), module.letters(b))
        assert int(distance) == plain_distance(a, b)
    assert module.edits.experimental_get_tracing_count() == 1


def test_edit_distance_prints(sample, capsys):
    sample("edit_distance").main(["kitten", "sitting"])
    assert capsys.readouterr().out == "kitten-\n*|||*|\nsitting\n3 edits\n"


def test_recurrent_listens_like_numpy(sample):
    module = sample("recurrent")
    signal = module.mackey_glass(60)
    weights_in, weights = module.network(20)
    states, last = module.listen(signal, weights_in, weights, ag.constant(10))
    state, expected = np.zeros(20), []
    for value in signal:
        state = np.tanh(weights_in[:, 0] * value + weights_in[:, 1] + weights @ state)
        expected.append(state)
    np.testing.assert_allclose(states.numpy(), expected[10:], atol=1e-12)
    np.testing.assert_allclose(last.numpy(), expected[-1], atol=1e-12)


def test_recurrent_dreams_until_it_is_wrong(sample):
    module = sample("recurrent")
    weights_in, weights = module.network(20)
    weights_out = np.linspace(-0.1, 0.1, 21)
    state, expected = np.zeros(20), []
    for _ in range(30):
        value = weights_out[1:] @ state + weights_out[0]
        expected.append(value)
        state = np.tanh(weights_in[:, 0] * value + weights_in[:, 1] + weights @ state)
    truth = np.array(expected)
    truth[17] += 1.0
    own = module.dream(
        np.zeros(20), weights_in, weights, weights_out, truth, ag.constant(0.5, ag.float64)
    )
    assert own.shape == (17,)
    np.testing.assert_allclose(own.numpy(), expected[:17], atol=1e-12)


def test_recurrent_learns_the_signal(sample, capsys):
    error, length = sample("recurrent").main(["--units", "100", "--steps", "1500"])
    assert error < 0.01
    assert length > 30
    assert "by itself it stays within 0.1" in capsys.readouterr().out


def plain_kmeans(points, centers):
    centers, members, rounds = centers.copy(), None, 0
    while True:
        squared = ((points[:, None] - centers) ** 2).sum(-1)
        nearest = squared.argmin(1)
        if members is not None and (nearest == members).all():
            return centers, members, squared.min(1).sum(), rounds
        members, rounds = nearest, rounds + 1
        for k in range(len(centers)):
            mine = members == k
            worst = points[squared.min(1).argmax()]
            centers[k] = points[mine].mean(0) if mine.any() else worst


def test_kmeans(sample):
    rng = np.random.default_rng(3)
    points = np.concatenate([rng.normal(at, 0.5, size=(40, 3)) for at in (0, 3, 6)])
    centers = np.array([points[0], points[1], points[2], [99.0, 99.0, 99.0]])
    found = sample("kmeans").kmeans(points, centers)
    expected = plain_kmeans(points, centers)
    assert int(found[3]) == expected[3] > 2
    np.testing.assert_array_equal(found[1].numpy(), expected[1])
    np.testing.assert_allclose(found[0].numpy(), expected[0])
    np.testing.assert_allclose(float(found[2]), expected[2])
    assert set(expected[1]) == {0, 1, 2, 3}  # the empty cluster got a member


def test_kmeans_on_digits_agrees_with_scikit_learn(sample, capsys):
    cluster = pytest.importorskip("sklearn.cluster")
    module = sample("kmeans")
    points, labels = module.digits()
    start = points[np.random.default_rng(1).choice(len(points), 10, replace=False)]
    centers, members, inertia, rounds = module.kmeans(points, start)
    theirs = cluster.KMeans(10, init=start, n_init=1, tol=0, algorithm="lloyd").fit(points)
    np.testing.assert_array_equal(members.numpy(), theirs.labels_)
    np.testing.assert_allclose(centers.numpy(), theirs.cluster_centers_, atol=1e-8)
    np.testing.assert_allclose(float(inertia), theirs.inertia_)
    assert module.main(["--seed", "1"]) == int(rounds)
    out = capsys.readouterr().out
    assert "of 1797 digits are in a cluster of their kind" in out


def test_kmeans_says_what_to_install(sample, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "sklearn.datasets", None)
    with pytest.raises(SystemExit, match=r"pip install 'autograph-lite\[samples\]'"):
        sample("kmeans").digits()
