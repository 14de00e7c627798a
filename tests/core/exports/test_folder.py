"""Exported folders as anybody loads them, against the engine."""

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from core.corpora.corpus import Corpus
from core.errors import ModelError, StoreError, TooFewSentencesError
from core.evaluation.scoring import score
from core.exports import folder as written
from core.exports.affine import Affine
from core.exports.archive import archive
from core.exports.card import score_line
from core.exports.folder import export
from core.exports.kinds import refuse
from core.exports.library import ExportError
from core.recipe import Recipe
from tests.core.helpers import tiny
from tests.core.helpers.texts import ODD, many

RECIPES = (
    "layers=last",
    "layers=0+2;tokens=content;similarity=dot",
    "layers=1",
    "weight=idf;post=zscore",
    "weight=idf(fit=reference);tokens=content;post=whiten(k=8)+normalize",
    "layers=all;post=normalize+abtt(d=2)+normalize",
    "weight=idf;tokens=noseparator;post=centre",
    "pool=clsmean;post=ccr",
    "pool=clshead",
    "pool=max;post=robust",
    "pool=lasttoken;post=pccr",
    'template="[X.] In one word: [MASK] .";tokens=mask;post=zscore',
)
"""Every module of the library, and every affine step; a template."""

TABLES = (
    "layers=static;tokens=content;post=centre",
    "source=averaged(model={model});tokens=content;weight=idf;post=zscore+normalize",
    "source=averaged(model={model});tokens=content;weight=idf",
    "source=random(dim=20);weight=idf;tokens=infrequent(n=3);post=whiten(k=8)+normalize+centre",
)
"""Token vectors that are looked up."""

APART = 1e-5
"""A share of the vector's length."""


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    """Different sentences, odd ones among them."""
    return Corpus.of_texts("texts", [*many(60), *ODD.values()])


def encoded(folder, texts):
    """The vectors of a folder, loaded as its card says, on the CPU."""
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(folder), device="cpu").encode(list(texts), show_progress_bar=False)


def apart(vectors, expected):
    return np.max(np.linalg.norm(vectors - expected, axis=1) / np.linalg.norm(expected, axis=1))


@pytest.mark.parametrize(
    ("given", "family"),
    [
        *((recipe, family) for recipe in RECIPES for family in ("bert", "roberta", "mpnet")),
        *((recipe, "bert") for recipe in TABLES),
    ],
)
def test_a_folder_gives_the_vectors_of_the_engine(
    given, family, shared_engine, model, corpus, texts_file, tmp_path
):
    source = "" if given.startswith("source") else f"source={model(family)};"
    recipe = Recipe.parse(f"{source}reference={texts_file};{given}".replace("{model}", str(model(family))))
    exported = export(shared_engine, recipe, tmp_path / "made", corpus)
    texts = corpus.sentences
    if exported.static:  # a table has no [CLS] for texts of which no token counts
        texts = [*many(60), ODD["very long"], ODD["markup"], ODD["mask"]]
    expected = shared_engine.embed(recipe, corpus).vectors[corpus.rows_of(texts)]
    assert exported.directions == (exported.static and "weight" in given and "normalize" not in given)
    if exported.directions:
        expected = expected / np.linalg.norm(expected, axis=1, keepdims=True)
    assert apart(encoded(tmp_path / "made", texts), expected) < APART
    assert max(exported.distances.whole, exported.distances.of_halves) < APART
    assert exported.dim == expected.shape[1]
    kinds = json.loads((tmp_path / "made" / "modules.json").read_text("utf-8"))
    assert all(kind["type"].startswith("sentence_transformers.") for kind in kinds)
    assert not [*(tmp_path / "made").rglob("*.py"), *(tmp_path / "made").rglob("*.bin")]
    assert [path.name for path in tmp_path.iterdir()] == ["made"]


