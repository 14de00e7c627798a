"""Links: controls follow them, what they say in vain is told, and one that is copied says everything."""

import html
import re
from urllib.parse import parse_qs, urlsplit

import pytest

from components.link import parameters
from tests.components.test_bound_controls import bound_keys
from tests.pages.conftest import TUNED
from tests.pages.reading import captions, errors, told

RECIPES = TUNED


WORDS = ("cats", "dogs", "rivers", "houses", "trains", "birds")
SHORT = "the cat and the dog"


@pytest.fixture
def dogs(corpora) -> str:
    """A corpus with the splits dev and test, by its name."""
    lines = [
        f"{'dev' if i % 2 else 'test'}\t{'ab'[i // 2 % 2]}\tThe {WORDS[i % 6]} of town {i} are old.\t"
        f"Old {WORDS[i * i % 6]} are in town {i}.\t{(7 * i) % 6}"
        for i in range(60)
    ]
    corpora(dogs="\n".join(["split\tsubset\tsentence1\tsentence2\tscore", *lines]), cats=two_column(40))
    return "dogs"


def two_column(rows: int) -> str:
    lines = [f"The cat {i} sat.\tA cat {i * i % 7} slept.\t{i % 5}" for i in range(rows)]
    return "\n".join(["sentence1\tsentence2\tscore", *lines])


LINKS = {
    "compare": [
        {"sentences": "one cat\ntwo dogs\nthree birds", "pair": "1,3", "all.pairs": "true"},
        {"sentences": "\n".join(f"the dog {i} ran" for i in range(31)), "clustered": "false"},
        {"sentences": "one cat\ntwo dogs\nthree birds", "shown": "map"},
    ],
    "scores": [
        {
            "corpus": "dogs",
            "split": "dev",
            "aggregate": "mean",
            "steps": "true",
            "worst.side": "B",
            "take": "true",
            **{"errors": "true", "errors.pairs": "50", "errors.subset": "b", "errors.rating": "4 to 5"},
        }
    ],
    "layers": [
        {
            **{"sentence": SHORT, "token": "dog", "view": "token", "layers.cell": "0+2"},
            **{"hops.view": "layer by layer", "words.least": "3", "all.words": "true"},
            **{"wk.form": "released", "wk.window": "3", "wk.start": "2", "wk.omega": "0.7"},
        }
    ],
    "heads": [
        {
            **{"sentence": SHORT, "token": "dog", "head": "2-3", "a": "layers=last;post=centre"},
            **{"heads.layers": "static", "heads.split": "test", "heads.post": "true"},
            **{"heads.weight": "idf", "heads.settings": "true", "heads.lines": "true"},
        },
        {"heads.side": "B"},
    ],
    "masking": [
        {
            **{
                "sentence": SHORT,
                "masked": "tokens",
                "layer": "2",
                "distance": "cosine",
                "special": "true",
            },
            **{"relative": "true", "learnt": "reference"},
        },
        {"sentence": SHORT, "pieces": "max", "tfidf": "true", "tfidf.number": "12", "tfidf.seed": "3"},
    ],
    "mixing": [{"over": "cats", "w": "0.4", "mixed": "1"}],
    "geometry": [
        {
            **{"vectors": "as they are", "isotropy": "Components", "beta": "0.5", "gamma": "1.5"},
            **{"pins": "layers=0", "arrows": "no arrows", "geometry.shown": "pinned"},
        }
    ],
    "tokens": [
        {
            **{"rows": "corpus contexts", "drawn": "all", "colour": "sub-word", "find": "the"},
        },
        {"part": "frequency in components", "frequency": "frequency in the corpus", "measure": "Pearson"},
        {"part": "sentences", "by": "length", "rank": "3", "map": "t-SNE", "near": "A dog."},
    ],
    "find": [
        {
            **{"corpus": "dogs", "find.budget": "500", "find.dimensions": "256", "find.stages": "pool"},
            **{"find.reference": "false", "find.exports": "true", "find.low": "milliseconds"},
            **{"find.tasks": "dogs: sts", "find.proxies": "true", "find.sources": "bundled"},
        }
    ],
    "methods": [{"method": "uSIF", "family": "Layers"}],
    "papers": [
        {
            "paper": "Chen et al. 2023",
            "table": "Table 6: Similarity: 16 systems on seven tasks",
            "papers.row": "BERT last Ditto",
            "papers.column": "STS13",
            "papers.scope": "row",
            "papers.whole": "true",
        },
        {
            "papers.curves": "true",
            "papers.figure": "Figure 1: IsoScore of WikiText-2 against the mean score on similarity",
            "papers.panel": "RE",
        },
    ],
}
"""For each page, links with every control of it away from its default."""

