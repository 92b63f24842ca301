"""The Collatz problem: halve what is even, triple what is odd and add one, until it is 1.

python samples/collatz.py 27 97 837799 --longest-below 3000
"""

import argparse

import autograph_lite as ag


@ag.function(input_signature=[ag.TensorSpec([], ag.int64)])
def collatz(n):
    """The number of steps to 1, and the highest number on the way."""
    steps = 0
    highest = n
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        if n > highest:
            highest = n
        steps += 1
    return steps, highest


@ag.function(input_signature=[ag.TensorSpec([], ag.int64)])
def longest_below(limit):
    """The start below `limit` that takes the most steps, and how many it takes."""
    best, most = 1, 0
    for start in range(1, limit):
        steps, _ = collatz(start)
        if steps > most:
            best, most = start, steps
    return best, most


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("starts", nargs="*", type=int, default=[27, 97, 871, 837799])
    parser.add_argument("--longest-below", type=int, metavar="LIMIT")
    options = parser.parse_args(argv)
    for start in options.starts:
        if start < 1:
            parser.error(f"a start is a number from 1 on, found {start}")
        steps, highest = collatz(start)
        print(f"{start}: {steps} steps, highest {highest}")
    if options.longest_below:
        best, most = longest_below(options.longest_below)
        print(f"longest below {options.longest_below}: {best} with {most} steps")


if __name__ == "__main__":
    main()
