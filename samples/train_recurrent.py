"""A recurrent network learns to write like Python's own manual, letter by letter.

The text is the one behind `help()`, which every Python carries. The loop over the steps of training
and, inside of it, the loop over the letters are one traced function; gradients go back through both
loops' bodies in the graph. The network's surprise is told in bits a letter: about 4.7 for one who
knows only how common each letter is.

    python samples/train_recurrent.py --steps 600 --write 300
"""

import argparse
import collections
import math
import re

import numpy as np

import autograph_lite as ag

LETTERS = "\n abcdefghijklmnopqrstuvwxyz.,:;()[]'\"=_-*<>/0123456789"
OTHER = "?"


def load(held_out=0.1):
    """Python's manual as numbers of letters: what to learn from, and what to test with."""
    from pydoc_data.topics import topics

    text = "\n".join(topics[name] for name in sorted(topics)).lower()
    text = re.sub(r"([ =*-])\1+", r"\1", text)
    number = {letter: i for i, letter in enumerate(LETTERS + OTHER)}
    codes = np.array([number.get(letter, len(LETTERS)) for letter in text], np.int32)
    split = int(len(codes) * (1 - held_out))
    return codes[:split], codes[split:]


class Network(ag.Module):
    """A gated recurrent unit between an embedding and a softmax."""

    def __init__(self, letters, units, seed=0):
        super().__init__()
        rng = np.random.default_rng(seed)

        def weights(*shape):
            start = rng.normal(size=shape) / np.sqrt(shape[0])
            return ag.Variable(start.astype(np.float32))

        self.units = units
        self.embedding = ag.Variable(rng.normal(size=(letters, units)).astype(np.float32) * 0.3)
        self.gates_in, self.gates = weights(units, 2 * units), weights(units, 2 * units)
        self.gates_bias = ag.Variable(np.ones(2 * units, np.float32))
        self.new_in, self.new = weights(units, units), weights(units, units)
        self.new_bias = ag.Variable(np.zeros(units, np.float32))
        self.out, self.out_bias = (
            weights(units, letters),
            ag.Variable(np.zeros(letters, np.float32)),
        )

    def step(self, letter, state):
        """The state after reading one letter in each row, and the logits of the next."""
        x = ag.gather(self.embedding, letter)
        gates = ag.sigmoid(
            ag.matmul(x, self.gates_in) + ag.matmul(state, self.gates) + self.gates_bias
        )
        keep, use = gates[:, : self.units], gates[:, self.units :]
        new = ag.tanh(ag.matmul(x, self.new_in) + ag.matmul(use * state, self.new) + self.new_bias)
        state = keep * state + (1.0 - keep) * new
        return state, ag.matmul(state, self.out) + self.out_bias

    def surprise(self, rows):
        """The mean surprise, in bits a letter, at all letters of some rows but the first."""
        state = ag.zeros([rows.shape[0], self.units])
        total = 0.0
        for t in ag.range(rows.shape[1] - 1):
            state, logits = self.step(rows[:, t], state)
            losses = ag.nn.sparse_softmax_cross_entropy_with_logits(
                labels=rows[:, t + 1], logits=logits
            )
            total += ag.reduce_mean(losses)
        return total / ((rows.shape[1] - 1) * math.log(2.0))


def make_training(model, optimizer, batch, length):
    """The traced function that trains the model on random pieces of a text."""

    @ag.function
    def train(codes, steps):
        variables = model.trainable_variables
        history = ag.TensorArray(ag.float32, size=steps, element_shape=[])
        for step in ag.range(steps):
            starts = ag.random.uniform([batch, 1], 0, len(codes) - length, ag.int32)
            rows = ag.gather(codes, starts + ag.range(length))
            with ag.GradientTape() as tape:
                loss = model.surprise(rows)
            optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
            history = history.write(step, loss)
            if step % 100 == 99:
                print("step", step + 1, "surprise", loss)
        return history.stack()

    return train


def make_writer(model):
    """The traced function that lets the model write."""

    @ag.function
    def write(first, count):
        state = ag.zeros([1, model.units])
        letter = ag.reshape(first, [1])
        written = ag.TensorArray(ag.int32, size=count, element_shape=[])
        for i in ag.range(count):
            state, logits = model.step(letter, state)
            letter = ag.random.categorical(logits * 1.5, 1, ag.int32)[:, 0]
            written = written.write(i, letter[0])
        return written.stack()

    return write


def commonness(codes):
    """The surprise, in bits a letter, of one who knows only how common each letter is."""
    counts = np.array(list(collections.Counter(codes.tolist()).values()), float)
    parts = counts / counts.sum()
    return float(-(parts * np.log2(parts)).sum())


def run(steps=600, units=96, batch=24, length=40, rate=0.004, seed=0):
    """Trains; gives the model, the surprise at each step, and that at the text held out."""
    ag.random.set_seed(seed)
    codes, unseen = load()
    model = Network(len(LETTERS) + 1, units, seed)
    schedule = ag.optimizers.schedules.CosineDecay(rate, steps, alpha=0.05)
    optimizer = ag.optimizers.Adam(schedule, global_clipnorm=5.0)
    train = make_training(model, optimizer, batch, length)
    history = train(ag.constant(codes), ag.constant(steps)).numpy()
    rows = unseen[: len(unseen) // 100 * 100].reshape(-1, 100)[:200]
    tested = ag.function(model.surprise)(ag.constant(rows))
    return model, history, float(tested)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--units", type=int, default=96)
    parser.add_argument("--batch", type=int, default=24, help="pieces of text a step")
    parser.add_argument("--length", type=int, default=40, help="letters of a piece")
    parser.add_argument("--rate", type=float, default=0.004, help="learning rate at the start")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", type=int, default=300, help="letters to write afterwards")
    options = parser.parse_args(arguments)
    model, _, tested = run(
        options.steps, options.units, options.batch, options.length, options.rate, options.seed
    )
    print(f"surprise at unseen text: {tested:.2f} bits a letter")
    if options.write:
        letters = make_writer(model)(ag.constant(LETTERS.index("t")), ag.constant(options.write))
        print("t" + "".join((LETTERS + OTHER)[i] for i in letters.numpy()))


if __name__ == "__main__":
    main()
