"""A corpus may be read sentence by sentence: its name says so, and the splitter knows abbreviations."""

import numpy as np
import pytest

from core.corpora import units
from core.corpora.units import sentences_in, split_unit, with_unit
from core.errors import CorpusError, RecipeError
from core.pipeline import sentences
from core.recipe import Recipe

TEXT = (
    "It was built in 1936 by J. R. Smith , an architect from St. Louis . The hall burnt down twice ! "
    'Who would have thought so ? " Nobody did , " said Mrs. Jones . Ah .'
)
PARTS = [
    "It was built in 1936 by J. R. Smith , an architect from St. Louis .",
    "The hall burnt down twice !",
    "Who would have thought so ?",
    '" Nobody did , " said Mrs. Jones .',
]


@pytest.fixture
def news(tmp_path):
    path = tmp_path / "news.txt"
    path.write_text(f"{TEXT}\nThe dogs ran in the park .\n{TEXT}\n", "utf-8")
    return path


def test_sentences_end_where_they_end_and_short_ones_are_left_out():
    assert sentences_in(TEXT) == PARTS
    assert sentences_in("no end at all but words") == ["no end at all but words"]
    assert sentences_in("") == sentences_in("Ah .") == []


@pytest.mark.parametrize("name", ["news", "a folder/file (1).txt", "x(unit=line)"])
def test_the_unit_is_written_after_the_name(name):
    plain = split_unit(name)[0]
    assert split_unit(with_unit(plain, "sentence")) == (plain, "sentence")
    assert split_unit(f"{plain} ( unit = sentence ) ") == (plain, "sentence")
    assert split_unit(plain) == (plain, "line")


def test_a_name_of_brackets_and_blanks_is_read_in_one_pass():
    name = (
        "a" + "(unit=" * 20_000 + " " * 200_000 + "x"
    )  # minutes where each bracket is tried with each blank
    assert split_unit(name) == (name, "line")
    assert split_unit(f"{name}(unit=sentence)") == (name, "sentence")


def test_a_unit_that_is_none_is_refused(engine, news):
    with pytest.raises(CorpusError, match="got 'word'; allowed: line, sentence"):
        engine.corpus(f"{news}(unit=word)")
    assert not engine.catalogue.holds("demo(unit=word)")
    assert engine.catalogue.holds("demo(unit=sentence)")


@pytest.mark.parametrize("text", ["news(unit=sentence)", '"news(unit=sentence)"', " news(unit=sentence) "])
def test_a_reference_says_its_unit_in_a_recipe(text):
    recipe = Recipe.parse(f"weight=idf(fit=reference);reference={text}")
    assert str(recipe) == "weight=idf(fit=reference);reference=news(unit=sentence)"
    assert Recipe.parse(str(recipe)) == recipe
    odd = recipe.replace(reference='"a;b(1).txt(unit=sentence)"')
    assert Recipe.parse(str(odd)) == odd


def test_brackets_after_other_free_text_are_still_an_error():
    with pytest.raises(RecipeError, match="source: no 'vektors'"):
        Recipe.parse("source=vektors(path=x)")


def test_sentences_count_as_often_as_their_texts(engine, news, monkeypatch):
    corpus = engine.corpus(f"{news}(unit=sentence)")
    assert corpus.sentences == (*PARTS, "The dogs ran in the park .")
    assert corpus.repeats.tolist() == [2, 2, 2, 2, 1]
    assert corpus.name == "news(unit=sentence)"
    assert "9 sentences of 3 texts, found by syntok." in corpus.notes
    assert engine.corpus(f"{news}(unit=line)").sentences == engine.corpus(str(news)).sentences
    again = type(engine)(engine.settings)  # what was found is kept on disk
    monkeypatch.setattr("core.pipeline.sentences.split_some", lambda *_: pytest.fail("split again"))
    assert again.corpus(f"{news}(unit=sentence)").fingerprint == corpus.fingerprint


def test_a_split_with_the_name_of_a_unit_is_a_split(engine, tmp_path):
    path = tmp_path / "granular.tsv"
    rows = [("It rains today.", "Rain falls today.", split) for split in ("sentence", "passage")]
    lines = [f"{one}\t{other}\t{i + 1}\t{split}" for i, (one, other, split) in enumerate(rows)]
    path.write_text("\n".join(["sentence1\tsentence2\tscore\tsplit", *lines]) + "\n", "utf-8")
    assert len(engine.corpus(f"{path}(unit=sentence)")) == 0
    assert len(engine.corpus(str(path), "sentence")) == 1


def test_what_was_stopped_goes_on_with_the_part_where_it_was(engine, news, monkeypatch):
    monkeypatch.setattr(sentences, "PART", len(TEXT))
    monkeypatch.setattr(units, "EVERY", 1)
    of_lines, told = engine.corpus(str(news)), []
    assert [list(part) for part in sentences._parts(of_lines)] == [[0], [1]]

    def stop_at_the_second(step):
        told.append(step.done)
        if step.done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sentences.by_sentence(engine.store, of_lines, stop_at_the_second)
    whole = sum(map(len, of_lines.sentences)) / sentences.SPLIT_A_SECOND
    assert 0 < sentences.splitting_seconds(engine.store, of_lines) < whole
    told.clear()
    found = sentences.by_sentence(engine.store, of_lines, lambda step: told.append(step.done))
    assert told == [1], "the first part is kept"
    assert found.sentences == (*PARTS, "The dogs ran in the park .")
    assert sentences.splitting_seconds(engine.store, of_lines) == 0


def test_statistics_of_sentences_are_those_of_a_file_with_one_sentence_a_line(
    engine, bert, news, tmp_path, scored
):
    lines = tmp_path / "lines.txt"
    lines.write_text("\n".join([*PARTS, "The dogs ran in the park .", *PARTS]) + "\n", "utf-8")
    recipe = Recipe.parse(f"{bert};weight=idf(fit=reference)")
    by_unit, by_line, by_text = (
        engine.embed(recipe.replace(reference=f'"{reference}"'), scored).vectors
        for reference in (f"{news}(unit=sentence)", lines, news)
    )
    np.testing.assert_allclose(by_unit, by_line, atol=1e-6)
    assert np.abs(by_unit - by_text).max() > 1e-3
