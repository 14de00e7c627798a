"""Score by share of Avg. and by layers."""

from itertools import combinations

import numpy as np
import pytest

from core.analysis import inner_products, mixing
from core.analysis.mixing import (
    SHARES,
    Mixture,
    columns,
    mean_of,
    mixed,
    mixture,
    score_held_out,
    similarities,
)
from core.corpora.corpus import Corpus
from core.errors import CorpusError, RecipeError
from core.evaluation.sts import evaluate
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.settings import Settings
from tests.core.helpers.texts import many, pairs

REFERENCE = "reference=demo"


@pytest.fixture(scope="module")
def reference(texts_file) -> str:
    """The text of a small reference in a recipe."""
    return f'reference="{texts_file}"'


@pytest.fixture(scope="module")
def own_engine(tmp_path_factory) -> Engine:
    return Engine(Settings(cache=tmp_path_factory.mktemp("mixing")))


def split(corpus: Corpus, odd: int) -> Corpus:
    """Every second pair of a corpus."""
    rows = np.arange(len(corpus))[odd::2]
    texts = corpus.sentences
    return Corpus.of_pairs(
        f"half {odd}",
        [texts[i] for i in corpus.first[rows]],
        [texts[i] for i in corpus.second[rows]],
        corpus.gold[rows].tolist(),
    )


def test_shares_are_those_of_the_paper():
    assert len(SHARES) == 51
    assert {-1.0, -0.75, -0.25, 0.05, 1.5} <= set(SHARES)
    assert SHARES[0] == -1.0
    assert SHARES[-1] == 1.5
    assert {0.0, 0.5, 1.0} <= set(SHARES)
    assert np.allclose(np.diff(SHARES), 0.05)


@pytest.mark.parametrize(
    ("depth", "names"),
    [
        (1, ("0", "1", "0+last")),
        (2, ("0", "1", "2", "first+last", "0+last", "0+1+2+last")),
        (3, ("0", "1", "2", "3", "first+last", "0+last", "1+2+last", "0+1+2+last")),
        (6, (*map(str, range(7)), "first+last", "0+last", "1+2+last", "0+1+2+last", "all")),
    ],
)
def test_no_two_columns_average_the_same_layers(depth, names):
    assert columns(depth) == names


@pytest.mark.parametrize("options", ["", "weight=idf", "tokens=content;weight=variance;similarity=dot"])
def test_cells_are_what_the_engine_gives(own_engine, bert, scored, reference, options):
    """By inner products alone."""
    recipe = Recipe.parse(";".join(filter(None, [bert, reference, options])))
    cells = [
        (w, name) for w in (-1.0, -0.3, 0.0, 0.5, 1.0, 1.5) for name in ("0", "1", "first+last", "all")
    ]
    expected_rows = [own_engine.similarities(mixed(recipe, *cell), scored)[0] for cell in cells]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Engine, "similarities", None)
        rows = list(similarities(own_engine, recipe, scored, cells))
    for values, expected in zip(rows, expected_rows, strict=True):
        np.testing.assert_allclose(values, expected, atol=1e-6 * max(1, np.abs(expected).max()))


def test_the_table_holds_every_cell_s_score(own_engine, bert, scored, reference):
    recipe = Recipe.parse(f"{bert};{reference}")
    found = mixture(own_engine, recipe, scored)
    assert found.scores.shape == (51, len(found.layers))
    assert found.layers[: found.singles] == tuple(str(i) for i in range(found.singles))
    for w, name in ((-1.0, "0"), (0.0, "1"), (1.2, "first+last")):
        values, _ = own_engine.similarities(mixed(recipe, w, name), scored)
        assert found.at(w, name) == pytest.approx(
            evaluate(values, scored, intervals=False).spearman, abs=0.02
        )
    share, layers = found.best
    assert found.at(share, layers) == np.nanmax(found.scores)


def test_the_engine_runs_what_inner_products_do_not_determine(
    own_engine, bert, scored, reference, monkeypatch
):
    monkeypatch.setattr(mixing, "SHARES", (0.0, 0.5, 1.0))
    monkeypatch.setattr(inner_products, "similarities", None)
    recipe = Recipe.parse(f"{bert};{reference};post=centre")
    found = mixture(own_engine, recipe, scored)
    values, _ = own_engine.similarities(mixed(recipe, 0.5, "1"), scored)
    assert found.at(0.5, "1") == evaluate(values, scored, intervals=False).spearman


