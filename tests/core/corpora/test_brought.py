"""Tables that visitors bring: columns called anything, scores on any scale, names that are kept."""

import gzip

import numpy as np
import pandas as pd
import pytest

from core.analysis.geometry.ratings import DEFINITIONS, by_rating
from core.corpora.brought import Draft, name_of
from core.corpora.catalogue import Catalogue
from core.corpora.kept_tables import read_kept
from core.corpora.numbers import has_decimal_commas, numbers_of
from core.corpora.readings import LabelledReading, Reading, TextsReading
from core.corpora.uploads import Uploads
from core.errors import CorpusError
from core.settings import GIGABYTE, Settings
from core.trust import Trust
from tests.core.helpers.lines import LINES, TOLD

HOUSES = "nr,left sentence,right sentence,how alike\n" + "".join(
    f"{i},The house {i} is red.,A red house of {i} rooms.,{10 * (i % 9) + 10}\n" for i in range(18)
)


@pytest.fixture
def uploads(tmp_path) -> Uploads:
    return Uploads(tmp_path / "uploads", GIGABYTE, 1_000_000)


def draft(text: str, file_name: str = "houses.csv") -> Draft:
    return Draft.read(file_name, text.encode())


def reading(**changes) -> Reading:
    given = {
        "name": "My houses",
        "sentence1": "left sentence",
        "sentence2": "right sentence",
        "score": "how alike",
        "scale": (0.0, 100.0),
    }
    return Reading(**given | changes)


@pytest.mark.parametrize(
    ("header", "guessed"),
    [
        ("sentence1,sentence2,score", ["sentence1", "sentence2", "score"]),
        ("text1,text2,similarity", ["text1", "text2", "similarity"]),
        ("Premise,Hypothesis,Gold", ["Premise", "Hypothesis", "Gold"]),
        ("a,b,rating", ["a", "b", "rating"]),
        ("foo,bar,baz", ["foo", "bar", "baz"]),
    ],
)
def test_columns_are_guessed_from_names_and_content(header, guessed):
    rows = "A cat sat.,A dog ran.,3\nRain fell.,It was wet.,4\n"
    assert list(draft(f"{header}\n{rows}").guess().values()) == guessed


def test_columns_that_pandas_numbers_are_the_sentences_in_their_order():
    guess = draft("0,1,2\nA cat sat.,A dog ran.,3\nRain fell.,It was wet.,4\n").guess()
    assert guess == {"sentence1": "0", "sentence2": "1", "score": "2"}


def test_a_number_of_the_row_is_not_taken_for_the_score():
    assert draft(HOUSES).guess()["score"] == "how alike"
    assert draft(HOUSES.replace("how alike", "value")).guess()["score"] == "value"


def test_what_cannot_be_guessed_is_left_to_the_visitor():
    guess = draft("one,two\nA cat sat.,A dog ran.\n").guess()
    assert guess["score"] is None


def test_a_table_is_kept_under_its_name_with_its_scale(uploads):
    link = uploads.keep(draft(HOUSES), reading())
    corpus = Catalogue(uploads=uploads, trust=Trust(folders=())).load(link)
    assert (corpus.name, corpus.link, corpus.origin) == ("My houses", link, "file houses.csv")
    assert corpus.scale == (0, 100)
    assert len(corpus) == 18
    assert corpus.gold.max() == 90
    assert Catalogue(uploads=uploads).title(link) == "My houses"
    assert uploads.keep(draft(HOUSES), reading()) == link


def test_another_name_scale_or_column_is_another_corpus(uploads):
    links = {
        uploads.keep(draft(HOUSES), reading(**changes))
        for changes in ({}, {"name": "Ours"}, {"scale": (10.0, 90.0)}, {"score": "nr"})
    }
    assert len(links) == 4


@pytest.mark.parametrize("stem", ["x\u200b", "\u202ex", "\ufeffx\u2060", " x\n"])
def test_names_that_look_alike_are_one_name(uploads, stem):
    content = b"sentence1\tsentence2\tscore\na b\tc d\t1\ne f\tg h\t3\n"
    link = uploads.bring("x.tsv", content)
    assert uploads.bring(f"{stem}.tsv", content) == link
    assert uploads.draft(f"{stem}.tsv", content).file_name == "x.tsv"


def test_a_name_of_which_nothing_is_seen_is_none():
    assert (name_of("\u200b \u202e"), name_of("\u200d"), name_of("شبکه\u200cها")) == (
        "",
        "",
        "شبکه\u200cها",
    )


