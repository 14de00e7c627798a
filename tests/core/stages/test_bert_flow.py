"""The flow brings vectors nearer to a Gaussian, repeatably, is kept, and leaves everything else alone."""

import sys
from dataclasses import replace

import numpy as np
import pytest
import torch
from sklearn.preprocessing import StandardScaler

from core.corpora.corpus import Corpus
from core.errors import RecipeError, TooFewSentencesError
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.settings import Settings
from core.stages.bert_flow.normalizing_flow import Flow
from tests.core.helpers.texts import many

SMALL = "source=random(dim=4)"
QUICK = "flow(epochs=1,transforms=2)"


def banana(rows: int, seed: int) -> np.ndarray:
    """One dimension is the square of the other, up to noise: no linear map makes them independent."""
    x, noise = np.random.default_rng(seed).normal(size=(2, rows))
    return np.stack([3 * x + 7, x**2 + 0.5 * noise], axis=1).astype(np.float32)


def correlated(rows: int, seed: int) -> np.ndarray:
    """Three dimensions of which one is nearly the sum of the others, and skewed."""
    a, b, noise = np.random.default_rng(seed).normal(size=(3, rows))
    return np.stack([np.exp(a), b, np.exp(a) + b + 0.1 * noise], axis=1).astype(np.float32)


def log_likelihood(step, x: np.ndarray) -> float:
    """Mean log density of ``x`` if what ``step`` makes of it were N(0, I), by finite differences."""
    rows, dim = x.shape
    width = 1e-2 * x.std(axis=0)
    moved = np.asarray(step.transform(x), np.float64)
    jacobian = np.empty((rows, dim, dim))
    for i in range(dim):
        aside = np.zeros(dim, np.float32)
        aside[i] = width[i]
        change = np.float64(step.transform(x + aside)) - np.float64(step.transform(x - aside))
        jacobian[:, :, i] = change / (2 * np.float64(aside[i]))
    _, volume = np.linalg.slogdet(jacobian)
    return float(np.mean(volume - (moved**2).sum(axis=1) / 2) - dim / 2 * np.log(2 * np.pi))


def inverse(flow: Flow, moved: np.ndarray) -> np.ndarray:
    """The rows whose images under the flow are ``moved``."""
    with torch.inference_mode():
        rows = flow.flow_().transform.inv(torch.from_numpy(moved)).numpy()
    return rows * flow.scale_ + flow.mean_


def trained(engine: Engine) -> list[str]:
    """The stored tables of what flows learnt."""
    return [path.name for path in (engine.store.root / "tables").glob("trained-*")]


@pytest.fixture
def fits(monkeypatch) -> list[Flow]:
    """Every training, as it happens."""
    made, fit = [], Flow.fit

    def counted(self, x, y=None):
        made.append(self)
        return fit(self, x, y)

    monkeypatch.setattr(Flow, "fit", counted)
    return made


# -- the flow by itself ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("coupling", "cloud", "gain"),
    [("affine", banana, 0.5), ("affine", correlated, 1.0), ("glow", banana, 0.5)],
)
def test_what_it_has_not_seen_is_likelier_under_a_gaussian_than_after_scaling(coupling, cloud, gain):
    seen, held_out = cloud(500, 1), cloud(300, 2)
    flow = Flow(epochs=25, rate=5e-3, transforms=3, coupling=coupling).fit(seen)
    scaled = log_likelihood(StandardScaler().fit(seen), held_out)
    assert log_likelihood(flow, held_out) > scaled + gain


def test_what_one_dimension_tells_of_the_other_is_removed():
    flow = Flow(epochs=25, rate=5e-3, transforms=3).fit(banana(500, 1))
    held_out = banana(300, 2)

    def bound(x):
        return abs(np.corrcoef((x[:, 0] - x[:, 0].mean()) ** 2, x[:, 1])[0, 1])

    assert bound(held_out) > 0.85
    assert bound(flow.transform(held_out)) < 0.5


