"""Runs the command line: `python -m tablier` is the same as `tablier`."""

import sys

from tablier.cli import main

if __name__ == "__main__":
    sys.exit(main())
