"""Head search and the correlation of heads with word weights: against the engine, and against loops."""

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

from core.analysis.heads import head_correlations as correlations_module
from core.analysis.heads import head_search as heads_module
from core.analysis.heads import head_similarities as similarities_module
from core.analysis.heads.head_correlations import (
    GENSIM,
    HEAD_CORRELATIONS,
    correlations,
    gensim_correlations,
)
from core.analysis.heads.head_search import (
    HeadScores,
    evaluate_head,
    published_head,
    search,
    search_base,
    what_heads_depend_on,
)
from core.analysis.heads.head_similarities import SETTINGS, head_similarities, with_head
from core.corpora.corpus import Corpus
from core.encoders.output import Output
from core.errors import CorpusError, RecipeError, StoreError
from core.evaluation.sts import compare, evaluate
from core.pipeline.engine import Engine
from core.recipe import WEIGHT, Recipe
from core.settings import Settings
from tests.core.helpers.texts import many
from tests.core.helpers.tiny import DEPTH, HEADS

EVERY = [(layer, head) for layer in range(1, DEPTH + 1) for head in range(1, HEADS + 1)]


def base(folder, more: str = "") -> Recipe:
    return Recipe.parse(f"source={folder};{more}")


def by_hand(engine: Engine, recipe: Recipe, corpus: Corpus, layers: list[int], layer: int, head: int):
    """Ditto's sentence vectors, one token after the other in float64."""
    found, _ = engine.passes.get(engine.source(recipe), corpus)
    vectors = []
    for text in range(len(corpus.sentences)):
        span = found.tokens.span(text)
        weights = found.diagonals(span)[:, layer - 1, head - 1].astype(np.float64)
        states = [found.read(i, span).astype(np.float64) for i in layers]
        total = np.zeros(states[0].shape[1])
        for token, weight in enumerate(weights):
            for state in states:
                total += weight / weights.sum() * state[token] / len(layers)
        vectors.append(total)
    return np.array(vectors)


def cosine(u, v) -> float:
    return float(u @ v / (np.linalg.norm(u) * np.linalg.norm(v)))


# -- similarities of every head


@pytest.mark.parametrize("family", ["bert", "gpt2", "electra"])
def test_every_head_gives_the_similarities_of_its_recipe(model, shared_engine, scored, family):
    recipe = base(model(family))
    seen = set()
    for name, head, similarities in head_similarities(shared_engine, recipe, scored):
        expected, _ = shared_engine.similarities(with_head(recipe, name, *head), scored)
        np.testing.assert_allclose(similarities, expected, atol=1e-6)
        seen.add((name, head))
    assert seen == {(name, head) for name in SETTINGS for head in EVERY}


def test_every_head_is_a_weighted_sum_by_hand(model, shared_engine, scored):
    recipe = base(model("bert"))
    for name, layers in (("0+last", [0, DEPTH]), ("static", [-1])):
        for _, head, similarities in head_similarities(shared_engine, recipe, scored, [name]):
            vectors = by_hand(shared_engine, recipe, scored, layers, *head)
            pairs = zip(scored.first, scored.second, strict=True)
            expected = [cosine(vectors[i], vectors[j]) for i, j in pairs]
            np.testing.assert_allclose(similarities, expected, atol=1e-6)


