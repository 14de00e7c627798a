"""What a page shows of the recipes that are one click away in the open editor, while nothing else is done.

Whoever has opened a stage is about to try its options. What the page computes of each is computed while
they look, and stopped as soon as anybody asks for anything: a click then draws what is there already.
"""

from __future__ import annotations

from collections.abc import Mapping

from components import job, works
from components.bar import editor
from components.bar.alternatives import READ, one_click_away
from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.evaluation.quick import Compute, of_each
from core.pipeline.engine import Engine
from core.progress import Progress
from core.recipe import Recipe
from core.work import Work

PATIENCE = 10.0
"""Seconds that one recipe may take."""

MOST = 20_000
"""Different sentences of a corpus up to which it is done: vectors of more push out other results."""


def begin(
    engine: Engine,
    recipes: Mapping[str, Recipe | None],
    corpus: Corpus,
    page: str,
    compute: Compute[object],
) -> None:
    """Have ``compute``, which stores its results, done for each recipe that is one click away.

    ``recipes`` are those of the bar whose options change something on the page, by side ``a`` or ``b``.
    Nothing is read for it, what takes long to learn or compute is given up, and large corpora are left
    alone.
    """
    control = editor.control(recipes)
    if control is None or control.stage in READ or len(corpus.sentences) > MOST:
        return
    try:
        offered = one_click_away(control, engine)
    except StrataError:  # the page says why
        return
    if not offered:
        return
    by_text = {str(recipe): recipe for recipe in offered}

    def look_ahead(progress: Progress) -> None:
        of_each(compute, "Looking ahead", engine, by_text, corpus, progress, patience=PATIENCE)

    known = works.identity_of_options(engine, offered)
    key = ("foreseen", page, *known, works.identity_of(corpus))
    job.idle(Work(key, f"Options of {control.stage.name} on {page}", look_ahead))
