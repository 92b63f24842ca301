"""Newton's method: the roots of a polynomial, one after the other.

python samples/newton.py 1 -6 11 -6          # x^3 - 6x^2 + 11x - 6
"""

import argparse

import autograph_lite as ag


@ag.function(
    input_signature=[
        ag.TensorSpec([None], ag.float64),
        ag.TensorSpec([], ag.float64),
        ag.TensorSpec([], ag.int32),
    ]
)
def find_root(coefficients, x, most_steps):
    """Walks from `x` to a root of a polynomial.

    Args:
      coefficients: the highest power's first.
      x: where to start.
      most_steps: after how many steps to give up.

    Returns:
      Where it ended, the polynomial's value there, and how many steps it took.
    """
    steps = 0
    value = ag.constant(0.0, ag.float64)
    while True:
        value = 0.0
        slope = 0.0
        for c in coefficients:  # Horner's rule, for the value and the slope at once
            slope = slope * x + value
            value = value * x + c
        if abs(value) < 1e-12 or steps == most_steps:
            break
        if slope == 0:
            x += 0.5  # on a hilltop there is no way down: step aside
        else:
            step = value / slope
            while abs(step) > 2 + abs(x):  # a leap out of sight: shorten it
                step /= 2
            x -= step
        steps += 1
    return x, value, steps


def divided(coefficients, root):
    """The polynomial without one of its roots."""
    quotient = []
    carry = 0.0
    for c in coefficients[:-1]:
        carry = carry * root + c
        quotient.append(carry)
    return quotient


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "coefficients", nargs="*", type=float, default=[1.0, -6.0, 11.0, -6.0],
        help="the highest power's first"
    )  # fmt: skip
    parser.add_argument("--start", type=float, default=0.0)
    parser.add_argument("--most-steps", type=int, default=200)
    options = parser.parse_args(argv)
    rest = options.coefficients
    if len(rest) < 2 or rest[0] == 0:
        parser.error("a polynomial needs at least two coefficients, the first one not 0")
    roots = []
    while len(rest) > 1:
        x, value, steps = find_root(rest, options.start, options.most_steps)
        if abs(value) > 1e-9:
            print(f"no further real root found in {steps} steps")
            break
        roots.append(float(x))
        print(f"root {float(x):.10g} in {steps} steps")
        rest = divided(rest, roots[-1])
    return roots


if __name__ == "__main__":
    main()