@pytest.mark.parametrize(
    "more",
    [
        "tokens=content",
        "tokens=unbiased",
        "template=T0;tokens=mask",
        "template=T4;tokens=sentence",
        "similarity=euclidean",
        "post=zscore",
        "post=centre+normalize;tokens=content",
    ],
)
def test_template_tokens_post_and_similarity_are_applied(model, shared_engine, scored, more):
    recipe = base(model("bert"), more)
    for name, head, similarities in head_similarities(shared_engine, recipe, scored, ["0+last"]):
        if head in ((1, 1), (2, 3), (3, 4)):
            expected, _ = shared_engine.similarities(with_head(recipe, name, *head), scored)
            np.testing.assert_allclose(similarities, expected, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("size", [1, 20_000, 10**9])
def test_blocks_of_heads_and_stretches_of_texts_change_nothing(
    model, shared_engine, scored, monkeypatch, size
):
    recipe = base(model("bert"))
    whole = {head: s for _, head, s in head_similarities(shared_engine, recipe, scored, ["last"])}
    monkeypatch.setattr(similarities_module, "BLOCK_BYTES", size)
    monkeypatch.setattr("core.sources.token_states.CHUNK_BYTES", 3_000)
    steps = []
    again = head_similarities(shared_engine, recipe, scored, ["last"], steps.append)
    for _, head, similarities in again:
        np.testing.assert_allclose(similarities, whole[head], atol=1e-6)
    assert steps[-1].done == steps[-1].total == DEPTH * HEADS
    if size == 1:
        assert [step.done for step in steps if "heads" in step.what] == [*range(1, DEPTH * HEADS + 1)]


def test_a_text_whose_diagonals_are_all_zero_is_weighted_evenly(model, engine, monkeypatch):
    diagonals = Output.diagonals
    monkeypatch.setattr(Output, "diagonals", lambda self, *given: diagonals(self, *given) * 0)
    texts = many(6)
    corpus = Corpus.of_pairs("zero", texts[:3], texts[3:], [1.0, 2.0, 3.0])
    recipe = base(model("bert"), "tokens=content")
    uniform, _ = engine.similarities(recipe.replace(layers="last"), corpus)
    for _, _, similarities in head_similarities(engine, recipe, corpus, ["last"]):
        np.testing.assert_allclose(similarities, uniform, atol=1e-6)


def test_a_text_without_tokens_is_zero(model, engine):
    corpus = Corpus.of_pairs("empty", ["", "dog", "two men"], ["cat", "a dog", "men"], [1.0, 2.0, 3.0])
    for _, _, similarities in head_similarities(engine, base(model("gpt2")), corpus, ["last"]):
        assert similarities[0] == 0
        assert (similarities[1:] != 0).all()


# -- the search


def test_scores_are_those_of_the_recipes(model, shared_engine, scored):
    recipe = base(model("bert"))
    found = search(shared_engine, recipe, scored)
    assert list(found) == list(SETTINGS)
    for name, one in found.items():
        assert one.scores.shape == (DEPTH, HEADS)
        for head in EVERY:
            similarities, _ = shared_engine.similarities(with_head(recipe, name, *head), scored)
            expected = evaluate(similarities, scored, intervals=False).spearman
            assert one.of(*head) == pytest.approx(expected, abs=1e-6)
        similarities, _ = shared_engine.similarities(recipe.replace(layers=name), scored)
        expected = evaluate(similarities, scored, intervals=False).spearman
        assert one.uniform == pytest.approx(expected, abs=1e-6)


def test_a_search_is_kept_also_for_another_process(model, settings, scored, monkeypatch):
    recipe = base(model("bert"))
    first = search(Engine(settings), recipe, scored, ["last", "0+last"])

    def never(*given):
        raise AssertionError("searched again")

    monkeypatch.setattr(heads_module, "_score", never)
    again = search(Engine(settings), recipe, scored, ["0+last"])
    np.testing.assert_array_equal(again["0+last"].scores, first["0+last"].scores)
    assert again["0+last"].uniform == first["0+last"].uniform
    others = [
        (recipe.replace(tokens="content"), scored, ["last"]),
        (recipe.replace(template="T0"), scored, ["last"]),
        (recipe.replace(similarity="dot"), scored, ["last"]),
        (recipe, scored, ["1"]),
        (recipe, scored.take("all").of_rows(np.arange(50)), ["last"]),
    ]
    for other in others:
        with pytest.raises(AssertionError, match="searched again"):
            search(Engine(settings), *other)


def test_another_precision_is_another_search(model, tmp_path, scored, monkeypatch):
    recipe = base(model("bert"))
    search(Engine(Settings(cache=tmp_path)), recipe, scored, ["last"])
    monkeypatch.setattr(heads_module, "_score", lambda *given: pytest.fail("searched again"))
    with pytest.raises(pytest.fail.Exception, match="searched again"):
        search(Engine(Settings(cache=tmp_path, storage="float16")), recipe, scored, ["last"])


def test_a_damaged_table_is_searched_again(model, engine, scored):
    recipe = base(model("bert"))
    first = search(engine, recipe, scored, ["last"])["last"]
    for path in (engine.store.root / "tables").glob("heads-*.npz"):
        path.write_bytes(b"nonsense")
    np.testing.assert_array_equal(search(engine, recipe, scored, ["last"])["last"].scores, first.scores)


def test_best_rank_and_median_leave_out_what_has_no_score():
    grid = np.array([[3.0, np.nan, 7.0], [7.0, 1.0, 5.0]])
    found = HeadScores("last", grid, 4.0)
    assert found.best == (1, 3)
    assert [found.rank(1, 3), found.rank(2, 1), found.rank(2, 3), found.rank(2, 2)] == [1, 1, 3, 5]
    assert found.rank(1, 2) == 6
    assert found.median == 5.0
    none = HeadScores("last", np.full((2, 2), np.nan), 4.0)
    assert none.best is None
    assert math.isnan(none.median)


def test_a_verdict_is_the_engines_score_and_its_paired_difference_from_uniform(
    model, shared_engine, scored
):
    recipe = base(model("bert"))
    found = evaluate_head(shared_engine, recipe, "last", (2, 3), scored)
    ditto, _ = shared_engine.similarities(with_head(recipe, "last", 2, 3), scored)
    uniform, _ = shared_engine.similarities(recipe.replace(layers="last"), scored)
    expected = evaluate(ditto, scored)
    assert (found.score.spearman, found.score.low) == (expected.spearman, expected.low)
    assert found.difference == compare(uniform, ditto, scored)
    gain = evaluate(ditto, scored).spearman - evaluate(uniform, scored).spearman
    assert found.difference.value == pytest.approx(gain)


def test_a_search_takes_source_template_and_tokens_of_a_recipe():
    recipe = Recipe.parse("template=T0;layers=1;tokens=mask;weight=idf;pool=max;post=zscore;similarity=dot")
    assert str(search_base(recipe)) == "template=T0;tokens=mask"
    assert str(search_base(recipe, post=True)) == "template=T0;tokens=mask;post=zscore"


@pytest.mark.parametrize(
    ("name", "shape", "expected"),
    [
        ("bert-base-uncased", (12, 12), (1, 10)),
        ("google/electra-base-discriminator", (12, 12), (1, 11)),
        ("FacebookAI/roberta-base", (12, 12), (1, 5)),
        ("sentence-transformers/bert-base-nli-stsb-mean-tokens", (12, 12), (3, 7)),
        ("bert-base-uncased", (2, 4), None),
        ("all-MiniLM-L6-v2", (6, 12), None),
    ],
)
def test_published_heads_are_known_by_the_models_name(name, shape, expected):
    assert published_head(name, *shape) == expected


# -- what cannot be searched


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ("post=zscore(fit=reference)", "search without post-processing"),
        ("post=flow", "quick to learn"),
        ("pool=max", "takes its own layers and weight"),
        ("weight=idf", "takes its own layers and weight"),
        ("mix=averaged", "takes its own layers and weight"),
        ("post=whiten", "different sentences and needs"),
    ],
)
def test_what_a_search_cannot_follow_is_refused(model, shared_engine, more, says):
    texts = many(40)
    corpus = Corpus.of_pairs("few", texts[:16], texts[16:32], [i % 5 for i in range(16)])
    with pytest.raises(RecipeError, match=says):
        search(shared_engine, base(model("bert"), more), corpus)


