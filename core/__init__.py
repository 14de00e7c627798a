"""The engine of Sentence Strata: no Streamlit, no Plotly.

Importing it registers the options of every stage, so that recipes can be read.
"""

from core import (  # noqa: F401  (each registers its options)
    averaged,
    flow,
    layers,
    models,
    paragraph,
    pooling,
    postprocessing,
    selection,
    similarity,
    static,
    template,
    weighting,
)
from core.errors import StrataError
from core.recipe import Recipe

__all__ = ["Recipe", "StrataError", "__version__"]

__version__ = "0.3.0"
