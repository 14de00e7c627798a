"""Why a pair of sentences is as close as it is, in the way that a recipe allows."""

from __future__ import annotations

from core.analysis.why.contributions import Contributions, contributions
from core.analysis.why.left_out import LeftOut, left_out
from core.analysis.why.parts import undecomposed
from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine
from core.progress import Progress, silent
from core.recipe import Recipe

Explained = Contributions | LeftOut


def explained(
    engine: Engine, recipe: Recipe, corpus: Corpus, pair: tuple[int, int], progress: Progress = silent
) -> Explained:
    """The similarity of two sentences of a corpus, by position, as a sum over pairs of tokens.

    Where it is no such sum: what it loses without each token. Raises what these two functions raise.
    """
    if undecomposed(recipe):
        return left_out(engine, recipe, corpus, pair, progress)
    return contributions(engine, recipe, corpus, pair, progress)
