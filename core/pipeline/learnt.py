"""What a post-processing step has learnt, as arrays that can be kept and given to a new step."""

from __future__ import annotations

import numpy as np

from core.recipe.options import Transformer
from core.storage.tables import RECIPE_LIBRARIES, Arrays, TableKind

LEARNT = TableKind("learnt", 1, RECIPE_LIBRARIES, forward=True)
"""What a step has learnt from the reference. Such tables come with the installation and are not written by
visits: learning again from a stored pass is quick."""


def arrays_of(fitted: Transformer) -> Arrays:
    """The attributes of a fitted transformer that end in ``_``, as scikit-learn names what is learnt."""
    return {
        name: np.asarray(value)
        for name, value in vars(fitted).items()
        if name.endswith("_") and not name.startswith("_") and value is not None
    }


def restored(transformer: Transformer, arrays: Arrays) -> Transformer:
    """An unfitted transformer with what :func:`arrays_of` gave."""
    for name, array in arrays.items():
        setattr(transformer, name, array.item() if array.ndim == 0 else array)
    return transformer
