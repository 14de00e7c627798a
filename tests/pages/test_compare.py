"""The page Compare: findings, the pair that is chosen, examples, and what a link may get wrong."""

import json
import re

import numpy as np
import pytest

from components.cached import shared_queue
from components.compare import one_pair
from components.compare.examples import SETS
from components.state import DEFAULTS
from tests.pages.conftest import TUNED
from tests.pages.reading import captions, errors, figures, headings, htmls, plain, told

RECIPES = TUNED

ALL = {"all.pairs": "true"}
"""The table of all pairs is open."""

PEANUTS = "He is allergic to peanuts.\nPeanuts make him ill.\nA cat sat."
THREE = "The dog bit the man.\nThe man bit the dog.\nSomebody was hurt."


def labels(at) -> list[str]:
    """The buttons of findings."""
    return [plain(button.label) for button in at.button if str(button.key).startswith("finding.")]


def figure(at) -> dict:
    """The figure as it is sent to the browser."""
    sent, *_ = figures(at)
    return json.loads(sent)


def boxes(at) -> int:
    """Boxes around cells."""
    return len(figure(at)["layout"].get("shapes", []))


def opening(at) -> list:
    """Links of the chosen pair that open other pages with a sentence."""
    links = [link for link in at.get("page_link") if "sentence=" in link.proto.query_string]
    return [link for link in links if not any(link is one for one in in_menu(at))]


def in_menu(at) -> list:
    """Links of the menu under the sentences that open another page with one of them."""
    (menu,) = (
        one for one in at.get("popover") if one.proto.popover.label == "Open one on Layers, Heads, Masking"
    )
    return [link for link in menu.get("page_link") if "sentence=" in link.proto.query_string]


def test_any_sentence_opens_on_the_pages_that_look_at_one(visit):
    at = visit(sentences="A dog.\nA cat.")
    assert [link.proto.label for link in in_menu(at)] == ["Layers", "Heads", "Masking"]
    at.selectbox(key="compare.opened").set_value("A cat.").run()
    assert all("sentence=A+cat.&" in f"{link.proto.query_string}&" for link in in_menu(at))
    at.text_area(key="sentences").set_value("A fox.\nA hen.").run()
    assert errors(at) == []
    assert all("sentence=A+fox.&" in f"{link.proto.query_string}&" for link in in_menu(at))


# -- findings


def test_the_headline_is_of_the_closest_pair_with_its_values(visit):
    at = visit()
    assert headings(at)[0].startswith("Cosine: the closest pair under A is 0.99: “The nurse")
    assert "; under B it is " in headings(at)[0]
    assert labels(at)[0] == "Closest 0.99"
    assert boxes(at) == 6


def gains(at) -> list[str]:
    """What is said of the scores of A and B on the corpus."""
    texts = [plain(each.value) for each in at.markdown]
    return [text for text in texts if re.match(r"\*\*(No difference shown|[AB] is better by)", text)]


@pytest.mark.usefixtures("bar_scores")
def test_one_arrives_with_a_gain_whose_interval_leaves_out_0(visit):
    (gain,) = gains(visit(a=DEFAULTS["a"], b=DEFAULTS["b"]))
    said = re.fullmatch(
        r"\*\*B is better by (\S+) on demo test \(Spearman × 100, 95 %: (\S+) to (\S+)\)\.\*\*", gain
    )
    value, low, high = (float(part) for part in said.groups())
    assert 0 < low < value < high


@pytest.mark.usefixtures("bar_scores")
def test_no_difference_is_told_as_such_and_none_without_b(visit, small):
    visit("scores", a=small, b="none")  # the corpus is read
    (same,) = gains(visit(a=small, b=small))
    assert same.startswith("**No difference shown on demo test: A and B score the same ")
    assert gains(visit(a=small, b="none")) == []


