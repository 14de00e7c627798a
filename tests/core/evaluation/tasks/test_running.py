"""Every task through the engine: what is learnt from which rows, what is kept, what is printed."""

import json
from dataclasses import replace

import numpy as np
import pytest

from core.corpora.corpus import Corpus
from core.errors import CorpusError, RecipeError, TooFewSentencesError
from core.evaluation.scoring import score
from core.evaluation.statistics import draw
from core.evaluation.tasks import TASK
from core.evaluation.tasks import task as task_module
from core.evaluation.tasks.classification import classification
from core.evaluation.tasks.running import difference, is_kept, learns, run_task
from core.evaluation.tasks.task import TaskData, learning_seconds, resampled_means, task_for
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.recipe.options import Choice
from tests.core.helpers.texts import many, pairs

SPLITS = ["train", "train", "train", "dev", "test"]


def labelled(number=150, task=""):
    """Plain sentences; those about girls and men are one class."""
    texts = many(number)
    labels = ["people" if text.startswith(("A girl", "Two men")) else "others" for text in texts]
    return Corpus.of_labelled(
        "made", texts, labels, split=[SPLITS[i % 5] for i in range(number)], task=task
    )


def both():
    """A corpus that every task can score: pairs with scores and labels, in splits."""
    corpus = pairs(150)
    labels = ["high" if gold > 2.5 else "low" for gold in corpus.gold]
    return replace(corpus, labels=tuple(labels), split=tuple(SPLITS[i % 5] for i in range(150)))


@pytest.mark.parametrize("task", [option.name for option in TASK])
def test_every_task_gives_a_whole_result(task, engine, bert):
    recipe = Recipe.parse(f"{bert};layers=last;post=zscore")
    scored = run_task(engine, recipe, both(), TASK.parse(task))
    result = scored.result
    low, high = result.bounds
    assert -100 <= low <= result.value <= high <= 100
    rows = len(both().take(None).sentences) if task == "isotropy" else 30
    assert result.metric and result.protocol and result.n == rows
    assert all(np.isfinite(value) for value in result.others.values())
    answer = scored.answer()
    assert answer.keys() >= {"task", "metric", "value", "low", "high", "protocol", "seeds", "n", "seconds"}
    assert "z-score learnt from the" in result.protocol
    json.dumps(answer)


def test_what_is_kept_says_the_notes_of_the_corpus_as_it_is_read_now(engine, bert):
    recipe, task = Recipe.parse(bert), TASK.parse("sts")
    before = replace(both(), notes=("1 of 151 rows has no score (line 8): left out.",))
    after = replace(both(), notes=("3 of 153 rows have no score (lines 8, 9, 10): left out.",))
    for corpus in (before, after):
        notes = run_task(engine, recipe, corpus, task).result.notes
        assert [note for note in notes if "rows" in note] == list(corpus.notes)


def test_classes_of_scores_are_of_the_scale_that_is_known(engine, bert):
    """Scores of 0 to 10 make the classes that the same scores of 0 to 5 make."""
    five = replace(both(), scale=(0.0, 4.0), gold=np.floor(both().gold * 0.8))
    ten = replace(five, scale=(0.0, 8.0), gold=2 * five.gold)
    task = TASK.parse("classification(gold=score,folds=3)")
    values = [run_task(engine, Recipe.parse(bert), corpus, task).result.value for corpus in (five, ten)]
    assert values[0] == pytest.approx(values[1])


def test_a_new_edition_of_a_task_has_kept_results_made_anew(engine, bert, monkeypatch):
    recipe, corpus, task = Recipe.parse(bert), both(), TASK.parse("sts")
    run_task(engine, recipe, corpus, task)
    assert is_kept(engine, recipe, corpus, task)
    monkeypatch.setattr(type(TASK.find(task)), "marks", property(lambda self: (" edition 9",)))
    assert not is_kept(engine, recipe, corpus, task)


def test_the_first_task_is_similarity_and_gives_the_score_of_sts(engine, bert):
    corpus = both()
    recipe = Recipe.parse(f"{bert};layers=last;weight=idf")
    expected = score(engine, recipe, corpus.take("test"), "mean")
    scored = run_task(engine, recipe, corpus, TASK.parse("sts"), "test", "mean")
    assert next(iter(TASK)).name == "sts"
    assert scored.result.value == pytest.approx(expected.score.spearman)
    assert scored.result.bounds == pytest.approx((expected.score.low, expected.score.high))


