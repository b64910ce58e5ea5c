"""`python -m graph`: see `graph.cli`."""

import sys

from graph.cli import main

if __name__ == "__main__":
    sys.exit(main())
