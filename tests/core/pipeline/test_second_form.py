"""Whole recipes are what a second implementation makes of them, written from the formulas of the papers."""

import numpy as np
import pytest

from core.recipe import Recipe
from tests.core.helpers import second_form
from tests.core.helpers.second_form import Corpus, Text, read
from tests.core.helpers.texts import many, pairs

REFERENCE = [*(f"so {text}" for text in many(100)[60:]), "so a cat sat on", "so a cat sat on"]

LAYERS = {
    "first": [1],
    "last": [3],
    "0+last": [0, 3],
    "all": [0, 1, 2, 3],
    "static": [-1],
    "static+2": [-1, 2],
}
PROMPTS = {
    "T0": 'This sentence: "[X]" means [MASK].',
    "T1": 'This sentence: "[X]" means [MASK][MASK].',
    "T2": 'This sentence: "[X]" means "[MASK][MASK]" and is about [MASK].',
    "T3": 'This sentence from the paraphrase dictionary: "[X]" means "[MASK]", which is about [MASK].',
    "T4": 'This sentence from the dictionary: "[X]" means "[MASK]" and is about [MASK], which is a synonym '
    "for [MASK].",
}
"""Table 1 of Stankevičius & Lukoševičius 2025."""

POOLS = {"pmeans": 'pmeans(p="-inf 1 3 inf")', "dct": "dct(k=3)"}

# template, layers, tokens, weight, pool, share of Avg., steps, what they learn from, similarity
RECIPES = (
    ("", "last", "all", "uniform", "mean", 0, "", "target", "cosine"),
    ("", "0+last", "all", "ditto(layer=2,head=3)", "sum", 0, "", "target", "dot"),
    ("", "wk(start=1)", "noseparator", "variance", "mean", 0, "", "target", "cosine"),
    ("", "static", "content", "sif(fit=target)", "mean", 0, "ccr", "target", "cosine"),
    ("", "static", "content", "sif(fit=reference)", "clsmean", 0, "pccr", "reference", "euclidean"),
    ("", "first", "unbiased", "idf", "mean", 0, "zscore+normalize", "target", "manhattan"),
    ("", "all", "unbiased", "tfidf(fit=reference)", "sum", 0, "abtt", "reference", "spearman"),
    ("", "0+last", "content", "idf(fit=reference)", "mean", 0, "whiten(k=10)", "reference", "dot"),
    ("", "last", "all", "norm", "mean", 0, "whiten(k=4,beta=0.5,gamma=0.4)", "target", "euclidean"),
    ("", "static+2", "without(kinds=pieces)", "norm", "pmeans", 0, "robust", "reference", "cosine"),
    ("", "wk(start=1)", "content", "tfidf", "dct", 0, "centre+normalize", "target", "manhattan"),
    ("", "0+last", "content", "variance", "max", 0, "quantile", "reference", "spearman"),
    ("", "all", "unbiased", "uniform", "lasttoken", 0, "", "target", "euclidean"),
    ("T0", "last", "mask", "uniform", "mean", 0, "", "target", "cosine"),
    ("T1", "last", "mask", "ditto(layer=2,head=3)", "mean", 0, "zscore", "target", "cosine"),
    ("T2", "0+last", "nomask", "idf", "mean", 0, "", "target", "dot"),
    ("T3", "first", "sentence", "norm", "max", 0, "abtt", "target", "cosine"),
    ("T4", "all", "all", "tfidf", "mean", 0, "normalize", "target", "euclidean"),
    ("", "first", "content", "idf", "mean", 0.5, "", "target", "cosine"),
    ("", "0+last", "unbiased", "norm", "sum", -0.75, "zscore", "reference", "cosine"),
    ("T4", "last", "nomask", "variance", "clsmean", 1.25, "normalize", "target", "manhattan"),
)


SCORED = pairs(number=60, different=36)


@pytest.fixture(scope="module")
def reference_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("reference") / "reference.txt"
    path.write_text("\n".join(REFERENCE) + "\n")
    return path


@pytest.mark.parametrize("parts", RECIPES, ids=lambda parts: " ".join(map(str, parts)))
def test_a_recipe_is_its_formulas(parts, model, shared_engine, reference_file):
    prompt, layers, tokens, weight, pool, share, steps, fit, similarity = parts
    folder, template, steps = model("bert"), PROMPTS.get(prompt, "[X]"), steps.split("+") if steps else []
    post = "+".join(_learnt_from(each, fit) for each in steps) or "none"
    recipe = Recipe.parse(
        f"source={folder};layers={layers};tokens={tokens};weight={weight};pool={POOLS.get(pool, pool)};"
        f"similarity={similarity};reference={reference_file};template={prompt or 'none'};"
        f"mix={f'averaged(w={share})' if share else 'none'};post={post}"
    )

    texts = [read(folder, text, template) for text in SCORED.sentences]
    places = np.stack([SCORED.first, SCORED.second], axis=1).ravel()
    plain = Corpus([read(folder, text) for text in REFERENCE])
    counted = plain if "reference" in weight else Corpus([texts[i] for i in places])

    def vector(text: Text) -> np.ndarray:
        states = second_form.fused(text, LAYERS.get(layers))
        values = second_form.weights(text, weight, counted, states)
        kept, by_words = second_form.chosen(text, tokens), weight.startswith("sif")
        return second_form.pooled(text, states, kept, values, pool, by_words=by_words)

    def vectors(some: list[Text]) -> np.ndarray:
        mixed = [vector(text.averaged(plain)) if share else 0 for text in some]
        return np.array(
            [(1 - share) * vector(text) + share * a for text, a in zip(some, mixed, strict=True)]
        )

    expected = vectors(texts)
    if fit == "reference":
        learnt = vectors([read(folder, text, template) for text in REFERENCE])
    else:
        learnt = expected[places]
    for each in steps:
        expected, learnt = (second_form.step(each, learnt, rows) for rows in (expected, learnt))
    both = zip(expected[SCORED.first], expected[SCORED.second], strict=True)
    similarities = np.array([second_form.SIMILARITIES[similarity](u, v) for u, v in both])

    found = shared_engine.embed(recipe, SCORED).vectors
    if "whiten" in "".join(steps):  # the sign of a direction is nobody's
        found = found * np.sign((found * expected).sum(axis=0))
    np.testing.assert_allclose(found, expected, atol=2e-5 * np.abs(expected).max())
    found = shared_engine.similarities(recipe, SCORED)[0]
    np.testing.assert_allclose(found, similarities, atol=2e-5 * np.abs(similarities).max())


def _learnt_from(step: str, fit: str) -> str:
    if step == "normalize":
        return step
    return f"{step[:-1]},fit={fit})" if step.endswith(")") else f"{step}(fit={fit})"
