"""The pages of the mutants have every clause, every survivor and the figures of the run."""

from __future__ import annotations

from rejoin_conformance.campaigns.mutants.by_clause import by_clause, never_needed
from rejoin_conformance.campaigns.mutants.equivalent import Argued, Equivalent, change_of
from rejoin_conformance.corpus.clauses import clauses_of
from rejoin_conformance.kit.document_text import document_text
from rejoin_conformance.reports.mutants import mutants_page, run_blocks, strength
from support.small_mutants import SYSTEM, lowest, small_run


def test_the_page_names_the_clauses_of_the_module_and_every_mutant_alive() -> None:
    run = small_run(lowest(), Argued())
    page = mutants_page([run])
    named = {clause.id for clause in clauses_of(SYSTEM) if f"<code>{clause.id}</code>" in page}
    of_lcau = {"LCAU-LOWEST", "LCAU-NOT-EMPTY", "LCAU-CHAIN", "LCAU-NONE", "ORDER-KNOWN-NODES"}
    assert named == {f"HM-{name}" for name in of_lcau}
    assert page.count("<code>rejoin.history_merge.lcau.lca_u</code>") == len(run.alive)
    assert "lower bound" in page


def test_a_matrix_shows_the_vectors_that_no_mutant_needs() -> None:
    run = small_run(lowest(), Argued(), matrix=True)
    alone = {each.killers[0] for each in run.examined if len(each.killers) == 1}
    assert len(never_needed(run)) == len(run.vectors) - len(alone)
    assert never_needed(small_run(lowest(), Argued())) == ()


def test_a_clause_counts_the_mutants_of_its_functions_and_its_own_kills() -> None:
    run = small_run(lowest(), Argued(), matrix=True)
    (row,) = [row for clause, row in by_clause(run) if clause.id == "HM-LCAU-LOWEST"]
    assert row["mutants"] == len(lowest())
    assert 0 < row["own"] <= row["killed"] <= row["mutants"]


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
    text = document_text([*run_blocks(run, ())])
    assert f"  {run.fates()['killed']}\n" in text
    assert "mutants that no vector notices" in text
