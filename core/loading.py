"""Libraries that are loaded late, by one thread at a time.

Modules of scikit-learn import each other in circles. Of two threads that come to one from two sides, as two
jobs of a new server, each waits for what the other has begun, and Python ends one of them with an error.

SciPy's array functions look for torch's class of arrays once torch is among the loaded modules, where it is
before that class is there: what loads scipy.stats, and a call that asks, breaks beside a thread that is
loading torch. While transformers is imported, it puts another module in its place, and a thread that comes
meanwhile is given the first one, which lacks every name.
"""

import threading

LOADING = threading.RLock()
"""Held while such a library is loaded inside a function."""
