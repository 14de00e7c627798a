"""A recipe as an encoder that ``mteb.evaluate`` runs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from jaxtyping import Float

from core.errors import NoTokensError, RecipeError
from core.evaluation.scoring import kept_under
from core.exports.estimator import SentenceVectors
from core.literature.presets.naming import name
from core.loading import LOADING
from core.pipeline.encode import engine_of
from core.recipe import SIMILARITY, Recipe
from core.settings import Settings

_WORDS = 10
"""Words of a source as texts that it surely knows."""


class RecipeEncoder:
    """A recipe with mteb's methods: ``mteb.evaluate(RecipeEncoder("layers=last"), tasks)``.

    Parameters
    ----------
    recipe
        A recipe or its text.
    texts
        What it learns from where it learns from the target (idf, means, components); mteb gives an encoder
        a task's texts batch by batch, and none to learn from.
    settings
        Of the engine; those of the environment when None.

    Raises
    ------
    RecipeError
        The recipe learns from the target, and there are no ``texts``.
    """

    def __init__(
        self, recipe: Recipe | str, texts: Iterable[str] | None = None, settings: Settings | None = None
    ) -> None:
        parsed = Recipe.of(recipe)
        learns = [f"{stage.name}={choice.name}" for stage, choice in parsed.on_target()]
        if learns and texts is None:
            raise RecipeError(
                f"{' and '.join(learns)} learns from the texts that are embedded, and mteb gives them "
                "batch by batch: give texts to learn from, or take fit=reference."
            )
        self._recipe, self._compare = parsed, SIMILARITY.bind(parsed.similarity)
        self._engine, self._vectors = engine_of(settings), SentenceVectors(recipe, settings)
        try:
            self._vectors.fit(["a text"] if texts is None else texts)
        except NoTokensError:
            if texts is not None:
                raise
            words = self._engine.passes.surface_forms(self._engine.source(parsed))
            self._vectors.fit(words[:_WORDS])  # of word vectors that have none of these two

    @property
    def mteb_model_meta(self) -> Any:
        """What mteb keeps results under: the recipe's name, and a revision.

        The revision is another where vectors may be: with another recipe, model, reference corpus, edition
        of an option, precision, or other texts that were learnt from.
        """
        with LOADING:
            from mteb.models.model_meta import ModelMeta

        learnt = self._vectors.texts_
        source = self._engine.source(self._recipe, learnt)
        texts = "" if learnt is None else learnt.texts_fingerprint
        content = (*kept_under(self._engine, self._recipe).values(), source.content, texts)
        called = "-".join(f"{name(self._recipe)} of {source.name}".replace("/", "-").split())
        similarity = self._recipe.similarity.name
        return ModelMeta(
            loader=None,
            name=f"sentence-strata/{called}",
            revision=hashlib.sha256("\n".join(content).encode()).hexdigest()[:16],
            release_date=None,
            languages=None,
            n_parameters=None,
            memory_usage_mb=None,
            max_tokens=float(source.location.max_tokens),
            embed_dim=self._vectors.n_dimensions_,
            license=None,
            open_weights=None,
            public_training_code=None,
            public_training_data=None,
            framework=[],
            similarity_fn_name=similarity if similarity in ("cosine", "dot") else None,
            use_instructions=False,
            training_datasets=None,
            experiment_kwargs={"recipe": str(self._recipe)},
        )

    def encode(self, inputs: Iterable[Mapping[str, Sequence[str]]], **others: Any) -> np.ndarray:
        """One vector per text of batches that hold their texts as ``text``; prompts are not used."""
        return self._vectors.transform([text for batch in inputs for text in batch["text"]])

    def similarity(self, embeddings1: Any, embeddings2: Any) -> Any:
        """Every row of one with every row of the other, as the recipe compares; a tensor ``[row, row]``."""
        import torch

        u, v = _rows(embeddings1), _rows(embeddings2)
        each = [self._compare(np.broadcast_to(row, v.shape), v) for row in u]
        return torch.from_numpy(np.array(each).reshape(len(u), len(v)))

    def similarity_pairwise(self, embeddings1: Any, embeddings2: Any) -> Any:
        """Each row of one with the same row of the other; a tensor ``[row]``."""
        import torch

        return torch.from_numpy(self._compare(_rows(embeddings1), _rows(embeddings2)))


def _rows(embeddings: Any) -> Float[np.ndarray, "row dim"]:
    """Vectors in rows; a single one is a row."""
    return np.atleast_2d(np.asarray(embeddings, np.float64))
