"""What tasks on labels share: whether a corpus has classes, and which of its rows are in one."""

from __future__ import annotations

import numpy as np

from core.corpora.corpus import Corpus
from core.errors import are, counted
from core.evaluation.tasks.task import Rows


def one_class_at_most(corpus: Corpus) -> str:
    """Why the labels of a corpus tell no classes apart; empty where they do."""
    if not corpus.labels:
        return f"the corpus {corpus.name} has no labels."
    if not corpus.classes:
        return f"no row of {corpus.name} has a label."
    if len(corpus.classes) < 2:
        return f"all labels of {corpus.name} are {corpus.classes[0]!r}: there is one class only."
    return ""


def labelled_rows(corpus: Corpus) -> Rows:
    """The rows that have a label."""
    return np.flatnonzero([bool(label) for label in corpus.labels])


def left_out(corpus: Corpus, scored: int) -> list[str]:
    """What a reader must know where ``scored`` rows of a corpus alone have a label."""
    if not (left := corpus.rows - scored):
        return []
    return [f"{counted(left, 'row')} without a label {are(left)} left out."]
