"""Clauses are read from prose, implementers from docstrings."""

from __future__ import annotations

from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.corpus.clauses import (
    Clause,
    Linked,
    clauses_in,
    clauses_listed,
    clauses_of,
    definitions_in,
    implementers,
    law_checks,
    modelled_clauses,
    proven_clauses,
    statements_in,
)
from rejoin_conformance.corpus.executed import executed_functions, executes
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.kit.locations import spec_directory

SPEC = r"""# Halving

**TOY-HALF** (MUST) An even number
is halved.

**TOY-ODD** (SHOULD) An odd one is refused.

**TOY-LINK** (MAY) See [the *order*](order.md#x), [`f`](f.md),
`g[a](b)`, h\[a](b).
"""


def test_a_clause_is_a_paragraph_that_opens_with_its_id() -> None:
    assert clauses_in(SPEC, "halving.md") == (
        Clause("TOY-HALF", "MUST", "halving.md", "An even number is halved."),
        Clause("TOY-ODD", "SHOULD", "halving.md", "An odd one is refused."),
        Clause("TOY-LINK", "MAY", "halving.md", r"See the *order*, `f`, `g[a](b)`, h\[a](b)."),
    )
    assert clauses_in("See **TOY-HALF** (MUST) above.", "x.md") == ()


def test_the_list_of_clauses_may_wrap_and_ends_with_its_paragraph() -> None:
    docstring = "Halve.\n\nClauses: TOY-HALF,\n    TOY-ODD\nSource: TOY-OTHER\n"
    assert clauses_listed(docstring) == ("TOY-HALF", "TOY-ODD")


def test_the_reference_lists_clauses_of_every_system() -> None:
    prefixes = {clause.split("-")[0] for each in implementers("rejoin") for clause in each.clauses}
    assert prefixes == {"CM", "HM", "CD"}


MODEL = """---- MODULE Toy ----
(* TOY is halved. HM-HALF belongs to no definition: a section ends it. *)
EXTENDS Integers
(* HM-HALF *)
Half(n) == n \\div 2
Both(n) ==
  Half(n)   \\* HM-ODD, and HM-E01 is an erratum
Other == 1
"""


def test_a_definition_states_the_clauses_in_the_comment_before_it_and_inside_it() -> None:
    assert [*definitions_in(MODEL)] == [
        Linked("Half", ("HM-HALF",)),
        Linked("Both", ("HM-ODD",)),
    ]


def test_every_model_states_clauses_that_the_spec_has() -> None:
    for system in ("config-merge", "history-merge", "conflict-detection"):
        known = {clause.id for clause in clauses_of(system)}
        stated = {clause for each in modelled_clauses(system) for clause in each.clauses}
        assert stated
        assert stated <= known


PROOF = """
(* Clauses: TOY-HALF TOY-EVEN *)
Theorem half_of_even : True.
Proof. exact I. Qed.

(* An odd number is refused. *)
(* Clauses: TOY-ODD *)
Definition odd' := 1.

Lemma of_no_clause : True.
"""


def test_the_comment_in_a_proof_names_the_clauses_of_the_next_statement() -> None:
    assert [*statements_in(PROOF, "Toy")] == [
        Linked("Toy.half_of_even", ("TOY-HALF", "TOY-EVEN"), proven=True),
        Linked("Toy.odd'", ("TOY-ODD",)),
    ]


def test_every_list_of_clauses_in_a_proof_stands_before_a_statement() -> None:
    for system in all_systems():
        folder = spec_directory() / system.name / "proof"
        texts = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.v"))
        assert len(proven_clauses(system.name)) == texts.count("(* Clauses:")


def test_every_law_has_a_function_that_decides_it() -> None:
    for system in all_systems():
        checks = law_checks(system.name)
        assert checks.keys() >= {law.name for law in system.laws}
        assert all(checks.values())


def test_a_vector_executes_the_functions_of_both_evaluations() -> None:
    vector = next(
        each
        for each in load_system("history-merge")
        if each.operation == "history-merge/merge" and len(each.input["merge"]) > 1  # type: ignore[arg-type]  # a list of nodes
    )
    called = executed_functions("history-merge")(vector)
    assert executes(called, "rejoin.history_merge.complete_algorithm.merge_u")
    assert executes(called, "rejoin.history_merge.fast_complete_algorithm.fast_merge_steps")
    assert executes(called, "rejoin.history_merge.fast_complete_algorithm")
    assert not executes(called, "rejoin.history_merge.fast_complete")
    assert not executes(called, "rejoin.history_merge.acceptance.session_of")
