"""The names that a link may use, over all pages; a name that is none of them is misspelt."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from components.link import origins
from core.errors import closest, shorten

OF_PRESENTING = ("present", "figure")

EVERYWHERE = (
    *("a", "b", "an", "bn", "edit", "corpus", "split"),
    *(*OF_PRESENTING, "deck", origins.PARAMETER),
)
"""Parameters of the bar, the present view, the deck and the link itself."""

OF_PAGE = {
    "compare": (*("sentences", "pair", "shown", "clustered", "all.pairs"), *("map", "by", "rank", "near")),
    "scores": (
        *("aggregate", "steps", "worst.side", "take"),
        *("errors", "errors.pairs", "errors.subset", "errors.rating"),
    ),
    "tasks": (
        *("tasks", "pins", "from", "ablation", "ablated"),
        *("sensitivity", "varied", "varied.recipe", "values", "sets"),
    ),
    "layers": (
        *("sentence", "token", "beside", "view", "layers.cell", "hops.view", "words.least", "all.words"),
        *("wk.form", "wk.window", "wk.start", "wk.omega", "layers.tasks"),
    ),
    "heads": (
        *("sentence", "token", "head", "heads.side", "heads.layers", "heads.split", "heads.post"),
        *("heads.settings", "heads.weight", "heads.lines"),
    ),
    "masking": (
        *("sentence", "token", "layer", "beside", "masked", "distance", "pieces", "special", "relative"),
        *("learnt", "tfidf", "tfidf.number", "tfidf.seed"),
    ),
    "mixing": (
        *("over", "w", "mixed"),
        *("mixed.tasks", "mixed.step", "mixed.task", "mixed.w", "mixed.layers"),
    ),
    "geometry": (
        *("pins", "geometry.shown", "vectors", "arrows", "isotropy", "beta", "gamma", "isotropy.tasks"),
    ),
    "tokens": (
        *("part", "beside", "layer", "rows", "map", "drawn", "colour", "find"),
        *("frequency", "measure", "by", "rank", "near"),
    ),
    "find": (
        *("find.budget", "find.by", "find.tasks", "find.low", "find.stages", "find.reference"),
        *("find.exports", "find.dimensions", "find.sources", "find.proxies", "find.recipe"),
        *("find.cost", "find.stage", "find.coordinates.open"),
    ),
    "methods": (
        *("method", "family", "sentence", "methods.shown", "gains.shown", "all.published", "all.times"),
    ),
    "papers": (
        *("paper", "table", "papers.row", "papers.column", "papers.scope", "papers.whole"),
        *("papers.curves", "papers.figure", "papers.panel"),
    ),
    "deck": ("slide",),
}
"""Parameters of each page beside these, by its file's name; what another page has waits there."""

OF_PAGES = tuple(dict.fromkeys(chain.from_iterable(OF_PAGE.values())))

KNOWN = (*EVERYWHERE, *OF_PAGES)


def misspelt(names: Iterable[str]) -> dict[str, str]:
    """Why each name that no page has cannot be followed."""
    return {
        name: f"The link names {shorten(name)}, which no page has.{closest(name, KNOWN)}"
        for name in names
        if name not in KNOWN
    }
