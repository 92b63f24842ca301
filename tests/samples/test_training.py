"""The samples that train networks."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import autograph_lite as ag


def test_digits_are_learnt(sample):
    pytest.importorskip("sklearn")
    module = sample("train_digits")
    history, accuracy = module.run(epochs=15, quiet=True)
    assert history.shape == (15,)
    assert history[-1] < 0.1 * history[0]
    assert accuracy >= 0.95


def test_training_is_one_trace(sample):
    module = sample("train_digits")
    model = module.Perceptron(4, 3, 2)
    seen = []
    train = module.make_training(
        model, ag.optimizers.SGD(0.1), 2, lambda epoch, loss: seen.append(int(epoch))
    )
    rng = np.random.default_rng(0)
    images = ag.constant(rng.normal(size=(7, 4)).astype(np.float32))
    labels = ag.constant(np.array([0, 1, 0, 1, 1, 0, 1], np.int32))
    assert train(images, labels, ag.constant(3)).shape == (3,)
    assert train(images, labels, ag.constant(2)).shape == (2,)
    assert seen == [0, 1, 2, 0, 1]
    assert train.experimental_get_tracing_count() <= 2


def test_the_digits_program_reports_and_plots(sample, tmp_path, capsys, monkeypatch):
    pytest.importorskip("sklearn")
    pytest.importorskip("matplotlib")
    monkeypatch.setitem(sys.modules, "tqdm", None)
    path = tmp_path / "loss.png"
    sample("train_digits").main(["--epochs", "2", "--plot", str(path)])
    out = capsys.readouterr().out
    assert "epoch 2/2: loss" in out and "accuracy on unseen digits" in out
    assert path.stat().st_size > 1000


def test_letters_are_learnt(sample, capsys):
    module = sample("train_recurrent")
    model, history, surprise = module.run(steps=200, units=48, rate=0.01)
    guessing = module.commonness(module.load()[1])
    assert surprise < guessing - 1.0
    assert history[-20:].mean() < history[:20].mean() - 1.0
    letters = module.make_writer(model)(ag.constant(5), ag.constant(20)).numpy()
    assert letters.shape == (20,) and (letters >= 0).all()
    assert "step 100 surprise" in capsys.readouterr().out


def test_the_gradient_of_the_recurrent_network(sample):
    module = sample("train_recurrent")
    model = module.Network(7, 5)
    rows = ag.constant(np.random.default_rng(0).integers(0, 7, (3, 6)).astype(np.int32))
    variables = model.trainable_variables

    def gradients():
        with ag.GradientTape() as tape:
            surprise = model.surprise(rows)
        return tape.gradient(surprise, variables)

    for eager, traced in zip(gradients(), ag.function(gradients)(), strict=True):
        np.testing.assert_allclose(traced.numpy(), eager.numpy(), rtol=1e-4, atol=1e-6)
