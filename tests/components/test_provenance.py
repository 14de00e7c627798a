"""The line under a figure that says what its numbers were made with."""

from dataclasses import dataclass

import numpy as np

from components import provenance
from core.corpora.corpus import Corpus
from core.evaluation.scoring import Scored
from core.evaluation.sts import Score
from core.recipe import Recipe

CORPUS = Corpus.of_pairs("small", ["a", "b"], ["c", "d"], [1.0, 2.0], origin="written by hand")


@dataclass(frozen=True)
class Model:
    name: str
    revision: str


def test_a_line_names_model_corpus_origin_and_fingerprint():
    model = provenance.model(Model("bert", "abc"))
    assert provenance.line([model], CORPUS, provenance.pairs(CORPUS), "gold 1 to 2") == (
        f"bert (abc) · small · 2 pairs · gold 1 to 2 · written by hand · fingerprint {CORPUS.fingerprint}"
    )


def test_each_model_is_named_once():
    line = provenance.line(["bert (a)", "other (b)", "bert (a)"], CORPUS)
    assert line.startswith("bert (a) and other (b) · small · ")


def test_without_models_the_line_begins_with_the_corpus():
    assert provenance.line([], CORPUS).startswith("small · written by hand · fingerprint ")


def test_models_of_one_name_are_told_apart():
    """Checkpoints of two trainings are folders of one name: a difference of both was none of models."""
    none = np.zeros(0)
    recipe, score = Recipe(), Score(1.0, 1.0, 0.0, 2.0, 20, "all", {})
    first, second, third = (
        Scored(recipe, {"model": name, "revision": revision}, none, score, none, 0.0, 0.0, ())
        for name, revision in (("checkpoint", "a"), ("checkpoint", "b"), ("bert", "c"))
    )
    assert provenance.differing({"A": first, "B": first}) == ""
    assert provenance.differing({"A": first, "B": third}) == "The models differ: A: checkpoint · B: bert."
    told = "A: checkpoint (a) · B: checkpoint (b)"
    assert provenance.differing({"A": first, "B": second}) == f"The models differ: {told}."
    models = {"A": Model("checkpoint", "a"), "B": Model("checkpoint", "b")}
    assert provenance.summary("scores", {}, models, "small").line == f"small · {told}"


def test_a_line_of_one_side_says_which_and_one_of_all_stands_once():
    lines = {"A": ["cut at 256", "short"], "B": ["short", "cut at 512"]}
    assert provenance.told(lines) == ("A: cut at 256", "short", "B: cut at 512")
    assert provenance.told({"A": ["short", "short"]}) == ("short",)
