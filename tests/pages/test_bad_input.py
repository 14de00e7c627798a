"""What nobody should write, on every page: a sentence that says what to do, never a traceback."""

import time

import pytest

from tests.pages.conftest import TUNED
from tests.pages.reading import captions, errors, figures, headings, table_of, told

RECIPES = TUNED


PAGES = ("compare", "scores")


def pasted(visit, text: str):
    """Compare with this text in the box."""
    at = visit()
    return at.text_area(key="sentences").set_value(text).run()


# -- recipes


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("side", ["a", "b"])
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("pool=mena", "Did you mean 'mean'?"),
        ("hello", "stage=value"),
        ("pool=", "nothing after '='"),
        ("pool=mean;pool=max", "given twice"),
        ("post=whiten(k=-3)", "whole number from 1 to"),
        ("post=abtt(d=2", "bracket is never closed"),
        ("<script>alert(1)</script>", "stage=value"),
        ("layers=\0", "layers"),
        ("a" * 5000, "at most 2,000 characters"),
    ],
)
def test_a_recipe_that_cannot_be_read_says_what_is_allowed(visit, page, side, text, says):
    at = visit(page, **{side: text})
    assert any(says in error for error in errors(at))


@pytest.mark.parametrize(
    "page", ["compare", "scores", "layers", "heads", "tokens", "masking", "methods", "geometry"]
)
def test_a_model_that_cannot_be_had_is_said_once(visit, page):
    both = visit(page, a="source=/no/such/model", b="source=/no/such/model;pool=max")
    (error,) = errors(both)
    assert "Recipes A and B." in error
    (error,) = errors(visit(page, a="source=/no/such/model", b="none"))
    assert "Recipe A." in error


@pytest.mark.parametrize("page", PAGES)
def test_a_cannot_be_none(visit, page):
    at = visit(page)
    at.text_input(key="a").set_value("none").run()
    assert any("write none for B" in error for error in errors(at))
    assert "the reason stands under the bar" in told(at)


@pytest.mark.parametrize("page", PAGES)
def test_nonsense_in_a_link_is_shown_beside_its_box(visit, page):
    at = visit(page, a="layers=foo", corpus="nope", split="zzz", aggregate="q")
    assert any("layers: no 'foo'" in error for error in errors(at))


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("side", ["a", "b"])
def test_a_layer_that_does_not_exist(visit, page, side):
    at = visit(page)
    at.text_input(key=side).set_value("layers=12").run()
    (error,) = errors(at)
    assert error.startswith(f"**Recipe {side.upper()}.**")
    assert "has no layer 12; allowed is static and 0 to 6" in error
    assert side == "a" or figures(at), "A is shown all the same"


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("side", ["a", "b"])
def test_a_model_that_is_not_here(visit, page, side):
    at = visit(page)
    begin = time.perf_counter()
    at.text_input(key=side).set_value("source=nobody/no-such-model").run()
    assert time.perf_counter() - begin < 10
    found = errors(at)
    assert any("nobody/no-such-model" in error for error in found)
    assert all("What works without network: bundled" in error for error in found)
    assert not any(f"Recipe {'B' if side == 'a' else 'A'}." in error for error in found)


@pytest.mark.parametrize("page", PAGES)
def test_a_folder_that_is_no_model(visit, page, tmp_path):
    at = visit(page, a=f'source="{tmp_path}"')
    assert any("it has no config.json" in error for error in errors(at))


