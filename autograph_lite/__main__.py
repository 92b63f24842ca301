"""`python -m autograph_lite` is the command `autograph-lite`."""

import sys

from autograph_lite.cli import main

if __name__ == "__main__":
    sys.exit(main())
