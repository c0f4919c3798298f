"""Vectors, clauses and commands that pages and help texts name exist."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator

import click
import pytest

from rejoin_conformance.command_line.commands import cli
from rejoin_conformance.contract.registry import system_names
from rejoin_conformance.corpus.load import load_system
from support.written_texts import PROJECT, commands, texts

TEXTS = texts()
COMMANDS = commands()
SYSTEMS = "|".join(system_names())
CONTEXT = click.Context(cli)
VECTOR = re.compile(rf"(?<![\w/.-])(?:{SYSTEMS})/[a-z0-9-]+/[a-z0-9-]+(?![\w./*-])")
IN_A_LINE = re.compile(r"`(rejoin [^`]+)`")
ON_A_LINE = re.compile(r"^ *(?:\$ )?(rejoin .*)$", re.MULTILINE)
CLAUSE = re.compile(r"(?<![\w/-])(?:CM|HM|CD)-[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+(?![\w-])")


ADVISED = re.compile(rf"rejoin ((?:{'|'.join(cli.list_commands(CONTEXT))})\b[^`'\n;:]*)")


def messages(source: str) -> Iterator[str]:
    """Yield every string of a module; an X stands for what a message fills in."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            yield "".join(
                str(each.value) if isinstance(each, ast.Constant) else " X " for each in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def commands_in(text: str) -> Iterator[list[str]]:
    """Yield the words of every command line in a text, without `rejoin`."""
    joined = re.sub(r"\\+\n *", " ", text)
    for line in [*IN_A_LINE.findall(joined), *ON_A_LINE.findall(joined)]:
        command = re.split(r" {2,}|\s[|<>#&(]", line.replace("\n", " "))[0]
        yield shlex.split(command.rstrip(" .,;:`"))[1:]


def fault_of(words: list[str]) -> str | None:
    """Return what a command line names and the command does not have, or None."""
    path = "rejoin"
    while words and f"{path} {words[0]}" in COMMANDS:
        path, words = f"{path} {words[0]}", words[1:]
    command = COMMANDS[path]
    if isinstance(command, click.Group) and words and words[0][0].islower():
        return f"{path} has no command {words[0]}"
    options = {name for each in command.params for name in (*each.opts, *each.secondary_opts)}
    for word in words:
        if word.startswith("--") and word.partition("=")[0] not in {*options, "--help", "--"}:
            return f"{path} has no option {word}"
    return None


def test_every_vector_command_and_clause_that_a_text_names_exists() -> None:
    vectors = {each.id for name in system_names() for each in load_system(name)}
    spec = "\n".join(text for path, text in TEXTS.items() if path.startswith("spec/"))
    clauses = {*CLAUSE.findall(spec)}
    faults: list[tuple[str, str]] = []
    for name, text in TEXTS.items():
        faults += ((name, each) for each in VECTOR.findall(text) if each not in vectors)
        faults += ((name, each) for each in CLAUSE.findall(text) if each not in clauses)
        if name != "CHANGELOG.md":
            found = map(fault_of, commands_in(text))
            faults += ((name, each) for each in found if each is not None)
    assert faults == []


def test_every_command_that_a_message_advises_exists() -> None:
    faults: list[tuple[str, str]] = []
    paths = [*PROJECT.glob("conformance/rejoin_conformance/**/*.py"), PROJECT / "action.yml"]
    for path in paths:
        text = path.read_text(encoding="utf-8")
        for message in messages(text) if path.suffix == ".py" else [text]:
            for command in ADVISED.findall(message):
                words = re.split(r"[,.)]? {2,}|[,.)] |\s[|<>#&(]", command)[0].split()
                if "{" in command:  # a template, which test_advice.py fills in
                    continue
                fault = fault_of([each.strip('.,)"') for each in words])
                faults += [] if fault is None else [(path.name, fault)]
    assert faults == []


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("rejoin vectors lost", "rejoin vectors has no command lost"),
        ("rejoin verify --odd", "rejoin verify has no option --odd"),
        ("rejoin verify SYSTEM --reading document", None),
        ("rejoin vectors list", None),
    ],
)
def test_a_command_that_does_not_exist_is_found(line: str, fault: str | None) -> None:
    assert fault_of(next(commands_in(f"Run `{line}`."))) == fault


def test_each_finding_of_the_readme_ends_with_its_command() -> None:
    section = TEXTS["README.md"].partition("## What was found")[2].partition("\n## ")[0]
    findings = re.split(r"^- ", section, flags=re.MULTILINE)[1:]
    ends = [" ".join(each.split()).rpartition(" `")[2] for each in findings]
    assert len(ends) == 7
    assert all(re.fullmatch(r"(rejoin|make) [^`]+`", each) for each in ends), ends


def test_every_promise_of_robustness_names_a_test_that_exists() -> None:
    section = TEXTS["docs/robustness.md"].split("\n## ")[1]
    rows = [line for line in section.splitlines() if line.startswith("| ")][1:]
    assert len(rows) >= 18
    for row in rows:
        if case := re.search(r"`transcripts/(\w+\.txt)`: (.+) \|$", row):
            text = (PROJECT / "tests" / "transcripts" / case[1]).read_text(encoding="utf-8")
            assert f"\n# {case[2]}\n" in text, row
            continue
        found = re.search(r"`([\w/]+\.py)::(test_\w+)` \|$", row)
        assert found is not None, row
        path = PROJECT / "tests" / "rejoin_conformance" / found[1]
        assert f"\ndef {found[2]}(" in path.read_text(encoding="utf-8"), row


def test_pages_are_found() -> None:
    assert {"README.md", "docs/try-a-rule.md", "spec/retired.md"} <= TEXTS.keys()
    assert (PROJECT / "README.md").is_file()
