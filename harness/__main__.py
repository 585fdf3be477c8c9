"""`python -m harness` is the command `mutascope`."""

import sys

from harness.command_line.main import main

if __name__ == "__main__":
    sys.exit(main())
