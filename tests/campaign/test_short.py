"""A short form of every campaign; ``make withstand`` runs the long ones."""

import pytest

from tests.campaign.__main__ import CAMPAIGNS, main, shown
from tests.campaign.tally import Bounds, Tally

SHORT = {
    "parses": 3000,
    "scores": 8,
    "uploads": 150,
    "decks": 150,
    "models": 40,
    "kills": 3,
    "stored": 6,
    "texts": 15,
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_nothing_breaks(name, tmp_path):
    tally = CAMPAIGNS[name].run(Bounds(SHORT[name], seed=1), tmp_path)
    assert tally.broken == []
    assert tally.right > 0
    assert tally.tried >= SHORT[name] / 2


def test_what_broke_is_counted_and_ends_with_code_1(monkeypatch, capsys):
    def broken(bounds, folder):
        tally = Tally("a campaign")
        for number in bounds.trials():
            tally.count(number, None if number else ZeroDivisionError("a mistake of ours"))
        return tally

    monkeypatch.setitem(CAMPAIGNS, "parses", type(CAMPAIGNS["parses"])(broken, 3))
    assert main(["parses"]) == 1
    out, err = capsys.readouterr()
    assert "| a campaign | 3 | 2 | 0 | 1 |" in out
    assert "0: ZeroDivisionError: a mistake of ours" in err
    assert "| x | 0 | 0 | 0 | 0 |" in shown([Tally("x")])


def test_a_name_that_is_no_campaign_is_refused(capsys):
    with pytest.raises(SystemExit):
        main(["nonsense"])
    assert "allowed are parses, scores" in capsys.readouterr().err
