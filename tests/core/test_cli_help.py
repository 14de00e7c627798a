"""The help of every command: each argument has words, and each command an example that can be read."""

import shlex

import pytest

from core import cli
from core.cli.examples import EXAMPLES

PARSER = cli._build_parser()
(COMMANDS,) = [action.choices for action in PARSER._actions if isinstance(action.choices, dict)]


def test_each_command_is_where_the_table_says():
    for subject, commands in cli.SUBJECTS.items():
        (alone,) = [each.choices for each in cli._build_parser([subject])._actions if each.choices]
        assert tuple(alone) == commands


def test_every_command_has_an_example():
    assert set(EXAMPLES) == set(COMMANDS)


@pytest.mark.parametrize("example", [one for several in EXAMPLES.values() for one in several])
def test_an_example_can_be_read_and_is_in_the_help(example):
    options = PARSER.parse_args(shlex.split(example))
    assert f"  python -m core {example}\n" in COMMANDS[options.name].format_help() + "\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_argument_has_words_of_its_own(command):
    for action in COMMANDS[command]._actions:
        assert len((action.help or "").split()) >= 3, (command, action.dest)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_default_that_is_used_is_told(command):
    for action in COMMANDS[command]._actions:
        if action.default not in (None, False, "", "==SUPPRESS==") and action.option_strings:
            assert "default" in action.help, (command, action.dest)