ELSEWHERE = {
    "slide": "needs a deck; test_deck",
    "present": "hides the page; test_present",
    "beside": "needs another model; test_trust and test_layers",
    "from": "names a recipe of the same link; test_tasks",
    "ablation": "test_tasks",
    "ablated": "names a recipe of the same link; test_tasks",
    "sensitivity": "test_tasks",
    "varied.recipe": "names a recipe of the same link; test_tasks",
    "varied": "names an argument of the recipe; test_tasks",
    "values": "values of that argument; test_tasks",
    "sets": "test_tasks",
    "layers.tasks": "test_tasks_elsewhere",
    "isotropy.tasks": "test_tasks_elsewhere",
    "mixed.tasks": "test_tasks_elsewhere",
    "mixed.step": "test_tasks_elsewhere",
    "mixed.task": "test_tasks_elsewhere",
    "mixed.w": "test_tasks_elsewhere",
    "mixed.layers": "test_tasks_elsewhere",
    "find.by": "hides find.tasks; test_find",
    "find.recipe": "needs a search that is over; test_find",
    "find.cost": "needs a search that is over; test_find",
    "find.stage": "needs a search that is over; test_find",
    "find.coordinates.open": "needs a search that is over; test_find",
    "all.published": "needs a method with printed figures; test_methods",
    "all.times": "needs measured times; test_methods",
    "methods.shown": "needs more than ten scored methods; test_methods",
    "gains.shown": "needs more than ten scored methods; test_methods",
}


def test_the_names_that_a_link_may_use_are_those_of_the_controls():
    said = {name for links in LINKS.values() for link in links for name in link} | set(ELSEWHERE)
    assert bound_keys() | said <= set(parameters.KNOWN)
    assert set(parameters.OF_PAGES) <= bound_keys() | said | {"head", "mixed", "pins", "tasks"}
    assert len(set(parameters.KNOWN)) == len(parameters.KNOWN)
    for page, links in LINKS.items():
        named = {name for link in links for name in link}
        assert named <= {*parameters.OF_PAGE[page], *parameters.EVERYWHERE}, page


def test_a_misspelt_name_in_a_link_is_told_with_the_likely_one(visit, dogs, small):
    at = visit("scores", corpus=dogs, a=small, b="none", agregate="mean", view="token")
    text = told(at)
    assert "The link names 'agregate', which no page has. Did you mean 'aggregate'?" in text
    assert "view" not in text, "another page has it"
    assert not at.run().exception
    assert len(at.warning) == 1


CASES = [(page, number) for page, links in LINKS.items() for number in range(len(links))]


def test_every_bound_control_is_in_a_link_here():
    said = {name for links in LINKS.values() for link in links for name in link}
    assert bound_keys() <= said | set(ELSEWHERE)


@pytest.mark.parametrize(("page", "number"), CASES)
def test_a_link_sets_every_control_and_keeps_it(visit, dogs, small, page, number):
    query = {"corpus": dogs, "a": small, "b": f"{small};weight=idf"} | LINKS[page][number]
    if "a" in LINKS[page][number]:
        query["a"] = f"{small};{query['a'].partition(';')[2]}"
    at = visit(page, **query)
    assert not at.exception
    assert not at.warning, told(at)
    for name, value in LINKS[page][number].items():
        if name != "a":
            kept = at.session_state[name]
            assert spelled(kept) == value, name
            assert at.query_params[name] == value, name