def test_it_is_zukos_density_of_standardised_rows():
    x = correlated(200, 1)
    flow = Flow(epochs=2, rate=1e-2, transforms=2).fit(x)
    rows = torch.from_numpy(((x - x.mean(axis=0)) / x.std(axis=0)).astype(np.float32))
    with torch.inference_mode():
        expected = flow.flow_().log_prob(rows).mean().item() - np.log(x.std(axis=0)).sum()
    assert log_likelihood(flow, x) == pytest.approx(expected, abs=0.05)


def test_the_same_seed_gives_the_same_and_another_seed_another():
    x = correlated(200, 1)
    found = [Flow(epochs=2, seed=seed).fit(x).transform(x) for seed in (3, 3, 4)]
    np.testing.assert_array_equal(found[0], found[1])
    assert np.abs(found[0] - found[2]).max() > 1e-3


def test_the_same_seed_gives_the_same_beside_another_training():
    x = correlated(600, 1)
    alone, beside = Flow(epochs=2, seed=3).fit(x), Flow(epochs=2, seed=3)
    beside.progress = lambda step: Flow(epochs=1, seed=4).fit(x) and torch.manual_seed(step.done)
    with torch.random.fork_rng(devices=[]):
        beside.fit(x)
    np.testing.assert_array_equal(beside.transform(x), alone.transform(x))


def test_the_steps_of_glow_are_a_scale_a_permutation_and_an_additive_coupling():
    x = correlated(300, 1)
    flow = Flow(epochs=3, rate=1e-2, transforms=2, coupling="glow").fit(x)
    rows = ((x - flow.mean_) / flow.scale_).astype(np.float32)
    learnt, volume = {name: part.numpy() for name, part in flow.flow_.state_dict().items()}, 0.0
    for step in range(2):
        shift, scale, order, mask = (
            learnt[f"transform.transforms.{3 * step + place}.{name}"]
            for place, name in ((0, "phi.0"), (0, "phi.1"), (1, "_0"), (2, "mask"))
        )
        scale = np.exp(scale / (1 + np.abs(scale / np.log(1e-3))))  # zuko keeps scales within a range
        rows = (rows * scale + shift)[:, order].astype(np.float32)
        volume += np.log(scale).sum()
        with torch.inference_mode():
            network = flow.flow_.transform.transforms[3 * step + 2].hyper
            rows[:, ~mask] += network(torch.from_numpy(rows[:, mask])).numpy()
    np.testing.assert_allclose(flow.transform(x), rows, atol=1e-4)
    expected = volume - np.log(flow.scale_).sum() - 0.5 * (rows**2).sum(axis=1).mean()
    assert log_likelihood(flow, x) == pytest.approx(expected - 1.5 * np.log(2 * np.pi), abs=0.02)
    again = Flow(epochs=3, transforms=2, coupling="glow").restore(flow.arrays())
    np.testing.assert_array_equal(again.transform(x), flow.transform(x))


def test_glow_begins_with_standardised_dimensions_in_another_order():
    x = np.random.default_rng(1).normal(3, 2, size=(200, 8)).astype(np.float32)
    moved, rows = (
        Flow(epochs=1, rate=0, coupling="glow").fit(x).transform(x),
        StandardScaler().fit_transform(x),
    )
    np.testing.assert_allclose(np.sort(moved, axis=1), np.sort(rows, axis=1), atol=1e-5)


@pytest.mark.parametrize("more", [{"epochs": 3}, {"rate": 1e-2}, {"transforms": 3}, {"coupling": "glow"}])
def test_each_argument_changes_what_is_learnt(more):
    x = correlated(200, 1)
    usual = {"epochs": 2, "rate": 1e-3, "transforms": 2}
    found = [Flow(**given).fit(x).transform(x) for given in (usual, usual | more)]
    assert np.abs(found[0] - found[1]).max() > 1e-3


def test_random_numbers_of_others_go_on_as_if_nothing_had_been():
    x = correlated(100, 1)
    torch.manual_seed(11)
    expected = torch.rand(3)
    torch.manual_seed(11)
    flow = Flow(epochs=1, transforms=2).fit(x)
    flow.transform(x)
    Flow(epochs=1, transforms=2).restore(flow.arrays())
    assert torch.equal(torch.rand(3), expected)
    torch.manual_seed(12)
    np.testing.assert_array_equal(Flow(epochs=1, transforms=2).fit(x).transform(x), flow.transform(x))


