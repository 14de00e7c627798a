"""What cannot be trained or evaluated is answered in one line, with exit code 2."""

import json
import shutil

import pytest
from filelock import FileLock
from safetensors import SafetensorError

from tests.core.helpers import tiny
from training import checkpoint
from training.checkpoint import FILE


def refused(answer) -> str:
    """The one line of a refusal."""
    code, out, err = answer
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert "Traceback" not in err
    return err


@pytest.fixture
def train(command, start, text, tmp_path):
    """Run a short training in the folder ``model``; options given override the usual ones."""

    def run(*flags, **given):
        usual = {"text": text, "start": start, "output": tmp_path / "model", "batch": 8, "tokens": 300}
        usual["max_length"] = 64
        options = [
            x for name, value in (usual | given).items() for x in (f"--{name.replace('_', '-')}", value)
        ]
        return command("masked_lm", *options, "--quiet", *flags)

    return run


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"text": "nowhere.txt"}, "There is no file"),
        ({"batch": 5000}, "too short"),
        ({"batch": 0}, "batch: got 0; allowed is 1"),
        ({"tokens": 0}, "tokens: got 0"),
        ({"tokens": "many"}, "invalid int value"),
        ({"learning_rate": 0}, "learning-rate: got 0"),
        ({"warm_up": 1}, "warm-up: got 1"),
        ({"seed": -1}, "seed: got -1"),
        ({"sequences": "words"}, "allowed is lines or packed"),
        ({"forward": "float8"}, "allowed is float32 or bfloat16"),
        ({"max_length": 4}, "max-length: got 4"),
        ({"max_length": 4000}, "reads 96 tokens at most"),
        ({"checkpoint_steps": 0}, "checkpoint-steps: got 0"),
        ({"threads": 0}, "threads: got 0"),
        ({"start": "no/such/model/here"}, "hub id"),
    ],
)
def test_a_wrong_value(train, tmp_path, given, says):
    assert says in refused(train(**given))
    assert not (tmp_path / "model" / "model.safetensors").exists()


@pytest.mark.parametrize("content", ["", "short\n\n", "\n"])
def test_a_text_without_text(train, tmp_path, content):
    path = tmp_path / "empty.txt"
    path.write_text(content, "utf-8")
    assert "no line of 10 characters" in refused(train(text=path))


def test_a_file_that_is_no_text(train, tmp_path):
    path = tmp_path / "bytes.txt"
    path.write_bytes(b"\xff\xfe\x00\x81 some bytes")
    assert "UTF-8" in refused(train(text=path))


@pytest.mark.parametrize("family", ["gpt2", "xlnet"])
def test_a_start_that_is_no_masked_language_model(train, tmp_path, family):
    refused(train(start=tiny.build(family, tmp_path / family)))


def test_a_folder_that_is_not_empty_needs_resume(train, tmp_path):
    assert train()[0] == 0
    assert "--resume continues" in refused(train())
    code, out, _ = train("--resume")
    assert (code, "finished" in out) == (0, True)


def test_a_folder_of_something_else(train, tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "notes.txt").write_text("mine", "utf-8")
    assert "not empty" in refused(train())
    assert "no checkpoint of a training" in refused(train("--resume"))
    assert [path.name for path in (tmp_path / "model").iterdir()] == ["notes.txt"]
    assert "is a file" in refused(train(output=tmp_path / "model" / "notes.txt"))


@pytest.mark.parametrize("state", ["checkpoint", "finished"])
def test_other_settings_on_resume(train, tmp_path, text, state):
    assert train()[0] == 0
    folder = tmp_path / "model"
    if state == "checkpoint":
        _back_to_a_checkpoint(train, folder)
    says = refused(train("--resume", seed=7, batch=4))
    assert "batch: there 8, asked 4" in says
    assert "seed: there 0, asked 7" in says
    other = tmp_path / "lines.txt"
    other.write_text(text.read_text("utf-8") + "one line more\n", "utf-8")
    assert "text: there lines.txt" in refused(train("--resume", text=other))


def _back_to_a_checkpoint(train, folder):
    """A folder as it is right before the model is saved."""
    shutil.rmtree(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("training.train.save_model", _stop)
        assert train()[0] == 130
    assert (folder / FILE).exists()


def _stop(*_):
    raise KeyboardInterrupt


def test_a_damaged_checkpoint(train, tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / FILE).write_bytes(b"{not safetensors")
    assert "cannot be read" in refused(train("--resume"))


def test_a_full_disk_leaves_the_checkpoint_before(train, tmp_path, monkeypatch):
    save_file = checkpoint.save_file

    def full(tensors, path, about):
        if (tmp_path / "model" / FILE).exists():
            path.write_bytes(b"half")
            raise SafetensorError("I/O error: No space left on device")
        save_file(tensors, path, about)

    monkeypatch.setattr(checkpoint, "save_file", full)
    assert "No space left" in refused(train(checkpoint_steps=1, tokens=600))
    assert sorted(path.name for path in (tmp_path / "model").glob("[!.]*")) == [FILE]
    monkeypatch.undo()
    assert train("--resume", tokens=600)[0] == 0


def test_a_damaged_record(train, tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "training.json").write_text(json.dumps({"other": 1}), "utf-8")
    assert "cannot be read" in refused(train("--resume"))


def test_a_folder_in_use(train, tmp_path):
    (tmp_path / "model").mkdir()
    with FileLock(tmp_path / "model" / ".lock"):
        assert "another training runs" in refused(train())
    assert train()[0] == 0


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ([], "Nothing to evaluate"),
        (["--text", "nowhere.txt"], "There is no file"),
        (["--table"], "STRATA_DATA is not set"),
        (["--text", "TEXT", "--lines", 0], "lines: got 0"),
        (["--text", "TEXT", "--max-length", 2], "max-length: got 2"),
        (["--text", "TEXT", "--seed", -1], "seed: got -1"),
        (["--text", "TEXT"], "lacks"),
    ],
)
def test_what_cannot_be_evaluated(command, start, text, given, says):
    options = [text if option == "TEXT" else option for option in given]
    assert says in refused(command("evaluate", "--model", start, *options, "--quiet"))
