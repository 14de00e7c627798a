"""The names that a link may use, over all pages; a name that is none of them is misspelt."""

from __future__ import annotations

from collections.abc import Iterable

from components.link import origins
from core.errors import closest, shorten

EVERYWHERE = (
    *("a", "b", "an", "bn", "edit", "corpus", "split"),
    *("present", "figure", "deck", origins.PARAMETER),
)
"""Parameters of the bar, the present view, the deck and the link itself."""

OF_PAGES = (
    *("sentences", "pair", "shown", "clustered"),
    *("aggregate", "steps", "worst.side", "take", "errors", "errors.pairs", "errors.subset"),
    "errors.rating",
    *("find.budget", "find.dimensions", "find.reference", "find.exports", "find.stages", "find.sources"),
    *(
        "find.tasks",
        "find.by",
        "find.proxies",
        "find.recipe",
        "find.cost",
        "find.stage",
        "find.low",
        "find.coordinates.open",
    ),
    *("sentence", "token", "layer", "head", "beside"),
    *("view", "layers.cell", "hops.view", "words.least", "wk.form", "wk.window", "wk.start", "wk.omega"),
    *(
        "heads.side",
        "heads.layers",
        "heads.split",
        "heads.post",
        "heads.settings",
        "heads.weight",
        "heads.lines",
    ),
    *("masked", "distance", "special", "relative", "learnt", "pieces"),
    *("tfidf", "tfidf.number", "tfidf.seed"),
    *("layers.tasks", "isotropy.tasks", "mixed.tasks", "mixed.step", "mixed.task"),
    *("mixed.w", "mixed.layers"),
    *("over", "w", "mixed"),
    *("geometry.shown", "vectors", "isotropy", "beta", "gamma", "pins", "arrows"),
    *("part", "rows", "drawn", "colour", "find", "frequency", "measure", "map", "by", "rank", "near"),
    *("method", "family", "methods.shown", "gains.shown"),
    *("tasks", "from", "ablation", "ablated", "sensitivity", "varied", "varied.recipe", "values", "sets"),
    *("paper", "table", "papers.row", "papers.column", "papers.scope", "papers.whole"),
    *("papers.curves", "papers.figure", "papers.panel"),
    *("all.pairs", "all.words", "all.times", "all.published"),
    "slide",
)
"""Parameters of single pages; what another page has waits there."""

KNOWN = (*EVERYWHERE, *OF_PAGES)


def misspelt(names: Iterable[str]) -> dict[str, str]:
    """Why each name that no page has cannot be followed."""
    return {
        name: f"The link names {shorten(name)}, which no page has.{closest(name, KNOWN)}"
        for name in names
        if name not in KNOWN
    }