@pytest.mark.usefixtures("bar_scores")
def test_a_difference_that_is_one_of_models_too_says_so(visit, small):
    at = visit("scores", a=small, b="layers=last")
    assert "The models differ: A: bert · B: all-MiniLM-L6-v2." in [plain(each.value) for each in at.caption]
    (gain,) = gains(visit(a=small, b="layers=last"))
    assert gain.endswith("** The models differ: A: bert · B: all-MiniLM-L6-v2.")


@pytest.mark.usefixtures("bar_scores")
def test_the_gain_is_told_when_the_scores_come_later(visit, small, monkeypatch):
    visit("scores", a=small, b="none")
    monkeypatch.setattr("components.job.waiting.PATIENCE", 0.0)
    monkeypatch.setattr("components.job.waiting.BRIEFLY", 0.0)
    at = visit(a=f"{small};pool=max", b=f"{small};pool=gem", patient=False)
    for job in shared_queue().active():
        assert job.wait(60)
    assert len(gains(at.run())) == 1


def test_no_pair_is_named_that_is_close_under_neither(visit):
    at = visit(**ALL)
    rows = at.dataframe[0].value
    limit = 7
    close = rows[(rows["rank A"] <= limit) | (rows["rank B"] <= limit)]
    most = close["change"].abs().max()
    (label,) = (label for label in labels(at) if label.startswith("Disagreement"))
    before, after = map(int, label.removeprefix("Disagreement ").split(" → "))
    assert abs(before - after) == most
    assert min(before, after) <= limit


def test_a_click_on_a_finding_marks_its_pair_and_shows_it(visit):
    at = visit()
    few = next(button for button in at.button if plain(button.label).startswith("Few shared words"))
    few.click().run()
    assert errors(at) == []
    assert "few words in common the closest is 0.62 under A, rank 4 of 66, behind 3" in headings(at)[0]
    assert headings(at)[1].startswith("Sentences 9 and 10: ")
    assert at.text_input(key="pair").value == "9,10"
    assert boxes(at) == 6


def test_what_is_said_is_what_the_table_says(visit):
    at = visit(pair="1,3", **ALL)
    rows = at.dataframe[0].value
    row = rows[(rows["first"] == 1) & (rows["second"] == 3)].iloc[0]
    said = headings(at)[0] + " ".join(plain(box.value) for box in at.markdown)
    assert f"cosine {row['A']:.2f}, rank {row['rank A']} of 66" in said
    assert f"cosine {row['B']:.2f}, rank {row['rank B']} of 66" in said
    assert f"Sentences 1 and 3: {100 * row['words shared']:.0f} % of their words in common" in headings(at)


def test_two_sentences_are_one_pair_and_nothing_is_marked(visit):
    at = visit(sentences="A cat sat.\nA dog ran.")
    assert headings(at)[0].startswith("Cosine: A 0.24, B 0.19: B puts them further apart")
    assert "2 sentences · 1 pair ·" in captions(at)
    assert labels(at) == []
    assert boxes(at) == 0


def test_nothing_is_marked_where_nothing_changes(visit):
    at = visit(a="layers=last", b="layers=last")
    assert headings(at)[0].endswith("A and B put all 66 pairs in the same order")
    assert not any(label.startswith("Disagreement") for label in labels(at))
    assert boxes(at) == 0


def test_equal_similarities_are_said_to_be_equal(visit):
    at = visit(a="layers=0;pool=cls", b="none")
    assert headings(at)[0] == "Cosine: all 66 pairs are equally close under A"
    assert labels(at) == []


def test_unlike_similarities_have_their_own_scales_and_values(visit):
    at = visit(a="similarity=euclidean", b="similarity=dot", pair="7,8")
    assert errors(at) == []
    assert headings(at)[0].startswith("Negated Euclidean distance: the closest pair under A is −")
    assert "B · inner product " in " ".join(plain(box.value).replace("**", "") for box in at.markdown)


# -- the chosen pair