@pytest.mark.parametrize("page", PAGES)
def test_weights_that_could_run_code_are_not_read(visit, page, tmp_path):
    (tmp_path / "config.json").write_text('{"num_hidden_layers": 2, "hidden_size": 8}')
    (tmp_path / "pytorch_model.bin").write_bytes(b"\x80")
    at = visit(page, a=f'source="{tmp_path}"')
    assert any("no safetensors weights (pytorch_model.bin)" in error for error in errors(at))
    assert any("save_pretrained()" in error for error in errors(at))


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("config", ["{}", "not json", '{"num_hidden_layers": 2, "hidden_size": 8}'])
def test_a_model_folder_with_nothing_right_in_it(visit, page, tmp_path, config):
    (tmp_path / "config.json").write_text(config)
    (tmp_path / "model.safetensors").write_bytes(b"nothing")
    at = visit(page, a=f'source="{tmp_path}"')
    assert any(tmp_path.name in error for error in errors(at))


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("name", ["nope", "/etc/passwd", "../../etc/passwd", "/etc/hosts.txt"])
def test_a_reference_corpus_that_is_not_here(visit, page, name):
    at = visit(page)
    at.text_input(key="b").set_value(f'weight=idf(fit=reference);reference="{name}"').run()
    assert any("There is no corpus" in error and "Allowed: demo" in error for error in errors(at))
    assert not any("Recipe A." in error for error in errors(at))
    assert "root:" not in told(at)


# -- sentences


@pytest.mark.parametrize(
    ("text", "got"), [("", "none"), ("   \n \t\n", "none"), ("\0\0\n\x07", "none"), ("Just one.", "one")]
)
def test_fewer_than_two_sentences(visit, text, got):
    at = pasted(visit, text)
    assert errors(at) == [f"Two sentences are needed to compare, one per line; got {got}."]
    assert figures(at) == []


def test_more_sentences_than_a_heatmap_can_show(visit):
    at = pasted(visit, "\n".join(f"Sentence {i}." for i in range(201)))
    (error,) = errors(at)
    assert "At most 200 sentences" in error
    assert "got 201" in error


def test_as_many_sentences_as_may_be(visit):
    at = pasted(visit, "\n".join(f"Sentence {i}." for i in range(200)))
    assert errors(at) == []
    assert len(figures(at)[0]) < 2_000_000


@pytest.mark.parametrize(
    "text",
    [
        "🎸🧑🏽‍🚀\n🍞",
        "שלום עולם\nمرحبا بالعالم\nhello",
        "a\0b\nc\x1bd",
        "<b>bold</b> & </script><script>alert(1)</script>\n**bold** [x](http://y) $x^2$ :red[x]",
        "[MASK] [SEP]\n[CLS]\n[PAD]",
        "same\nsame",
        "same\nsame\nother",
        ".\n,",
        "\u202eabc\n\ufeffabc\u2028d",
    ],
    ids=["emoji", "rtl", "control", "markup", "special", "twice", "twice+", "dots", "bidi"],
)
def test_odd_sentences_are_compared(visit, text):
    at = pasted(visit, text)
    assert errors(at) == []
    assert len(figures(at)) == 1


def test_control_characters_are_mentioned(visit):
    assert "Control characters were replaced by spaces in 1 line" in captions(pasted(visit, "a\0b\nc d"))


def test_a_line_of_ten_thousand_words_is_cut_and_it_says_so(visit):
    at = pasted(visit, "word " * 10_000 + "\nA short one.\nAnother.")
    assert errors(at) == []
    assert "1 of 3 sentences is longer than 256 tokens and cut there" in captions(at)


def test_markup_in_a_sentence_stays_text(visit):
    at = pasted(visit, "<b>bold</b> & **x**\n<script>alert(1)</script>\nplain")
    page = "".join(at.get("html")[i].proto.body for i in range(len(at.get("html"))))
    assert "<script>alert" not in page
    assert "<b>" not in page


def test_identical_sentences_keep_a_row_each(visit):
    at = pasted(visit, "same\nsame\nother")
    assert "3 sentences" in captions(at)
    assert "“same” / “other”" in headings(at)[0]