@pytest.mark.parametrize("rows", [1, 30, 257])
@pytest.mark.parametrize("dim", [2, 3, 7])
def test_rows_keep_their_shape_and_are_finite(rows, dim):
    flow = Flow(epochs=1, transforms=2).fit(np.random.default_rng(0).normal(size=(257, dim)).astype("f4"))
    x = np.random.default_rng(1).normal(size=(rows, dim)).astype(np.float32)
    x[0] = 1e6  # far from everything that was learnt
    moved = flow.transform(x)
    assert (moved.shape, moved.dtype) == (x.shape, np.float32)
    back = inverse(flow, moved)
    np.testing.assert_allclose(back[0], x[0], rtol=0.05)  # float32 rounds values this large
    np.testing.assert_allclose(back[1:], x[1:], atol=1e-3)


def test_a_constant_dimension_stays_finite():
    x = banana(100, 1)
    x = np.hstack([x, np.full((100, 1), 5, np.float32)])
    flow = Flow(epochs=1).fit(x)
    np.testing.assert_allclose(inverse(flow, flow.transform(x)), x, rtol=1e-3, atol=1e-3)


def test_rows_are_not_modified_and_each_is_moved_by_itself():
    x = correlated(100, 1)
    kept = x.copy()
    flow = Flow(epochs=1).fit(x)
    together = flow.transform(x)
    np.testing.assert_array_equal(x, kept)
    np.testing.assert_allclose(flow.transform(x[::-1][:5]), together[::-1][:5], atol=1e-5)


def test_what_is_kept_is_all_it_learnt(tmp_path):
    x = correlated(200, 1)
    flow = Flow(epochs=2, transforms=3, seed=5).fit(x)
    np.savez(tmp_path / "flow.npz", **flow.arrays())
    with np.load(tmp_path / "flow.npz", allow_pickle=False) as loaded:
        again = Flow(epochs=2, transforms=3, seed=5).restore({name: loaded[name] for name in loaded})
    np.testing.assert_array_equal(again.transform(x), flow.transform(x))


def test_one_dimension_is_refused():
    with pytest.raises(RecipeError, match="post=flow needs vectors of two dimensions or more; got 1"):
        Flow().fit(np.ones((40, 1), np.float32))


# -- in the engine -------------------------------------------------------------------------------------


def test_it_is_learnt_from_the_target_a_sentence_as_often_as_it_occurs(engine):
    texts = many(40)
    corpus = Corpus.of_texts("t", [*texts, *texts[:2] * 30])
    plain = engine.embed(Recipe.parse(SMALL), corpus).vectors
    found = engine.embed(Recipe.parse(f"{SMALL};post=flow(epochs=2,transforms=2,seed=7)"), corpus)
    expected = Flow(2, 1e-3, 2, 7).fit(plain[corpus.positions]).transform(plain)
    np.testing.assert_allclose(found.vectors, expected, atol=1e-5)
    once = Flow(2, 1e-3, 2, 7).fit(plain).transform(plain)
    assert np.abs(found.vectors - once).max() > 1e-3


def test_it_is_learnt_from_the_reference_with_fit_reference(engine, texts_file):
    recipe = Recipe.parse(f"{SMALL};reference={texts_file}")
    reference, target = engine.corpus(str(texts_file), "all"), Corpus.of_texts("t", many(3))
    theirs, plain = (engine.embed(recipe, corpus).vectors for corpus in (reference, target))
    found = engine.embed(recipe.replace(post="flow(epochs=2,transforms=2,fit=reference)"), target)
    expected = Flow(2, 1e-3, 2).fit(theirs[reference.positions]).transform(plain)
    np.testing.assert_allclose(found.vectors, expected, atol=1e-5)


