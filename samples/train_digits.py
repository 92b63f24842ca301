"""A perceptron learns scikit-learn's handwritten digits; all of the training is one traced call.

The loop over the epochs, the shuffling, the loop over the batches, the gradients and Adam's steps
are a single graph. It reports to a progress bar as it goes (with tqdm installed), and gives back
the loss of every epoch, which can be plotted (with matplotlib).

    python samples/train_digits.py --epochs 40 --plot loss.png
"""

import argparse
import itertools

import numpy as np

import autograph_lite as ag


def load(held_out=0.25, seed=0):
    """The digits as (images, labels) to train on, and (images, labels) to test with."""
    from sklearn.datasets import load_digits

    images, labels = load_digits(return_X_y=True)
    images = (images / 16.0).astype(np.float32)
    order = np.random.default_rng(seed).permutation(len(images))
    split = int(len(images) * (1 - held_out))
    parts = order[:split], order[split:]
    return [(images[part], labels[part].astype(np.int32)) for part in parts]


class Perceptron(ag.Module):
    """Two hidden layers of rectified linear units."""

    def __init__(self, inputs, hidden, classes, seed=0):
        super().__init__()
        rng = np.random.default_rng(seed)
        sizes = [inputs, hidden, hidden, classes]
        self.weights = []
        self.biases = []
        for before, after in itertools.pairwise(sizes):
            start = rng.normal(size=(before, after)) * np.sqrt(2.0 / before)
            self.weights.append(ag.Variable(start.astype(np.float32)))
            self.biases.append(ag.Variable(np.zeros(after, np.float32)))

    def __call__(self, x):
        """The logits, shape (rows, classes)."""
        *hidden, last = zip(self.weights, self.biases)
        for weight, bias in hidden:
            x = ag.nn.relu(ag.matmul(x, weight) + bias)
        return ag.matmul(x, last[0]) + last[1]


def make_training(model, optimizer, batch, report):
    """The traced function that trains the model.

    Args:
      model: the perceptron.
      optimizer: what makes the steps.
      batch: how many images a step sees.
      report: a Python function of the epoch and its loss, called while the graph runs.
    """

    @ag.function
    def train(images, labels, epochs):
        variables = model.trainable_variables
        count = len(images)
        history = ag.TensorArray(ag.float32, size=epochs, element_shape=[])
        for epoch in ag.range(epochs):
            order = ag.random.shuffle(ag.range(count))
            total = 0.0
            for start in ag.range(0, count - batch + 1, batch):
                rows = order[start : start + batch]
                with ag.GradientTape() as tape:
                    logits = model(ag.gather(images, rows))
                    losses = ag.nn.sparse_softmax_cross_entropy_with_logits(
                        labels=ag.gather(labels, rows), logits=logits
                    )
                    loss = ag.reduce_mean(losses)
                optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
                total += loss
            mean = total / ag.cast(count // batch, ag.float32)
            history = history.write(epoch, mean)
            ag.py_function(report, [epoch, mean], [])
        return history.stack()

    return train


def accuracy(model, images, labels):
    """The part of the images that the model tells right."""
    found = ag.argmax(model(ag.constant(images)), axis=1, output_type=ag.int32)
    return float(ag.reduce_mean(ag.cast(found == labels, ag.float32)))


def progress(epochs, quiet):
    """A function that shows how far training is: a tqdm bar, lines of text without tqdm."""
    if quiet:
        return lambda epoch, loss: None
    try:
        from tqdm import tqdm
    except ImportError:
        return lambda epoch, loss: print(f"epoch {int(epoch) + 1}/{epochs}: loss {float(loss):.4f}")
    bar = tqdm(total=epochs, unit="epoch")

    def show(epoch, loss):
        bar.set_postfix(loss=f"{float(loss):.4f}")
        bar.update()
        if int(epoch) + 1 == epochs:
            bar.close()

    return show


def plot(history, path):
    """Draws the loss over the epochs into a file."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 4))
    axes.semilogy(np.arange(1, len(history) + 1), history)
    axes.set_xlabel("epoch")
    axes.set_ylabel("loss")
    figure.savefig(path, bbox_inches="tight")
    plt.close(figure)


def run(epochs=40, hidden=64, batch=32, rate=0.003, seed=0, quiet=False):
    """Trains and tests; gives the loss of each epoch and the accuracy on unseen digits."""
    ag.random.set_seed(seed)
    (images, labels), (unseen, answers) = load(seed=seed)
    model = Perceptron(images.shape[1], hidden, 10, seed)
    train = make_training(model, ag.optimizers.Adam(rate), batch, progress(epochs, quiet))
    history = train(ag.constant(images), ag.constant(labels), ag.constant(epochs)).numpy()
    return history, accuracy(model, unseen, answers)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--hidden", type=int, default=64, help="units of a hidden layer")
    parser.add_argument("--batch", type=int, default=32, help="images a step")
    parser.add_argument("--rate", type=float, default=0.003, help="learning rate")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plot", metavar="FILE", help="draw the loss into this file")
    options = parser.parse_args(arguments)
    history, found = run(options.epochs, options.hidden, options.batch, options.rate, options.seed)
    print(f"loss {history[0]:.3f} -> {history[-1]:.4f}; accuracy on unseen digits {found:.1%}")
    if options.plot:
        plot(history, options.plot)


if __name__ == "__main__":
    main()
