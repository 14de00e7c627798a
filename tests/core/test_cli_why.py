"""The command ``why``: a similarity taken apart."""

import json

import numpy as np
import pytest

from core.cli.why import _corpus_with

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
    assert "every cosine is −1" in err
    code, out, _ = why("weight=idf;post=zscore", ONE, OTHER, "--corpus", table, "--json")
    assert code == 0
    assert np.sum(json.loads(out)["contributions"]) == pytest.approx(json.loads(out)["similarity"])


def test_each_sentence_counts_as_often_as_in_the_corpus_whichever_are_asked_for(engine, tmp_path):
    table, odd = tmp_path / "often.tsv", "A zebra."
    rows = [f"the dog {i % 40} ran\ta cat {i % 40} sat\t{i % 5}" for i in range(400)]
    table.write_text("\n".join(["sentence1\tsentence2\tscore", *rows]) + "\n")
    whole = engine.corpus(str(table))
    assert _corpus_with(engine, str(table), ["the dog 1 ran", "a cat 1 sat"]) is whole
    added = _corpus_with(engine, str(table), ["the dog 1 ran", odd])
    often = dict(zip(added.sentences, added.repeats.tolist(), strict=True))
    assert often == dict(zip(whole.sentences, whole.repeats.tolist(), strict=True)) | {odd: 1}


def test_an_empty_sentence_is_refused(why):
    code, _, err = why("layers=last", ONE, "  ")
    assert code == 2
    assert "sentence 2 is empty" in err