def test_thresholds_are_at_the_same_share_of_the_scale(uploads):
    corpus = Catalogue(uploads=uploads).load(uploads.keep(draft(HOUSES), reading()))
    simcse = DEFINITIONS["normalised"]
    assert simcse.rule(corpus.gold, corpus.scale) == "gold > 80 on a scale of 0 to 100"
    assert corpus.gold[simcse.positives(corpus.gold, corpus.scale)].tolist() == [90, 90]
    groups = by_rating(np.zeros(len(corpus)), corpus.gold, corpus.scale)
    assert [group.label for group in groups] == ["0–20", "20–40", "40–60", "60–80", "80–100"]


def test_a_split_keeps_link_and_scale(uploads):
    lines = [f"test,A {i}.,B {i}.,{i}" for i in range(5)] + [f"dev,C {i}.,D {i}.,{i}" for i in range(5)]
    text = "\n".join(["split,sentence1,sentence2,score", *lines])
    link = uploads.keep(
        draft(text), reading(sentence1="sentence1", sentence2="sentence2", score="score", scale=(0.0, 10.0))
    )
    dev = Catalogue(uploads=uploads).load(link).take("dev")
    assert (len(dev), dev.link, dev.scale) == (5, link, (0, 10))


def test_rows_that_cannot_be_scored_are_counted_by_their_lines(uploads):
    odd = HOUSES.replace("3,The house 3 is red.", "3,").replace(",50\n", ",fifty\n", 1)
    corpus = Catalogue(uploads=uploads).load(uploads.keep(draft(odd), reading()))
    assert corpus.notes == draft(odd).corpus(reading()).notes
    assert "(line 5)" in corpus.notes[0]
    assert "not a number" in corpus.notes[1]


@pytest.mark.parametrize("ending", [".tsv", ".tsv.gz", ".csv.gz", ".parquet"])
def test_every_kind_of_table_can_be_brought(uploads, tmp_path, ending):
    table = pd.DataFrame({"sentence1": ["a cat", "a dog"], "sentence2": ["b", "c"], "score": [0.5, 1.0]})
    if ending == ".parquet":
        table.to_parquet(tmp_path / "t.parquet")
        content = (tmp_path / "t.parquet").read_bytes()
    else:
        text = table.to_csv(index=False, sep="\t" if ending.startswith(".tsv") else ",")
        content = gzip.compress(text.encode()) if ending.endswith(".gz") else text.encode()
    corpus = Catalogue(uploads=uploads).load(uploads.bring(f"pairs{ending}", content))
    assert (corpus.name, corpus.scale, corpus.gold.tolist()) == ("pairs", (0, 1), [0.5, 1.0])


@pytest.mark.parametrize(
    ("file_name", "content", "says"),
    [
        ("notes.txt", b"hello", "notes.txt' is no table; allowed endings: .tsv, .csv, .parquet"),
        ("notes.docx", b"hello", "notes.docx' is no corpus file"),
        ("fake.tsv", b"\xff\xfe\x00", "'fake.tsv' is not"),
        ("fake.parquet", b"no", "'fake.parquet' is not a .parquet table"),
        ("empty.csv", b"", "'empty.csv' is not a .csv table"),
        ("head.csv", b"a,b\n", "'head.csv': the table has no rows"),
        ("bare.csv", b"c,d\n1,2\n", "no column sentence1, sentence2"),
    ],
)
def test_what_is_no_table_is_named_as_the_visitor_named_it(uploads, file_name, content, says):
    with pytest.raises(CorpusError) as caught:
        uploads.bring(file_name, content)
    assert says in str(caught.value)
    assert "--" not in str(caught.value)
    assert uploads.corpora() == {}


def test_files_as_they_were_kept_before_are_still_found(uploads):
    uploads.folder.mkdir()
    (uploads.folder / "my-pairs-e559fa13.tsv").write_text("sentence1\tsentence2\tscore\na\tb\t1\nc\td\t2\n")
    corpus = Catalogue(uploads=uploads).load("my-pairs-e559fa13")
    assert (corpus.name, corpus.link, corpus.scale) == ("my-pairs-e559fa13", "my-pairs-e559fa13", None)
    twice = "sentence1\tsentence2\tscore\tscore\na\tb\t1\t5\nc\td\t2\t4\n"
    (uploads.folder / "my-pairs-e559fa14.tsv").write_text(twice)
    assert Catalogue(uploads=uploads).load("my-pairs-e559fa14").gold.tolist() == [1, 2]


REVIEWS = "nr,review,kind,split\n" + "".join(
    f"{i},The film {i} was {'good' if i % 2 else 'bad'}.,{'ab'[i % 2]},{'test' if i % 3 else 'train'}\n"
    for i in range(12)
)


