"""Each command's help has a short first line, two examples, and each option with its default."""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc

import click

from rejoin_conformance.command_line.commands import SECTIONS, cli
from rejoin_conformance.contract.registry import all_systems

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


def _faults_of_help(command: click.Command) -> Iterator[str]:
    text = cleandoc(command.help or "")
    first, _, rest = text.partition("\n")
    if not first.endswith(".") or not first[0].isupper() or len(first) > LONGEST_SUMMARY + 1:
        yield f"first line: {first}"
    if not rest.startswith("\n") or command.get_short_help_str(LONGEST_SUMMARY) not in first:
        yield "a list of commands does not show the first line"
    examples = text.partition("\nExamples:\n")[2].partition("\n\n")[0].splitlines()
    if len([line for line in examples if "rejoin " in line]) < 2:
        yield "fewer than two examples"


def _faults_of_option(option: click.Option) -> Iterator[str]:
    record = option.get_help_record(click.Context(click.Command("any")))
    text = (option.help or "").partition("  [")[0]
    if not text or not text[0].isupper() or not text.endswith("."):
        yield f"{option.opts[0]}: {text}"
    value = option.to_info_dict()["default"]
    has_default = not option.is_flag and not option.multiple and value is not None
    if has_default and (record is None or "[default: " not in record[1]):
        yield f"{option.opts[0]} names no default"


def test_every_command_and_option_has_a_manual() -> None:
    faults = [
        f"{path}: {fault}"
        for path, command in COMMANDS.items()
        for fault in (
            *_faults_of_help(command),
            *(
                each
                for option in command.params
                if isinstance(option, click.Option)
                for each in _faults_of_option(option)
            ),
        )
    ]
    assert faults == []


def test_the_help_of_fuzz_names_every_profile() -> None:
    named = set(re.findall(r"\w+", COMMANDS["rejoin fuzz"].help or ""))
    assert {each for system in all_systems() for each in system.histories.profiles} <= named


def test_the_help_of_all_commands_shows_the_first_line_of_each() -> None:
    listed = {name: text for commands in SECTIONS.values() for name, text in commands.items()}
    assert sorted(listed) == cli.list_commands(click.Context(cli))
    firsts = {name: cleandoc(COMMANDS[f"rejoin {name}"].help or "") for name in listed}
    assert {name: text.partition("\n")[0] for name, text in firsts.items()} == {
        name: f"{text}." for name, text in listed.items()
    }
