"""A recipe taken away from the page Scores as a sentence-transformers model."""

from tests.pages.reading import captions, errors, pairs_of, press


def test_a_recipe_is_made_a_file_and_one_that_is_none_says_why(visit, corpora, small):
    corpora(dogs=pairs_of([f"the dog {i} ran by the cat {i * i % 7}" for i in range(40)]))
    at = visit("scores", corpus="dogs", a=f"{small};weight=idf", b=f"{small};pool=gem", take="true")
    assert errors(at) == []
    assert "pool=gem is no mode of its Pooling" in captions(at)
    assert "no static-token model: pool=gem is no mean" in captions(at)
    own, static = at.code
    assert own.value.endswith("--corpus dogs --split all --output FOLDER")
    assert "source=averaged(" in static.value
    at = press(press(at, "Make the model of A"), "Make the static model of A")
    assert errors(at) == []
    labels = [download.proto.label for download in at.get("download_button")[-2:]]
    assert [label.split("_")[0] for label in labels] == ["Download strata"] * 2
    assert "static" in labels[1]


def test_without_the_library_nothing_is_offered(visit, corpora, small, monkeypatch):
    corpora(dogs=pairs_of([f"the dog {i} ran by the cat {i * i % 7}" for i in range(40)]))
    monkeypatch.setattr("core.exports.library.find_spec", lambda _: None)
    at = visit("scores", corpus="dogs", a=small, take="true")
    assert errors(at) == []
    assert "pip install -r requirements-extra.txt" in captions(at)
    assert not at.code
