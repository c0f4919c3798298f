"""The texts on mutants have every survivor and the figures of the run."""

from __future__ import annotations

from rejoin_conformance.campaigns.mutants.equivalent import Argued, Equivalent, change_of
from rejoin_conformance.kit.document_text import document_text
from rejoin_conformance.reports.mutants import run_blocks, strength
from support.small_mutants import lowest, small_run


def test_the_figures_add_up() -> None:
    run = small_run(lowest(), Argued())
    function, kind, before, after, occurrence = change_of(run.alive[0][0])
    entry = Equivalent(
        function=function,
        kind=kind,
        before=before,
        after=after,
        occurrence=occurrence,
        argument="The order of two sets | means nothing.",
    )
    argued = small_run(lowest(), Argued(equivalent=(entry,)))
    page = strength([argued])
    killed, alive = argued.fates()["killed"], len(argued.alive)
    assert alive == len(run.alive) - 1
    assert f"| **all** | {len(lowest())} | {killed} | 1 | {alive} |" in page
    assert "| The order of two sets \\| means nothing. | 1 |" in page
    assert page.count("\n- `rejoin.history_merge.lcau.lca_u`") == alive


def test_the_text_lists_survivors_and_refuted_entries() -> None:
    run = small_run(lowest(), Argued())
    text = document_text([*run_blocks(run)])
    assert f"  {run.fates()['killed']}\n" in text
    assert "mutants that no vector notices" in text
