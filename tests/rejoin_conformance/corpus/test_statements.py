"""The source documents are listed statement by statement, and no statement is lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from attrs import evolve
from click.testing import CliRunner

from rejoin_conformance.command_line.commands import cli
from rejoin_conformance.contract.registry import system_names
from rejoin_conformance.corpus import statements
from rejoin_conformance.corpus.statements import (
    Document,
    DocumentTrace,
    Statement,
    StatementsError,
    document_of,
    faults_of,
    trace_document,
)
from rejoin_conformance.kit.locations import spec_directory

KNOWN = frozenset({"TOY-HALF", "TOY-E01"})
VECTORS = frozenset({"toy/halves/four"})


def faults(*listed: Statement) -> list[str]:
    document = Document(document="toy.txt", lines=9, statements=listed)
    return [each.partition(": ")[2] for each in faults_of(document, KNOWN, VECTORS)]


@pytest.mark.parametrize("system", system_names())
def test_every_statement_is_held_or_says_why_not(system: str) -> None:
    assert trace_document(system).faults == ()


@pytest.mark.parametrize(
    ("system", "first_count"),
    [("config-merge", 76), ("history-merge", 54), ("conflict-detection", 48)],
)
def test_no_list_is_shorter_than_the_first_count(system: str, first_count: int) -> None:
    assert len(document_of(system).statements) >= first_count


@pytest.mark.parametrize("system", system_names())
def test_the_output_begins_with_the_file_and_the_address_that_the_readme_gives(system: str) -> None:
    first = CliRunner().invoke(cli, ["trace", "--document", system]).stdout.splitlines()[0]
    name, address = document_of(system).document, re.search(r"https://[^, ]+", first)
    readme = (spec_directory() / "README.md").read_text()
    assert name in first
    assert f"`{name}`" in readme
    assert address is not None
    assert f"]({address[0]})" in readme


FAULTS: list[tuple[list[Statement], list[str]]] = [
    (
        [
            Statement(line=1, gist="It halves.", held_by=("TOY-HALF",)),
            Statement(line=1, gist="It does not halve.", held_by=("TOY-E01",)),
            Statement(line=2, gist="Halving is old.", kind="informative"),
            Statement(line=3, gist="Who halves one?", kind="open question"),
            Statement(line=4, gist="4", kind="example", shown_by=("toy/halves/four",)),
        ],
        [],
    ),
    (
        [Statement(line=1, gist="It halves.")],
        ["a statement with neither a clause nor an erratum nor a kind"],
    ),
    (
        [Statement(line=1, gist="It halves.", held_by=("TOY-HALVE",))],
        ["TOY-HALVE is neither a clause nor an erratum"],
    ),
    (
        [Statement(line=1, gist="5", kind="example", shown_by=("toy/halves/five",))],
        ["there is no vector toy/halves/five"],
    ),
    ([Statement(line=1, gist="4", kind="example")], ["no vector plays this example"]),
    (
        [Statement(line=line, gist="Old.", kind="informative") for line in (3, 2, 10)],
        ["statements are in the order of the lines 1 to 9"] * 2,
    ),
]


def test_a_statement_is_held_or_has_a_kind_and_is_in_its_place() -> None:
    for listed, expected in FAULTS:
        assert faults(*listed) == expected


def test_a_page_that_does_not_exist_measures_nothing() -> None:
    held = Statement(line=1, gist="Fast.", kind="informative", measured_by=("docs/README.md",))
    assert faults(held) == []
    lost = evolve(held, measured_by=("docs/no-such-page.md",))
    assert faults(lost) == ["there is no page docs/no-such-page.md"]
    prose = evolve(held, measured_by=())
    document = Document(document="toy.txt", lines=9, statements=(held, prose))
    traced = DocumentTrace(document=document, backing={}, unnamed=(), faults=())
    assert traced.only_prose() == (prose,)
    assert traced.row(held)["measured_by"] == ["docs/README.md"]


def test_a_list_that_cannot_be_read_names_its_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "statements.toml").write_text('document = "toy.txt"\nline = 1\n')
    monkeypatch.setattr(statements, "spec_directory", lambda: tmp_path)
    with pytest.raises(StatementsError, match=r"statements\.toml"):
        document_of("toy")


def test_the_command_prints_statements_with_the_vectors_behind_them() -> None:
    printed = CliRunner().invoke(cli, ["trace", "--document", "history-merge"])
    assert printed.exit_code == 0
    lines = printed.output.splitlines()
    assert any(each.lstrip().startswith("351  ") and "[informative]" in each for each in lines)
    assert "  history-merge/two-branches/picture-from-abc" in lines
    assert "statements, no faults." in lines[-2]
