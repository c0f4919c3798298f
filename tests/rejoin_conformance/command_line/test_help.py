"""Each command's help has a short first line, two examples, and each option with its default."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import cleandoc

import click
import pytest

from rejoin_conformance.command_line.commands import SECTIONS, cli, summary_of

LONGEST_SUMMARY = 60


def _commands(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from _commands(below, f"{path} {name}")


COMMANDS = dict(_commands(cli, "rejoin"))
OPTIONS = [
    pytest.param(option, id=f"{path} {option.opts[0]}")
    for path, command in COMMANDS.items()
    for option in command.params
    if isinstance(option, click.Option)
]

every_command = pytest.mark.parametrize("path", COMMANDS)
every_option = pytest.mark.parametrize("option", OPTIONS)


def _text_of(path: str) -> str:
    return cleandoc(COMMANDS[path].help or "")


def _help_of(option: click.Option) -> str:
    record = option.get_help_record(click.Context(click.Command("any")))
    assert record is not None
    return record[1]


@every_command
def test_the_first_line_is_a_short_sentence_of_its_own(path: str) -> None:
    first, _, rest = _text_of(path).partition("\n")
    assert first.endswith(".")
    assert first[0].isupper()
    assert len(summary_of(COMMANDS[path])) <= LONGEST_SUMMARY
    assert rest.startswith("\n")  # else the list of commands joins it with the next line


def test_no_list_of_commands_cuts_a_summary_off() -> None:
    for command in COMMANDS.values():
        if isinstance(command, click.Group):
            text = command.get_help(click.Context(command, terminal_width=80))
            cut = [each for each in text.splitlines() if each[0:1] == " " and each.endswith("...")]
            assert cut == []


@every_command
def test_a_list_of_commands_shows_the_whole_summary(path: str) -> None:
    command = COMMANDS[path]
    assert command.get_short_help_str(LONGEST_SUMMARY).removesuffix(".") == summary_of(command)


def test_the_help_of_all_commands_shows_the_first_line_of_each() -> None:
    for _, commands in SECTIONS:
        for each in commands:
            assert each.summary == summary_of(COMMANDS[f"rejoin {each.name}"])


@every_command
def test_there_are_at_least_two_examples(path: str) -> None:
    _, title, below = _text_of(path).partition("\nExamples:\n")
    assert title
    examples = below.partition("\n\n")[0].splitlines()
    assert len([line for line in examples if "rejoin " in line]) >= 2


@every_option
def test_an_option_says_what_it_does(option: click.Option) -> None:
    assert option.help is not None
    text = option.help.partition("  [")[0]
    assert text[0].isupper()
    assert text.endswith(".")


@every_option
def test_an_option_names_its_default(option: click.Option) -> None:
    value = option.to_info_dict()["default"]
    if not option.is_flag and not option.multiple and value is not None:
        assert "[default: " in _help_of(option)
