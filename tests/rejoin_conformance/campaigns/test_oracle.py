"""The oracle answers first, and changes nothing but the time that a campaign takes."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from attrs import evolve

from rejoin_conformance.adapters.doctor.oracle import checked_oracle
from rejoin_conformance.adapters.oracle import oracle_of
from rejoin_conformance.campaigns.plan import Bounds, Plan
from rejoin_conformance.campaigns.run_campaign import run_campaign
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.command_line.main import run
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.corpus.load import load_system
from support.reference_oracle import install, uninstall
from support.spreads import HERE

SYSTEM = "history-merge"
MEMBERS = "history-merge/members"
PLAN = Plan(
    system=SYSTEM,
    profile="default",
    readings=("document",),
    seed=3,
    histories=6,
    adapter=shlex.join([sys.executable, "-m", "rejoin_conformance.command_line.main", "serve"]),
    timeout=60,
)


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    yield
    oracle_of.cache_clear()


def examined(readings: tuple[str, ...] = ("document",), **bounds: Any) -> Summary:
    return run_campaign(evolve(PLAN, readings=readings, bounds=Bounds(**bounds)), HERE)


def answered(result: Summary) -> tuple[int, int, int]:
    oracle, reference, both = map(result.answered, ("oracle", "reference", "both"))
    return oracle, reference, both


@pytest.fixture(scope="module")
def alone() -> Summary:
    with pytest.MonkeyPatch.context() as monkeypatch:
        uninstall(monkeypatch)
        return examined()


def test_the_digest_is_the_same_with_the_oracle(
    alone: Summary, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = answered(alone)[1]
    assert answered(alone) == (0, calls, 0)
    install(monkeypatch, SYSTEM)
    with_it, checked, without = examined(), examined(check_every=1), examined(no_oracle=True)
    assert answered(checked) == (calls, 0, calls)
    assert answered(without) == (0, calls, 0)
    assert answered(with_it)[:2] == (calls, 0)
    assert calls / 200 < answered(with_it)[2] < calls / 50
    assert {each.digest for each in (with_it, checked, without)} == {alone.digest}
    assert not any(each.judged().exit_code for each in (alone, with_it, checked, without))


def test_a_wrong_answer_of_the_oracle_is_a_fault_of_rejoin(
    alone: Summary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The adapter does not agree with it, so that the reference judges, and finds the fault."""
    install(monkeypatch, SYSTEM, wrong=MEMBERS)
    result = examined()
    (wrong,) = result.found()
    assert (wrong.law, wrong.kind) == ("oracle-agrees", MEMBERS)
    assert wrong.times == result.counts("document", "coverage")[f"asked:{MEMBERS}"]
    assert '"wrong":true' in wrong.detail
    assert result.counts("document", "checked") == alone.counts("document", "checked")
    assert result.judged().exit_code == 5


def test_a_fault_that_the_adapter_shares_is_found_where_the_reference_checks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The module says that every reply agrees with what it answered."""
    install(monkeypatch, SYSTEM, wrong=MEMBERS)
    monkeypatch.setattr(sys.modules["rejoin_oracle"], "agree", lambda _answer, _reply: True)
    missed, found = examined(check_every=1_000_000), examined(check_every=1)
    assert missed.found() == []
    assert [each.kind for each in found.found()] == [MEMBERS]


def test_it_answers_no_operation_whose_vectors_have_changed(
    alone: Summary, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, SYSTEM, stale=MEMBERS)
    oracle = oracle_of(SYSTEM)
    assert oracle is not None
    assert oracle.changed == (MEMBERS,)
    result = examined()
    assert answered(result)[1] == result.counts("document", "coverage")[f"asked:{MEMBERS}"] > 0
    assert result.digest == alone.digest


def test_it_answers_under_no_reading_that_it_does_not_declare(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    install(monkeypatch, SYSTEM)
    oracle = oracle_of(SYSTEM)
    assert oracle is not None
    assert oracle.answers(MEMBERS, "document")
    assert not oracle.answers(MEMBERS, "my_rule.py")
    assert not oracle.answers("history-merge/unheard-of", "document")
    assert oracle_of("conflict-detection") is not None
    assert oracle_of("toy") is None


def test_the_doctor_finds_every_wrong_answer_to_the_corpus(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    uninstall(monkeypatch)
    assert run(["doctor", "--oracle"]) == 3
    assert "reference answers" in capsys.readouterr().out
    install(monkeypatch, SYSTEM, wrong=MEMBERS)
    checked = checked_oracle(system_named(SYSTEM))
    wrong = [each for each in load_system(SYSTEM) if each.operation == MEMBERS]
    assert {each.partition(" ")[0] for each in checked.wrong} == {each.id for each in wrong}
    assert checked.unsaid == 0
    assert checked.asked > len(checked.wrong) > 0
