"""`rejoin show` prints the examples of the documents in 80 columns; transcripts show the rest."""

from __future__ import annotations

import pytest

from rejoin_conformance.command_line.main import run
from rejoin_conformance.corpus.document_examples import document_examples


def test_every_example_of_a_document_fits_80_columns(capsys: pytest.CaptureFixture[str]) -> None:
    faults = []
    for each in document_examples():
        assert run(["show", each.name, "--steps"]) == 0
        printed = capsys.readouterr().out
        if not printed.startswith(f"{each.name}: ") or "\x1b" in printed:
            faults.append(each.name)
        faults += [line for line in printed.splitlines() if len(line) > 80]
    assert faults == []


def test_the_worked_example_is_drawn_as_in_the_document(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "config-merge/worked-example"]) == 0
    lines = capsys.readouterr().out.splitlines()
    start = lines.index("messages") + 2
    edges = [line.split("  <- ") for line in lines[start : start + 13]]
    assert [f"{name.split()[-1]} {parents.split('   ')[0].strip()}" for name, parents in edges] == [
        "119 118",
        "120b 119",
        "120 119",
        "121 120",
        "122 121",
        "123 122",
        "124a 123",
        "124b 123",
        "125a 124b",
        "125b 124b",
        "126a 125a, 125b",
        "126b 124a, 125a, 125b",
        "127 126a, 126b",
    ]