def test_a_recipe_learns_from_training_rows_alone(engine, bert, monkeypatch):
    seen = []

    def spy(data: TaskData, **arguments):
        rows = np.flatnonzero([split == "train" for split in data.corpus.split])
        seen.extend([data.embed(rows), data.corpus.first[rows]])
        return classification(data, **arguments)

    corpus = labelled()
    plain = engine.embed(Recipe.parse(f"{bert};layers=last"), corpus).vectors
    option = replace(TASK.options["classification"], function=spy)
    monkeypatch.setitem(TASK.options, "classification", option)
    run_task(engine, Recipe.parse(f"{bert};layers=last;post=zscore"), corpus, TASK.parse("classification"))
    vectors, train = seen
    learnt = plain[train]
    assert vectors == pytest.approx((plain - learnt.mean(axis=0)) / learnt.std(axis=0), abs=1e-4)
    whole = (plain - plain.mean(axis=0)) / plain.std(axis=0)
    assert np.abs(vectors - whole).max() > 0.01


def test_idf_of_a_fold_counts_its_training_texts_and_needs_no_other_pass(engine, bert):
    corpus, recipe = labelled(), Recipe.parse(f"{bert};layers=last;weight=idf")
    rows = np.flatnonzero([split == "train" for split in corpus.split])
    engine.embed(Recipe.parse(f"{bert};layers=last"), corpus)
    part = engine.embed(recipe, corpus.counted_in(rows))
    assert part.pass_seconds == 0
    texts = [corpus.sentences[i] for i in corpus.first[rows]]
    alone = engine.encode(texts, recipe)
    assert part.vectors[corpus.first[rows]] == pytest.approx(alone, abs=1e-4)


@pytest.mark.parametrize("pool", ["s3e(k=5)", "s3e(k=5,form=released)", "vlawe(k=4)", "gem"])
def test_a_pooling_that_learns_leaves_out_texts_that_count_0_times(pool, engine, bert):
    corpus = labelled()
    rows = np.arange(0, 150, 2)
    recipe = Recipe.parse(f"{bert};layers=last;pool={pool}")
    part = engine.embed(recipe, corpus.counted_in(rows)).vectors[corpus.first[rows]]
    alone = engine.encode([corpus.sentences[i] for i in corpus.first[rows]], recipe)
    assert part == pytest.approx(alone, abs=2e-3)


def test_too_few_training_sentences_are_counted_without_the_others(engine, bert):
    corpus = labelled(100)
    with pytest.raises(TooFewSentencesError, match="learnt from 20 different sentences"):
        engine.embed(Recipe.parse(f"{bert};post=zscore"), corpus.counted_in(np.arange(20)))


def test_a_result_is_kept_for_the_next_engine_and_damage_is_computed_again(engine, bert):
    corpus, recipe, task = labelled(), Recipe.parse(f"{bert};layers=last"), TASK.parse("clustering(runs=3)")
    assert not is_kept(engine, recipe, corpus, task)
    first = run_task(engine, recipe, corpus, task)
    again = run_task(Engine(engine.settings), recipe, corpus, task)
    assert is_kept(engine, recipe, corpus, task)
    assert (first.pass_seconds > 0, again.pass_seconds) == (True, 0)
    assert {**first.answer(), "pass_seconds": 0} == {**again.answer(), "pass_seconds": 0}
    other = replace(corpus, labels=corpus.labels[::-1])
    assert not is_kept(engine, recipe, other, task)
    for path in engine.store.root.rglob("task-result*.npz"):
        path.write_bytes(path.read_bytes()[:100])
    assert run_task(Engine(engine.settings), recipe, corpus, task).answer() == again.answer() | {
        "seconds": pytest.approx(again.seconds, abs=60)
    }


def test_a_result_of_another_version_is_not_read(engine, bert, monkeypatch):
    corpus, recipe, task = labelled(), Recipe.parse(f"{bert};layers=last"), TASK.parse("clustering(runs=2)")
    run_task(engine, recipe, corpus, task)
    monkeypatch.setattr("core.storage.tables.ENGINE", "another")
    assert not is_kept(engine, recipe, corpus, task)