def test_whitening_needs_more_sentences_than_dimensions(model, shared_engine):
    texts = many(33)
    for count, refused in ((31, True), (33, False)):
        some = texts[:count]
        corpus = Corpus.of_pairs("w", some, [*some[1:], some[0]], [i % 5 for i in range(count)])
        recipe = base(model("bert"), "post=whiten")
        if refused:
            with pytest.raises(RecipeError, match="31 different sentences and needs 33"):
                search(shared_engine, recipe, corpus, ["last"])
        else:
            assert np.isfinite(search(shared_engine, recipe, corpus, ["last"])["last"].scores).any()


def test_layers_that_weigh_themselves_are_refused(model, shared_engine, scored):
    with pytest.raises(RecipeError, match="under averages of layers"):
        search(shared_engine, base(model("bert")), scored, ["wk(start=0)"])


def test_a_layer_the_model_lacks_is_refused(model, shared_engine, scored):
    with pytest.raises(RecipeError, match="has no layer 9"):
        search(shared_engine, base(model("bert")), scored, ["9"])


@pytest.mark.parametrize("what", [search, correlations])
def test_sources_without_heads_are_refused(shared_engine, scored, what):
    with pytest.raises(RecipeError, match="have no attention heads"):
        what(shared_engine, Recipe.parse("source=random"), scored)


