"""Clauses are read from prose, implementers from docstrings."""

from __future__ import annotations

from rejoin_conformance.corpus.clauses import Clause, clauses_in
from rejoin_conformance.corpus.implemented_clauses import clauses_listed, implementers

SPEC = """# Halving

**TOY-HALF** (MUST) An even number
is halved.

**TOY-ODD** (SHOULD) An odd one is refused.
"""


def test_a_clause_is_a_paragraph_that_opens_with_its_id() -> None:
    assert clauses_in(SPEC, "halving.md") == (
        Clause("TOY-HALF", "MUST", "halving.md", "An even number is halved."),
        Clause("TOY-ODD", "SHOULD", "halving.md", "An odd one is refused."),
    )


def test_a_mention_inside_a_sentence_is_not_a_clause() -> None:
    assert clauses_in("See **TOY-HALF** (MUST) above.", "x.md") == ()


def test_the_list_of_clauses_may_wrap() -> None:
    docstring = "Halve.\n\nClauses: TOY-HALF,\n    TOY-ODD\nSource: Halving\n"
    assert clauses_listed(docstring) == ("TOY-HALF", "TOY-ODD")


def test_the_source_line_is_not_part_of_the_list() -> None:
    assert clauses_listed("Clauses: TOY-HALF\nSource: TOY-OTHER") == ("TOY-HALF",)


def test_the_reference_lists_clauses_of_every_system() -> None:
    prefixes = {clause.split("-")[0] for each in implementers("rejoin") for clause in each.clauses}
    assert prefixes == {"CM", "HM", "CD"}
