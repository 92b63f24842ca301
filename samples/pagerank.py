"""PageRank: which pages of a small web are the important ones.

python samples/pagerank.py "home: about news shop" "news: home shop" "shop: home"
"""

import argparse

import numpy as np

import autograph_lite as ag

WEB = [
    "home: about news shop blog",
    "about: home team",
    "team: about",
    "news: home blog archive",
    "blog: news archive home",
    "archive: news",
    "shop: home cart",
    "cart: shop checkout",
    "checkout:",
]


@ag.function
def pagerank(links, damping, tolerance):
    """The chance to find a wanderer on each page after a long time.

    Args:
      links: shape (pages, pages), 1.0 where the row's page links to the column's.
      damping: how often the wanderer follows a link rather than going anywhere.
      tolerance: the loop ends when no page's chance changes by more.

    Returns:
      The chances, which sum to 1, and the number of rounds.
    """
    pages = links.shape[0]
    degrees = ag.reduce_sum(links, axis=1)
    # From a page without links the wanderer goes anywhere.
    follow = ag.where(degrees[:, None] > 0, links / ag.maximum(degrees, 1.0)[:, None], 1.0 / pages)
    ranks = ag.fill([pages], ag.constant(1.0 / pages, ag.float64))
    rounds = 0
    while True:
        moved = damping * ag.linalg.matvec(follow, ranks, transpose_a=True)
        moved += (1.0 - damping) / pages
        change = ag.reduce_max(ag.abs(moved - ranks))
        ranks = moved
        rounds += 1
        if change <= tolerance:
            break
    return ranks, rounds


def parsed(lines):
    """The names of the pages and the matrix of their links."""
    pairs = [
        (name.strip(), targets.split()) for name, _, targets in (x.partition(":") for x in lines)
    ]
    names = list(dict.fromkeys(n for name, targets in pairs for n in (name, *targets)))
    links = np.zeros((len(names), len(names)))
    for name, targets in pairs:
        for target in targets:
            links[names.index(name), names.index(target)] = 1.0
    return names, links


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lines", nargs="*", default=WEB, help='such as "home: about news"')
    parser.add_argument("--damping", type=float, default=0.85)
    parser.add_argument("--tolerance", type=float, default=1e-10)
    options = parser.parse_args(argv)
    if not 0 <= options.damping < 1:
        parser.error("the damping is at least 0 and below 1")
    names, links = parsed(options.lines)
    damping = ag.constant(options.damping, ag.float64)
    ranks, rounds = pagerank(links, damping, ag.constant(options.tolerance, ag.float64))
    for place in np.argsort(-ranks.numpy(), kind="stable"):
        rank = float(ranks[place])
        print(f"{names[place]:12} {rank:.4f} {'#' * round(rank * 60)}")
    print(f"settled after {rounds} rounds")


if __name__ == "__main__":
    main()