def test_differences_are_paired(engine, bert):
    corpus, task = labelled(), TASK.parse("classification")
    a, b = (
        run_task(engine, Recipe.parse(f"{bert};layers={layers}"), corpus, task).result
        for layers in ("0", "last")
    )
    found = difference(a, b)
    assert found.value == pytest.approx(b.value - a.value)
    assert found.low <= found.value <= found.high
    same = difference(a, a)
    assert (same.value, same.low, same.high) == (0, 0, 0)


def test_the_interval_of_an_accuracy_is_near_the_binomial_one():
    credits = np.zeros((1, 400))
    credits[0, :300] = 1
    low, high = np.percentile(resampled_means(credits), [2.5, 97.5])
    error = 1.96 * 100 * np.sqrt(0.75 * 0.25 / 400)
    assert (low, high) == (pytest.approx(75 - error, abs=0.7), pytest.approx(75 + error, abs=0.7))


def test_of_many_rows_fewer_resamples_are_drawn_at_once(monkeypatch):
    drawn = []

    def counted(groups, resamples, seed):
        drawn.append(resamples)
        return draw(groups, resamples, seed)

    monkeypatch.setattr(task_module, "draw", counted)
    credits = np.zeros((1, 400))
    credits[0, :300] = 1
    resampled_means(credits)
    assert drawn == [100] * 10
    monkeypatch.setattr(task_module, "_DRAWS", 7 * 400)
    drawn.clear()
    samples = resampled_means(credits)
    assert (max(drawn), sum(drawn), len(samples)) == (7, 1000, 1000)
    error = 100 * np.sqrt(0.75 * 0.25 / 400)
    assert (samples.mean(), samples.std()) == (pytest.approx(75, abs=0.3), pytest.approx(error, abs=0.2))
    assert len(np.unique(samples)) > 20, "every block has draws of its own"


def test_runs_that_differ_widen_the_interval():
    credits = np.repeat([[1.0], [0.0], [1.0], [0.0]], 50, axis=1)
    low, high = np.percentile(resampled_means(credits), [2.5, 97.5])
    assert (low, high) == (0, 100) or high - low >= 75


def test_the_corpus_says_its_task():
    assert task_for(both()) == Choice("sts")
    assert task_for(labelled()) == Choice("classification")
    assert task_for(labelled(task="clustering")) == Choice("clustering")
    with pytest.raises(CorpusError, match="no scored pairs and no labels, so no task"):
        task_for(Corpus.of_texts("texts", ["a"]))
    with pytest.raises(CorpusError, match="has one pair only; a correlation needs two"):
        task_for(Corpus.of_pairs("one", ["a"], ["b"], [1.0]))
    with pytest.raises(CorpusError, match="Every gold score of alike is 3"):
        task_for(Corpus.of_pairs("alike", ["a", "b"], ["b", "c"], [3.0, 3.0]))
    with pytest.raises(CorpusError, match="All labels of same are 'x': there is one class only"):
        task_for(Corpus.of_labelled("same", ["a", "b"], ["x", "x"]))


def test_what_a_recipe_learns_is_named():
    recipe = Recipe.parse(
        "weight=idf;pool=s3e(fit=reference);post=zscore+abtt(fit=reference)+whiten;reference=demo"
    )
    assert learns(recipe) == ("idf", "z-score", "whitening")


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ("clusterng", "task: no 'clusterng'. Did you mean 'clustering'"),
        ("classification(folds=1)", "folds"),
        ("classification(classifier=svm)", "logistic or mlp"),
        ("clustering(k=1)", "from 2 to"),
    ],
)
def test_a_wrong_task_is_refused_in_words(task, said):
    with pytest.raises(RecipeError, match=said):
        TASK.parse(task)


def test_a_task_that_does_not_take_the_corpus_names_those_that_do(engine, bert):
    with pytest.raises(CorpusError, match="no scored pairs.*takes the task classification or clustering"):
        run_task(engine, Recipe.parse(bert), labelled(), TASK.parse("sts"))
    with pytest.raises(CorpusError, match="has no labels. It takes the task sts"):
        run_task(engine, Recipe.parse(bert), pairs(), TASK.parse("clustering"))