def test_texts_that_it_never_saw_are_encoded_as_by_the_engine(
    shared_engine, bert, corpus, texts_file, tmp_path
):
    """With what was learnt from the reference; in any company, a long and a spelled special token too."""
    recipe = Recipe.parse(
        f"{bert};weight=idf(fit=reference);tokens=unbiased;post=zscore(fit=reference);reference={texts_file}"
    )
    export(shared_engine, recipe, tmp_path / "made")
    new = ["The white cat sleeps [MASK] [SEP] here.", "park " * 200, "Two girls!", *many(90)[80:]]
    expected = shared_engine.encode(new, recipe)
    vectors = encoded(tmp_path / "made", new)
    assert apart(vectors, expected) < APART
    assert apart(encoded(tmp_path / "made", new[2:3]), expected[2:3]) < APART


def test_the_bundled_encoder_is_exported_with_its_card(shared_engine, tmp_path):
    corpus = Corpus.of_texts(
        "texts", [*many(60), ODD["emoji"], ODD["markup"]]
    )  # none as long as 512 tokens
    recipe = Recipe.parse("source=untuned;layers=2+3;weight=idf;post=centre")
    exported = export(shared_engine, recipe, tmp_path / "made", corpus, scores=["texts: 71.0"])
    assert exported.distances.whole < 1e-5
    assert exported.modules[:3] == ("Transformer", "WeightedLayerPooling", "WordWeights")
    config = json.loads((tmp_path / "made" / "config.json").read_text("utf-8"))
    assert config["num_hidden_layers"] == 3, "blocks that no layer of the recipe needs are left out"
    card = (tmp_path / "made" / "README.md").read_text("utf-8")
    for said in (str(recipe), "MiniLM-L6-mlm", corpus.texts_fingerprint[:16], "texts: 71.0", "WordWeights"):
        assert said in card
    assert "* reference:" not in card, "nothing is learnt from it"


def test_its_cosines_score_as_the_card_says_once_they_are_rounded(shared_engine, bert, tmp_path):
    """Pairs of one sentence with itself are a tie, which the last digits of float32 part."""
    sentences, generator = many(60), np.random.default_rng(1)
    second = [*sentences[:20], *generator.permutation(sentences[20:]).tolist()]
    corpus = Corpus.of_pairs("copies", sentences, second, generator.integers(0, 6, 60).tolist())
    recipe = Recipe.parse(f"{bert};layers=last;post=centre")
    scored = score(shared_engine, recipe, corpus)
    export(shared_engine, recipe, tmp_path / "made", corpus, scores=[score_line(scored)])
    u, v = (encoded(tmp_path / "made", side).astype(np.float64) for side in (sentences, second))
    cosines = (u * v).sum(1) / np.linalg.norm(u, axis=1) / np.linalg.norm(v, axis=1)
    found = 100 * spearmanr(cosines.round(6), corpus.gold).statistic
    card = (tmp_path / "made" / "README.md").read_text("utf-8")
    assert f"Spearman × 100 {found:.2f}" in card
    assert "round similarities to 6 digits before they are ranked" in card.replace("\n", " ")


def test_a_card_says_why_there_is_no_score(shared_engine, bert):
    """All similarities are equal: that the pairs are too few would be false, and no number is none."""
    sentences = many(60)
    corpus = Corpus.of_pairs("pairs", sentences[:30], sentences[30:], [float(i % 6) for i in range(30)])
    line = score_line(score(shared_engine, Recipe.parse(f"{bert};layers=0;pool=cls"), corpus))
    assert line.startswith("pairs all: no score. All similarities are equal")


@pytest.mark.parametrize(
    ("recipe", "learnt"),
    [
        (
            "weight=idf(fit=reference);post=centre(fit=reference)",
            "What `weight=idf(fit=reference)` and `post=centre",
        ),
        ("tokens=content", "Nothing: no stage of the recipe learns from texts"),
    ],
)
def test_a_card_names_what_has_learnt_and_magnifies_nothing(
    shared_engine, bert, corpus, tmp_path, recipe, learnt
):
    export(shared_engine, Recipe.parse(f"{bert};{recipe}"), tmp_path / "made", corpus)
    card = (tmp_path / "made" / "README.md").read_text("utf-8").replace("\n", " ")
    assert learnt in card
    if "post" not in recipe:
        assert "magnifies the rounding" not in card


