"""S3E in both forms and VLAWE, against loops over the paper's equations, and by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest
from sklearn.cluster import KMeans
from wordfreq import top_n_list, word_frequency

from core.corpora.corpus import Corpus
from core.errors import TooFewSentencesError
from core.recipe import POOL, Recipe
from core.stages.pooling.word_clusters import collect_words, learn_groups
from core.tokens.token_batch import TokenBatch
from tests.core.helpers.token_batches import apart, batch_of, cut, frozen, random_batch, tokens_of

FITTED = ["s3e(k=4)", "s3e(k=4,form=released)", "vlawe(k=4)"]
FORMS = [*FITTED, "s3e(k=4,centre=printed)", "s3e(k=4,words=processed)", "vlawe(k=4,scaled=root)"]


def pooled(pool: str, batches: list[TokenBatch], batch: TokenBatch) -> np.ndarray:
    return POOL.bind(POOL.parse(pool))(batches)(batch)


def words_of(batches: list[TokenBatch]) -> dict[int, tuple[np.ndarray, float]]:
    """Each id's mean state and mean weight, over every token of every text as often as the text stands."""
    found: dict[int, list[tuple[np.ndarray, float]]] = {}
    for batch in batches:
        for tokens, repeats in zip(tokens_of(batch), batch.repeats, strict=True):
            for word, weight, state in tokens:
                found.setdefault(word, []).extend([(state, weight)] * int(repeats))
    return {
        word: (
            sum(state for state, _ in tokens) / len(tokens),
            sum(weight for _, weight in tokens) / len(tokens),
        )
        for word, tokens in sorted(found.items())
    }


def planted(words: dict[int, tuple[np.ndarray, float]]) -> np.ndarray:
    """The weighted mean of each of the four sets of words that random batches are made of."""
    means = []
    for remainder in range(4):
        members = [pair for word, pair in words.items() if word % 4 == remainder]
        total = sum(weight for _, weight in members)
        means.append(sum(weight * vector for vector, weight in members) / total)
    return np.array(means)


