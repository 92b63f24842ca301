"""Conway's Game of Life on a torus, until it stands still, blinks or has lived long enough.

python samples/life.py --pattern r-pentomino --size 40 --generations 500
"""

import argparse

import numpy as np

import autograph_lite as ag

PATTERNS = {
    "glider": [".O.", "..O", "OOO"],
    "r-pentomino": [".OO", "OO.", ".O."],
    "blinker": ["OOO"],
    "diehard": ["......O.", "OO......", ".O...OOO"],
}


@ag.function
def live(board, most):
    """Lets a board live.

    Args:
      board: int32, 1 where there is life, shape (rows, columns).
      most: an int32 scalar, the most generations.

    Returns:
      The last board, how many generations it took, and why it ended: 0 it lives on, 1 it stands
      still, 2 it blinks between two boards, 3 all are dead.
    """
    before = ag.zeros_like(board)
    generation = 0
    ending = 0
    while generation < most:
        neighbours = ag.zeros_like(board)
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                if down != 0 or right != 0:  # Python's numbers: these loops are unrolled
                    neighbours += ag.roll(board, [down, right], axis=[0, 1])
        born = neighbours == 3
        stays = (board == 1) & (neighbours == 2)
        after = ag.cast(born | stays, ag.int32)
        if ag.reduce_all(after == board):
            ending = 1 if ag.reduce_any(board == 1) else 3
            break
        generation += 1
        before, board = board, after
        if generation > 1 and ag.reduce_all(blinked(before, board) == before):
            ending = 2
            break
    return board, generation, ending


def blinked(before, board):
    """The board two generations after `before`, for which `board` is the next."""
    neighbours = -board
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            neighbours += ag.roll(board, [down, right], axis=[0, 1])
    return ag.cast((neighbours == 3) | ((board == 1) & (neighbours == 2)), ag.int32)


def placed(pattern, size):
    """A pattern in the middle of an empty board."""
    cells = np.array([[c == "O" for c in row] for row in pattern], np.int32)
    board = np.zeros((size, size), np.int32)
    top, left = (size - cells.shape[0]) // 2, (size - cells.shape[1]) // 2
    board[top : top + cells.shape[0], left : left + cells.shape[1]] = cells
    return board


def drawn(board):
    """A board as text, two rows a line."""
    padded = np.vstack([board, np.zeros((len(board) % 2, board.shape[1]), np.int32)])
    shapes = " ▀▄█"
    pairs = padded[::2] + 2 * padded[1::2]
    return "\n".join("".join(shapes[p] for p in row).rstrip() for row in pairs)


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pattern", choices=sorted(PATTERNS), default="r-pentomino")
    parser.add_argument("--size", type=int, default=40)
    parser.add_argument("--generations", type=int, default=1000)
    options = parser.parse_args(argv)
    if options.size < 10:
        parser.error("the board is at least 10 wide")
    start = placed(PATTERNS[options.pattern], options.size)
    board, generation, ending = live(start, ag.constant(options.generations))
    print(drawn(board.numpy()))
    words = ["lives on", "stands still", "blinks", "is extinct"][int(ending)]
    print(f"{options.pattern} {words} after {generation} generations; {board.numpy().sum()} alive")


if __name__ == "__main__":
    main()
