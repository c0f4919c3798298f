"""One function decides the exit code of every command that judges."""

from __future__ import annotations

from itertools import product

from rejoin_conformance.kit.judged import Judged


def test_only_a_complete_answer_without_a_fault_is_0() -> None:
    wrong = []
    for asked, unanswered, left_out, broken in product(range(3), repeat=4):
        judged = Judged(asked=asked, unanswered=unanswered, left_out=left_out, broken=broken)
        sound = asked > 0 and not left_out and not broken
        if (judged.exit_code == 0) != sound:
            wrong.append(judged)
    assert wrong == []


def test_the_codes() -> None:
    assert Judged(asked=0).exit_code == 3
    assert Judged(asked=5, left_out=1).exit_code == 3
    assert Judged(asked=5, left_out=1, broken=1).exit_code == 1
    assert Judged(asked=5, unanswered=5, left_out=1, broken=5).exit_code == 4
    assert Judged(asked=1, unanswered=1, broken=1).exit_code == 1


def test_what_several_systems_asked_adds_up() -> None:
    assert (Judged(asked=0) + Judged(asked=2, left_out=1)).exit_code == 3
    assert (Judged(asked=0) + Judged(asked=2)).exit_code == 0
