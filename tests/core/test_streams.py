"""Commands whose standard streams are closed, full, or of a narrow encoding."""

import io
import sys
from pathlib import Path

import pytest

from core import streams
from core.cli import main

FULL = Path("/dev/full")

needs_full = pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")


@needs_full
@pytest.mark.parametrize("answer", ["models", "presets"])
def test_an_answer_that_the_disk_has_no_room_for_is_told_in_one_line(monkeypatch, capsys, answer):
    with FULL.open("w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert main([answer]) == 2
    err = capsys.readouterr().err
    assert "cannot be written or read: No space left on device." in err
    assert err.count("\n") == 1


@needs_full
def test_what_standard_error_has_no_room_for_ends_no_work(monkeypatch):
    with FULL.open("w", encoding="utf-8") as full:
        for name in ("stderr", "__stderr__"):
            monkeypatch.setattr(sys, name, full)
        streams.prepare()
        print("note: read", file=sys.stderr)
        sys.stderr.flush()


def test_closed_streams_are_the_null_device(monkeypatch):
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    assert main(["models"]) == 0
    assert sys.stdin.read() == ""


def test_a_character_that_the_encoding_lacks_is_an_escape(monkeypatch):
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, "ascii"))
    assert main(["presets"]) == 0
    assert b"\\xd7" in written.getvalue() or b"\\u" in written.getvalue()
