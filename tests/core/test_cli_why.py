"""The command ``why``: a similarity taken apart."""

import json

import numpy as np
import pytest

ONE, OTHER = "A girl sat on a mat.", "The boy falls in the park."


@pytest.fixture
def why(run, bert, tmp_path):
    """Run the command with the tiny BERT."""
    return lambda recipe, *more: run(
        "why", "--cache", tmp_path / "cache", "--quiet", "--recipe", f"{bert};{recipe}", *more
    )


def test_contributions_sum_to_the_similarity_in_json_and_in_words(why):
    code, out, _ = why("layers=1+last", ONE, OTHER, "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["exact"] is True
    assert np.sum(answer["contributions"]) == pytest.approx(answer["similarity"])
    assert np.sum(answer["by_layer"]) == pytest.approx(answer["similarity"])
    assert answer["layers"] == [1, 3]
    assert answer["tokens"][0][0] == "[CLS]"
    code, out, _ = why("layers=1+last", ONE, OTHER)
    assert out.startswith(f"cosine {answer['similarity']:.4f}")
    assert "between different layers" in out


def test_a_recipe_that_is_no_sum_says_what_leaving_a_token_out_does(why):
    _, out, _ = why("pool=max", ONE, OTHER, "--json")
    answer = json.loads(out)
    assert (answer["exact"], answer["not_a_sum_under"]) == (False, "pool=max")
    assert [len(side) for side in answer["loses_without"]] == [len(side) for side in answer["tokens"]]
    _, out, _ = why("pool=max", ONE, OTHER)
    assert "no sum over tokens under pool=max" in out


def test_what_is_learnt_needs_a_corpus(why, table):
    code, _, err = why("weight=idf;post=zscore", ONE, OTHER)
    assert code == 2
    assert "would be learnt from 2 different sentences" in err
    code, out, _ = why("weight=idf;post=zscore", ONE, OTHER, "--corpus", table, "--json")
    assert code == 0
    assert np.sum(json.loads(out)["contributions"]) == pytest.approx(json.loads(out)["similarity"])


def test_an_empty_sentence_is_refused(why):
    code, _, err = why("layers=last", ONE, "  ")
    assert code == 2
    assert "sentence 2 is empty" in err
