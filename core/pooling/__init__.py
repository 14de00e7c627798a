"""How token vectors become one sentence vector.

A pooling is given a :class:`Bag`: the states of whole texts, their weights and which tokens are
selected. It returns one row per text. Traits of an option:

``linear=True``
    It commutes with averaging layers, so that one pooled vector per layer answers for every set of layers.
``weighted=True``
    It uses the weights, so that a page can say which ones count.
``fitted=True``
    It learns from a corpus first (the target, or the reference with ``fit=reference``). Such an option is
    given that corpus as an iterable of bags, which may be gone through more than once (each time is one
    reading of the stored pass), and returns the function from a bag to its rows.
"""

import core.pooling.basic
import core.pooling.gem
import core.pooling.spectral
import core.pooling.subspace  # noqa: F401  (each registers its options)
from core.pooling.bag import Bag, Pooled

__all__ = ["Bag", "Pooled"]
