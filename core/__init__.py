"""The engine of Sentence Strata: no Streamlit, no Plotly.

Importing it registers the options of every stage, so that recipes can be read.
"""

from core.encoders import models, template  # noqa: F401  (each registers its options)
from core.errors import StrataError
from core.recipe import Recipe
from core.sources import averaged, doc2vec, random_table, word_vectors  # noqa: F401
from core.stages import (  # noqa: F401
    bert_flow,
    layers,
    mix,
    pooling,
    postprocessing,
    similarity,
    token_selection,
    weighting,
)

__all__ = ["Recipe", "StrataError", "__version__"]

__version__ = "0.3.0"
