"""A witness computes the correct finding of a poll only from who had which version."""

from __future__ import annotations

from rejoin import conflict_detection as cd
from support.conflict_detection_witness import (
    Witness,
    witness_expects,
    witness_overwrite,
    witness_upload,
)


def test_a_version_directly_follows_everything_that_its_maker_had() -> None:
    witness: Witness[str] = Witness()
    witness = witness_upload(witness, "A", "x")
    witness = witness_upload(witness, "A", "y")
    witness = witness_upload(witness, "A", "z")
    assert witness.directly["z"] == {"x", "y"}


def test_a_client_has_what_overwrote_its_file() -> None:
    witness: Witness[str] = witness_upload(Witness(), "A", "x")
    witness = witness_overwrite(witness, "B", "x")
    witness = witness_upload(witness, "B", "y")
    assert witness.directly["y"] == {"x"}
    assert witness_expects(witness, "A", "y") is cd.Classification.OVERWRITE


def test_a_conflict_counts_as_had_only_once_it_is_resolved() -> None:
    witness: Witness[str] = witness_upload(Witness(), "A", "a")
    witness = witness_upload(witness, "B", "b")
    holding = witness_upload(witness, "A", "a2")
    assert witness_expects(holding, "B", "a2") is cd.Classification.CONFLICT
    resolving = witness_upload(witness, "A", "a2", resolved=["b"])
    assert witness_expects(resolving, "B", "a2") is cd.Classification.OVERWRITE


def test_a_version_that_is_made_twice_stays_what_it_was() -> None:
    witness: Witness[str] = witness_upload(Witness(), "A", "x")
    witness = witness_upload(witness_upload(witness, "B", "y"), "B", "x")
    assert witness.directly["x"] == frozenset()