def test_a_pair_in_a_link_is_shown_with_its_tokens_and_links_to_pages(visit):
    at = visit(pair="12,2", a="layers=1")
    assert errors(at) == []
    assert headings(at)[1].startswith("Sentences 2 and 12: ")
    assert htmls(at).count(">raining<") == 8, "in the sentence, and twice in the panel, under A and B"
    links = opening(at)
    assert [link.proto.label for link in links] == ["Layers", "Heads", "Masking"] * 2
    query = links[3].proto.query_string
    assert "sentence=It+is+raining+more+than+ever." in query
    assert "a=layers%3D1" in query
    assert "pair" not in query
    assert "view=sentence" in query


def test_without_a_chosen_pair_there_is_no_panel(visit):
    at = visit()
    assert not opening(at)
    at = visit(pair="2,12")
    at.button(key="pair.close").click().run()
    assert not opening(at)
    assert at.text_input(key="pair").value == ""


@pytest.mark.parametrize(
    ("pair", "says"),
    [
        ("99,3", "there is no sentence 99; allowed is 1 to 12"),
        ("0,3", "there is no sentence 0; allowed is 1 to 12"),
        ("3,3", "is one sentence; a pair has two different ones"),
        ("banana", "The pair 'banana' cannot be read; write the numbers of two sentences: 6,7."),
        ("6", "cannot be read"),
        ("6,7,8", "cannot be read"),
        ("-1,2", "cannot be read"),
        ("1,99999999999999999999", "cannot be read"),
        ("<b>,2", "cannot be read"),
    ],
)
def test_a_pair_that_is_none_is_refused_with_a_reason(visit, pair, says):
    at = visit(pair=pair)
    assert says in told(at)
    assert headings(at)[0].startswith("Cosine: the closest pair")
    assert not opening(at)


def test_a_pair_whose_sentence_goes_is_said_to_be_gone(visit):
    at = visit(pair="6,7")
    first_three = "\n".join(at.text_area(key="sentences").value.split("\n")[:3])
    at.text_area(key="sentences").set_value(first_three).run()
    assert "there is no sentence 6; allowed is 1 to 3" in told(at)
    assert len(figures(at)) == 1


def test_a_pair_stays_with_its_sentences_and_goes_with_one(visit):
    lines = ["Alpha is here.", "Beta is there.", "Gamma is nowhere.", "Delta is late."]
    at = visit(sentences="\n".join(lines), pair="3,4")
    edited = [lines[3], *lines[1:3]]
    for kept, pair in ((lines[1:], "2,3"), (edited, "1,3"), ([*edited[1:], "New.", "More."], "")):
        at.text_area(key="sentences").set_value("\n".join(kept)).run()
        assert not told(at)
        assert at.text_input(key="pair").value == pair


def test_a_pair_stays_while_its_sentences_are_rewritten(visit):
    at = visit(sentences=THREE, pair="1,2")
    at.text_area(key="sentences").set_value(THREE.replace("dog", "cat")).run()
    assert "“The cat bit the man.” / “The man bit the cat.”" in headings(at)[0]


# -- why they are close


def whys(at) -> dict:
    """The figure of contributions as it is sent to the browser."""
    _, sent, *_ = figures(at)
    return json.loads(sent)


def test_the_pair_says_which_tokens_its_similarity_comes_from(visit):
    at = visit(sentences=PEANUTS, pair="1,2", a="layers=last", b="tokens=content", **ALL)
    assert errors(at) == []
    (title,) = (heading for heading in headings(at) if heading.startswith("Of the cosine"))
    assert "comes from “peanuts” ↔ “peanuts”" in title
    assert "under A, " in title
    assert "under B, " in title
    rows = at.dataframe[0].value.iloc[0]
    titles = [whys(at)["layout"][axis]["title"]["text"] for axis in ("xaxis", "xaxis2")]
    assert titles == [f"A: {rows['A']:.2f}", f"B: {rows['B']:.2f}"]
    assert whys(at)["layout"]["xaxis3"]["title"]["text"].startswith("B − A: ")
    assert "from A to B" in title
    assert "largest: “peanuts” ↔ “peanuts”" in captions(at)


