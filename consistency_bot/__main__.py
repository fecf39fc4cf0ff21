"""`python -m consistency_bot`, the same as the command `consistency-bot`."""

import sys

from consistency_bot.cli import main

if __name__ == "__main__":
    sys.exit(main())
