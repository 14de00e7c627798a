"""A read-only installation: a visitor computes, pins and presents, and nothing of theirs stays."""

from components.deck import opened
from core.errors import READ_ONLY
from tests.pages.reading import errors, pairs_of


def test_a_visitor_sees_everything_and_leaves_nothing(
    visit, corpora, small, monkeypatch, tmp_path, new_engine
):
    cache = tmp_path / "cache"
    monkeypatch.setenv("STRATA_CACHE", str(cache))
    monkeypatch.setenv("STRATA_READ_ONLY", "true")
    corpora(dogs=pairs_of([f"the dog {i} ran by the cat {i * i % 7}" for i in range(40)]))
    at = visit("scores", corpus="dogs", a=small, b="none", deck="0f3a9c21d4")
    assert errors(at) == []
    assert [button.disabled for button in at.button if button.label == "Keep A"] == [True]
    pin = next(button for button in at.button if str(button.key).endswith(".pin"))
    at = pin.click().run()
    assert errors(at) == []
    assert len(opened.store().get("0f3a9c21d4").slides) == 1
    at.button(key="bring").click().run()
    assert READ_ONLY in [info.value for info in at.info]
    kept = {path.relative_to(cache).parts[0] for path in cache.rglob("*") if path.is_file()}
    assert "passes" in kept, "what results need is stored"
    assert kept <= {"passes", "tables", "locks"}, kept
