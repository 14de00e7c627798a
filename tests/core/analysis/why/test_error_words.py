"""Which words drive the errors on a corpus of scored pairs."""

import json
import shutil

import numpy as np
import pytest
from scipy.stats import rankdata

from core.analysis.why.error_words import LEAST, error_words, group_of, words_of
from core.corpora.corpus import Corpus
from core.errors import CorpusError
from core.pipeline.one_text import of_texts
from core.recipe import Recipe


def test_a_gain_is_what_leaving_the_word_out_of_the_mean_changes(shared_engine, bert, scored):
    """For every word of the worst pairs, from token states and ranks by hand."""
    recipe = Recipe.parse(f"{bert};layers=last;tokens=content")
    found = error_words(shared_engine, recipe, scored, worst=12)
    weighted = shared_engine.weighted_states(recipe, scored)
    similarities, _ = shared_engine.similarities(recipe, scored)
    gold, count = rankdata(scored.gold), len(scored)
    off = 100 * (rankdata(similarities) - gold) / count
    gains: dict[str, dict[int, list[float]]] = {}
    for row in np.argsort(-np.abs(off), kind="stable")[:12]:
        texts = [int(side[row]) for side in (scored.first, scored.second)]
        tokens = of_texts(weighted, texts, lambda step: None)
        pair = [tokens[text] for text in texts]
        for one, other in (pair, pair[::-1]):
            content = np.flatnonzero(one.batch.selected)
            v = other.batch.states[other.batch.selected].mean(axis=0)
            for word in dict.fromkeys(one.words[place] for place in content):
                own = [place for place in content if one.words[place] == word]
                u = one.batch.states[[place for place in content if place not in own]].mean(axis=0)
                cosine = u @ v / np.linalg.norm(u) / np.linalg.norm(v)
                rank = rankdata(np.append(np.delete(similarities, row), cosine))[-1]
                text = "".join(one.surface_forms[place].removeprefix("##") for place in own)
                gain = abs(off[row]) - abs(100 * (rank - gold[row]) / count)
                gains.setdefault(text, {}).setdefault(int(row), []).append(gain)
    means = {word: [*map(np.mean, each.values())] for word, each in gains.items()}
    expected = {word: np.mean(each) for word, each in means.items() if len(each) >= LEAST}
    assert len(expected) >= 3
    assert {each.word: each.gain for each in found.words} == pytest.approx(expected)
    assert {each.word: each.pairs for each in found.words} == {w: len(gains[w]) for w in expected}
    assert found.pairs == 12
    assert found.places == pytest.approx(np.sort(np.abs(off))[-12:].mean())
    assert all(each.low <= each.gain <= each.high for each in found.words)
    assert [each.gain for each in found.words] == sorted((each.gain for each in found.words), reverse=True)


def test_a_planted_word_is_found(shared_engine, bert):
    """Pairs that the gold says are unlike share one word, the others none: without it they part."""
    texts = ["girl plays", "man sat", "dogs run", "cat sleeps", "rain falls", "boy sings"]
    first = [f"{text} park" for text in texts] + texts
    second = [f"{text} park" for text in [*texts[1:], texts[0]]] + [*texts[2:], *texts[:2]]
    corpus = Corpus.of_pairs("planted", first, second, [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, *range(1, 7)])
    recipe = Recipe.parse(f"{bert};layers=static;tokens=content")
    found = error_words(shared_engine, recipe, corpus, worst=12)
    assert found.words[0].word == "park"
    assert found.words[0].low > max(found.gain, 0)


def test_a_subset_and_what_is_none(shared_engine, bert, scored):
    recipe = Recipe.parse(f"{bert};layers=last")
    with pytest.raises(CorpusError, match="subset: got 'news'; scored has even, odd"):
        group_of(scored, subset="news")
    with pytest.raises(CorpusError, match="ratings: got 7 to 9; no such pair"):
        group_of(scored, ratings=(7, 9))
    with pytest.raises(CorpusError, match="is in the group"):
        error_words(shared_engine, recipe, scored, group=[])
    group = group_of(scored, subset="odd", ratings=(1, 2.5))
    assert group == [i for i, gold in enumerate(scored.gold) if i % 2 and 1 <= gold <= 2.5]
    assert group_of(scored) is None
    found = error_words(shared_engine, recipe, scored, group=group)
    off = rankdata(shared_engine.similarities(recipe, scored)[0]) - rankdata(scored.gold)
    assert found.pairs == len(group)
    assert found.places == pytest.approx(100 * np.abs(off[group]).mean() / len(scored))
    with pytest.raises(CorpusError):
        error_words(shared_engine, recipe, Corpus.of_texts("texts", ["a", "the girl"]))


