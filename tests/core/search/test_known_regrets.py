"""What choosing without gold scores loses on benchmarks, kept for the page."""

import json
from dataclasses import replace

import pytest

from core.search.known_regrets import keep, known, means
from core.search.proxies import PROXIES, Regret


def test_regrets_are_kept_by_source_and_corpus_and_written_over(tmp_path):
    file = tmp_path / "regrets.json"
    assert means("untuned", file) is None
    first = Regret("STS12", "agreement", "layers=last", 60.123456, 2.0, 10.0, 0.5, 3)
    other = replace(first, proxy="uniformity", regret=4.0)
    keep("untuned", [first, other], file)
    keep("untuned", [replace(first, corpus="SICK", regret=4.0), replace(other, corpus="SICK")], file)
    keep("bundled", [replace(first, regret=9.0)], file)
    keep("untuned", [replace(first, regret=3.0)], file)
    assert len(known(file)) == 5
    assert json.loads(file.read_text("utf-8"))[0]["score"] == 60.1235
    found = means("untuned", file)
    assert found.regret == pytest.approx({"agreement": 3.5, "uniformity": 4.0})
    assert found.at_random == pytest.approx(10.0)
    assert set(found.corpora) == {"STS12", "SICK"}


def test_what_comes_along_is_of_both_encoders_and_of_all_proxies():
    for source in ("untuned", "bundled"):
        assert list(means(source).regret) == sorted(PROXIES)
