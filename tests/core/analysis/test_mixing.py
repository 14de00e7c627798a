"""Score by share of Avg. and by layers."""

import numpy as np
import pytest

from core.analysis import mixing, products
from core.analysis.mixing import SHARES, Mixture, columns, fared, mean_of, mixed, mixture
from core.corpus import Corpus
from core.embed import Road
from core.errors import CorpusError, RecipeError
from core.evaluation.sts import evaluate
from core.recipe import Recipe
from core.settings import Settings
from tests.core.helpers.texts import many, pairs

REFERENCE = "reference=demo"


@pytest.fixture(scope="module")
def reference(texts_file) -> str:
    """A turning that takes a small reference."""
    return f'reference="{texts_file}"'


@pytest.fixture(scope="module")
def own_road(tmp_path_factory) -> Road:
    return Road(Settings(cache=tmp_path_factory.mktemp("mixing")))


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
    assert len(SHARES) == 26
    assert SHARES[0] == -1.0
    assert SHARES[-1] == 1.5
    assert {0.0, 0.5, 1.0} <= set(SHARES)
    assert np.allclose(np.diff(SHARES), 0.1)


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


@pytest.mark.parametrize("turning", ["", "weight=idf", "tokens=content;weight=variance;similarity=dot"])
def test_cells_are_the_road_s(own_road, bert, scored, reference, turning):
    """In closed form, and yet each cell is what embedding it gives."""
    recipe = Recipe.parse(";".join(filter(None, [bert, reference, turning])))
    cells = [
        (w, name) for w in (-1.0, -0.3, 0.0, 0.5, 1.0, 1.5) for name in ("0", "1", "first+last", "all")
    ]
    made = list(mixing._similarities(own_road, recipe, scored, cells, lambda step: None))
    for cell, values in zip(cells, made, strict=True):
        expected, _ = own_road.similarities(mixed(recipe, *cell), scored)
        np.testing.assert_allclose(values, expected, atol=1e-6 * max(1, np.abs(expected).max()))


def test_the_table_holds_every_cell_s_score(own_road, bert, scored, reference):
    recipe = Recipe.parse(f"{bert};{reference}")
    found = mixture(own_road, recipe, scored)
    assert found.spearman.shape == (26, len(found.layers))
    assert found.layers[: found.singles] == tuple(str(i) for i in range(found.singles))
    for w, name in ((-1.0, "0"), (0.0, "1"), (1.2, "first+last")):
        values, _ = own_road.similarities(mixed(recipe, w, name), scored)
        assert found.at(w, name) == pytest.approx(
            evaluate(values, scored, intervals=False).spearman, abs=0.02
        )
    share, layers = found.best
    assert found.at(share, layers) == np.nanmax(found.spearman)


def test_what_has_no_closed_form_walks_the_road(own_road, bert, scored, reference, monkeypatch):
    monkeypatch.setattr(mixing, "SHARES", (0.0, 0.5, 1.0))
    monkeypatch.setattr(products, "similarities", None)
    recipe = Recipe.parse(f"{bert};{reference};post=centre")
    found = mixture(own_road, recipe, scored)
    values, _ = own_road.similarities(mixed(recipe, 0.5, "1"), scored)
    assert found.at(0.5, "1") == evaluate(values, scored, intervals=False).spearman


def test_a_second_time_nothing_is_embedded(own_road, bert, scored, reference, monkeypatch):
    recipe = Recipe.parse(f"{bert};{reference};weight=norm")
    first = mixture(own_road, recipe, scored)
    monkeypatch.setattr(Road, "similarities", None)
    monkeypatch.setattr(mixing, "_similarities", None)
    np.testing.assert_array_equal(mixture(own_road, recipe, scored).spearman, first.spearman)


def test_what_it_depends_on_is_in_its_key(own_road, bert, scored, texts_file, tmp_path):
    """Another reference, weight, corpus or least number of contexts gives other scores."""
    other = tmp_path / "other.txt"
    other.write_text("\n".join(f"well {text}" for text in many(30)), "utf-8")
    base = Recipe.parse(f'{bert};reference="{texts_file}"')
    made = [
        mixture(own_road, base, scored),
        mixture(own_road, base.replace(weight="idf"), scored),
        mixture(own_road, base.replace(reference=f'"{other}"'), scored),
        mixture(own_road, base, split(scored, 0)),
        mixture(own_road, base.replace(mix="averaged(least=25)"), scored),
    ]
    for i, one in enumerate(made):
        for two in made[i + 1 :]:
            assert not np.array_equal(one.spearman, two.spearman, equal_nan=True)


def test_the_best_of_one_split_on_another(own_road, bert, scored, reference):
    recipe = Recipe.parse(f"{bert};{reference}")
    sides = [(half, mixture(own_road, recipe, half)) for half in (split(scored, 0), split(scored, 1))]
    found = fared(own_road, recipe, *sides)
    (_, first), (corpus, second) = sides
    assert (found.share, found.layers) == first.best
    assert found.chosen_at == np.nanmax(first.spearman)
    own, _ = own_road.similarities(mixed(recipe, found.share, found.layers), corpus)
    plain, _ = own_road.similarities(mixed(recipe, 0.0, found.layers), corpus)
    score = evaluate(own, corpus)
    assert found.score.spearman == score.spearman
    assert found.score.low <= found.score.spearman <= found.score.high
    gain = score.spearman - evaluate(plain, corpus, intervals=False).spearman
    assert found.gain.value == pytest.approx(gain)
    better = sum(v > second.at(*first.best) + 1e-9 for v in second.spearman.ravel())
    assert found.rank == 1 + better


def table(*rows, singles=1) -> Mixture:
    return Mixture((0.0, 1.0), ("0", "all"), singles, np.array(rows, float))


def test_a_mean_over_corpora_is_cell_by_cell():
    one, two = table([1, 2], [3, np.nan]), table([3, 2], [5, 4])
    np.testing.assert_array_equal(mean_of([one, two]).spearman, [[2, 2], [4, np.nan]])
    assert mean_of([one, two]).best == (1.0, "0")


def test_no_score_at_all_has_no_best(own_road):
    nothing = table([np.nan, np.nan], [np.nan, np.nan])
    assert nothing.best is None
    corpus = pairs()
    assert fared(own_road, Recipe(), (corpus, nothing), (corpus, nothing)) is None


@pytest.mark.parametrize("source", ["random", "averaged(model=bundled)"])
def test_only_a_model_can_be_mixed(own_road, scored, source):
    with pytest.raises(RecipeError, match="model"):
        mixture(own_road, Recipe.parse(f"source={source};{REFERENCE}"), scored)


def test_a_corpus_without_gold_is_refused(own_road, bert):
    with pytest.raises(CorpusError, match="no scored pairs"):
        mixture(own_road, Recipe.parse(bert), Corpus.of_texts("texts", many(5)))
