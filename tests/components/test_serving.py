"""The command that serves: settings are checked before, and Streamlit is told how large a file may be."""

import os

import pytest

from components import command_line, serving
from core.settings import Settings


def test_streamlit_takes_files_as_large_as_the_settings_say(tmp_path):
    assert serving.largest_upload(Settings(cache=tmp_path)) == serving.DECK_MB
    command = serving.command(Settings(cache=tmp_path, upload_bytes=200_000_000), "0.0.0.0", 8600)
    assert command[1:5] == ["-m", "streamlit", "run", str(serving.APP)]
    assert command[5:] == ["--server.address=0.0.0.0", "--server.port=8600", "--server.maxUploadSize=191"]
    assert serving.APP.is_file()


def test_what_is_wrong_with_the_settings_is_told_and_nothing_is_served(monkeypatch, tmp_path, capsys):
    served = []
    monkeypatch.setattr(os, "execv", lambda path, command: served.append(command))
    monkeypatch.setenv("STRATA_SETTINGS", "")
    path = tmp_path / "lab.toml"
    path.write_text("jobs = 0", "utf-8")
    assert command_line.main(["serve", "--settings", str(path)]) == 2
    assert f"{path}: jobs: got '0'; allowed is a number of jobs" in capsys.readouterr().err
    assert not served
    path.write_text("upload_mb = 300", "utf-8")
    command_line.main(["serve", "--settings", str(path), "--port", "8600"])
    assert served[0][-1] == "--server.maxUploadSize=287"


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--port", "0"),
        ("--port", "-1"),
        ("--port", "65536"),
        ("--address", ""),
        ("--address", " "),
        ("--address", "300.1.1.1"),
        ("--address", "." * 300),
    ],
)
def test_a_port_or_address_that_there_is_not_is_told_and_nothing_is_served(
    monkeypatch, capsys, option, value
):
    monkeypatch.setattr(os, "execv", lambda *_: pytest.fail("it is served"))
    assert command_line.main(["serve", option, value]) == 2
    assert f"{option}: got " in capsys.readouterr().err


def test_the_port_of_a_server_is_a_number(capsys):
    with pytest.raises(SystemExit):
        command_line.main(["serve", "--port", "many"])
    assert "invalid int value" in capsys.readouterr().err
