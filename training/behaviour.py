"""How a model's sentence vectors behave under the recipes that papers report for BERT-base."""

from __future__ import annotations

from dataclasses import dataclass

from core.analysis.geometry.of_recipe import isotropy
from core.analysis.heads.head_search import search
from core.corpora.corpus import Corpus
from core.evaluation.sts import evaluate
from core.pipeline.engine import Engine
from core.progress import Progress, silent
from core.recipe import Recipe

BERT = {
    "layers=last": 47.3,
    "layers=first+last": 59.0,
    "layers=0+last": 53.9,
    "layers=0+last;post=zscore": 65.0,
    "layers=0+last;post=whiten": 71.3,
    "layers=0+last;weight=idf": 70.3,
    "layers=0+last;weight=idf;post=zscore": 71.0,
}
"""Recipes, and what papers print for BERT-base under them on STS-B test (Spearman × 100).

Those of z-score and idf are printed for ``first+last`` (Stankevičius & Lukoševičius 2025).
"""

BERT_DITTO, BERT_COSINE = 66.8, 0.508
DITTO = "0+last"


@dataclass(frozen=True)
class Row:
    """One row of the table; ``bert`` is what papers print for BERT-base, None where they do not."""

    name: str
    value: float
    bert: float | None
    digits: int = 1

    def cells(self) -> list[str]:
        """Name, value and BERT's value as text."""
        bert = "" if self.bert is None else f"{self.bert:.{self.digits}f}"
        return [self.name, f"{self.value:.{self.digits}f}", bert]


def behaviour(engine: Engine, source: str, corpus: Corpus, progress: Progress = silent) -> list[Row]:
    """Spearman × 100 of every layer, of :data:`BERT`'s recipes and of Ditto, and the average cosine.

    Every recipe takes all tokens, special ones included, and the cosine; what is learnt is learnt from the
    corpus' sentences, repeats counted. The best Ditto head is chosen on the corpus itself, as a bound.

    Raises what :meth:`core.pipeline.engine.Engine.embed` raises.
    """
    plain = Recipe().replace(source=source)

    def spearman(text: str) -> float:
        recipe = plain.replace(**dict(part.split("=", 1) for part in text.split(";")))
        similarities, _ = engine.similarities(recipe, corpus, progress)
        return evaluate(similarities, corpus, intervals=False).spearman

    layers = range(engine.source(plain).location.depth + 1)
    rows = [Row(f"layers={i}", spearman(f"layers={i}"), None) for i in layers]
    rows += [Row(text, spearman(text), bert) for text, bert in BERT.items()]
    heads = search(engine, plain, corpus, [DITTO], progress)[DITTO]
    if heads.best:
        layer, head = heads.best
        best = f"layers={DITTO};weight=ditto(layer={layer},head={head}), best of all heads"
        rows.append(Row(best, heads.of(layer, head), BERT_DITTO))
        rows.append(Row(f"layers={DITTO};weight=ditto, median head", heads.median, None))
    cosine = isotropy(engine, plain.replace(layers="last"), corpus, progress).average_cosine
    return [*rows, Row("layers=last, average cosine", cosine, BERT_COSINE, 3)]


def markdown(rows: list[Row], model: str, corpus: Corpus) -> str:
    """The rows as a Markdown table."""
    head = [f"{corpus.name} {corpus.split_name}, Spearman × 100", model, "BERT-base in the papers"]
    lines = [head, ["---", "---:", "---:"], *(row.cells() for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
