"""`python -m tablier` is `tablier`."""

import sys

from tablier.cli import main

if __name__ == "__main__":
    sys.exit(main())