@pytest.fixture
def films(tmp_path):
    corpus = labelled()
    lines = ["text\tlabel\tsplit"]
    rows = zip(corpus.first, corpus.labels, corpus.split, strict=True)
    lines += [f"{corpus.sentences[i]}\t{label}\t{split}" for i, label, split in rows]
    path = tmp_path / "films.tsv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_the_command_line_scores_a_task(run, bert, films):
    code, out, _ = run("score", "--recipe", f"{bert};layers=last", "--corpus", films, "--json")
    answer = json.loads(out)
    assert (code, answer["task"], answer["metric"], answer["n"]) == (0, "classification", "accuracy", 30)
    assert answer["low"] <= answer["value"] <= answer["high"]
    assert (answer["split"], answer["seeds"], answer["corpus"]) == ("test", [], "films")
    clustered = (
        "score",
        "--recipe",
        f"{bert};layers=last",
        "--corpus",
        films,
        "--task",
        "clustering(runs=4)",
    )
    answer = json.loads(run(*clustered, "--json", "--split", "all")[1])
    assert (answer["task"], answer["seeds"], answer["n"]) == ("clustering(runs=4)", [0, 1, 2, 3], 150)
    assert answer["v_measure"] == pytest.approx(answer["nmi"])
    code, out, _ = run(*clustered)
    assert (code, "Hungarian accuracy, mean of 4 runs on test" in out) == (0, True)


def test_the_command_line_of_sts_has_the_keys_of_a_task_too(run, bert, table):
    answer = json.loads(run("score", "--json", "--recipe", bert, "--corpus", table)[1])
    assert (answer["task"], answer["metric"], answer["n"]) == ("sts", "spearman", answer["pairs"])
    assert (answer["value"], answer["seeds"]) == (answer["spearman"], [])
    assert answer["protocol"] == "untrained, Spearman over all pairs of all"


def test_the_help_lists_every_task(run):
    out = run("score", "--help")[1]
    for option in TASK:
        assert f"    {option.describe()}" in out


def test_a_task_that_cannot_be_is_one_line(run, bert, films, table):
    for arguments, said in (
        (("--corpus", films, "--task", "sts"), "has no scored pairs"),
        (("--corpus", table, "--task", "clustering"), "has no labels"),
        (("--corpus", films, "--task", "clusterin"), "Did you mean 'clustering'"),
        (("--corpus", films, "--split", "tset"), "no split 'tset'"),
    ):
        code, out, err = run("score", "--quiet", "--recipe", bert, *arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert said in err


def test_a_demonstration_as_reference_is_said_everywhere(run, bert, texts_file, tmp_path):
    recipe = f"{bert};layers=last;weight=idf(fit=reference);reference="
    arguments = ("--quiet", "--corpus", "demo", "--split", "dev")
    for built_in in ("demo", "topics"):
        answer = json.loads(run("score", "--json", *arguments, "--recipe", recipe + built_in)[1])
        assert any(f"The reference {built_in} is a demonstration" in note for note in answer["notes"])
    (tmp_path / "lines.txt").write_text("A dog ran.\nTwo men play.\n")
    output = ("--input", tmp_path / "lines.txt", "--output", tmp_path / "v.npy")
    assert "is a demonstration" in run("embed", "--quiet", "--recipe", recipe + "demo", *output)[2]
    labels = ("--quiet", "--corpus", "topics", "--split", "dev", "--task", "clustering(runs=2)")
    assert "is a demonstration" in run("score", *labels, "--recipe", recipe + "demo")[2]
    for other in (recipe + str(texts_file), f"{bert};layers=last;reference=demo"):
        assert "is a demonstration" not in run("score", "--recipe", other, *arguments)[2]


def test_every_task_that_learns_says_about_how_long_and_more_takes_longer():
    for option in TASK:
        task = TASK.parse(option.name)
        few, many_ = (learning_seconds(task, both_of(number), 384) for number in (30, 300))
        if option.name in ("sts", "isotropy"):
            assert few == many_ == 0
        else:
            assert 0 < few < many_ < 100, option.name
    crossed = [
        learning_seconds(TASK.parse(f"classification(folds={folds})"), labelled_rows(200), 384)
        for folds in (5, 10)
    ]
    assert 1.9 < crossed[1] / crossed[0] < 2.5
    wide, narrow = (learning_seconds(TASK.parse("clustering"), labelled_rows(200), d) for d in (768, 384))
    assert wide == 2 * narrow


def both_of(number):
    corpus = pairs(number)
    return replace(
        corpus,
        labels=tuple("ab"[i % 2] for i in range(number)),
        split=tuple(SPLITS[i % 5] for i in range(number)),
    )


def labelled_rows(number):
    return Corpus.of_labelled("rows", [str(i) for i in range(number)], ["ab"[i % 2] for i in range(number)])