@pytest.mark.parametrize("what", [search, correlations])
def test_a_model_that_does_not_give_its_attention_is_refused(model, engine, scored, what, monkeypatch):
    monkeypatch.setattr(Output, "every_attention", lambda _: None)
    with pytest.raises(RecipeError, match="does not give its attention"):
        what(engine, base(model("bert")), scored)


@pytest.mark.parametrize("what", [search, correlations])
def test_a_pass_too_large_to_keep_is_refused(model, tmp_path, scored, what):
    engine = Engine(Settings(cache=tmp_path, budget_bytes=1000))
    with pytest.raises(StoreError, match="too large for its pass to be kept"):
        what(engine, base(model("bert")), scored)


@pytest.mark.parametrize(
    "corpus",
    [
        Corpus.of_texts("texts", ["a dog", "a cat"]),
        Corpus.of_pairs("flat", ["a", "b"], ["c", "d"], [3.0, 3.0]),
    ],
)
def test_a_corpus_without_gold_cannot_be_searched_and_can_be_correlated(model, engine, corpus):
    with pytest.raises(CorpusError):
        search(engine, base(model("bert")), corpus)
    assert correlations(engine, base(model("bert")), corpus)["idf"].pearson.shape == (DEPTH, HEADS)


def test_work_can_be_stopped_between_blocks(model, engine, scored, monkeypatch):
    monkeypatch.setattr(similarities_module, "BLOCK_BYTES", 1)
    recipe = base(model("bert"))
    engine.weighted_states(with_head(recipe, "last", 1, 1), scored)

    def stop(step):
        if step.what == "Scoring attention heads" and step.done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search(engine, recipe, scored, ["last"], stop)
    assert not [*(engine.store.root / "tables").glob("heads-*")]


# -- correlations with word weights


def word_weights(engine: Engine, recipe: Recipe, corpus: Corpus):
    """The own tokens of every different text with their diagonals, tf-idf and idf: loops and a counter."""
    found, _ = engine.passes.get(engine.source(recipe), corpus)
    plain = engine.passes.tokens(engine.source(recipe.replace(template="none")), corpus.sentences)
    documents, texts = Counter(), 0
    for text, times in enumerate(corpus.repeats):
        texts += times
        for token in set(plain.ids[plain.span(text)].tolist()):
            documents[token] += int(times)
    rows = []
    for text in range(len(corpus.sentences)):
        span = found.tokens.span(text)
        ids = found.tokens.ids[span].tolist()
        own = ~(found.tokens.special | found.tokens.template)[span]
        counts = Counter(i for i, kept in zip(ids, own, strict=True) if kept)
        for i, kept, diagonal in zip(ids, own, found.diagonals(span), strict=True):
            if kept:
                idf = math.log(texts / documents[i])
                rows.append((diagonal.astype(np.float64), idf * counts[i], idf))
    return np.array([r[0] for r in rows]), {"tf-idf": [r[1] for r in rows], "idf": [r[2] for r in rows]}


@pytest.mark.parametrize("template", ["none", "T0"])
def test_correlations_are_over_all_own_tokens_of_different_texts(model, shared_engine, scored, template):
    recipe = base(model("bert"), f"template={template}")
    found = correlations(shared_engine, recipe, scored)
    diagonals, words = word_weights(shared_engine, recipe, scored)
    assert list(found) == ["tf-idf", "idf"]
    for name, one in found.items():
        assert (one.weight, one.tokens, one.texts) == (name, len(diagonals), len(scored.sentences))
        for layer in range(DEPTH):
            for head in range(HEADS):
                own = diagonals[:, layer, head]
                assert one.pearson[layer, head] == pytest.approx(pearsonr(own, words[name])[0], abs=1e-9)
                assert one.spearman[layer, head] == pytest.approx(spearmanr(own, words[name])[0], abs=1e-9)
    assert not np.allclose(found["idf"].pearson, found["tf-idf"].pearson)