@pytest.mark.parametrize("post", ["zscore", "quantile", "abtt", "whiten"])
def test_too_few_sentences_to_learn_from_are_refused_with_a_way_out(visit, post):
    at = visit(a=f"post={post}", b="none", sentences="A cat sat.\nA dog ran.")
    (error,) = errors(at)
    assert error.startswith("**Recipe A.**")
    assert "fit=reference" in error
    at.button(key="a.refit").click().run()
    assert "fit=reference" in at.text_input(key="a").value
    assert errors(at) == []
    assert len(figures(at)) == 1


def test_b_is_refused_and_a_is_shown(visit):
    at = visit(b="post=zscore", sentences="A cat sat.\nA dog ran.")
    assert [error[:13] for error in errors(at)] == ["**Recipe B.**"]
    assert len(figures(at)) == 1
    at.button(key="b.refit").click().run()
    assert errors(at) == []
    assert at.text_input(key="b").value == "post=zscore(fit=reference)"


# -- corpora


@pytest.mark.parametrize("name", ["/etc/passwd", "../../etc/passwd", "nope", "<script>", "\0"])
def test_a_link_cannot_name_a_corpus_by_its_path(visit, name):
    at = visit("scores", corpus=name)
    assert "that is not here; showing demo" in told(at)
    assert "root:" not in told(at) + captions(at)
    assert at.metric


@pytest.mark.parametrize(
    ("table", "says"),
    [
        (table_of([(f"cat {i}", f"dog {i}", 3) for i in range(9)]), "Every gold score of odd is 3"),
        (table_of([("a cat", "a dog", 2.5)]), "has one pair only"),
        (
            "text\tlabel\nhello there\t1\n",
            "odd has no scored pairs; take one with sentence1, sentence2 and",
        ),
        ("note\tscore\nhello there\t1\n", "no column sentence1, sentence2; a table of pairs"),
        ("sentence1\tsentence2\tscore\n", "the table has no rows"),
        (table_of([("a cat", "a dog", "x"), ("b", "c", ""), ("d", "e", 9)]), "cannot be used"),
        ("", "is not a .tsv table"),
    ],
    ids=["constant", "one pair", "labels", "columns", "no rows", "unusable", "empty"],
)
def test_a_corpus_on_which_nothing_can_be_scored(visit, corpora, table, says):
    corpora(odd=table)
    at = visit("scores", corpus="odd")
    assert says in told(at)
    assert not at.metric


def test_a_corpus_from_the_hub_that_is_not_here(visit):
    at = visit("scores", corpus="stsb")
    assert "What works without network: demo" in told(at)


def test_a_split_that_a_corpus_has_not(visit):
    at = visit("scores", split="zzz")
    assert errors(at) == []
    assert at.metric


def test_rows_that_are_left_out_are_counted(visit, corpora):
    lines = [(f"The cat {i} sat.", f"The dog {i} ran.", i % 5) for i in range(9)]
    corpora(odd=table_of([*lines, ("", "no first sentence", 1)]))
    at = visit("scores", corpus="odd")
    assert errors(at) == []
    assert "1 of 10 rows has an empty sentence (line 11)" in captions(at)


def test_the_same_cls_everywhere_is_no_score_but_a_reason(visit):
    at = visit("scores", a="layers=0;pool=cls")
    assert errors(at) == []
    assert at.metric[0].value == "no score"
    assert "All similarities are equal under this recipe" in told(at)
    assert any("The difference cannot be computed" in heading for heading in headings(at))


def test_the_same_cls_everywhere_alone(visit):
    at = visit("scores", a="layers=0;pool=cls", b="none")
    assert errors(at) == []
    assert at.metric[0].value == "no score"


def test_the_same_cls_everywhere_compared(visit):
    at = visit(a="layers=0;pool=cls", b="none")
    assert errors(at) == []
    assert len(figures(at)) == 1


def test_a_turning_after_which_there_is_no_score_is_on_the_ladder_all_the_same(visit):
    at = visit("scores", a="layers=last", b="layers=0;pool=cls;post=zscore", steps="true")
    assert errors(at) == []
    assert len(figures(at)) == 3
    assert not any("nan" in heading for heading in headings(at))