def test_a_recipe_that_does_not_decompose_says_so_and_the_other_is_drawn(visit):
    at = visit(sentences=PEANUTS, pair="1,2", a="pool=max", b="layers=last")
    assert errors(at) == []
    (line,) = (each.value for each in at.markdown if "is no sum over pairs of tokens" in each.value)
    assert line.startswith("**A** · Under pool\\=max")
    assert whys(at)["layout"]["xaxis"]["title"]["text"].startswith("B: ")
    at = visit(sentences=PEANUTS, pair="1,2", a="pool=max", b="none")
    assert not [line for line in headings(at) if line.startswith("Of the cosine")]


def test_there_is_no_why_without_a_pair(visit):
    assert len(figures(visit(sentences=PEANUTS))) == 1


def test_a_pair_of_equal_and_of_long_sentences_has_a_why(visit):
    long = "word " * 400
    at = visit(sentences=f"{long}\n{long}more\nsame\nsame", pair="1,2", b="none")
    assert errors(at) == []
    layout = whys(at)["layout"]
    assert len(layout["yaxis"]["ticktext"]) * 11 <= layout["height"]
    at = visit(sentences=f"{long}\nsame\nsame", pair="2,3", b="none")
    assert errors(at) == []
    assert whys(at)["layout"]["xaxis"]["title"]["text"] == "A: 1.00"


def test_the_tokens_that_the_headline_names_have_names_beside_a_long_sentence(visit):
    long = "Although " + ", ".join(f"the {word} was old" for word in "dam wall road mill barn".split())
    at = visit(sentences=f"The dam was repaired.\n{long}.\nRain.", pair="1,2", b="none")
    rows = whys(at)["layout"]["yaxis"]["ticktext"]
    assert {"although", "wall"} <= {*rows}, "the longer sentence stands on the rows"
    assert "repaired" in whys(at)["layout"]["xaxis"]["ticktext"]
    assert "Rows: “Although" in captions(at)


# -- sentences


def test_unknown_tokens_are_said_under_the_box(visit):
    at = visit(sentences="I love this pizza 🍕\n你好\nRain.")
    assert "Sentence 1: 1 of 5 tokens is unknown to the model ([UNK])." in captions(at)
    assert "Sentence 3" not in captions(at)
    assert "unknown to the model" not in captions(visit())


def test_ranks_leave_out_a_sentence_that_is_given_twice(visit):
    once = visit(sentences=THREE, **ALL)
    twice = visit(sentences=f"{THREE}\n{THREE.splitlines()[0]}", **ALL)
    assert labels(twice) == labels(once)
    assert headings(twice)[0] == headings(once)[0].replace(
        "pair under A", "pair of different sentences under A"
    )
    rows = twice.dataframe[0].value
    assert rows["rank A"].isna().sum() == 1
    assert rows["rank A"].max() == 3
    assert "3 pairs of different sentences, each counted once" in captions(twice)


@pytest.mark.parametrize("name", SETS)
def test_a_set_of_examples_fills_the_box(visit, name):
    at = visit(sentences=THREE, pair="1,2")
    at.button(key=f"example.{name}").click().run()
    assert at.text_area(key="sentences").value.split("\n") == list(SETS[name][0])
    assert at.text_input(key="pair").value == ""
    assert errors(at) == []
    assert f"{len(SETS[name][0])} sentences" in captions(at)


def test_examples_forget_the_pair_while_their_sentences_are_still_read(visit, monkeypatch):
    """The box for the pair once came with the figure: until then the link brought the old pair back."""
    monkeypatch.setattr("components.job.waiting.PATIENCE", 0.0)
    monkeypatch.setattr("components.job.waiting.BRIEFLY", 0.0)
    at = visit(sentences=THREE, pair="1,2")
    at.button(key="example.Negation").click().run()
    assert at.text_input(key="pair").value == ""


def test_sentences_stay_while_another_page_is_looked_at(visit):
    at = visit()
    at.text_area(key="sentences").set_value(THREE).run()
    at.text_input(key="pair").set_value("1,3").run()
    at.switch_page("pages/methods.py").run()
    at.switch_page("pages/compare.py").run()
    assert at.text_area(key="sentences").value == THREE
    assert headings(at)[1].startswith("Sentences 1 and 3")