def spelled(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return ",".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


@pytest.mark.parametrize(
    ("page", "query"),
    [
        ("scores", {"split": "banana", "aggregate": "banana", "worst.side": "C"}),
        ("layers", {"view": "banana", "layers.cell": "0+99", "wk.window": "banana", "words.least": "-3"}),
        ("heads", {"heads.layers": "banana", "heads.split": "banana", "token": "banana", "head": "99-1"}),
        ("masking", {"distance": "banana", "layer": "99", "special": "perhaps"}),
        ("mixing", {"w": "banana", "over": "nope", "mixed": "banana"}),
        ("geometry", {"vectors": "banana", "isotropy": "banana", "beta": "7"}),
        ("tokens", {"map": "banana", "drawn": "banana", "part": "banana"}),
        ("methods", {"family": "banana", "method": "banana"}),
    ],
)
def test_what_a_link_says_in_vain_is_told_once_for_all(visit, dogs, small, page, query):
    at = visit(page, corpus=dogs, a=small, b=f"{small};weight=idf", **query)
    (warning,) = at.warning
    for value in query.values():
        assert value in warning.value.replace("\\", ""), (value, warning.value)
    at.run()
    assert len(at.warning) == 1, "it stays until the visitor changes something"


NUMBERS = {
    "compare": {"pair", "figure", "slide"},
    "scores": {"errors.pairs", "errors.rating", "figure"},
    "layers": {"words.least", "wk.window", "wk.start", "wk.omega", "layers.cell", "figure"},
    "heads": {"head", "heads.layers", "figure"},
    "masking": {"layer", "tfidf.number", "tfidf.seed", "figure"},
    "mixing": {"w", "mixed", "figure"},
    "geometry": {"beta", "gamma", "figure"},
    "tokens": {"rank", "layer", "figure"},
    "find": {"find.budget", "find.dimensions", "figure"},
    "papers": {"papers.row", "papers.column", "figure"},
    "methods": {"method", "figure"},
    "deck": {"slide", "figure"},
}
"""Parameters that say a number or a place, by page."""


@pytest.mark.parametrize("page", NUMBERS)
@pytest.mark.parametrize("written", ["9" * 310, "nan"])
def test_absurd_numbers_in_a_link_are_passed_over_or_told(visit, dogs, small, page, written):
    """310 digits are beyond what float64 holds: Streamlit's control for whole numbers breaks on them."""
    opened = LINKS.get(page, [{}])
    query = {"corpus": "dogs", "a": small, "b": f"{small};weight=idf"} | opened[
        -1 if page in ("tokens", "masking") else 0
    ]
    at = visit(page, **query | dict.fromkeys(NUMBERS[page], written) | {"present": "true"})
    told(at)  # and no traceback


def test_what_a_link_says_in_vain_is_told_until_the_control_is_used(visit, dogs, small):
    at = visit("scores", corpus=dogs, a=small, b="none", split="banana")
    assert "The link says split = 'banana', which this page cannot follow; it shows test." in told(at)
    at.button_group(key="split").set_value("dev").run()
    assert not at.warning


def test_of_a_repeated_parameter_an_empty_one_holds_where_it_is_the_last(visit, dogs, small):
    at = visit("scores", corpus=dogs, a=small, b="none", an=["mine", ""])
    assert "The link says an = 'mine', '': the last of them holds, which is empty." in told(at)
    at = visit("scores", corpus=dogs, a=small, b="none", an=["", "mine"])
    assert not at.warning


def test_a_sentence_that_is_too_long_is_cut_and_that_is_said(visit, dogs, small):
    at = visit("heads", corpus=dogs, a=small, sentence="the dog ran " * 300)
    assert "The sentence has 3,600 characters; the first 2,000 are looked at." in told(at)


def copied(at) -> str:
    """The address that the Link button shows."""
    at.session_state["link.open"] = True
    at.run()
    (frame,) = [box.proto.srcdoc for box in at.get("iframe") if "Copy link" in box.proto.srcdoc]
    return html.unescape(re.search(r"<textarea[^>]*>(.*)</textarea>", frame, re.DOTALL)[1])


def linked(at) -> dict[str, str]:
    return {name: values[-1] for name, values in parse_qs(urlsplit(copied(at)).query).items()}


def test_a_copied_link_hands_over_the_deck_where_that_is_asked_for_alone(visit, dogs, small):
    """Who has the link of a deck can change it; the page of the deck is nothing without."""
    at = visit("scores", corpus=dogs, a=small, b="none", deck="0123456789")
    assert "deck" not in linked(at)
    (box,) = (box for box in at.checkbox if "can then change it" in box.label)
    box.check().run()
    assert linked(at)["deck"] == "0123456789"
    assert not any("deck" in box.label for box in visit("scores", corpus=dogs, a=small).checkbox)
    own = visit("deck", deck="0123456789")
    assert linked(own)["deck"] == "0123456789"
    assert "whoever opens the link can change the deck" in captions(own)


def test_a_copied_link_says_defaults_too_and_opens_the_same(visit, dogs, small):
    at = visit("scores", corpus=dogs, a=small, b=f"{small};weight=idf")
    query = linked(at)
    assert {name: query[name] for name in ("corpus", "split", "aggregate", "steps", "a")} == {
        "corpus": "dogs",
        "split": "test",
        "aggregate": "all",
        "steps": "false",
        "a": small,
    }
    assert re.fullmatch(r"A\w{6}\.B\w{6}\.C\w{6}", query["v"])
    other = visit("scores", **query)
    assert not other.warning
    assert set(captions(other).split("\n")) < set(captions(at).split("\n"))
    assert [metric.value for metric in other.metric] == [metric.value for metric in at.metric]
    assert "v" not in other.query_params, "what the visitor does next is no longer that link"


def test_a_link_made_with_another_model_or_corpus_says_so(visit, dogs, small):
    query = linked(visit("scores", corpus=dogs, a=small, b="none"))
    odd = re.sub(r"A\w{6}", "A000000", query["v"])
    at = visit("scores", **query | {"v": odd})
    assert "The model of recipe A is not the one this link was made with" in told(at)
    odd = re.sub(r"C\w{6}", "C000000", odd)
    at = visit("scores", **query | {"v": odd})
    assert "The model of recipe A and the corpus are not the ones this link was made with" in told(at)
    at.button_group(key="split").set_value("dev").run()
    assert not at.warning


def test_a_link_with_nonsense_for_its_fingerprints_says_so(visit, dogs, small):
    at = visit("scores", corpus=dogs, a=small, b="none", v="banana")
    assert "v = 'banana', which is no set of fingerprints" in told(at)
    assert errors(at) == []


def test_a_copied_link_of_compare_holds_the_sentences(visit, small):
    at = visit("compare", a=small, b="none", sentences="one & two\nthree = four?\nfünf #6")
    query = linked(at)
    assert query["sentences"] == "one & two\nthree = four?\nfünf #6"
    assert re.fullmatch(r"A\w{6}\.C\w{6}", query["v"]), "the bar's scores are of the corpus"
    assert not visit("compare", **query).warning


def test_the_tab_is_called_by_page_and_corpus(visit, dogs, small, monkeypatch):
    import streamlit as st

    called: list[str] = []
    monkeypatch.setattr(st, "set_page_config", lambda **given: called.append(given.get("page_title", "")))
    at = visit("scores", corpus=dogs, a=small, b="none")
    assert called[-1] == "Scores · dogs test — Sentence Strata"
    called.clear()
    at.run()
    assert set(filter(None, called)) == {"Scores · dogs test — Sentence Strata"}
    visit("compare", a=small, b="none")
    assert called[-1] == "Compare · demo test — Sentence Strata"


def test_the_warning_stands_where_the_page_wants_it():
    from streamlit.testing.v1 import AppTest

    def script():
        import streamlit as st

        from components import link

        with link.followed("Scores"):
            st.header("a bar")
            link.warn_here()
            st.selectbox("Fruit", ["apple", "pear"], key="fruit", bind="query-params")
            st.text("the page")

    at = AppTest.from_function(script)
    at.query_params["fruit"] = "melon"
    at.run()
    drawn = [block.type for block in at.main]
    assert drawn.index("header") < drawn.index("warning") < drawn.index("selectbox")
