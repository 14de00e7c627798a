"""Tasks on vectors that are given: what a task makes of them is then known beforehand."""

import numpy as np

from core.corpora.corpus import Corpus
from core.evaluation.tasks.task import TaskData
from core.stages.similarity import cosine


class Given:
    """Vectors of a corpus' sentences; ``asked`` are the rows that each embedding was learnt from."""

    def __init__(self, vectors):
        self.vectors, self.asked = vectors, []

    def __call__(self, rows=None, /):
        self.asked.append(None if rows is None else rows.tolist())
        return self.vectors


def given(corpus, vectors, split=None, learns=()):
    return TaskData(corpus, split, Given(vectors), cosine, tuple(learns))


def blobs(per_class=40, classes=3, dim=6, noise=0.3, split=(), seed=0):
    """Labelled texts whose vectors lie around one centre for each class; and their vectors."""
    generator = np.random.default_rng(seed)
    codes = np.tile(np.arange(classes), per_class)
    centres = 4 * np.eye(classes, dim)
    vectors = centres[codes] + noise * generator.normal(size=(len(codes), dim))
    texts = [f"text {i}" for i in range(len(codes))]
    labels = [f"class {code}" for code in codes]
    return Corpus.of_labelled("blobs", texts, labels, split=split), vectors.astype(np.float32)
