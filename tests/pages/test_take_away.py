"""A recipe taken away from the page Scores as a sentence-transformers model."""

from tests.pages.reading import captions, errors, pairs_of, press


def test_a_recipe_is_made_a_file_and_one_that_is_none_says_why(visit, corpora, small):
    corpora(dogs=pairs_of([f"the dog {i} ran by the cat {i * i % 7}" for i in range(40)]))
    at = visit("scores", corpus="dogs", a=f"{small};weight=idf", b=f"{small};pool=gem", take="true")
    assert errors(at) == []
    assert "pool=gem is no mode of its Pooling" in captions(at)
    (command,) = at.code
    assert command.value.endswith("--corpus dogs --split all --output FOLDER")
    at = press(at, "Make the model of A")
    assert errors(at) == []
    (download,) = at.get("download_button")[-1:]
    assert download.proto.label.startswith("Download strata_")