def test_a_second_time_nothing_is_embedded(own_engine, bert, scored, reference, monkeypatch):
    monkeypatch.setattr(mixing, "SHARES", (0.0, 0.5, 1.0))
    recipe = Recipe.parse(f"{bert};{reference};weight=norm")
    assert not mixing.is_kept(own_engine, recipe, scored)
    first = mixture(own_engine, recipe, scored)
    assert mixing.is_kept(own_engine, recipe, scored)
    assert not mixing.is_kept(own_engine, recipe, split(scored, 0))
    monkeypatch.setattr(Engine, "similarities", None)
    monkeypatch.setattr(inner_products, "similarities", None)
    np.testing.assert_array_equal(mixture(own_engine, recipe, scored).scores, first.scores)


def test_what_it_depends_on_is_in_its_key(own_engine, bert, scored, texts_file, tmp_path):
    """Another reference, weight, corpus or least number of contexts gives other scores."""
    other = tmp_path / "other.txt"
    other.write_text("\n".join(f"well {text}" for text in many(30)), "utf-8")
    base = Recipe.parse(f'{bert};reference="{texts_file}"')
    mixtures = [
        mixture(own_engine, base, scored),
        mixture(own_engine, base.replace(weight="idf"), scored),
        mixture(own_engine, base.replace(reference=f'"{other}"'), scored),
        mixture(own_engine, base, split(scored, 0)),
        mixture(own_engine, base.replace(mix="averaged(least=25)"), scored),
    ]
    for a, b in combinations(mixtures, 2):
        assert not np.array_equal(a.scores, b.scores, equal_nan=True)


def test_the_best_of_one_split_on_another(own_engine, bert, scored, reference):
    recipe = Recipe.parse(f"{bert};{reference}")
    sides = [(half, mixture(own_engine, recipe, half)) for half in (split(scored, 0), split(scored, 1))]
    found = score_held_out(own_engine, recipe, *sides)
    (_, first), (corpus, second) = sides
    assert (found.share, found.layers) == first.best
    assert found.chosen_at == np.nanmax(first.scores)
    own, _ = own_engine.similarities(mixed(recipe, found.share, found.layers), corpus)
    plain, _ = own_engine.similarities(mixed(recipe, 0.0, found.layers), corpus)
    score = evaluate(own, corpus)
    assert found.score.spearman == score.spearman
    assert found.score.low <= found.score.spearman <= found.score.high
    gain = score.spearman - evaluate(plain, corpus, intervals=False).spearman
    assert found.gain.value == pytest.approx(gain)
    better = sum(v > second.at(*first.best) + 1e-9 for v in second.scores.ravel())
    assert found.rank == 1 + better


def table(*rows, singles=1) -> Mixture:
    return Mixture((0.0, 1.0), ("0", "all"), singles, np.array(rows, float))


def test_a_mean_over_corpora_is_cell_by_cell():
    one, two = table([1, 2], [3, np.nan]), table([3, 2], [5, 4])
    np.testing.assert_array_equal(mean_of([one, two]).scores, [[2, 2], [4, np.nan]])
    assert mean_of([one, two]).best == (1.0, "0")


def test_no_score_at_all_has_no_best(own_engine):
    nothing = table([np.nan, np.nan], [np.nan, np.nan])
    assert nothing.best is None
    corpus = pairs()
    assert score_held_out(own_engine, Recipe(), (corpus, nothing), (corpus, nothing)) is None


@pytest.mark.parametrize("source", ["random", "averaged(model=bundled)"])
def test_only_a_model_can_be_mixed(own_engine, scored, source):
    with pytest.raises(RecipeError, match="model"):
        mixture(own_engine, Recipe.parse(f"source={source};{REFERENCE}"), scored)


def test_a_corpus_without_gold_is_refused(own_engine, bert):
    with pytest.raises(CorpusError, match="no scored pairs"):
        mixture(own_engine, Recipe.parse(bert), Corpus.of_texts("texts", many(5)))
