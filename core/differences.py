"""Why a score here and a published one may differ, beside chance."""

from __future__ import annotations

import re

from core.presets import Preset
from core.published import AVERAGE, Published

AGGREGATES = {
    "all": "one correlation over all pairs",
    "mean": "the mean over subsets",
    "wmean": "the mean over subsets weighted by their sizes",
}
"""The aggregates in words."""

_REGRESSED = ("STS-B", "SICK-R")


def why_different(
    preset: Preset, published: Published, model: str, origin: str, aggregate: str
) -> tuple[str, ...]:
    """Short sentences, what moves a score most first; none when nothing is known to differ.

    Parameters
    ----------
    preset
        The method.
    published
        One of its scores.
    model
        The model that was scored here, by its hub id or the name of its folder or file.
    origin
        Where the corpus that was scored here comes from, as :class:`~core.corpus.Corpus` says it.
    aggregate
        How subsets were put together here.
    """
    return (
        *_corpus(published, origin),
        *_model(preset, published, model),
        *_correlation(published, aggregate),
        *_text(published, origin),
        *_learnt(preset, published),
        *(reason for reason in preset.differs if _concerns(reason, published)),
    )


def _corpus(published: Published, origin: str) -> list[str]:
    found = []
    if origin == "built in":
        found.append(f"Another corpus: the demonstration here, {published.corpus} there.")
    if published.corpus == AVERAGE:
        tasks = re.search(r"(\w+) tasks, \w+ [\w-]+", published.where)
        found += [f"The published average is of {tasks.group()}."] if tasks else []
    return found


def _model(preset: Preset, published: Published, model: str) -> list[str]:
    if preset.recipe.startswith("source=random"):
        return ["Random vectors are drawn anew: another seed moves a score by some tenths."]
    if preset.bound or _is_a(model, published.model):
        return []
    return [f"Another model: {model} here, {published.model} there."]


def _is_a(model: str, published: str) -> bool:
    """Whether a model's name says no less than the published one: ``bert`` is any BERT."""
    name = model.partition("@")[0].rpartition("/")[2].lower()
    known = published.rpartition("/")[2].lower()
    return name.startswith(known) and not name[len(known) : len(known) + 1].isalnum()


def _correlation(published: Published, aggregate: str) -> list[str]:
    found = []
    if published.metric == "Pearson":
        found.append("Spearman's correlation here, Pearson's there.")
        if published.corpus in _REGRESSED:
            found.append("There a regressor is trained on the task, and what it predicts is scored.")
        elif published.corpus == AVERAGE:
            found.append("The published average holds scores of trained regressors.")
    if published.aggregate != aggregate:
        here, there = (AGGREGATES.get(name, name) for name in (aggregate, published.aggregate))
        found.append(f"The score is {here} here, {there} there.")
    return found


def _text(published: Published, origin: str) -> list[str]:
    if not origin.startswith("hub") and ".raw." not in origin:
        return []
    form = "tokenised" if published.corpus == "SICK-R" else "tokenised and lower-cased"
    return [f"The text is raw here; SentEval's, which most papers use, is {form}."]


def _learnt(preset: Preset, published: Published) -> list[str]:
    found = []
    if "reference" in preset.recipe or "averaged" in preset.recipe:
        found.append("The reference corpus chosen here need not be the published one.")
    if "layers=" not in preset.recipe and not preset.bound and published.where.startswith("Chen et al."):
        found.append("First is layer 1 here; there it may be layer 0, the embedding block.")
    return found


def _concerns(reason: str, published: Published) -> bool:
    """Whether a reason is about this score: one that names authors is about theirs alone."""
    authors = re.findall(r"[A-Z][\w-]+ et al\.", reason)
    return not authors or any(name in published.where for name in authors)
