"""Why two sentences are close: their similarity as a sum over pairs of tokens.

With pooling by mean or sum a sentence vector is a sum of parts, one for each token: u = Σ w_i t_i. An
affine post-processing step v ↦ L v + b keeps it one: each part becomes L (w_i t_i) + s_i b, where the
weights' shares s_i sum to 1; scaling to unit length divides all parts by one number. So the cosine of two
sentences is exactly Σ_ij u_i·v_j / (|u| |v|), and the inner product the same without the lengths. Other
recipes do not decompose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.corpora.corpus import Corpus
from core.errors import RecipeError
from core.pipeline.engine import Engine
from core.progress import Progress, silent
from core.recipe import MIX, POOL, POST, SIMILARITY, Recipe
from core.recipe.options import Transformer
from core.recipe.plan import is_counted

POOLINGS = ("mean", "sum")
"""Poolings whose vector is a sum over tokens."""

SIMILARITIES = ("cosine", "dot")
"""Similarities that are linear in each vector, up to its length."""

AFFINE = ("centre", "zscore", "robust", "abtt", "ccr", "pccr", "whiten")
"""Post-processing steps v ↦ L v + b."""

SCALING = ("normalize",)
"""Post-processing steps that divide a vector by its own length."""

Parts = Float[np.ndarray, "token dim"]


@dataclass(frozen=True, eq=False)
class Contributions:
    """What each pair of tokens contributes to the similarity of two sentences.

    Attributes
    ----------
    first, second
        The tokens of either sentence that have a weight.
    values
        A row for each token of the first sentence, a column for each of the second; they sum to the
        similarity.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    values: Float[np.ndarray, "first second"]

    @property
    def similarity(self) -> float:
        """The sum of all contributions."""
        return float(self.values.sum())

    def strongest(self, count: int) -> list[tuple[str, str, float]]:
        """The pairs of tokens that contribute most to either side of 0, with what they contribute."""
        order = np.argsort(-np.abs(self.values), axis=None, kind="stable")[:count]
        places = zip(*np.unravel_index(order, self.values.shape), strict=True)
        return [(self.first[i], self.second[j], float(self.values[i, j])) for i, j in places]


def refuse(recipe: Recipe) -> None:
    """Raise :class:`RecipeError` for a recipe whose similarities are no sums over pairs of tokens."""
    taken = [
        (POOL.name, recipe.pool.name, POOLINGS, ""),
        (MIX.name, recipe.mix.name, ("none",), ""),
        *((POST.name, choice.name, (*AFFINE, *SCALING), "no step, or ") for choice in recipe.post),
        (SIMILARITY.name, recipe.similarity.name, SIMILARITIES, ""),
    ]
    for stage, option, allowed, also in taken:
        if option not in allowed:
            raise RecipeError(
                f"Under {stage}={option} the similarity of two sentences is no sum over pairs of tokens; "
                f"it is one under {stage}={also}{' or '.join(allowed)}."
            )


def contributions(
    engine: Engine, recipe: Recipe, corpus: Corpus, pair: tuple[int, int], progress: Progress = silent
) -> Contributions:
    """What each pair of tokens contributes to the similarity of two sentences of a corpus, by position.

    Raises
    ------
    RecipeError
        The recipe's similarities do not decompose, or a sentence has no token.
    TooFewSentencesError
        A post-processing step would learn from too few sentences.
    """
    refuse(recipe)
    steps = engine.fitted_steps(recipe, corpus, progress)
    weighted = engine.weighted_states(recipe, corpus, progress)
    tokens = weighted.states.tokens
    sides: list[tuple[tuple[str, ...], Parts]] = []
    for position in pair:
        states, weights = weighted.of_text(position, progress)
        kept = weights > 0
        if not kept.any():
            raise RecipeError(f"Sentence {corpus.sentences[position]!r} has no token with a weight.")
        surface_forms = np.array(tokens.surface_forms(tokens.span(position)), object)[kept]
        parts = _parts(states[kept], weights[kept], recipe, steps)
        sides.append((tuple(surface_forms.tolist()), parts))
    (first, u), (second, v) = sides
    values = u @ v.T
    if recipe.similarity.name == "cosine":
        lengths = float(np.linalg.norm(u.sum(axis=0)) * np.linalg.norm(v.sum(axis=0)))
        values = values / lengths if lengths > 0 else np.zeros_like(values)
    return Contributions(first, second, values)


def _parts(
    states: Parts, weights: Float[np.ndarray, " token"], recipe: Recipe, steps: Sequence[Transformer]
) -> Float[np.ndarray, "token column"]:
    """The part of the finished sentence vector that each token makes; they sum to it."""
    shares = weights.astype(np.float64) / weights.sum()
    scale = weights.astype(np.float64)
    if recipe.pool.name == "mean":
        scale = scale / len(weights) if is_counted(recipe.weight) else shares
    parts = states.astype(np.float64) * scale[:, None]
    for choice, step in zip(recipe.post, steps, strict=True):
        if choice.name in SCALING:
            length = float(np.linalg.norm(parts.sum(axis=0)))
            parts = parts / length if length > 0 else parts
            continue
        origin = np.asarray(step.transform(np.zeros((1, parts.shape[1]))), np.float64)
        parts = np.asarray(step.transform(parts), np.float64) - origin + shares[:, None] * origin
    return parts
