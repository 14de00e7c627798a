"""A recipe taken away from the page Scores as a sentence-transformers model."""

import re

import numpy as np

from components.scores.take_away import command
from core.corpora.corpus import Corpus
from core.recipe import Recipe
from tests.pages.reading import captions, errors, pairs_of, press


def test_a_recipe_is_made_a_file_and_one_that_is_none_says_why(visit, corpora, small):
    corpora(dogs=pairs_of([f"the dog {i} ran by the cat {i * i % 7}" for i in range(40)]))
    at = visit("scores", corpus="dogs", a=f"{small};weight=idf", b=f"{small};pool=gem", take="true")
    assert errors(at) == []
    assert "pool=gem is no mode of its Pooling" in captions(at)
    assert "no static-token model: pool=gem is no mean" in captions(at)
    own, static, other = at.code
    assert other.value == f"import core\n\nvectors = core.encode(texts, '{small};pool=gem')"
    assert own.value.endswith("--corpus dogs --split all --output FOLDER")
    assert "source=averaged(" in static.value
    at = press(press(at, "Make the model of A"), "Make the static model of A")
    assert errors(at) == []
    labels = [download.proto.label for download in at.get("download_button")[-2:]]
    assert [label.split("_")[0] for label in labels] == ["Download strata"] * 2
    assert "static" in labels[1]


def test_a_card_has_the_score_that_the_page_shows(visit, corpora, small):
    lines = (f"a dog {i}\tthe cat {i * i % 7}\t{i % 6}\t{'xy'[i % 2]}" for i in range(40))
    corpora(kinds="\n".join(["sentence1\tsentence2\tscore\tsubset", *lines]) + "\n")
    at = press(visit("scores", corpus="kinds", a=small, b="none", take="true"), "Make the model of A")
    assert at.get("download_button")[-1].proto.label.startswith("Download ")
    made = len(at.get("download_button"))
    at.session_state["aggregate"] = "mean"
    at.run()
    assert errors(at) == []
    assert len(at.get("download_button")) == made - 1, "that one says another score"
    assert any(button.label == "Make the model of A" for button in at.button)


def test_without_the_library_nothing_is_offered(visit, corpora, small, monkeypatch):
    corpora(dogs=pairs_of([f"the dog {i} ran by the cat {i * i % 7}" for i in range(40)]))
    monkeypatch.setattr("core.exports.library.find_spec", lambda _: None)
    at = visit("scores", corpus="dogs", a=small, take="true")
    assert errors(at) == []
    assert "pip install -r requirements-extra.txt" in captions(at)
    assert not at.code


def test_the_command_names_a_split_that_there_is():
    """Of several splits it named ``dev+test``, which the command line refuses."""
    texts, splits = [f"text {i}" for i in range(8)], ("dev", "test", "test", "")
    whole = Corpus.of_pairs("dogs", texts[:4], texts[4:], [1.0, 2.0, 3.0, 4.0], split=splits)
    one = whole.of_rows(np.array([1, 2]))
    for corpus in (whole, whole.of_rows(np.array([0, 1])), one, whole.of_rows(np.array([1, 3]))):
        name = re.search(r"--split (\S+)", command(Recipe(), corpus))[1]
        assert corpus.take(name).fingerprint == corpus.fingerprint, name
    assert "--split test " in command(Recipe(), one)