def in_order_of(found: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """``expected`` in the order in which k-means numbered its groups."""
    order = [int(np.argmin(np.linalg.norm(expected - row, axis=1))) for row in found]
    assert sorted(order) == list(range(len(expected)))
    return expected[order]


def each_is_the_mean_of_its_words(groups: np.ndarray, words: dict[int, tuple[np.ndarray, float]]) -> None:
    """What k-means promises, whichever groups it found."""
    members: list[list[tuple[np.ndarray, float]]] = [[] for _ in groups]
    for vector, weight in words.values():
        members[int(np.argmin(((groups - vector) ** 2).sum(axis=1)))].append((vector, weight))
    for mean, pairs in zip(groups, members, strict=True):
        total = sum(weight for _, weight in pairs)
        np.testing.assert_allclose(
            mean, sum(weight * vector for vector, weight in pairs) / total, atol=1e-9
        )


def descriptor(residuals: np.ndarray) -> list[float]:
    """Equations 5 to 8, one number at a time."""
    k, dim = residuals.shape
    means = residuals.sum(axis=1) / dim
    covariance = [
        [
            sum((residuals[i, d] - means[i]) * (residuals[j, d] - means[j]) for d in range(dim)) / dim
            for j in range(k)
        ]
        for i in range(k)
    ]
    values = [
        covariance[i][j] * (1 if i == j else math.sqrt(2)) for i in range(k) for j in range(k) if i <= j
    ]
    norm = math.sqrt(sum(value**2 for value in values))
    return [value / norm for value in values] if norm else values


def residuals_of(batch: TokenBatch, groups: np.ndarray) -> list[np.ndarray]:
    """Equation 3: Σ weight · (v_w - g_i) of the nearest group, token by token."""
    out = []
    for tokens in tokens_of(batch):
        residuals = np.zeros(groups.shape)
        for _, weight, state in tokens:
            nearest = min(range(len(groups)), key=lambda i: float(((state - groups[i]) ** 2).sum()))
            residuals[nearest] += weight * (state - groups[nearest])
        out.append(residuals)
    return out


def released(batches: list[TokenBatch], batch: TokenBatch) -> np.ndarray:
    """The released code's steps, in the order in which it takes them."""
    words = words_of(batches)
    vectors = np.array([vector for vector, _ in words.values()])
    mean = vectors.mean(axis=0)
    _, values, directions = np.linalg.svd(vectors - mean, full_matrices=False)
    variances = values**2 / (len(vectors) - 1)

    def process(vector: np.ndarray) -> np.ndarray:
        vector = vector - mean
        for j in range(10):
            ratio = (variances[j] - variances[10]) / variances[j]
            vector = vector - ratio * (directions[j] @ vector) * directions[j]
        return vector

    processed = {word: (process(vector), weight) for word, (vector, weight) in words.items()}
    vectors = np.array([vector for vector, _ in processed.values()])
    groups = learn_groups(replace(collect_words(batches, 1, ""), vectors=vectors), 4, 0, "")
    each_is_the_mean_of_its_words(groups, processed)

    def describe(text: list[tuple[int, float, np.ndarray]]) -> np.ndarray:
        mine: dict[int, list[tuple[np.ndarray, float]]] = {}
        for word, weight, state in text:
            mine.setdefault(word, []).append((process(state), weight))
        residuals, total = np.zeros(groups.shape), np.zeros(groups.shape[1])
        for tokens in mine.values():
            vector = sum(state for state, _ in tokens) / len(tokens)
            weight = sum(weight for _, weight in tokens) / len(tokens)
            nearest = min(range(4), key=lambda i: float(((vector - groups[i]) ** 2).sum()))
            residuals[nearest] += weight * vector - groups[nearest]
            total += weight * vector
        return np.array([*(total / max(len(mine), 1)), *descriptor(residuals)])

    rows = [
        describe(tokens)
        for each in batches
        for tokens, repeats in zip(tokens_of(each), each.repeats, strict=True)
        for _ in range(repeats)
    ]
    direction = np.linalg.svd(np.array(rows), full_matrices=False)[2][0]
    given = np.array([describe(tokens) for tokens in tokens_of(batch)])
    return given - (given @ direction)[:, None] * direction


def clear(seed: int = 0, **given: float) -> TokenBatch:
    """Words in four sets so far apart that there is only one way to make four groups."""
    return random_batch(seed, **({"spread": 30.0} | given))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_s3e_is_the_equations(seed, noise):
    batch, other = clear(seed, noise=noise), clear(seed + 10, noise=noise)
    expected = planted(words_of([batch]))
    groups = in_order_of(learn_groups(collect_words([batch], 1, ""), 4, 0, ""), expected)
    given = pooled("s3e(k=4)", [batch], other)
    assert given.shape == (len(other.cls), 4 * 5 // 2)
    assert apart(given, np.array([descriptor(r) for r in residuals_of(other, groups)])) < 1e-6


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_vlawe_is_the_sum_of_residuals(seed, noise):
    batch, other = clear(seed, noise=noise), clear(seed + 10, noise=noise)
    groups = in_order_of(learn_groups(collect_words([batch], 1, ""), 4, 0, ""), planted(words_of([batch])))
    given = pooled("vlawe(k=4)", [batch], other)
    assert apart(given, np.array([r.ravel() for r in residuals_of(other, groups)])) < 1e-6


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_the_released_form_is_the_released_steps(seed, noise):
    batch, other = clear(seed, noise=noise, dim=16), clear(seed + 10, noise=noise, dim=16)
    given = pooled("s3e(k=4,form=released)", [batch], other)
    assert given.shape == (len(other.cls), 16 + 4 * 5 // 2)
    assert apart(given, released([batch], other)) < 1e-6


def printed(words: dict[int, tuple[np.ndarray, float]]) -> np.ndarray:
    """Equation 2 as it is printed: Σ weight · v_w over the number of words, in each of the four sets."""
    sets = [[pair for word, pair in words.items() if word % 4 == remainder] for remainder in range(4)]
    return np.array([sum(weight * vector for vector, weight in each) / len(each) for each in sets])


@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_equation_2_as_it_is_printed(noise):
    batch, other = clear(1, noise=noise), clear(11, noise=noise)
    words = words_of([batch])
    means, taken_off = planted(words), printed(words)
    order = learn_groups(collect_words([batch], 1, ""), 4, 0, "")
    places = [int(np.argmin(np.linalg.norm(means - row, axis=1))) for row in order]
    expected = []
    for tokens in tokens_of(other):
        residuals = np.zeros((4, 12))
        for _, weight, state in tokens:
            own = min(range(4), key=lambda i: float(((state - means[i]) ** 2).sum()))
            residuals[places.index(own)] += weight * (state - taken_off[own])
        expected.append(descriptor(residuals))
    found = pooled("s3e(k=4,centre=printed)", [batch], other)
    assert apart(found, np.array(expected)) < 1e-6
    assert apart(pooled("s3e(k=4)", [batch], other), np.array(expected)) > 1e-2


def test_processed_words_are_those_of_the_released_code():
    """Mean off, ten directions damped to the variance of the eleventh; then the equations."""
    batch, other = clear(2, noise=0.0, dim=16), clear(12, noise=0.0, dim=16)
    vectors = np.array([vector for vector, _ in words_of([batch]).values()])
    mean = vectors.mean(axis=0)
    values, directions = np.linalg.eigh(np.cov((vectors - mean).T))
    values, directions = values[::-1], directions[:, ::-1]
    damping = np.eye(16) - sum(
        (1 - values[10] / values[j]) * np.outer(directions[:, j], directions[:, j]) for j in range(10)
    )
    first, second = (
        replace(each, states=((each.states - mean) @ damping).astype(np.float32)) for each in (batch, other)
    )
    found = pooled("s3e(k=4,words=processed)", [batch], other)
    assert apart(found, pooled("s3e(k=4)", [first], second)) < 1e-4
    assert apart(found, pooled("s3e(k=4)", [batch], other)) > 1e-2


def test_vlawe_is_scaled_by_roots_as_its_authors_do():
    batch = clear(noise=0.0)
    plain, root = (pooled(f"vlawe(k=4{scaled})", [batch], batch) for scaled in ("", ",scaled=root"))
    for before, after in zip(plain, root, strict=True):
        powers = np.array([math.copysign(abs(x) ** 0.5, x) for x in before.tolist()])
        length = math.sqrt(sum(x * x for x in powers))
        np.testing.assert_allclose(after, powers / length if length else powers, atol=1e-6)


def test_several_starts_find_closer_groups_than_one():
    """Of k-means' results the one with the least squared distances counts, so that seeds matter less."""
    words = collect_words([random_batch(spread=0.5, noise=0.0, words=60)], 1, "")

    def distance(seed: int, starts: int) -> float:
        groups = learn_groups(words, 6, seed, "", starts)
        apart_ = ((words.vectors[:, None] - groups[None]) ** 2).sum(axis=2).min(axis=1)
        return float((apart_ * words.weights).sum())

    one, ten = ([distance(seed, starts) for seed in range(8)] for starts in (1, 10))
    assert np.std(ten) < np.std(one)
    assert max(ten) <= max(one)
    assert np.mean(ten) < np.mean(one)


@pytest.mark.parametrize("k", [3, 7])
def test_where_groups_run_into_each_other_each_is_still_the_mean_of_its_words(k):
    batch = random_batch(noise=0.0, spread=0.5)
    groups = learn_groups(collect_words([batch], 1, ""), k, 0, "")
    each_is_the_mean_of_its_words(groups, words_of([batch]))
    expected = np.array([descriptor(r) for r in residuals_of(batch, groups)])
    assert apart(pooled(f"s3e(k={k})", [batch], batch), expected) < 1e-6


def test_by_hand():
    """Groups of x = 0 and 2 about 1, and of x = 100, weights 1 and 3, about 100 + 3/4 · 4 = 103."""
    corpus = batch_of([[[0.0, 0.0], [2.0, 0.0]], [[100.0, 0.0], [104.0, 0.0]]])
    corpus = replace(corpus, weights=np.array([1.0, 1.0, 1.0, 3.0]))
    text = batch_of([[[2.0, 0.0], [105.0, 1.0]], [[1.0, 0.0]], [[3.0, 2.0]], []])
    text = replace(text, weights=np.array([1.0, 0.5, 1.0, 1.0]))
    first, second = [1.0, 0.0], [0.5 * 2, 0.5 * 1]  # 2 - 1, and half of (105, 1) - (103, 0)
    vlawe = pooled("vlawe(k=2)", [corpus], text)
    turned = [*first, *second] if vlawe[0, 1] == 0 else [*second, *first]  # groups have no order
    np.testing.assert_allclose(vlawe[0], turned, atol=1e-6)
    assert not vlawe[[1, 3]].any()  # the token at its group's mean, and no token

    # rows less their means: (½, -½) and (¼, -¼); products ½, ¼, ⅛; with √2: ½, √2/4, ⅛; norm ⅝
    s3e = pooled("s3e(k=2)", [corpus], text)
    expected = [0.5 / 0.625, math.sqrt(2) / 4 / 0.625, 0.125 / 0.625]
    np.testing.assert_allclose(sorted(s3e[0]), sorted(expected), atol=1e-6)
    np.testing.assert_array_equal(s3e[[1, 3]], 0)
    np.testing.assert_array_equal(s3e[2], 0)  # (2, 2) is its own mean: no covariance
    np.testing.assert_allclose(vlawe[2][vlawe[2] != 0], [2, 2], atol=1e-6)


def test_a_word_of_a_static_source_is_its_state_and_alone_in_a_group_has_no_residual():
    batch = random_batch(noise=0.0, words=7)
    words = collect_words([batch], 1, "")
    states = {int(i): state for i, state in zip(batch.ids, batch.states, strict=True)}
    np.testing.assert_array_equal(words.vectors, [states[i] for i in range(7)])
    assert not pooled("vlawe(k=7)", [batch], batch).any()
    assert not pooled("s3e(k=7)", [batch], batch).any()


def test_ids_never_seen_go_to_the_nearest_group():
    batch = clear()
    strange = replace(batch, ids=batch.ids + 30_000)
    for pool in ("s3e(k=4)", "vlawe(k=4)", "s3e(k=4,form=released)"):
        np.testing.assert_array_equal(pooled(pool, [batch], strange), pooled(pool, [batch], batch))


def test_neither_order_nor_scale_of_weights_changes_s3e():
    batch = clear()
    given = pooled("s3e(k=4)", [batch], batch)
    assert apart(pooled("s3e(k=4)", [replace(batch, weights=3 * batch.weights)], batch), given) < 1e-6
    assert apart(pooled("s3e(k=4)", [batch], replace(batch, weights=3 * batch.weights)), given) < 1e-6
    key = np.random.default_rng(0).random(len(batch.ids)) + batch.texts
    order = np.argsort(key)
    mixed = {name: getattr(batch, name)[order] for name in ("states", "weights", "selected", "ids")}
    assert apart(pooled("s3e(k=4)", [batch], replace(batch, **mixed)), given) < 1e-6


def test_rotating_the_space_rotates_the_residuals():
    batch = clear()
    turn, _ = np.linalg.qr(np.random.default_rng(5).normal(size=(12, 12)))
    turned = replace(batch, states=(batch.states @ turn).astype(np.float32))
    expected = (pooled("vlawe(k=4)", [batch], batch).reshape(-1, 4, 12) @ turn).reshape(len(batch.cls), -1)
    assert apart(pooled("vlawe(k=4)", [turned], turned), expected) < 1e-4


def test_the_seed_decides_the_groups():
    batch = random_batch(spread=0.0)
    first, again, other = (pooled(f"vlawe(k=5,seed={seed})", [batch], batch) for seed in (3, 3, 4))
    np.testing.assert_array_equal(first, again)
    assert apart(first, other) > 1e-3


def test_the_released_form_counts_a_word_once():
    batch = clear(noise=0.0)
    twice = batch_of([[batch.states[0]], [batch.states[0], batch.states[0]]], [[3], [3, 3]])
    once, again = pooled("s3e(k=4,form=released)", [batch], twice)
    np.testing.assert_allclose(once, again, atol=1e-7)
    once, again = pooled("vlawe(k=4)", [batch], twice)
    np.testing.assert_allclose(2 * once, again, rtol=1e-6)


def test_the_released_form_has_nothing_left_of_its_first_direction():
    batch = replace(clear(), repeats=np.ones(60, int))
    given = pooled("s3e(k=4,form=released)", [batch], batch)
    assert np.linalg.matrix_rank(given, tol=1e-4) == min(given.shape) - 1


def test_few_dimensions_are_damped_as_far_as_there_are_any():
    batch = clear(dim=5)
    assert np.isfinite(pooled("s3e(k=4,form=released)", [batch], batch)).all()
    flat = replace(batch, states=batch.states * np.array([1, 1, 0, 0, 0], np.float32))
    assert np.isfinite(pooled("s3e(k=4,form=released)", [flat], batch)).all()


@pytest.mark.filterwarnings("ignore:The given NumPy array is not writable")
@pytest.mark.parametrize("pool", FORMS)
@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_splitting_the_batch_changes_nothing_and_no_input_is_modified(pool, noise, monkeypatch):
    batch = clear(noise=noise)
    whole = pooled(pool, [frozen(batch)], frozen(batch))
    assert whole.dtype == np.float32
    assert np.isfinite(whole).all()
    assert not whole[[not tokens for tokens in tokens_of(batch)]].any()
    parts = cut(batch, 1, 17, 40)
    assert apart(np.concatenate([pooled(pool, parts, part) for part in parts]), whole) < 1e-6
    monkeypatch.setattr("core.stages.pooling.residuals.NUMBERS", 150)
    assert apart(pooled(pool, [batch], batch), whole) < 1e-6


@pytest.mark.parametrize("pool", FITTED)
def test_texts_without_tokens_give_0(pool):
    batch = clear()
    assert pooled(pool, [batch], cut(batch, 1, 1)[1]).shape == (0, pooled(pool, [batch], batch).shape[1])
    left_out = replace(batch, selected=np.zeros_like(batch.selected), weights=np.zeros_like(batch.weights))
    assert not pooled(pool, [batch], left_out).any()
    assert apart(pooled(pool, [left_out, batch], batch), pooled(pool, [batch], batch)) < 1e-6


@pytest.mark.parametrize("pool", FITTED)
def test_too_few_words_are_refused(pool):
    batch = clear()
    few = cut(batch, 0, 3)[1]
    name = pool.replace("k=4", "k=30").replace("(", r"\(").replace(")", r"\)")
    got = len({word for tokens in tokens_of(few) for word, weight, _ in tokens if weight})
    assert 0 < got < 30
    said = rf"pool={name} needs 30 words with different vectors .*, got {got}; take a smaller k\. Learn it"
    with pytest.raises(TooFewSentencesError, match=said):
        pooled(pool.replace("k=4", "k=30"), [few], batch)
    for nothing in ([], [cut(batch, 1, 1)[1]]):
        with pytest.raises(TooFewSentencesError, match=r"got 0; .* fit=reference"):
            pooled(pool, nothing, batch)


@pytest.mark.filterwarnings("ignore:Number of distinct clusters")
def test_words_with_the_same_vector_do_not_make_groups():
    batch = batch_of([[[1.0, 2.0]] * 5, [[3.0, 4.0]] * 2])
    with pytest.raises(TooFewSentencesError, match="needs 3 words with different vectors .*, got 2"):
        pooled("vlawe(k=3)", [batch], batch)


def test_words_without_weight_have_no_say():
    batch = batch_of([[[0.0], [1.0], [100.0]], [[50.0], [51.0]]])
    without = replace(batch, weights=np.array([1.0, 1.0, 0.0, 1.0, 1.0]))
    assert sorted(learn_groups(collect_words([without], 1, ""), 2, 0, "")[:, 0]) == [0.5, 50.5]


def test_the_released_form_needs_sentences():
    batch = clear()
    few = cut(batch, 0, 20)[1]
    got = sum(bool(tokens) for tokens in tokens_of(few))
    said = (
        rf"pool=s3e\(k=4,form=released\) .* needs 30 different sentences, got {got}\. Learn it from the ref"
    )
    with pytest.raises(TooFewSentencesError, match=said):
        pooled("s3e(k=4,form=released)", [few], batch)
    lengths = np.linalg.norm(pooled("s3e(k=4)", [few], batch), axis=1)
    np.testing.assert_allclose(lengths, [bool(tokens) for tokens in tokens_of(batch)], atol=1e-6)


def test_groups_of_a_vocabulary_are_those_of_its_words_by_hand(engine, tmp_path):
    names = [word for word in top_n_list("en", 60) if word.isalpha()]
    rows = np.random.default_rng(2).normal(size=(len(names), 6)).astype(np.float32)
    path = tmp_path / "words.txt"
    lines = (
        f"{name} {' '.join(map(repr, map(float, row)))}\n" for name, row in zip(names, rows, strict=True)
    )
    path.write_text("".join(lines), "utf-8")
    recipe = Recipe.parse(
        f"source=vectors(path={path});tokens=content;weight=sif(punctuation=unknown);"
        "pool=s3e(k=3,fit=reference);reference=vocabulary"
    )
    texts = [" ".join(names[i : i + 7]) for i in range(0, 40, 5)]
    vectors = engine.embed(recipe, Corpus.of_texts("t", texts)).vectors

    weight = np.array([1e-3 / (1e-3 + word_frequency(name, "en")) for name in names])
    of = KMeans(3, n_init=10, tol=0, random_state=0).fit(rows, sample_weight=weight).labels_
    means = np.array([np.average(rows[of == g], axis=0, weights=weight[of == g]) for g in range(3)])
    group = ((rows[:, None] - means) ** 2).sum(axis=2).argmin(axis=1)
    for text, vector in zip(texts, vectors, strict=True):
        sums = np.zeros((3, 6))
        for name in text.split():
            i = names.index(name)
            sums[group[i]] += weight[i] * (rows[i] - means[group[i]])
        covariances = np.cov(sums, bias=True)
        upper = np.triu_indices(3)
        expected = covariances[upper] * np.where(upper[0] < upper[1], np.sqrt(2), 1)
        np.testing.assert_allclose(vector, expected / np.linalg.norm(expected), atol=2e-3)
