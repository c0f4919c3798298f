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
