"""The README of a model maps every variable and action to the trace and to the reference."""

from __future__ import annotations

import re
from functools import cache

import pytest

from rejoin_conformance.contract.model import model_folder
from rejoin_conformance.readings.targets import value_at

MODELS = {
    "config merge": "ConfigMerge",
    "history merge": "HistoryMerge",
    "conflict detection": "ConflictDetection",
}
TABLES = [(kind, name) for name in MODELS for kind in ("Variables", "Actions")]


@cache
def section_of(kind: str, name: str) -> str:
    """Return the section of a README with a table."""
    page = model_folder(name.replace(" ", "-")) / "README.md"
    return page.read_text(encoding="utf-8").partition(f"### {kind}\n")[2].partition("\n#")[0]


@cache
def source(name: str) -> str:
    folder = model_folder(name.replace(" ", "-"))
    return (folder / f"{MODELS[name]}.tla").read_text(encoding="utf-8")


def definition(text: str, head: str) -> str:
    """Return the definition that begins with some text, up to the next one."""
    start = re.search(rf"^{re.escape(head)}", text, re.MULTILINE)
    assert start is not None, head
    end = re.search(r"^\w+(\(.*\))? ==|^-{5}|^VARIABLES", text[start.end() :], re.MULTILINE)
    return text[start.start() : start.end() + (end.start() if end else len(text))]


def variables(name: str) -> list[str]:
    block = definition(source(name), "VARIABLES").split("\n\n")[0]
    code = re.sub(r"\\\*.*|\(\*.*?\*\)", "", block.removeprefix("VARIABLES"))
    code = re.split(r"\w+ ==", code)[0]
    return re.findall(r"\w+", code)


def actions(name: str) -> list[str]:
    return re.findall(r'\.action = "([\w-]+)"', definition(source(name), "Take("))


def rows(kind: str, name: str) -> dict[str, tuple[str, list[str]]]:
    """Return the rows of a table: name -> its fields as text, and its functions."""
    section = section_of(kind, name)
    found = re.findall(r"^\| `([^`]+)` \| (.*) \| (.*) \|$", section, re.MULTILINE)
    return {first: (fields, re.findall(r"`([^`]+)`", code)) for first, fields, code in found}


@pytest.mark.parametrize("name", MODELS)
def test_the_tables_have_every_variable_and_action_of_a_model(name: str) -> None:
    assert sorted(rows("Variables", name)) == sorted(variables(name))
    assert list(rows("Actions", name)) == list(dict.fromkeys(actions(name)))


@pytest.mark.parametrize(("kind", "name"), TABLES)
def test_every_function_in_the_tables_exists(kind: str, name: str) -> None:
    for _, functions in rows(kind, name).values():
        for function in functions:
            assert value_at(function)[0] is not None, function


@pytest.mark.parametrize(("kind", "name"), TABLES)
def test_every_field_in_the_tables_occurs_in_the_model(kind: str, name: str) -> None:
    for fields, _ in rows(kind, name).values():
        for field in re.findall(r"`([^`]+)`", fields):
            assert field in source(name), field


def test_a_row_without_a_function_says_why() -> None:
    for kind, name in TABLES:
        for row, (_, functions) in rows(kind, name).items():
            section = section_of(kind, name)
            line = next(each for each in section.splitlines() if each.startswith(f"| `{row}` "))
            assert functions or "none" in line.rpartition("|")[0].rpartition("|")[2]
