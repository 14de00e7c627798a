"""Recipes that are kept by name: together, whole, and never over what cannot be read."""

import os
import threading

import pytest

from core.errors import StoreError
from core.storage import kept_recipes
from core.storage.kept_recipes import KeptRecipes

ROW = {"corpus": "demo", "spearman": 58.1}


@pytest.fixture
def kept(tmp_path) -> KeptRecipes:
    return KeptRecipes(tmp_path / "recipes" / "kept.json")


def test_a_recipe_is_kept_by_name_and_named_anew(kept, tmp_path):
    assert kept.all() == {}
    kept.keep("layers=last", "plain")
    kept.keep("post=zscore", "shaped")
    kept.keep("layers=last", "mean of the last")
    assert [one.name for one in kept.all().values()] == ["mean of the last", "shaped"]
    again = KeptRecipes(tmp_path / "recipes" / "kept.json")
    assert again.all() == kept.all()
    kept.drop("layers=last")
    assert list(again.all()) == ["post=zscore"]


def test_scores_stay_with_their_recipe(kept):
    kept.add_score("layers=last", "demo", ROW)
    assert kept.all() == {}, "only what is kept has scores"
    kept.keep("layers=last", "plain")
    kept.add_score("layers=last", "demo", ROW)
    kept.add_score("layers=last", "STS-B", ROW | {"corpus": "STS-B"})
    kept.add_score("layers=last", "demo", ROW | {"spearman": 60.0})
    kept.keep("layers=last", "another name")
    (one,) = kept.all().values()
    assert {name: row["spearman"] for name, row in one.scores.items()} == {"demo": 60.0, "STS-B": 58.1}


def test_a_score_that_is_known_is_not_written_again(kept, tmp_path):
    kept.keep("layers=last", "plain")
    kept.add_score("layers=last", "demo", ROW)
    before = (tmp_path / "recipes" / "kept.json").stat().st_mtime_ns
    kept.add_score("layers=last", "demo", dict(ROW))
    assert (tmp_path / "recipes" / "kept.json").stat().st_mtime_ns == before


def test_two_visitors_keep_at_once(tmp_path):
    def keep(number: int) -> None:
        KeptRecipes(tmp_path / "kept.json").keep(f"layers={number}", str(number))

    threads = [threading.Thread(target=keep, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(KeptRecipes(tmp_path / "kept.json").all()) == 8


def test_the_oldest_go_first(kept, monkeypatch):
    monkeypatch.setattr(kept_recipes, "MOST", 3)
    for number in range(5):
        kept.keep(f"layers={number}", "")
    assert list(kept.all()) == ["layers=2", "layers=3", "layers=4"]


@pytest.mark.parametrize("content", ["", "no json", "{}", '{"version": 9, "recipes": []}'])
def test_a_file_that_cannot_be_read_is_left_as_it_is(kept, tmp_path, content):
    path = tmp_path / "recipes" / "kept.json"
    path.parent.mkdir()
    path.write_text(content)
    assert kept.all() == {}
    with pytest.raises(StoreError, match="cannot be kept: its file is damaged"):
        kept.keep("layers=last", "plain")
    assert path.read_text() == content


def test_a_folder_that_cannot_be_written_is_said_and_its_path_is_in_the_log(tmp_path, capsys):
    (tmp_path / "recipes").write_text("")
    kept = KeptRecipes(tmp_path / "recipes" / "kept.json")
    assert kept.all() == {}
    with pytest.raises(StoreError, match="cannot be kept: File exists") as raised:
        kept.keep("layers=last", "plain")
    assert str(tmp_path) not in str(raised.value)
    assert str(tmp_path / "recipes" / "kept.json") in capsys.readouterr().err


def test_where_it_is_closed_nothing_changes_and_scores_are_no_error(kept, tmp_path):
    kept.keep("layers=last", "plain")
    closed = KeptRecipes(tmp_path / "recipes" / "kept.json", closed=True)
    closed.add_score("layers=last", "demo", ROW)
    for change in (lambda: closed.keep("post=zscore", "z"), lambda: closed.drop("layers=last")):
        with pytest.raises(StoreError, match="read-only"):
            change()
    assert closed.all() == kept.all()
    assert [(one.name, one.scores) for one in kept.all().values()] == [("plain", {})]


def test_what_another_server_writes_within_a_tick_of_the_clock_is_read(kept, tmp_path):
    path = tmp_path / "recipes" / "kept.json"
    kept.keep("layers=last", "plain")
    moment = path.stat().st_mtime_ns
    assert [one.name for one in kept.all().values()] == ["plain"]
    KeptRecipes(path).keep("layers=last", "usual")
    os.utime(path, ns=(moment, moment))
    assert [one.name for one in kept.all().values()] == ["usual"]
