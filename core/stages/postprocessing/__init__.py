"""What is done to the finished vectors: transformers with the `fit` and `transform` of scikit-learn.

Each option makes an unfitted transformer. The pipeline fits it on the target (a sentence as often as it
occurs there) or on the reference, and refuses to learn from fewer sentences than
:meth:`PostOption.minimum_sentences` says.
"""

from core.stages.postprocessing import options  # noqa: F401  (they register themselves)