def test_repeats_are_not_the_closest_pair(visit):
    at = visit(sentences=f"{THREE}\nSomebody was hurt.")
    assert "“The dog bit the man.” / “The man bit the dog.”" in headings(at)[0]


def test_many_sentences_stand_in_the_order_of_a_clustering(visit):
    lines = [f"The {word} number {i} is here." for i in range(10) for word in ("dog", "storm", "price")]
    at = visit(sentences="\n".join(lines))
    numbers = figure(at)["layout"]["yaxis"]["ticktext"]
    places = [int(label.rsplit(" ", 1)[1]) for label in numbers]
    assert sorted(places) == list(range(1, 31))
    assert places != sorted(places)
    assert "in the order of a hierarchical clustering under A" in captions(at)
    at.toggle(key="clustered").set_value(False).run()
    numbers = figure(at)["layout"]["yaxis"]["ticktext"]
    assert [int(label.rsplit(" ", 1)[1]) for label in numbers] == list(range(1, 31))
    assert "clustering" not in captions(at)


def test_the_order_is_in_the_link(visit):
    lines = "\n".join(f"Sentence {i} of many." for i in range(30))
    at = visit(sentences=lines, clustered="false")
    assert "clustering" not in captions(at)
    assert at.toggle(key="clustered").value is False


def test_few_sentences_stand_as_they_were_pasted(visit):
    assert not [toggle for toggle in visit().toggle if toggle.key == "clustered"]


def test_two_hundred_sentences_have_their_pairs_in_the_table(visit):
    at = visit(sentences="\n".join(f"Sentence {i}." for i in range(200)), pair="1,200", **ALL)
    assert errors(at) == []
    assert len(at.dataframe[0].value) == 19_900
    assert headings(at)[1].startswith("Sentences 1 and 200")


def test_a_very_long_sentence_can_be_in_the_pair(visit):
    at = visit(sentences=f"{'word ' * 3000}\nA short one.\nAnother.", pair="1,2")
    assert errors(at) == []
    assert len(headings(at)[0]) < 250
    assert "They take its first 2,000 characters." in captions(at)
    of_all, of_pair = "1 of 3 sentences is longer than 256 tokens", "Sentence 1 is longer than 256 tokens"
    cut = [one.value for one in at.caption if of_all in one.value or of_pair in one.value]
    assert [of_pair in one for one in cut] == [False, False, True], "note, and in the files of both figures"


def test_markup_in_a_pair_stays_text(visit):
    at = visit(sentences="<b>bold</b> :red[x] $x^2$\n<script>alert(1)</script>\nplain", pair="1,2")
    assert errors(at) == []
    assert "<script>alert" not in htmls(at)
    assert "“<b>bold</b> :red[x] $x^2$” / “<script>alert(1)</script>”" in headings(at)[0]


# -- the map


def test_the_map_takes_the_sentences_of_the_box(visit):
    at = visit(shown="map")
    assert errors(at) == []
    assert headings(at)[0].startswith("Of a sentence's 3 nearest, A and B share ")
    points = [trace for trace in figure(at)["data"] if trace.get("mode") == "markers+text"]
    assert len(points) == 2
    for trace in points:
        names = [name for name in trace["text"] if name]
        assert len(names) >= 9, "what has no room has no name"
        for name in names:
            assert any(one.startswith(name.rstrip("…")) for one in SETS["Mixed"][0]), name
    assert [menu.options for menu in at.selectbox if menu.key == "by"] == [["length"]]
    assert set(at.dataframe[0].value["sentence"]) == set(SETS["Mixed"][0])


@pytest.mark.parametrize(
    ("sentences", "said"),
    [
        ("A cat sat.\nA dog ran.", "Neighbours can change among three sentences or more"),
        ("same\nsame", ""),
        (THREE, ""),
        ("\n".join(f"Sentence {i}." for i in range(200)), ""),
    ],
    ids=["two", "equal", "three", "many"],
)
def test_few_equal_and_many_sentences_have_a_map_or_a_reason(visit, sentences, said):
    at = visit(shown="map", sentences=sentences)
    assert said in told(at)
    assert figures(at) or told(at)


