"""Every registered option of every stage runs in the engine: shape, type, finite, and odd sentences.

The list is read from the registry, so an option is covered from the moment it is registered.
"""

import numpy as np
import pytest

from core.corpora.corpus import Corpus
from core.recipe import STAGES, Recipe
from tests.core.helpers.examples import stage_choices
from tests.core.helpers.texts import ODD, pairs

MASK = ("tokens=mask", "tokens=nomask")
"""What needs a template with a mask token in it."""

WITHOUT_OWN_SOURCE = [t for t in stage_choices() if not t.startswith("source=")]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    """Plain pairs, with every odd sentence beside the next and beside a plain one."""
    plain, odd = pairs(), list(ODD.values())
    first = [plain.sentences[i] for i in plain.first] + odd + odd
    second = [plain.sentences[i] for i in plain.second] + odd[1:] + odd[:1] + [*plain.sentences[: len(odd)]]
    gold = [*plain.gold.tolist(), *([2.5] * 2 * len(odd))]
    return Corpus.of_pairs("plain and odd", first, second, gold)


@pytest.fixture
def completed(vectors_file):
    """A stage's choice with what it needs beside it."""
    return lambda stage_choice: (
        f"{stage_choice};template=T0"
        if stage_choice in MASK
        else stage_choice.replace("VECTORS", str(vectors_file))
    )


@pytest.mark.parametrize("stage_choice", stage_choices())
def test_an_option_runs_in_the_engine(stage_choice, completed, shared_engine, corpus, bert, texts_file):
    source = "" if stage_choice.startswith("source=") else bert
    reference = "" if stage_choice.startswith("reference=") else f"reference={texts_file}"
    recipe = Recipe.parse(f"{source};{reference};{completed(stage_choice)}")

    similarities, embedded = shared_engine.similarities(recipe, corpus)

    vectors = embedded.vectors
    assert vectors.shape[0] == len(corpus.sentences)
    assert vectors.ndim == 2
    assert vectors.shape[1] >= 1
    assert vectors.dtype == np.float32
    assert np.isfinite(vectors).all()
    assert similarities.shape == (len(corpus),)
    assert np.isfinite(similarities).all()
    assert Recipe.parse(str(recipe)) == recipe


@pytest.mark.parametrize(
    "stage_choice", [t for t in stage_choices() if t.startswith(("tokens=", "weight=", "pool="))]
)
@pytest.mark.parametrize("family", ["roberta", "xlnet", "llama"])
def test_token_stages_serve_other_families(
    stage_choice, completed, family, shared_engine, corpus, model, texts_file
):
    if family == "xlnet" and stage_choice == "pool=clshead":
        pytest.skip("XLNet has no layer behind its classification token; the refusal is tested elsewhere")
    if family == "llama" and stage_choice in ("pool=cls", "pool=clsmean", "pool=clshead", *MASK):
        pytest.skip("a decoder has no classification nor mask token; its refusals are tested elsewhere")
    recipe = Recipe.parse(f"source={model(family)};reference={texts_file};{completed(stage_choice)}")
    assert np.isfinite(shared_engine.embed(recipe, corpus).vectors).all()


@pytest.mark.parametrize("stage_choice", WITHOUT_OWN_SOURCE)
def test_a_sentence_says_the_same_whatever_stands_beside_it(
    stage_choice, completed, shared_engine, corpus, bert, texts_file
):
    """True of all that learns nothing from the target."""
    name = stage_choice.partition("=")[0]
    if name == "reference":
        pytest.skip("a reference changes nothing by itself")
    recipe = Recipe.parse(f"{bert};reference={texts_file};{completed(stage_choice)}").on_reference()
    alone = Corpus.of_texts("alone", [corpus.sentences[5], "a", ""])
    together = shared_engine.embed(recipe, corpus).vectors[[5, *corpus.rows_of(["a", ""])]]
    scale = np.abs(together).max() or 1.0
    apart = np.abs(shared_engine.embed(recipe, alone).vectors - together).max() / scale
    assert apart < (2e-3 if name == "post" else 2e-5)  # quantiles and small eigenvalues magnify rounding


def test_the_list_holds_every_option_and_both_ends_of_its_arguments():
    listed = stage_choices()
    for stage in STAGES.values():
        for option in stage:
            mine = [t for t in listed if t.startswith(f"{stage.name}={option.name}")]
            assert mine
            for argument in option.arguments.values():
                if argument.allowed or argument.type is not str:
                    assert len([t for t in mine if f"{argument.name}=" in t]) >= 1