def test_a_folder_can_be_a_source_of_recipes_again(shared_engine, bert, corpus, tmp_path):
    export(shared_engine, Recipe.parse(f"{bert};layers=last"), tmp_path / "made", corpus)
    again = shared_engine.encode(corpus.sentences, Recipe.parse(f"source={tmp_path / 'made'};layers=last"))
    first = shared_engine.encode(corpus.sentences, Recipe.parse(f"{bert};layers=last"))
    np.testing.assert_allclose(again, first, atol=1e-6)


@pytest.mark.parametrize(
    ("recipe", "says"),
    [
        ("pool=s3e", "pool=s3e is no mode"),
        ("pool=sum", "pool=mean has the same cosines"),
        ("post=zscore+quantile", "post=quantile is neither an affine map"),
        ("layers=wk", "layers=wk weighs layers for each token"),
        ("layers=static+1", "layers=static is no layer"),
        ("layers=static", "tokens=all counts those that the tokenizer adds"),
        (
            "source=random;tokens=content;template=T0;pool=cls",
            "adds tokens, and StaticEmbedding adds none; pool=cls",
        ),
        ("source=doc2vec", "source=doc2vec has words or texts of its own for tokens"),
        ("mix=averaged", "mix=averaged"),
        ("similarity=spearman", "similarity=spearman is none"),
        ("layers=wk;pool=dct(k=2)", "; pool=dct is no mode"),
        ("weight=norm", "weight=norm looks at more than the token"),
        ("weight=sif", "weight=sif divides by the number of words"),
        ("layers=static;tokens=content;weight=ditto", "weight=ditto looks at more than the token"),
    ],
)
def test_what_the_library_has_no_module_for_says_so(recipe, says):
    with pytest.raises(ExportError, match="is no (sentence-transformers|static-token) model") as error:
        refuse(Recipe.parse(recipe))
    assert says in str(error.value)


@pytest.mark.parametrize("other", ["similarity=manhattan", "similarity=dot", "post=zscore", "mix=averaged"])
def test_a_mean_is_advised_in_place_of_a_sum_where_cosines_are_alike_alone(other):
    with pytest.raises(ExportError, match="pool=sum") as error:
        refuse(Recipe.parse(f"pool=sum;{other}"))
    assert "same cosines" not in str(error.value)


@pytest.mark.parametrize("recipe", ["pool=cls;weight=norm", "pool=max;weight=sif", "pool=mean;weight=idf"])
def test_weights_that_are_numbers_of_ids_or_that_no_pooling_looks_at_are_no_reason(recipe):
    refuse(Recipe.parse(recipe))


@pytest.mark.parametrize(
    ("recipe", "says"),
    [
        ("weight=tfidf", "weight=tfidf looks at more than the token"),
        ("pool=max;tokens=content", "takes all tokens alike"),
    ],
)
def test_what_only_the_texts_tell_says_so(recipe, says, shared_engine, bert, corpus, tmp_path):
    with pytest.raises(ExportError, match=says):
        recipe = Recipe.parse(f"{bert};{recipe}")
        export(shared_engine, recipe, tmp_path / "made", corpus)
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("recipe", ["template=T0;tokens=mask", "template=T4(stop=yes);tokens=unbiased"])
def test_a_template_is_in_the_tokenizer_of_a_folder(recipe, shared_engine, bert, corpus, tmp_path):
    """New texts as well: odd ones, one that is too long, and one that spells the template's own tokens."""
    recipe = Recipe.parse(f"{bert};layers=last;{recipe}")
    export(shared_engine, recipe, tmp_path / "made", corpus)
    new = ['"Quoted', "so [MASK] [SEP]", "park " * 200, "a...", "(It is.) ", "x"]
    assert apart(encoded(tmp_path / "made", new), shared_engine.encode(new, recipe)) < APART
    assert not [*(tmp_path / "made").rglob("*.py")]


