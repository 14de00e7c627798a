"""A recipe as a transformer of scikit-learn: texts in, vectors out.

``fit`` learns from the training texts alone what the recipe learns from a target: idf, means, components.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from jaxtyping import Float
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from core.corpora.corpus import Corpus
from core.corpora.given import listed
from core.errors import NoTokensError
from core.pipeline.encode import engine_of
from core.recipe import Recipe
from core.settings import Settings

Vectors = Float[np.ndarray, "text dim"]


class SentenceVectors(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """One vector per text under a recipe, in a :class:`~sklearn.pipeline.Pipeline` or by itself.

    Parameters
    ----------
    recipe
        A recipe or its text; all defaults when empty. What it learns from the target (``fit=target``, the
        default of most steps) it learns from the texts given to :meth:`fit`; ``fit=reference`` stays.
    settings
        Of the engine; those of the environment when None. Equal settings share an engine.

    Attributes
    ----------
    recipe_
        The text of the recipe that is followed.
    texts_
        The texts that were learnt from, as a corpus.
    known_
        Training texts that surely have tokens: beside them a text without any has its vector too.
    n_dimensions_
        The width of the vectors.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> texts = [f"{noun} number {i}" for i in range(20) for noun in ("a dog", "the stock market")]
    >>> model = make_pipeline(SentenceVectors("weight=idf;post=zscore"), LogisticRegression())
    >>> model.fit(texts, ["animal", "money"] * 20).predict(["two dogs"]).tolist()
    ['animal']
    """

    def __init__(self, recipe: Recipe | str = "", settings: Settings | None = None) -> None:
        self.recipe = recipe
        self.settings = settings

    def fit(self, X: Iterable[str], y: object = None) -> SentenceVectors:
        """Learn from texts; labels are not looked at.

        Raises
        ------
        CorpusError
            ``X`` holds something else than texts, or none.
        RecipeError
            The recipe cannot be read or followed, or none of the texts has a token that its source knows.
        TooFewSentencesError
            It would learn from too few different texts.
        """
        recipe = Recipe.of(self.recipe)
        self.recipe_ = str(recipe)
        texts = listed(X, "X")
        self.texts_ = Corpus.of_texts("training texts", texts) if recipe.on_target() else None
        self.known_: Sequence[str] = texts[:1]
        try:
            first = self._encode(self.known_)
        except NoTokensError:  # of the first; the others may have some
            self.known_ = texts
            first = self._encode(texts)
        self.n_dimensions_ = first.shape[1]
        return self

    def fit_transform(self, X: Iterable[str], y: object = None, **_: object) -> Vectors:
        """Learn from texts, and their vectors; the texts may come from an iterator."""
        texts = listed(X, "X")
        return self.fit(texts, y).transform(texts)

    def transform(self, X: Iterable[str]) -> Vectors:
        """One vector per text, in the order given, with what was learnt.

        A text without any token that the source knows is pooled to zeros, as in any company.
        """
        check_is_fitted(self)
        texts = listed(X, "X")
        try:
            return self._encode(texts)
        except NoTokensError:
            return self._encode([*texts, *self.known_])[: len(texts)]

    @property
    def _n_features_out(self) -> int:
        """The width of the vectors, as scikit-learn names it."""
        return int(self.n_dimensions_)

    def __sklearn_tags__(self) -> Any:
        """Texts in, one by one."""
        tags = super().__sklearn_tags__()
        tags.input_tags.string, tags.input_tags.one_d_array = True, True
        tags.input_tags.two_d_array = False
        return tags

    def _encode(self, texts: Sequence[str]) -> Vectors:
        engine, corpus = engine_of(self.settings), Corpus.of_texts("texts", texts)
        recipe = Recipe.parse(self.recipe_)
        return engine.embed(recipe, corpus, learns=self.texts_).vectors[corpus.rows_of(texts)]
