"""Every statement of a source document is held by something that notices when it is contradicted.

A knock-out plants a change of the reference that contradicts one clause, and a vector of the clause
must notice it. So a statement is held if one of its clauses has a knock-out. `NOTICED_OTHERWISE`
lists the other statements, each with what notices a contradiction of it, or with the reason why
nothing can.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

from rejoin_conformance.command_line.commands import cli

ROOT: Final = Path(__file__).parents[1]
SYSTEMS: Final = ("config-merge", "conflict-detection", "history-merge")

ADVICE: Final = "advice to applications or people: no operation has either"
COQ: Final = "Coq refuses the theorem without its assumption"
EXAMPLE: Final = "every change of a rule changes the bytes of the vectors of the example"

NOTICED_OTHERWISE: Final = {
    ("config-merge", 41): ADVICE,
    ("config-merge", 46): ADVICE,
    ("config-merge", 210): EXAMPLE,
    ("config-merge", 478): EXAMPLE,
    ("config-merge", 502): EXAMPLE,
    ("config-merge", 522): EXAMPLE,
    ("config-merge", 536): EXAMPLE,
    ("config-merge", 580): EXAMPLE,
    ("config-merge", 585): EXAMPLE,
    ("conflict-detection", 34): EXAMPLE,
    ("conflict-detection", 106): "the vectors of the choice point `conflict_names`",
    ("conflict-detection", 120): ADVICE,
    ("history-merge", 89): "tests compare both formulas for all small sets",
    ("history-merge", 99): COQ + ": StateOrder.no_order_of_all_merges needs the identity law",
    ("history-merge", 159): "no answer lists the nodes after a merge: nothing can notice it",
    ("history-merge", 312): "the vectors of the readings `additions-cancel` and `removals-cancel`",
    ("history-merge", 334): COQ + ": Crdts.every_type_has_a_merge needs a symmetric choice",
    ("history-merge", 336): COQ + ": Crdts.every_type_has_a_merge needs a symmetric choice",
    ("history-merge", 344): COQ + ": StateOrder.no_order_of_all_merges needs the identity law",
    ("history-merge", 348): COQ + ": Counterexample.the_order_matters",
}
"""System and line -> what notices a contradiction, or why nothing does."""


def toml(path: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / path).read_text(encoding="utf-8"))


def knocked_out(system: str) -> set[str]:
    folder = ROOT / "conformance/mutants" / system / "knockouts"
    return {
        each["clause"]
        for path in folder.glob("*.toml")
        for each in toml(str(path.relative_to(ROOT))).get("knockout", [])
    }


def without_a_knockout() -> Iterator[tuple[str, int]]:
    for system in SYSTEMS:
        clauses = knocked_out(system)
        for statement in toml(f"spec/{system}/statements.toml")["statement"]:
            held = clauses.intersection(statement.get("held_by", ()))
            if statement.get("kind") != "informative" and not held:
                yield system, statement["line"]


def test_a_statement_has_a_knock_out_or_is_listed() -> None:
    assert sorted(set(without_a_knockout())) == sorted(NOTICED_OTHERWISE)


def test_an_example_that_is_listed_names_its_vectors() -> None:
    listed = {each for each, reason in NOTICED_OTHERWISE.items() if reason == EXAMPLE}
    for system in SYSTEMS:
        for statement in toml(f"spec/{system}/statements.toml")["statement"]:
            if (system, statement["line"]) in listed:
                assert statement["shown_by"]


@pytest.mark.long  # runs every knock-out of three systems
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_vector_of_its_clause_notices_every_knock_out(system: str) -> None:
    result = CliRunner().invoke(cli, ["mutants", system, "--knockouts", "--in-process"])
    assert result.exit_code == 0, result.output