def test_a_template_that_is_cut_into_tokens_with_the_text_says_so(shared_engine, model, corpus, tmp_path):
    recipe = Recipe.parse(f'source={model("xlnet")};template="so:[X]"')
    with pytest.raises(ExportError, match="cuts them together at their border, as in 'a'; take a template"):
        export(shared_engine, recipe, tmp_path / "made", corpus)


def test_the_texts_of_which_no_token_is_selected_keep_their_weights(shared_engine, bert, tmp_path):
    corpus = Corpus.of_texts("texts", [*many(60), "is it , a !", "the - on"])
    recipe = Recipe.parse(f"{bert};tokens=unbiased;weight=idf")
    export(shared_engine, recipe, tmp_path / "made", corpus)
    expected = shared_engine.embed(recipe, corpus).vectors
    assert apart(encoded(tmp_path / "made", corpus.sentences), expected) < APART


def test_a_map_that_magnifies_is_as_exact_in_float32_as_its_vectors():
    """Vectors far from 0 and close together, scaled up: v · M + b cancels, (v - c) · M does not."""
    generator = np.random.default_rng(0)
    rows = (5 + 0.01 * generator.normal(size=(50, 8))).astype(np.float32)
    matrix = 100 * generator.normal(size=(8, 8))
    whole = Affine(matrix, -np.full(8, 5.0) @ matrix)
    expected = whole(rows.astype(np.float64))

    def off(layers):
        vectors = rows
        for layer in layers:
            vectors = vectors @ layer.matrix.astype(np.float32) + layer.bias.astype(np.float32)
        return apart(vectors, expected)

    assert off([whole]) > 1e-5 > 20 * off(whole.stable(rows))


def test_a_static_model_of_a_recipe_says_what_it_is(run, bert, table, tmp_path):
    """Its own recipe, size and speed, and both scores; lengths are said not to be the recipe's."""
    code, out, _ = run(
        *("export", "--cache", tmp_path / "cache", "--quiet", "--corpus", table, "--static"),
        *("--recipe", f"{bert};layers=last;weight=idf", "--output", tmp_path / "made"),
    )
    assert code == 0
    assert "StaticEmbedding → Normalize, 32 dimensions" in out
    assert "sentences a second here" in out
    assert out.count("Spearman × 100") == 2
    card = (tmp_path / "made" / "README.md").read_text("utf-8")
    for said in (
        "* reference: `",
        "source=averaged(",
        "have length 1",
        "MB, and",
        "frozen here",
        " of Avg. of ",
    ):
        assert said in card


def test_pieces_that_no_mark_tells_are_noticed_in_the_corpus(shared_engine, model, corpus, tmp_path):
    with pytest.raises(ExportError, match="tokens=unbiased looks at more than the token"):
        recipe = Recipe.parse(f"source={model('roberta')};tokens=unbiased")
        export(shared_engine, recipe, tmp_path / "made", corpus)


def test_two_sentences_and_no_corpus_are_refused(shared_engine, bert, tmp_path):
    recipe = Recipe.parse(f"{bert};weight=idf")
    with pytest.raises(TooFewSentencesError, match="from 2 different sentences; an export needs 30"):
        export(shared_engine, recipe, tmp_path / "made", Corpus.of_texts("two", many(2)))
    with pytest.raises(ExportError, match="name the corpus that it learns from"):
        export(shared_engine, recipe, tmp_path / "made")


def test_a_model_that_vanishes_is_told_and_leaves_nothing(engine, corpus, tmp_path, monkeypatch):
    recipe = Recipe.parse(f"source={tiny.build('bert', tmp_path / 'bert')};layers=last")
    model_of = written.model_of

    def vanishes(design):
        shutil.rmtree(tmp_path / "bert")
        return model_of(design)

    monkeypatch.setattr(written, "model_of", vanishes)
    with pytest.raises(ExportError, match="Is its folder still there"):
        export(engine, recipe, tmp_path / "made", corpus)
    with pytest.raises(ModelError, match="bert"):
        export(engine, recipe, tmp_path / "made", corpus)
    assert not [path for path in tmp_path.iterdir() if path.name != "cache"]


