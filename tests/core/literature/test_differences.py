"""Each reason is given where it holds, and nowhere else."""

import pytest

from core.literature.differences import why_different
from core.literature.presets import PRESETS
from core.literature.published import AVERAGE

SENTEVAL = "data folder: sts/STS-B.tsv.gz"


def named(name):
    return next(preset for preset in PRESETS if preset.name == name)


def score(preset, corpus, where=""):
    return next(s for s in preset.scores if s.corpus == corpus and where in s.where)


def why(name, corpus="STS-B", where="", model="bert-base-uncased", origin=SENTEVAL, aggregate="all"):
    preset = named(name)
    return why_different(preset, score(preset, corpus, where), model, origin, aggregate)


def test_nothing_is_said_where_nothing_differs():
    assert why("Ditto") == ()
    assert why("First-last avg. (layer 1)", where="Stankevičius") == ()


@pytest.mark.parametrize(
    "model", ["google-bert/bert-base-uncased", "bert-base-uncased@main", "BERT-base-uncased"]
)
def test_one_model_has_several_names(model):
    assert why("Ditto", model=model) == ()


@pytest.mark.parametrize("model", ["all-MiniLM-L6-v2", "bert-base-uncased2", "bert-base-cased"])
def test_another_model_is_named(model):
    another = f"Another model: {model} here, bert-base-uncased there."
    assert why("Last layer, mean", where="Chen", model=model) == (another,)
    head = "Head 1-10 was chosen for bert-base-uncased; here another head has that number."
    assert why("Ditto", model=model) == (another, head)


def test_a_preset_with_its_own_source_has_no_other_model():
    assert why("SBERT", model="sentence-transformers/bert-base-nli-mean-tokens") == ()


def test_random_vectors_are_drawn_anew():
    (reason,) = why("Random embeddings (RE)", model="random")
    assert "seed" in reason


@pytest.mark.parametrize("origin", ["hub: mteb/stsbenchmark-sts@abc", "data folder: sts/STS-B.raw.tsv.gz"])
def test_raw_text_is_distinguished_from_tokenised_text(origin):
    (reason,) = why("Ditto", origin=origin)
    assert "lower-cased" in reason
    (reason,) = why("Ditto", corpus="SICK-R", origin=origin)
    assert "tokenised" in reason and "lower" not in reason


def test_the_demonstration_is_another_corpus():
    (reason,) = why("Ditto", origin="built in")
    assert reason == "Another corpus: the demonstration here, STS-B there."


def test_another_aggregate_is_spelled_out():
    (reason,) = why("Ditto", corpus="STS12", aggregate="wmean")
    assert reason == (
        "The score is the mean over subsets weighted by their sizes here, "
        "one correlation over all pairs there."
    )
    assert any("over subsets weighted" in reason for reason in why("BERT-whitening", "STS12", "Lu"))


def test_pearson_and_trained_regressors_are_named():
    reasons = why("SBERT-WK", model="SBERT")
    assert "Spearman's correlation here, Pearson's there." in reasons
    assert any("regressor" in reason for reason in reasons)
    reasons = why("SBERT-WK", corpus="STS12", model="SBERT", aggregate="mean")
    assert reasons == ("Spearman's correlation here, Pearson's there.",)


def test_an_average_of_other_tasks_is_named():
    reasons = why("idf", corpus=AVERAGE)
    assert "The published average is of eight tasks, with STR." in reasons
    assert why("Ditto", corpus=AVERAGE) == ()


def test_a_reference_may_be_another():
    assert any("reference corpus" in reason for reason in why("First-last TF-IDF"))
    assert any("reference corpus" in reason for reason in why("Avg."))
    assert not any("reference corpus" in reason for reason in why("BERT-whitening", where="Stankevičius"))


def test_the_first_layer_may_be_another():
    assert any("layer 0" in reason for reason in why("BERT-flow, reference", where="Chen"))
    assert not any("layer 0" in reason for reason in why("First-last avg. (layer 0)"))


def test_a_reason_that_names_authors_is_about_their_score():
    assert any("Su et al." in reason for reason in why("BERT-whitening", where="Lu", aggregate="wmean"))
    assert not any("Su et al." in reason for reason in why("BERT-whitening", where="Stankevičius"))


def test_every_reason_is_a_short_sentence():
    for preset in PRESETS:
        for found in preset.scores:
            reasons = why_different(preset, found, "all-MiniLM-L6-v2", "hub: mteb/x@1", "all")
            assert len(set(reasons)) == len(reasons)
            assert all(reason.endswith(".") and len(reason) < 130 for reason in reasons)
