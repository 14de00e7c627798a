"""The reasons, beside chance, why a score here and a published score differ."""

from __future__ import annotations

import re

from core.literature.preset import Preset
from core.literature.published import AVERAGE, PublishedScore
from core.recipe import WEIGHT, Recipe

_AGGREGATES = {
    "all": "one correlation over all pairs",
    "mean": "the mean over subsets",
    "wmean": "the mean over subsets weighted by their sizes",
}
"""The description of each aggregate."""

_REGRESSED = ("STS-B", "SICK-R")


def why_different(
    preset: Preset, published: PublishedScore, model: str, origin: str, aggregate: str
) -> tuple[str, ...]:
    """Short sentences, the reason with the largest effect first; empty when no difference is known.

    Parameters
    ----------
    preset
        The method.
    published
        One of its scores.
    model
        The model of the score here: its hub id or the name of its folder or file.
    origin
        The origin of the corpus here, as in :class:`~core.corpora.corpus.Corpus`.
    aggregate
        The aggregate over subsets here.
    """
    return (
        *_corpus(published, origin),
        *_model(preset, published, model),
        *_correlation(published, aggregate),
        *_text(published, origin),
        *_learnt(preset, published),
        *(reason for reason in preset.differs if _concerns(reason, published)),
    )


def _corpus(published: PublishedScore, origin: str) -> list[str]:
    reasons = []
    if origin == "built in":
        reasons.append(f"Another corpus: the demonstration here, {published.corpus} there.")
    if published.corpus == AVERAGE:
        tasks = re.search(r"(\w+) tasks, \w+ [\w-]+", published.where)
        reasons += [f"The published average is of {tasks.group()}."] if tasks else []
    return reasons


def _model(preset: Preset, published: PublishedScore, model: str) -> list[str]:
    if preset.recipe.startswith("source=random"):
        return ["Random vectors are drawn anew: another seed moves a score by some tenths."]
    if preset.bound or is_a(model, published.model):
        return []
    return [f"Another model: {model} here, {published.model} there.", *_head(preset, published)]


def _head(preset: Preset, published: PublishedScore) -> list[str]:
    """Of a weight that is an attention head's: that the head was chosen for the published model."""
    weight = Recipe.parse(preset.recipe).weight
    if not {"layer", "head"} <= WEIGHT.find(weight).arguments.keys():
        return []
    said = WEIGHT.arguments(weight)
    head = f"{said['layer']}-{said['head']}"
    return [f"Head {head} was chosen for {published.model}; here another head has that number."]


def is_a(model: str, published: str) -> bool:
    """Whether a model's name begins with the published name: ``bert`` stands for any BERT."""
    name = model.partition("@")[0].rpartition("/")[2].lower()
    known = published.rpartition("/")[2].lower()
    return name.startswith(known) and not name[len(known) : len(known) + 1].isalnum()


def _correlation(published: PublishedScore, aggregate: str) -> list[str]:
    reasons = []
    if published.metric == "Pearson":
        reasons.append("Spearman's correlation here, Pearson's there.")
        if published.corpus in _REGRESSED:
            reasons.append("There a regressor is trained on the task, and what it predicts is scored.")
        elif published.corpus == AVERAGE:
            reasons.append("The published average holds scores of trained regressors.")
    if published.aggregate != aggregate:
        here, there = (_AGGREGATES.get(name, name) for name in (aggregate, published.aggregate))
        reasons.append(f"The score is {here} here, {there} there.")
    return reasons


def _text(published: PublishedScore, origin: str) -> list[str]:
    if not origin.startswith("hub") and ".raw." not in origin:
        return []
    form = "tokenised" if published.corpus == "SICK-R" else "tokenised and lower-cased"
    return [f"The text is raw here; SentEval's, which most papers use, is {form}."]


def _learnt(preset: Preset, published: PublishedScore) -> list[str]:
    reasons = []
    if "reference" in preset.recipe or "averaged" in preset.recipe:
        reasons.append("The reference corpus chosen here need not be the published one.")
    if "layers=" not in preset.recipe and not preset.bound and published.where.startswith("Chen et al."):
        reasons.append("First is layer 1 here; there it may be layer 0, the embedding block.")
    return reasons


def _concerns(reason: str, published: PublishedScore) -> bool:
    """Whether a reason applies to this score: a reason that names authors applies to their scores."""
    authors = re.findall(r"[A-Z][\w-]+ et al\.", reason)
    return not authors or any(name in published.where for name in authors)
