"""Libraries that are loaded late, by one thread at a time.

Modules of scikit-learn import each other in circles. Of two threads that come to one from two sides, as two
jobs of a new server, each waits for what the other has begun, and Python ends one of them with an error.
"""

import threading

LOADING = threading.RLock()
"""Held while such a library is loaded inside a function."""