def test_the_map_and_back(visit):
    at = visit(shown="map", pair="2,12")
    at.button_group(key="shown").set_value("matrices").run()
    assert headings(at)[1].startswith("Sentences 2 and 12: ")


def test_panels_are_titled_by_the_names_that_a_visitor_gives(visit):
    layout = figure(visit(sentences=THREE, an="Plain mean", bn="Shaped <b>"))["layout"]
    assert layout["xaxis"]["title"]["text"] == "A · Plain mean"
    assert layout["xaxis2"]["title"]["text"] == "B · Shaped &lt;b&gt;"


# -- models


def test_the_caption_names_the_models_of_both(visit, small):
    at = visit(a="layers=last", b=small)
    assert errors(at) == []
    assert "A: all-MiniLM-L6-v2 (sha256:" in captions(at)
    assert " · B: bert (" in captions(at)


def test_the_table_of_pairs_leads_to_the_panel_of_the_chosen_one(visit):
    at = visit(**ALL)
    assert "stand above" not in captions(at)
    at = visit(pair="6,7", **ALL)
    assert errors(at) == []
    (link,) = (box.value for box in at.caption if "stand above" in box.value)
    assert link.endswith(f"[Sentences 6 and 7 stand above](#{one_pair.ANCHOR}).")
    assert f'id="{one_pair.ANCHOR}"' in htmls(at)


def test_a_pair_is_one_of_the_sentences_that_it_was_chosen_among(visit):
    at = visit(pair="1,3")
    at.text_area(key="sentences").set_value("One.\nTwo.").run()
    assert errors(at) == []
    assert not at.warning
    assert at.text_input(key="pair").value == ""


def test_tokens_of_a_pooling_that_takes_no_weights_are_not_tinted_by_them(visit):
    at = visit(a="layers=last;weight=idf;pool=max", b="none", sentences="A cat.\nA black dog.", pair="1,2")
    assert errors(at) == []
    strips = [text for text in htmls(at).split("<small>") if "no weight is used" in text]
    assert len(strips) == 4, "two sentences, in the pair and below"
    assert "% of the weight" not in htmls(at)


def test_the_table_of_pairs_has_what_b_changes(visit):
    """Of two recipes that share no scale there is no difference."""
    at = visit(a="layers=last", b="layers=last;post=centre(fit=reference)", **ALL)
    table = at.dataframe[-1].value
    np.testing.assert_allclose(table["B − A"], table["B"] - table["A"])
    other = visit(a="layers=last", b="layers=last;similarity=dot", **ALL)
    assert "B − A" not in other.dataframe[-1].value


def test_a_pair_that_is_chosen_is_shown_layer_by_layer(visit):
    """Ranks are over the three pairs; of another similarity, or of equal sentences, there is no line."""
    at = visit(sentences=THREE, pair="1,2", b="none")
    assert errors(at) == []
    (found,) = [line for line in headings(at) if line.startswith("Rank of the pair by cosine")]
    assert re.fullmatch(r"Rank of the pair by cosine, 1 is the closest of 3: A .+", found)
    other = visit(sentences=THREE, pair="1,2", b="similarity=euclidean")
    (alone,) = [line for line in headings(other) if line.startswith("Rank of the pair by cosine")]
    assert "; B " not in alone
    both = visit(sentences=THREE, pair="1,2", b="weight=idf")
    assert any(re.search("closest of 3: A .+; B .+", line) for line in headings(both))
    same = visit(sentences="A dog runs.\nA dog runs.\nA cat sat.", pair="1,2", b="none")
    assert not [line for line in headings(same) if line.startswith("Rank of the pair")]
    two = visit(sentences="A dog runs.\nA cat sat.", pair="1,2", b="none")
    assert any(re.match(r"Cosine of the pair by layer: A .+ \(.+\) to .+", line) for line in headings(two))