def test_labelled_texts_are_kept_as_they_are_read(uploads):
    made = draft(REVIEWS, "reviews.csv")
    assert made.guess_labelled() == {"text": None, "label": None, "text2": None}
    name = uploads.keep(made, LabelledReading("My films", "review", "kind"))
    catalogue = Catalogue(uploads=uploads, trust=Settings.for_pages().trust)
    corpus = catalogue.load(name)
    assert (corpus.name, corpus.address, corpus.rows, corpus.classes) == ("My films", name, 12, ("a", "b"))
    assert corpus.splits == ("train", "test")
    assert catalogue.title(name) == "My films"
    assert uploads.keep(made, LabelledReading("My films", "review", "kind")) == name
    other = uploads.keep(made, LabelledReading("My films", "review", "split"))
    assert other != name
    pairs = uploads.keep(made, LabelledReading("Pairs", "review", "kind", "nr"))
    assert catalogue.load(pairs).paired


def test_columns_of_labelled_texts_are_guessed_by_their_names():
    guess = draft("id,Sentence,text2,Class\n1,a b,c d,x\n").guess_labelled()
    assert guess == {"text": "Sentence", "label": "Class", "text2": "text2"}


def test_labelled_texts_without_a_label_are_refused(uploads):
    made = draft("text,label\na b,\nc d,\ne f,x\n", "few.csv")
    with pytest.raises(CorpusError, match="2 of 3 rows cannot be used"):
        uploads.keep(made, LabelledReading("few", "text", "label"))


def test_a_kept_table_names_the_lines_of_the_file_that_was_brought(tmp_path):
    draft = Draft.read("pairs.csv", "\n".join(LINES).encode())
    reading = draft.reading("mine")
    assert draft.corpus(reading).notes == TOLD
    draft.write(tmp_path / "kept.parquet", reading)
    kept = read_kept(tmp_path / "kept.parquet", "kept")
    assert kept.notes == TOLD
    assert kept.fingerprint == draft.corpus(reading).fingerprint


def test_rows_are_numbered_although_lines_are_empty():
    rows = "".join(f"{i},A {i}.,B {i}.,{i % 5}\n\n" for i in range(12))
    draft = Draft.read("pairs.csv", f"no,first,second,rated\n{rows}".encode())
    assert draft.guess() == {"sentence1": "first", "sentence2": "second", "score": "rated"}


@pytest.mark.parametrize("file_name", ["notes.txt", "notes.txt.gz", "notes.tsv"])
def test_texts_are_kept_and_found_to_learn_from(tmp_path, file_name):
    lines = ["A text of some length.", "short", "", "Another text, of a length.", "A text of some length."]
    content = "\n".join((["text"] if file_name.endswith(".tsv") else []) + lines).encode()
    content = gzip.compress(content) if file_name.endswith(".gz") else content
    uploads = Uploads(tmp_path, GIGABYTE, GIGABYTE)
    draft = uploads.draft(file_name, content, texts=True)
    name = uploads.keep(draft, TextsReading("Our notes", "text"))
    found = Catalogue(uploads=uploads).load(name)
    assert (found.name, found.sentences) == ("Our notes", ("A text of some length.", lines[3]))
    assert found.repeats.tolist() == [2, 1]
    assert found.notes == ("2 of 5 lines are shorter than 10 characters: left out.",)
    assert Catalogue(uploads=uploads).title(name) == "Our notes"
    if file_name.endswith(".txt"):
        with pytest.raises(CorpusError, match="is no table; allowed endings: .tsv, .csv, .parquet"):
            uploads.draft(file_name, content)


def test_scores_with_decimal_commas_are_numbers_and_an_id_is_no_score():
    rows = "".join(
        f"{7 * i};Die Katze {i} schlief.;Ein Hund {i} lief.;{i * i % 5},5;{i % 3}\n" for i in range(9)
    )
    brought = draft(f"ID;Satz links;Satz rechts;Ähnlichkeit (%);Fold\n{rows}")
    assert list(brought.guess().values()) == ["Satz links", "Satz rechts", "Ähnlichkeit (%)"]
    assert brought.score_range("Ähnlichkeit (%)") == (0.5, 4.5)
    corpus = brought.corpus(brought.reading("Sätze"))
    assert corpus.gold.tolist() == [i * i % 5 + 0.5 for i in range(9)]
    assert corpus.notes == ("Scores are written with decimal commas: 2,5 is read as 2.5.",)


def test_numbers_alone_that_name_rows_are_left_to_the_visitor():
    rows = "".join(f"{i * i},A cat {i} sat.,A dog {i} ran.\n" for i in range(9))
    assert draft(f"pair_id,one,two\n{rows}").guess()["score"] is None


@pytest.mark.parametrize("cells", [["1,000.5", "2.5"], ["a, b", "3"], ["1.5", "2,5"], ["", "3"]])
def test_commas_that_part_nothing_are_left_alone(cells):
    assert not has_decimal_commas(pd.Series(cells))
    plain = [cell for cell in cells if cell and "," not in cell]
    assert numbers_of(pd.Series(cells)).notna().sum() == len(plain)
