"""``python -m components``: what the pages make, without a browser."""

import signal
import sys

from components.command_line import main

signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # and what was begun is ended
sys.exit(main())
