"""The text on mutants has every survivor and the figures of the run."""

from __future__ import annotations

from rejoin_conformance.campaigns.mutants.equivalent import Argued
from rejoin_conformance.kit.document_text import document_text
from rejoin_conformance.reports.mutants import run_blocks
from support.small_mutants import lowest, small_run


def test_the_text_lists_survivors_and_refuted_entries() -> None:
    run = small_run(lowest(), Argued())
    text = document_text([*run_blocks(run)])
    assert f"  {run.fates()['killed']}\n" in text
    assert "mutants that no vector notices" in text
