"""A short form of every campaign; ``make withstand`` runs the long ones."""

import random
import re
from contextlib import nullcontext
from typing import ClassVar

import pytest

from benchmarks.resident import server
from core.recipe import POST, SOURCE
from tests.campaign import clicks, recipes, toggler, visitors
from tests.campaign.__main__ import CAMPAIGNS, main, shown
from tests.campaign.tally import Bounds, Tally

SHORT = {
    "parses": 3000,
    "scores": 8,
    "uploads": 150,
    "decks": 150,
    "models": 40,
    "kills": 5,
    "stored": 6,
    "texts": 15,
    "visitors": 3,
    "toggles": 6,
    "clicks": 3,
}
SECONDS = {"visitors": 15.0}
"""Of campaigns that last as long as they are told."""


@pytest.fixture(scope="module")
def one_server(tmp_path_factory, with_lasting_passes):
    """Starting one, and reading for it, takes longer than all that visitors do there.

    ``make withstand`` gives each campaign its own, on an empty store.
    """
    cache = with_lasting_passes(tmp_path_factory.mktemp("visited"))
    with server({"STRATA_MEMORY_GB": "0.1", "STRATA_CACHE": str(cache)}) as started:
        yield lambda settings: nullcontext(started)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_nothing_breaks(name, tmp_path, request, monkeypatch):
    if (visiting := {"visitors": visitors, "toggles": toggler, "clicks": clicks}.get(name)) is not None:
        monkeypatch.setattr(visiting, "server", request.getfixturevalue("one_server"))
    bounds = Bounds(SHORT[name], SECONDS.get(name, float("inf")), seed=1, pause=2.0, memory_gb="0.1")
    tally = CAMPAIGNS[name].run(bounds, tmp_path)
    assert tally.broken == []
    assert tally.right > 0
    assert tally.tried >= SHORT[name] / 2


def test_what_broke_is_counted_and_ends_with_code_1(monkeypatch, capsys):
    def broken(bounds, folder):
        tally = Tally("a campaign")
        for number in bounds.trials():
            tally.count(number, None if number else ZeroDivisionError("a mistake of ours"))
        return tally

    monkeypatch.setitem(CAMPAIGNS, "parses", type(CAMPAIGNS["parses"])(broken, 9))
    assert main(["parses", "--count", "3"]) == 1
    out, err = capsys.readouterr()
    assert "| a campaign | 3 | 2 | 0 | 1 |" in out
    assert "0: ZeroDivisionError: a mistake of ours" in err
    assert "| x | 0 | 0 | 0 | 0 |" in shown([Tally("x")])


class Arrived:
    """A page as it arrived."""

    content: ClassVar = [b"The kettle0001 is on."]
    problems: ClassVar = []
    helps: ClassVar = {f"cell-a-{cell}": f"{cell}=all" for cell in visitors.CELLS}


def test_a_visitor_notices_another_s_sentence_an_error_and_a_change_that_is_not_followed():
    page = Arrived()
    assert visitors.seen(page, "kettle0001", "compare") is None
    assert "0001" in visitors.seen(page, "kettle0002", "compare")
    page.problems = ["ValueError: no"]
    assert visitors.seen(page, "kettle0001", "compare") == "ValueError: no"
    assert "layers=all" not in visitors.not_followed(page, "a", "layers=all;pool=max")
    assert "pool=all" in visitors.not_followed(page, "a", "layers=all;pool=max")


def test_waiting_and_growth_are_told():
    memory = [
        (60.0 * minute, 500.0 + 2.0 * max(0, 10 - minute) + 3.0 * minute, 10.0 + 0.5 * minute)
        for minute in range(30)
    ]
    seconds = {"scores": [1.0] * 10, "layers": [2.0] * 9 + [9.0], "heads": []}
    waited = {
        page: [(100.0 * place, one) for place, one in enumerate(some)] for page, some in seconds.items()
    }
    said = visitors.told(waited, memory)
    assert "1.50 s (median), 8.65 s (p95) (scores 1.00, layers " in said
    assert re.search(
        r"; after minute 10, 1\.50 s \(median\), [\d.]+ s \(p95\) of 6 changes; the server", said
    )
    assert "heads" not in said
    assert "grew by +3.00 MB a minute after minute 10, of which results that are kept +0.50" in said
    assert "after minute 4" in visitors.told({"scores": [(0.0, 1.0)] * 2}, memory[:9]), (
        "half of a run that is shorter"
    )
    assert visitors.told({"scores": [(0.0, 1.0)]}, memory) == "no page was changed"


def test_visitors_are_shared_out_over_the_servers_of_one_store(monkeypatch, tmp_path):
    started, visited = [], []

    def server(settings):
        started.append(settings)
        return nullcontext((f"server {len(started)}", len(started)))

    monkeypatch.setattr(visitors, "server", server)
    monkeypatch.setattr(visitors, "visit", lambda crowd, url, number, *_: visited.append((number, url)))
    monkeypatch.setattr(visitors, "megabytes", lambda pid: 10.0 * pid)
    monkeypatch.setattr(visitors, "kept", lambda url: 1.0)
    tally = visitors.at_once(Bounds(5, 0.1, processes=2), tmp_path)
    assert sorted(visited) == [(number, f"server {number % 2 + 1}") for number in range(5)]
    assert started == [{"STRATA_CACHE": str(tmp_path / "cache")}] * 2
    assert "5 visitors at once on 2 servers with one store" in tally.what


def test_growth_over_toggles_is_told():
    memory = [(number, 500.0 + 0.25 * max(0, number - 100)) for number in range(200)]
    said = toggler.told([0.5] * 200, memory)
    assert "0.50 s (median)" in said
    assert "+250.0 MB for a thousand" in said
    assert toggler.told([1.0], memory[:1]) == "too few toggles to say"


def test_a_name_that_is_no_campaign_is_refused(capsys):
    with pytest.raises(SystemExit):
        main(["nonsense"])
    assert "allowed are parses, scores" in capsys.readouterr().err


def test_a_score_that_another_process_does_not_find_is_broken(tmp_path):
    source = recipes.every_source(tmp_path)[0]
    kept = {source: recipes.scores_of([source], tmp_path / "one")[0], f"{source};layers=1": ["0x1p+0", ""]}
    tally = Tally("x", right=len(kept))
    recipes._compare_elsewhere(tally, kept, tmp_path, random.Random(0))
    assert tally.right == 1
    assert len(tally.broken) == 1
    assert "layers=1': another number" in tally.broken[0]
    assert tally.told.startswith("1 of 2 scores were the same bits")


def test_recipes_are_of_every_kind_of_source_that_is_installed_and_some_are_trained(tmp_path):
    found = [*recipes.random_recipes(Bounds(400), recipes.every_source(tmp_path))]
    kinds = {recipe.source.name for recipe in found}
    installed = {option.name for option in SOURCE if option.installed}
    assert kinds - {"model"} == installed - {"bundled", "untuned"}
    assert any(str(recipe.template.name) != "none" for recipe in found)
    if POST.options["flow"].installed:
        assert 0 < sum(recipe.post[-1:] == POST.parse("flow(epochs=2)") for recipe in found) < 40
