"""The corpora that come along."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import as_file, files

from core.corpora.corpus import Corpus
from core.corpora.table_files import read_table
from core.corpora.tables import labelled_from, read_corpus

DEMO = "demo"
TOPICS = "topics"
VOCABULARY = "vocabulary"

BUILT_IN_ORIGIN = "built in"
"""The origin of a corpus that comes along."""

BUILT_IN = {DEMO: "pairs", TOPICS: "labelled", VOCABULARY: "texts"}
"""The corpora that come along (``core/corpora/data/README.md``), and of what kind they are.

The last is a list of words, each a text, from the package ``wordfreq``: groups of words, as those of S3E,
can be learnt from it in place of a corpus' own words.
"""

WORDS = 30_000
"""Words of the list, the most frequent of English."""

_DATA_FOLDER = files(__package__) / "data"


def demo() -> Corpus:
    """The demonstration corpus: pairs of nine kinds, scored from 0 to 5."""
    with as_file(_DATA_FOLDER / "demo.tsv") as path:
        loaded = read_corpus(path, DEMO)
    note = (
        f"{DEMO}: a demonstration, written for this project and scored twice by language models: "
        "see how recipes differ on it, and report results on a benchmark."
    )
    return replace(loaded, origin=BUILT_IN_ORIGIN, notes=(note,))


def topics() -> Corpus:
    """Short texts of twelve topics in three registers; the topics are their labels."""
    with as_file(_DATA_FOLDER / "topics.tsv") as path:
        loaded = labelled_from(read_table(path), TOPICS, BUILT_IN_ORIGIN, label="topic")
    return replace(loaded, notes=(f"{TOPICS}: a demonstration, written for this project.",))


def vocabulary() -> Corpus:
    """The most frequent words of English, each a text of its own, the most frequent first."""
    from wordfreq import top_n_list

    words = top_n_list("en", WORDS)
    return Corpus.of_texts(
        VOCABULARY, words, origin=f"wordfreq: its {WORDS:,} most frequent words of English"
    )