def test_a_folder_that_is_not_empty_is_left_alone(shared_engine, bert, corpus, tmp_path):
    (tmp_path / "mine.txt").write_text("mine", "utf-8")
    recipe = Recipe.parse(bert)
    with pytest.raises(ExportError, match="is not empty; nothing was written"):
        export(shared_engine, recipe, tmp_path, corpus)
    with pytest.raises(ExportError, match="is a file"):
        export(shared_engine, recipe, tmp_path / "mine.txt", corpus)
    with pytest.raises(ExportError, match="does not exist"):
        export(shared_engine, recipe, tmp_path / "a" / "b", corpus)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_folder_with_other_vectors_is_not_handed_out(shared_engine, bert, corpus, tmp_path, monkeypatch):
    monkeypatch.setattr("core.exports.comparison.apart", lambda vectors, expected: 0.5)
    with pytest.raises(ExportError, match=r"0\.5 of their length from the engine's; it was not kept"):
        export(shared_engine, Recipe.parse(f"{bert};layers=last"), tmp_path / "made", corpus)
    assert not [*tmp_path.iterdir()]


def test_an_archive_holds_the_folder_and_old_ones_go(engine, bert, corpus, tmp_path, monkeypatch):
    from zipfile import ZipFile

    recipe = Recipe.parse(f"{bert};layers=last")
    first = archive(engine, recipe, "mine", corpus)
    assert {"mine/modules.json", "mine/README.md"} <= set(ZipFile(first).namelist())
    monkeypatch.setattr("core.storage.archives.KEPT_SECONDS", -1)
    second = archive(engine, recipe, "mine", corpus)
    assert (first.exists(), second.exists()) == (False, True)


def test_an_archive_that_is_being_made_stays_when_the_clock_is_put_a_day_forward(
    engine, bert, corpus, monkeypatch
):
    recipe, write = Recipe.parse(f"{bert};layers=last"), export
    others = []

    def put_forward(engine, recipe, folder, *arguments):
        exported = write(engine, recipe, folder, *arguments)
        if not others:
            others.append(folder)
            os.utime(folder.parent, (0, 0))
            others.append(archive(engine, recipe, "other", corpus))
        return exported

    monkeypatch.setattr("core.exports.archive.export", put_forward)
    assert archive(engine, recipe, "mine", corpus).exists()
    assert others[-1].exists()
    assert not [*(engine.settings.cache / "locks").glob("archive-*")]


def test_an_old_archive_that_another_visitor_removes_just_then_is_no_error(
    engine, bert, corpus, monkeypatch
):
    (old := engine.settings.cache / "exports" / "old").mkdir(parents=True)
    is_dir = Path.is_dir

    def gone(path):
        there = is_dir(path)
        if path == old and there:
            old.rmdir()
        return there

    monkeypatch.setattr(Path, "is_dir", gone)
    assert archive(engine, Recipe.parse(f"{bert};layers=last"), "mine", corpus).exists()


def test_the_command_writes_a_folder_and_its_scores(run, bert, table, tmp_path):
    code, out, _ = run(
        *("export", "--cache", tmp_path / "cache", "--quiet", "--corpus", table),
        *("--recipe", f"{bert};weight=idf;post=centre", "--output", tmp_path / "made"),
    )
    assert code == 0
    assert "Transformer → WeightedLayerPooling → WordWeights → Pooling → Dense" in out
    card = (tmp_path / "made" / "README.md").read_text("utf-8")
    assert "Spearman × 100" in card
    assert "weight and post learnt from these same texts" in card
    code, _, err = run("export", "--recipe", bert, "--output", tmp_path / "made")
    assert (code, "is not empty" in err) == (2, True)


def test_an_archive_that_the_disk_has_no_room_for_is_told_and_leaves_nothing(engine, bert, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "make_archive", full)
    corpus, recipe = Corpus.of_texts("t", many(40)), Recipe.parse(f"{bert};layers=last")
    with pytest.raises(
        StoreError, match="The model cannot be written: the disk of this installation is full"
    ):
        archive(engine, recipe, "mine", corpus)
    assert list((engine.settings.cache / "exports").iterdir()) == []
