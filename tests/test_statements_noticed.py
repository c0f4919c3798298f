"""Every statement of a source document is held by something that notices when it is contradicted.

A knock-out plants a change of the reference that contradicts one clause, and a vector of the clause
must notice it. The first clause that a statement names is the one whose knock-out contradicts the
statement, so this clause must have one. `NOTICED_OTHERWISE` lists the other statements, each with
what notices a contradiction of it, or with the reason why nothing can.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

from rejoin_conformance.command_line.commands import cli

ROOT: Final = Path(__file__).parents[1]
ERRATUM: Final = re.compile(r"[A-Z]+-E[0-9]+")
SYSTEMS: Final = ("config-merge", "conflict-detection", "history-merge")

ADVICE: Final = "advice to applications or people: no operation has either"
COQ: Final = "Coq refuses the theorem without its assumption"
EXAMPLE: Final = "every change of a rule changes the bytes of the vectors of the example"

NOTICED_OTHERWISE: Final = {
    ("config-merge", 41, 1): ADVICE,
    ("config-merge", 46, 1): ADVICE,
    ("config-merge", 210, 1): EXAMPLE,
    ("config-merge", 478, 1): EXAMPLE,
    ("config-merge", 502, 1): EXAMPLE,
    ("config-merge", 519, 1): EXAMPLE,
    ("config-merge", 522, 1): EXAMPLE,
    ("config-merge", 580, 1): EXAMPLE,
    ("config-merge", 585, 1): EXAMPLE,
    ("conflict-detection", 106, 1): "the vectors of the choice point `conflict_names`",
    ("conflict-detection", 120, 1): ADVICE,
    ("conflict-detection", 140, 1): "no operation has two updates in progress at the same time",
    ("history-merge", 89, 1): "tests compare both formulas for all small sets",
    ("history-merge", 159, 1): "no answer lists the nodes after a merge: nothing can notice it",
    ("history-merge", 312, 2): "the vectors of `additions-cancel` and `removals-cancel`",
    ("history-merge", 334, 1): COQ + ": Crdts.every_type_has_a_merge needs a symmetric choice",
    ("history-merge", 336, 1): COQ + ": Crdts.every_type_has_a_merge needs a symmetric choice",
    ("history-merge", 344, 1): COQ + ": StateOrder.no_order_of_all_merges needs the identity law",
}
"""System, line, number at this line -> what notices a contradiction, or why nothing does."""


def toml(path: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / path).read_text(encoding="utf-8"))


@cache
def knocked_out(system: str) -> set[str]:
    folder = ROOT / "conformance/mutants" / system / "knockouts"
    return {
        each["clause"]
        for path in folder.glob("*.toml")
        for each in toml(str(path.relative_to(ROOT))).get("knockout", [])
    }


def statements() -> Iterator[tuple[tuple[str, int, int], dict[str, Any]]]:
    """Yield each statement with its system, its line, and its number at this line from 1."""
    for system in SYSTEMS:
        seen: Counter[int] = Counter()
        for each in toml(f"spec/{system}/statements.toml")["statement"]:
            seen[each["line"]] += 1
            yield (system, each["line"], seen[each["line"]]), each


def has_a_knockout(system: str, statement: dict[str, Any]) -> bool:
    """Say whether the first clause that the statement names has one; errata are passed over."""
    named = [each for each in statement.get("held_by", ()) if not ERRATUM.fullmatch(each)]
    return bool(named) and named[0] in knocked_out(system)


def test_a_statement_has_a_knock_out_or_is_listed() -> None:
    without = [
        place
        for place, each in statements()
        if each.get("kind") != "informative" and not has_a_knockout(place[0], each)
    ]
    assert without == [*NOTICED_OTHERWISE]


def test_an_example_that_is_listed_names_its_vectors() -> None:
    for place, each in statements():
        assert NOTICED_OTHERWISE.get(place) != EXAMPLE or each["shown_by"]


@pytest.mark.long  # runs every knock-out of three systems
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_vector_of_its_clause_notices_every_knock_out(system: str) -> None:
    result = CliRunner().invoke(cli, ["mutants", system, "--knockouts", "--in-process"])
    assert result.exit_code == 0, result.output
