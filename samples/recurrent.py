"""A recurrent network over time: it listens to a chaotic signal, then goes on by itself.

The network is an echo state network: its recurrent weights are random and stay as they are; only
the weights from its state to its prediction are learnt, by least squares. The signal is that of
Mackey and Glass, a usual test. How long the network's own signal stays close to the true one, the
graph finds out: its loop ends when they part.

    python samples/recurrent.py --units 300 --steps 3000
"""

import argparse

import numpy as np

import autograph_lite as ag


@ag.function
def listen(signal, weights_in, weights, washout):
    """Runs the network along a signal.

    Args:
      signal: shape (steps,).
      weights_in: from the signal to the units, shape (units, 2); the second column is a bias.
      weights: from the units to the units, shape (units, units).
      washout: an int32 scalar: how many steps to pass over, until the start is forgotten.

    Returns:
      The states after each step from `washout` on, shape (steps - washout, units), and the last.
    """
    units = weights.shape[0]
    state = ag.zeros([units], ag.float64)
    states = ag.zeros([len(signal) - washout, units], ag.float64)
    time = 0
    for value in signal:
        state = ag.tanh(
            weights_in[:, 0] * value + weights_in[:, 1] + ag.linalg.matvec(weights, state)
        )
        if time >= washout:
            states[time - washout] = state
        time += 1
    return states, state


@ag.function
def dream(state, weights_in, weights, weights_out, truth, tolerance):
    """Feeds the network its own predictions for as long as they are true.

    Args:
      state: the units' state to start from.
      weights_in: as for `listen`.
      weights: as for `listen`.
      weights_out: from the state and a bias to the prediction, shape (units + 1,).
      truth: the signal as it went on, shape (steps,).
      tolerance: how far a prediction may be off.

    Returns:
      The predictions that were within the tolerance.
    """
    predictions = ag.zeros_like(truth)
    time = 0
    for true in truth:
        value = ag.reduce_sum(weights_out[1:] * state) + weights_out[0]
        if abs(value - true) > tolerance:
            break
        predictions[time] = value
        time += 1
        state = ag.tanh(
            weights_in[:, 0] * value + weights_in[:, 1] + ag.linalg.matvec(weights, state)
        )
    return predictions[:time]


def mackey_glass(steps, delay=17):
    """The signal x' = 0.2 x(t - delay) / (1 + x(t - delay)^10) - 0.1 x, once a second."""
    finer = 10
    values = [1.2] * (delay * finer + 1)
    for _ in range((steps + 200) * finer):
        late = values[-delay * finer - 1]
        values.append(values[-1] + (0.2 * late / (1 + late**10) - 0.1 * values[-1]) / finer)
    return np.array(values[-steps * finer :: finer]) - 1.0


def network(units, radius=0.95, seed=0):
    """Random weights; a radius below 1 lets the past fade."""
    rng = np.random.default_rng(seed)
    weights = rng.normal(size=(units, units)) * (rng.random((units, units)) < 10 / units)
    weights *= radius / abs(np.linalg.eigvals(weights)).max()
    return rng.uniform(-1, 1, size=(units, 2)) * [1.0, 0.2], weights


def learn(states, targets, ridge=1e-8):
    """The weights that turn states into targets, by regularised least squares."""
    with_bias = np.column_stack([np.ones(len(states)), states])
    square = with_bias.T @ with_bias + ridge * np.eye(with_bias.shape[1])
    return np.linalg.solve(square, with_bias.T @ targets)


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--units", type=int, default=300)
    parser.add_argument("--steps", type=int, default=3000, help="how long it listens")
    parser.add_argument("--tolerance", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(argv)
    washout = 200
    if options.units < 10 or options.steps <= 2 * washout:
        parser.error(f"at least 10 units and more than {2 * washout} steps are needed")
    signal = mackey_glass(options.steps + 1000)
    heard, future = signal[: options.steps], signal[options.steps :]
    weights_in, weights = network(options.units, seed=options.seed)
    states, last = listen(heard, weights_in, weights, ag.constant(washout))
    targets = signal[washout + 1 : options.steps + 1]
    weights_out = learn(states.numpy(), targets)
    fitted = states.numpy() @ weights_out[1:] + weights_out[0]
    error = np.sqrt(np.mean((fitted - targets) ** 2)) / targets.std()
    print(f"one step ahead, the error is {error:.2e} of the signal's spread")
    own = dream(last, weights_in, weights, weights_out, future, ag.constant(options.tolerance))
    print(f"by itself it stays within {options.tolerance} for {len(own)} of {len(future)} steps")
    for time in range(0, min(len(own), 120), 3):
        column = round(30 + 40 * float(future[time]))
        mine = round(30 + 40 * float(own[time]))
        line = [" "] * 80
        line[column], line[mine] = ".", "o"
        print("".join(line).rstrip())
    return error, len(own)


if __name__ == "__main__":
    main()
