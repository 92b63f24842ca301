"""k-means over scikit-learn's handwritten digits, until no digit changes its cluster.

python samples/kmeans.py --clusters 10
"""

import argparse
import sys

import numpy as np

import autograph_lite as ag


@ag.function
def kmeans(points, centers):
    """Lloyd's algorithm, run until it converges.

    Args:
      points: shape (points, features).
      centers: where the clusters start, shape (clusters, features).

    Returns:
      The final centers, the cluster of each point, the sum of squared distances to the centers,
      and the number of rounds.
    """
    clusters = centers.shape[0]
    members = ag.fill([points.shape[0]], -1)
    distances = ag.zeros([points.shape[0]], points.dtype)
    rounds = 0
    changed = True
    while changed:
        squared = (
            ag.reduce_sum(points**2, axis=1)[:, None]
            - 2.0 * ag.matmul(points, centers, transpose_b=True)
            + ag.reduce_sum(centers**2, axis=1)[None, :]
        )
        nearest = ag.argmin(squared, axis=1, output_type=ag.int32)
        distances = ag.reduce_min(squared, axis=1)
        changed = ag.reduce_any(nearest != members)
        members = nearest
        if changed:
            for k in ag.range(clusters):
                mine = ag.cast(members == k, points.dtype)
                count = ag.reduce_sum(mine)
                if count > 0:
                    center = ag.linalg.matvec(points, mine, transpose_a=True) / count
                else:
                    # Nobody is left in it: it starts again at the point worst served.
                    center = points[ag.argmax(distances)]
                centers[k] = center
            rounds += 1
    return centers, members, ag.reduce_sum(distances), rounds


def digits():
    """The images as rows of 64 numbers from 0 to 1, and what they show."""
    try:
        from sklearn.datasets import load_digits
    except ImportError:
        sys.exit(
            "this sample reads scikit-learn's digits: pip install 'autograph-lite[samples]' "
            "(or pip install scikit-learn)"
        )
    data = load_digits()
    return data.data / 16.0, data.target


def drawn(center):
    """A center as text."""
    shades = " .:-=+*#%@"
    image = np.clip(center.reshape(8, 8), 0, 1)
    return ["".join(shades[int(v * 9.99)] * 2 for v in row) for row in image]


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clusters", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(argv)
    points, labels = digits()
    if not 1 <= options.clusters <= len(points):
        parser.error(f"between 1 and {len(points)} clusters, found {options.clusters}")
    rng = np.random.default_rng(options.seed)
    start = points[rng.choice(len(points), options.clusters, replace=False)]
    centers, members, inertia, rounds = kmeans(points, start)
    centers, members = centers.numpy(), members.numpy()
    names = [np.bincount(labels[members == k], minlength=10) for k in range(options.clusters)]
    right = sum(counts.max() for counts in names)
    print(f"converged after {rounds} rounds; squared distances {float(inertia):.2f}")
    print(f"{right / len(points):.1%} of {len(points)} digits are in a cluster of their kind")
    for first in range(0, options.clusters, 4):
        group = range(first, min(first + 4, options.clusters))
        print(
            "   ".join(f"{names[k].argmax()} ({names[k].sum()})".ljust(16) for k in group).rstrip()
        )
        for lines in zip(*(drawn(centers[k]) for k in group), strict=True):
            print("   ".join(lines).rstrip())
        print()
    return rounds


if __name__ == "__main__":
    main()