def test_the_tf_idf_of_gensim_is_learnt_from_the_reference(model, shared_engine, scored, tmp_path):
    """Beside the package itself."""
    from gensim.corpora import Dictionary
    from gensim.models import TfidfModel

    lines = [text for text in [*many(80), *many(12)] if "guitar" not in text]
    (tmp_path / "few.txt").write_text("\n".join(lines) + "\n")
    recipe = base(model("bert"), f"reference={tmp_path / 'few.txt'}")
    found = gensim_correlations(shared_engine, recipe, scored)
    source, reference = shared_engine.source(recipe), shared_engine.references.of(recipe)

    def tokens_of(corpus: Corpus) -> list[list[str]]:
        read = shared_engine.passes.tokens(source, corpus.sentences)
        own = [read.ids[read.span(i)][~read.special[read.span(i)]] for i in range(len(corpus.sentences))]
        return [[str(i) for i in each] for each in own]

    every = zip(tokens_of(reference), reference.repeats.tolist(), strict=True)
    learnt = [text for text, often in every for _ in range(often)]
    words = Dictionary(learnt)
    package = TfidfModel([words.doc2bow(text) for text in learnt])
    weights = []
    for text in tokens_of(scored):
        known = {words[i]: value for i, value in package[words.doc2bow(text)]}
        weights += [known.get(token, 0.0) for token in text]
    diagonals, _ = word_weights(shared_engine, recipe, scored)
    assert (found.weight, found.tokens) == (GENSIM, len(diagonals))
    assert 0 in weights, "some words are not in the reference"
    for layer in range(DEPTH):
        for head in range(HEADS):
            own = diagonals[:, layer, head]
            assert found.pearson[layer, head] == pytest.approx(pearsonr(own, weights)[0], abs=1e-6)
            assert found.spearman[layer, head] == pytest.approx(spearmanr(own, weights)[0], abs=1e-3)


def test_correlations_are_kept_and_do_not_follow_what_they_do_not_look_at(
    model, settings, scored, monkeypatch
):
    recipe = base(model("bert"))
    first = correlations(Engine(settings), recipe, scored)
    monkeypatch.setattr(correlations_module, "_correlate", lambda *given: pytest.fail("counted again"))
    again = correlations(Engine(settings), recipe.replace(tokens="content", post="zscore"), scored)
    np.testing.assert_array_equal(again["idf"].spearman, first["idf"].spearman)
    with pytest.raises(pytest.fail.Exception, match="counted again"):
        correlations(Engine(settings), recipe.replace(template="T0"), scored)


def test_stretches_change_nothing(model, engine, scored, monkeypatch):
    first = correlations(engine, base(model("bert")), scored)
    kept = [*(engine.store.root / "tables").glob(f"{HEAD_CORRELATIONS.name}-*")]
    assert kept
    for path in kept:
        path.unlink()
    monkeypatch.setattr(correlations_module, "CHUNK_TOKENS", 7)
    again = correlations(engine, base(model("bert")), scored)
    np.testing.assert_allclose(again["tf-idf"].pearson, first["tf-idf"].pearson, atol=1e-12)


def test_texts_that_all_hold_the_same_words_have_no_correlation(model, engine):
    corpus = Corpus.of_texts("same", ["dog cat", "cat dog"])
    found = correlations(engine, base(model("bert")), corpus)
    assert np.isnan(found["idf"].pearson).all()


def test_a_corpus_without_words_is_refused(model, engine):
    with pytest.raises(CorpusError, match="has 0 tokens; a correlation needs two"):
        correlations(engine, base(model("bert")), Corpus.of_texts("blank", ["", " "]))


# -- real data


@pytest.mark.data
@pytest.mark.slow
def test_the_bundled_models_best_head_on_sts_b(lasting_cache, data_folder):
    engine = Engine(Settings(cache=lasting_cache, data=data_folder))
    found = search(engine, Recipe(), engine.corpus("STS-B", "test"), ["0+last"])["0+last"]
    assert found.best == (1, 9)
    assert found.of(1, 9) == pytest.approx(80.56, abs=0.02)
    assert found.median == pytest.approx(74.63, abs=0.02)
    assert found.uniform == pytest.approx(82.4, abs=0.05)


def test_a_new_edition_of_ditto_has_heads_searched_anew(bert, engine, scored, monkeypatch):
    before = what_heads_depend_on(engine, Recipe.parse(bert), scored)
    monkeypatch.setitem(WEIGHT.options, "ditto", replace(WEIGHT.options["ditto"], edition=9))
    assert what_heads_depend_on(engine, Recipe.parse(bert), scored) != before
