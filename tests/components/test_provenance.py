"""The line under a figure that says what its numbers were made with."""

from dataclasses import dataclass

from components import provenance
from core.corpora.corpus import Corpus

CORPUS = Corpus.of_pairs("small", ["a", "b"], ["c", "d"], [1.0, 2.0], origin="written by hand")


@dataclass(frozen=True)
class Model:
    name: str
    revision: str


def test_a_line_names_model_corpus_origin_and_fingerprint():
    model = provenance.model(Model("bert", "abc"))
    assert provenance.line([model], CORPUS, provenance.pairs(CORPUS), "gold 1 to 2") == (
        "bert (abc) · small all · 2 pairs · gold 1 to 2 · written by hand · "
        f"fingerprint {CORPUS.fingerprint}"
    )


def test_each_model_is_named_once():
    line = provenance.line(["bert (a)", "other (b)", "bert (a)"], CORPUS)
    assert line.startswith("bert (a) and other (b) · small all · ")


def test_without_models_the_line_begins_with_the_corpus():
    assert provenance.line([], CORPUS).startswith("small all · written by hand · fingerprint ")