def test_pieces_are_one_word_and_special_tokens_their_own(shared_engine, bert):
    corpus = Corpus.of_texts("t", ["the boy falls", "a"])
    weighted = shared_engine.weighted_states(Recipe.parse(bert), corpus)
    words = words_of(of_texts(weighted, [0], lambda step: None)[0])
    assert [word for word, _ in words] == ["[CLS]", "the", "boy", "falls", "[SEP]"]
    assert len(words[3][1]) == 2, "fall and ##s"
    weighted = shared_engine.weighted_states(Recipe.parse(f"{bert};tokens=content"), corpus)
    assert words_of(of_texts(weighted, [1], lambda step: None)[1]) == []


def test_words_are_apart_where_the_tokenizer_numbers_them_as_one(shared_engine, model, tmp_path):
    """As Llama's does, which marks the begin of words in the pieces alone."""
    folder = shutil.copytree(model("llama"), tmp_path / "whole")
    tokenizer = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    tokenizer["pre_tokenizer"] = None
    tokenizer["normalizer"] = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer), "utf-8")
    recipe, texts = Recipe.parse(f"source={folder};layers=last;tokens=content"), ["the dogs run"]
    weighted = shared_engine.weighted_states(recipe, Corpus.of_texts("one", texts))
    found = words_of(of_texts(weighted, [0], lambda step: None)[0])
    assert [word for word, _ in found] == texts[0].split()
    (tokens,) = shared_engine.token_weights(recipe, Corpus.of_texts("one", texts))
    assert len(set(tokens.words)) == 4


def test_the_command_prints_the_words_of_the_worst_pairs(run, bert, table, tmp_path):
    given = ("why", "--cache", tmp_path / "cache", "--quiet", "--recipe", bert, "--corpus", table)
    code, out, _ = run(*given, "--worst", 20)
    assert code == 0
    assert "closer without it, 95 % between" in out
    code, fewer, _ = run(*given, "--worst", 20, "--ratings", 0, 1, "--subset", "even")
    assert code == 2  # the file has no subsets
    code, fewer, _ = run(*given, "--worst", 20, "--ratings", 0, 1)
    assert (code, fewer.partition(" pairs are")[0] == "") == (0, False)
    assert fewer != out
    code, _, err = run(*given, "--worst", 0)
    assert (code, "from 1" in err) == (2, True)
    code, _, err = run(*given, "one sentence")
    assert (code, "got 1 sentence" in err and "got 1 sentences" not in err) == (2, True)


def test_a_sentence_without_a_known_word_has_none_to_leave_out(shared_engine, tmp_path):
    """Its pair is among the worst, and the words are those of the others."""
    rows = np.random.default_rng(0).normal(size=(6, 5))
    words = "dog cat runs sleeps house tree".split()
    lines = [f"{word} {' '.join(map(str, row))}" for word, row in zip(words, rows, strict=True)]
    (tmp_path / "v.txt").write_text("\n".join(lines) + "\n")
    recipe = Recipe.parse(f'source=vectors(path="{tmp_path / "v.txt"}")')
    known = ["dog runs", "cat sleeps", "house tree", "dog house", "cat tree"]
    others = ["cat runs", "dog sleeps", "tree dog", "house cat", "runs tree"]
    corpus = Corpus.of_pairs("p", [*known, "zzz qqq"], [*others, "dog cat"], [1, 2, 3, 4, 5, 0])
    found = error_words(shared_engine, recipe, corpus, worst=6)
    without = error_words(shared_engine, recipe, corpus, worst=6, group=range(5))
    assert found.pairs == 6
    assert found.gain == pytest.approx(without.gain)
    assert found.gain != 0
