"""The edit distance of two texts, and the edits themselves.

python samples/edit_distance.py kitten sitting
"""

import argparse

import numpy as np

import autograph_lite as ag

KEEP, REPLACE, DELETE, INSERT = range(4)


@ag.function(input_signature=[ag.TensorSpec([None], ag.int32), ag.TensorSpec([None], ag.int32)])
def edits(a, b):
    """The fewest edits that make `a` into `b`.

    Args:
      a: the code points of a text, int32 of shape (n,).
      b: those of another, shape (m,).

    Returns:
      Their number, and the edits in order, the kept letters included (KEEP, REPLACE, DELETE or
      INSERT), int32.
    """
    n, m = len(a), len(b)
    table = ag.zeros([n + 1, m + 1], ag.int32)
    for i in range(n + 1):
        table[i, 0] = i
    for j in range(m + 1):
        table[0, j] = j
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            if a[i - 1] == b[j - 1]:
                cost = table[i - 1, j - 1]
            else:
                cost = 1 + min(table[i - 1, j - 1], table[i - 1, j], table[i, j - 1])
            table[i, j] = cost
    script = ag.zeros([n + m], ag.int32)
    count = 0
    i, j = n, m
    while i > 0 or j > 0:
        if i > 0 and j > 0 and a[i - 1] == b[j - 1] and table[i, j] == table[i - 1, j - 1]:
            script[count] = KEEP
            i, j = i - 1, j - 1
        elif i > 0 and j > 0 and table[i, j] == 1 + table[i - 1, j - 1]:
            script[count] = REPLACE
            i, j = i - 1, j - 1
        elif i > 0 and table[i, j] == 1 + table[i - 1, j]:
            script[count] = DELETE
            i -= 1
        else:
            script[count] = INSERT
            j -= 1
        count += 1
    return table[n, m], ag.reverse(script[:count], [0])


def letters(text):
    """A text as an array of its code points."""
    return np.array([ord(c) for c in text], np.int32)


def shown(a, b, script):
    """Three lines: the first text, the marks between, and the second text."""
    top, marks, bottom = "", "", ""
    i = j = 0
    for edit in script:
        top += "-" if edit == INSERT else a[i]
        bottom += "-" if edit == DELETE else b[j]
        marks += "|*  "[edit]
        i += edit != INSERT
        j += edit != DELETE
    return f"{top}\n{marks.rstrip()}\n{bottom}"


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("a", nargs="?", default="kitten")
    parser.add_argument("b", nargs="?", default="sitting")
    options = parser.parse_args(argv)
    if not options.a and not options.b:
        parser.error("two empty texts have nothing between them")
    distance, script = edits(letters(options.a), letters(options.b))
    print(shown(options.a, options.b, script.numpy()))
    print(f"{distance} edits")


if __name__ == "__main__":
    main()
