"""The clauses of a theorem are read from the comment before it."""

from __future__ import annotations

import re

import pytest

from rejoin_conformance.contract.registry import system_names
from rejoin_conformance.corpus.proven_clauses import Statement, statements_in, statements_of
from rejoin_conformance.kit.locations import spec_directory

TEXT = """
(* Clauses: TOY-HALF TOY-EVEN *)
Theorem half_of_even : True.
Proof. exact I. Qed.

(* An odd number is refused. *)
(* Clauses: TOY-ODD *)
Definition odd' := 1.

Lemma of_no_clause : True.
"""


def test_the_comment_names_the_clauses_of_the_next_statement() -> None:
    assert list(statements_in(TEXT, "Toy")) == [
        Statement("Toy.half_of_even", ("TOY-HALF", "TOY-EVEN"), proven=True),
        Statement("Toy.odd'", ("TOY-ODD",), proven=False),
    ]


@pytest.mark.parametrize("system", system_names())
def test_every_list_of_clauses_stands_before_a_statement(system: str) -> None:
    folder = spec_directory() / system / "proof"
    listed = sum(
        len(re.findall(r"\(\* Clauses:", path.read_text(encoding="utf-8")))
        for path in folder.glob("*.v")
    )
    assert len(statements_of(system)) == listed