def test_steps_stand_before_and_after_it(engine, scored):
    before = engine.embed(Recipe.parse(f"{SMALL};post=zscore"), scored).vectors
    found = engine.embed(Recipe.parse(f"{SMALL};post=zscore+{QUICK}+normalize"), scored).vectors
    moved = Flow(1, transforms=2).fit(before[scored.positions]).transform(before)
    np.testing.assert_allclose(found, moved / np.linalg.norm(moved, axis=1, keepdims=True), atol=1e-5)


def test_too_few_sentences_are_refused_before_any_training(engine, fits, texts_file):
    few = Corpus.of_texts("few", many(29) * 9)
    with pytest.raises(TooFewSentencesError, match="post=flow .*29 different sentences; it needs 30"):
        engine.embed(Recipe.parse(f"{SMALL};post=flow"), few)
    assert fits == []
    learnt = Recipe.parse(f"{SMALL};post=flow(epochs=1,fit=reference);reference={texts_file}")
    assert engine.embed(learnt, few).vectors.shape == (29, 4)


def test_another_process_does_not_train_again(engine, settings, scored, monkeypatch):
    recipe = Recipe.parse(f"{SMALL};post={QUICK}")
    first = engine.embed(recipe, scored).vectors
    monkeypatch.setattr(Flow, "fit", lambda *_: pytest.fail("trained again"))
    np.testing.assert_array_equal(Engine(settings).embed(recipe, scored).vectors, first)
    similarities, _ = Engine(settings).similarities(recipe.replace(similarity="dot"), scored)
    np.testing.assert_allclose(
        similarities, (first[scored.first] * first[scored.second]).sum(axis=1), rtol=1e-5, atol=1e-6
    )
    Engine(settings).embed(recipe.replace(post=f"{QUICK}+zscore"), scored)


def test_what_it_depends_on_is_trained_for_itself(engine, fits, scored, texts_file, tmp_path):
    (tmp_path / "other.txt").write_text("\n".join(many(50)))
    base = Recipe.parse(f"{SMALL};post={QUICK}")
    recipes = [
        base,
        base.replace(post="flow(epochs=2,transforms=2)"),
        base.replace(post="flow(epochs=1,transforms=3)"),
        base.replace(post="flow(epochs=1,transforms=2,rate=0.01)"),
        base.replace(post="flow(epochs=1,transforms=2,seed=1)"),
        base.replace(post=f"normalize+{QUICK}"),
        base.replace(pool="sum"),
        base.replace(weight="idf"),
        base.replace(tokens="content"),
        base.replace(source="random(dim=4,seed=1)"),
        base.replace(template="T0"),
        base.replace(post="flow(epochs=1,transforms=2,fit=reference)", reference=str(texts_file)),
        base.replace(
            post="flow(epochs=1,transforms=2,fit=reference)", reference=str(tmp_path / "other.txt")
        ),
    ]
    for number, recipe in enumerate(recipes, start=1):
        engine.embed(recipe, scored)
        assert (len(fits), len(trained(engine))) == (number, number), str(recipe)
    engine.embed(base, Corpus.of_texts("more", [*scored.sentences, scored.sentences[0]]))
    assert len(fits) == len(recipes) + 1
    for recipe in recipes:
        engine.embed(recipe, scored)
    assert len(fits) == len(recipes) + 1


def test_a_reference_whose_texts_changed_is_learnt_from_anew(engine, settings, fits, tmp_path):
    path, target = tmp_path / "reference.txt", Corpus.of_texts("t", many(3))
    recipe = Recipe.parse(f"{SMALL};post=flow(epochs=1,transforms=2,fit=reference);reference={path}")
    for number in (1, 2):
        path.write_text("\n".join(many(40 + number)))
        Engine(settings).embed(recipe, target)
        assert len(fits) == number


@pytest.mark.parametrize("other", [{"forward": "bfloat16"}, {"storage": "float16"}])
def test_vectors_of_another_precision_are_learnt_from_anew(other, bert, settings, scored, fits):
    recipe = Recipe.parse(f"{bert};post={QUICK}")
    for number, given in enumerate(({}, other), start=1):
        Engine(replace(settings, **given)).embed(recipe, scored)
        assert len(fits) == number


