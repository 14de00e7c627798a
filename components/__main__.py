"""``python -m components``: what the pages make, without a browser."""

import sys

from components.command_line import main

sys.exit(main())
