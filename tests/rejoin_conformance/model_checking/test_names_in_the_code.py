"""The README of a model maps every variable and action to the trace and to the reference."""

from __future__ import annotations

import re

import pytest

from rejoin_conformance.contract.model import model_folder
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.readings.targets import value_at


def definition(text: str, head: str) -> str:
    """Return the definition that begins with some text, up to the next one."""
    start = re.search(rf"^{re.escape(head)}", text, re.MULTILINE)
    assert start is not None, head
    end = re.search(r"^\w+(\(.*\))? ==|^-{5}|^VARIABLES", text[start.end() :], re.MULTILINE)
    return text[start.start() : start.end() + (end.start() if end else len(text))]


def variables(source: str) -> list[str]:
    block = definition(source, "VARIABLES").split("\n\n")[0]
    code = re.sub(r"\\\*.*|\(\*.*?\*\)", "", block.removeprefix("VARIABLES"))
    return re.findall(r"\w+", re.split(r"\w+ ==", code)[0])


def actions(source: str) -> list[str]:
    return re.findall(r'\.action = "([\w-]+)"', definition(source, "Take("))


@pytest.mark.parametrize("system", system_names())
def test_a_row_of_the_tables_names_what_there_is_in_the_model_and_in_the_reference(
    system: str,
) -> None:
    model = system_named(system).model
    assert model is not None
    source = (model_folder(system) / f"{model.module}.tla").read_text(encoding="utf-8")
    page = (model_folder(system) / "README.md").read_text(encoding="utf-8")
    named = {"Variables": sorted(variables(source)), "Actions": [*dict.fromkeys(actions(source))]}
    for kind, names in named.items():
        section = page.partition(f"### {kind}\n")[2].partition("\n#")[0]
        rows = re.findall(r"^\| `([^`]+)` \| (.*) \| (.*) \|$", section, re.MULTILINE)
        found = [name for name, _, _ in rows]
        assert (sorted(found) if kind == "Variables" else found) == names
        for name, fields, code in rows:
            assert [field for field in re.findall("`([^`]+)`", fields) if field not in source] == []
            functions = re.findall("`([^`]+)`", code)
            assert [each for each in functions if value_at(each)[0] is None] == []
            assert functions or "none" in code, name