def test_two_flows_are_two_trainings(engine, fits, scored):
    found = engine.embed(Recipe.parse(f"{SMALL};post={QUICK}+{QUICK}"), scored).vectors
    assert len(fits) == 2
    once = engine.embed(Recipe.parse(f"{SMALL};post={QUICK}"), scored).vectors
    assert len(fits) == 2  # the first of the two
    assert np.abs(found - once).max() > 1e-3


def test_progress_is_reported_per_epoch(engine, scored):
    steps = []
    recipe = Recipe.parse(f"{SMALL};post=flow(epochs=3,transforms=2)")
    engine.embed(recipe, scored, lambda step: steps.append(str(step)))
    assert steps == [f"Training the flow: epochs: {i} of 3" for i in (1, 2, 3)]


def test_raising_in_progress_stops_it_and_nothing_is_kept(engine, scored, tmp_path):
    recipe, steps = Recipe.parse(f"{SMALL};post=flow(epochs=5,transforms=2)"), []

    class Stopped(Exception):
        pass

    def stop(step):
        steps.append(step.done)
        if step.done == 2:
            raise Stopped

    state = torch.get_rng_state()
    with pytest.raises(Stopped):
        engine.embed(recipe, scored, stop)
    assert steps == [1, 2]
    assert trained(engine) == []
    assert torch.equal(torch.get_rng_state(), state)
    undisturbed = Engine(Settings(cache=tmp_path / "undisturbed")).embed(recipe, scored).vectors
    np.testing.assert_array_equal(engine.embed(recipe, scored).vectors, undisturbed)
    assert len(trained(engine)) == 1


def test_a_missing_package_is_named_with_what_to_do(engine, scored, monkeypatch):
    recipe = Recipe.parse(f"{SMALL};post={QUICK}")
    monkeypatch.setitem(sys.modules, "zuko", None)
    with pytest.raises(RecipeError, match="post=flow needs the package zuko: pip install zuko"):
        engine.embed(recipe, scored)
    assert trained(engine) == []
    monkeypatch.undo()
    assert engine.embed(recipe, scored).vectors.shape == (60, 4)


def test_training_has_one_thread_where_torch_has_two():
    """Its products are small: where other work had a core, two threads took seven times as long as one."""
    told, before, flow = [], torch.get_num_threads(), Flow(epochs=2)
    flow.progress = lambda step: told.append(torch.get_num_threads())
    torch.set_num_threads(2)
    try:
        flow.fit(banana(300, 0))
    finally:
        torch.set_num_threads(before)
    assert told == [1, 1]


def test_one_dimension_is_refused_in_the_engine(engine, scored):
    with pytest.raises(RecipeError, match="two dimensions or more"):
        engine.embed(Recipe.parse("source=random(dim=1);post=flow"), scored)


def test_the_time_that_is_still_needed_counts_training_once(engine, bert, scored, texts_file):
    plain = Recipe.parse(bert)
    recipe = plain.replace(post=QUICK)
    assert engine.pending_seconds(recipe, scored) > engine.pending_seconds(plain, scored) > 0
    engine.embed(plain, scored)
    assert engine.pending_seconds(plain, scored) == 0
    short = engine.pending_seconds(recipe, scored)
    assert 0 < short < engine.pending_seconds(plain.replace(post="flow(epochs=50,transforms=2)"), scored)
    twice = engine.pending_seconds(plain.replace(post=f"{QUICK}+{QUICK}"), scored)
    assert twice == pytest.approx(2 * short)
    engine.embed(recipe, scored)
    assert engine.pending_seconds(recipe, scored) == 0
    assert engine.pending_seconds(plain.replace(post=f"{QUICK}+{QUICK}"), scored) == pytest.approx(short)
    learnt = plain.replace(post="flow(epochs=1,fit=reference)", reference=str(texts_file))
    engine.embed(learnt.replace(post="zscore(fit=reference)"), scored)
    assert engine.pending_seconds(learnt, scored) > 0
    engine.embed(learnt, scored)
    assert engine.pending_seconds(learnt, scored) == 0
