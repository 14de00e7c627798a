"""The first import of transformers, by one thread at a time.

While it is imported, transformers puts another module in its place in ``sys.modules``. A thread that comes
meanwhile is given the first one, which lacks every name.
"""

import threading

IMPORTING = threading.RLock()
"""Held by whoever imports from transformers."""
