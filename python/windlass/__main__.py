"""The command ``windlass``; also ``python -m windlass``."""

from __future__ import annotations

import signal
import sys

from windlass import _core


def main() -> int:
    """Runs the command with the arguments of the process."""
    # the command handles signals itself: Python's handlers would run only after it
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _core.main(["windlass", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
