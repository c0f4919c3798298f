"""The oracle answers first, and changes nothing but the time that a campaign takes."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from rejoin_conformance.adapters.doctor.oracle import checked_oracle
from rejoin_conformance.adapters.oracle import MODULE, answer_of, oracle_of, taken_from
from rejoin_conformance.adapters.protocol import unnumbered
from rejoin_conformance.campaigns.block import AGREES, examine_block
from rejoin_conformance.campaigns.campaign import run_campaign
from rejoin_conformance.campaigns.plan import Bounds, Plan
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.command_line.main import run
from rejoin_conformance.contract.history import asks_reference
from rejoin_conformance.contract.law import Examination
from rejoin_conformance.contract.operation import Output
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json
from support.changed_oracle import WRONG, install, need_oracle, uninstall
from support.plans import small_plan
from support.spreads import HERE

pytestmark = pytest.mark.full_run("oracle")

SYSTEM = "history-merge"
MEMBERS = "history-merge/members"
SERVE = f"{sys.executable} -m rejoin_conformance.command_line.main serve --oracle"
PLAN = small_plan(SYSTEM, 6, profile="default", seed=3, adapter=SERVE, timeout=60)


@pytest.fixture(autouse=True)
def _oracle() -> Iterator[None]:
    need_oracle()
    yield
    oracle_of.cache_clear()


def examined(plan: Plan = PLAN, **bounds: Any) -> Summary:
    return run_campaign(evolve(plan, bounds=Bounds(**bounds)), HERE)


def answered(result: Summary) -> tuple[int, int, int]:
    oracle, reference, both = (
        result.total("answered", by) for by in ("oracle", "reference", "both")
    )
    return oracle, reference, both


def test_each_task_of_a_worker_takes_the_oracle_that_was_sent(tmp_path: Path) -> None:
    installed = oracle_of(SYSTEM)
    assert installed is not None
    sent = shutil.copytree(Path(installed.module.__file__).parent, tmp_path / MODULE)
    for _ in range(2):
        with taken_from(str(tmp_path), [MEMBERS]):
            taken = oracle_of(SYSTEM)
        assert taken is not None
        assert Path(taken.module.__file__).parent == sent
        assert taken.operations == {MEMBERS}


@pytest.fixture
def alone() -> Summary:
    with pytest.MonkeyPatch.context() as monkeypatch:
        uninstall(monkeypatch)
        found = examined()
    oracle_of.cache_clear()
    return found


def by_the_reference(plan: Plan) -> Summary:
    """Compute the campaign of an adapter that is always right, without oracle, adapter and lane."""
    system, summary = system_named(plan.system), Summary(plan)

    def examine(history: Any, reading: str) -> Examination:
        digest, coverage = hashlib.blake2b(digest_size=32), Counter[str]()
        calls = system.histories.calls(history, asks_reference(system.operations, reading))
        for name, text in dict.fromkeys((each.operation, each.text) for each in calls):
            operation = system.operation(name)
            assert operation is not None
            result = operation.answer(json.loads(text), reading)
            output = canonical_json(result.value) if isinstance(result, Output) else ""
            digest.update(f"{name}\n{output}\n".encode())
            coverage[f"asked:{name}"] += 1
            coverage[f"expected:{'output' if output else 'rejected'}"] += 1
        asked = {AGREES.name: sum(coverage.values()) // 2}
        nothing = {AGREES.name: 0}
        return Examination(
            digest=digest.digest(), checked=asked, vacuous=nothing, coverage=coverage, violations=()
        )

    for block in range(plan.blocks):
        summary.add(block, examine_block(plan, block, examine))
    return summary


@pytest.mark.parametrize("histories", [200, pytest.param(20_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("system", system_names())
def test_the_digest_is_the_same_with_and_without_and_by_the_reference_alone(
    system: str, histories: int
) -> None:
    readings = (system_named(system).default_reading,)
    plan = evolve(PLAN, system=system, readings=readings, histories=histories)
    with_it, without, alone = examined(plan), examined(plan, no_oracle=True), by_the_reference(plan)
    assert with_it.digest == without.digest == alone.digest
    calls = with_it.judged().asked
    assert answered(without) == (0, calls, 0)
    assert answered(with_it)[:2] == (calls, 0)
    assert calls / 200 < answered(with_it)[2] < calls / 50
    assert with_it.judged().exit_code == without.judged().exit_code == 0


def test_a_wrong_answer_of_the_oracle_is_a_fault_of_rejoin(
    alone: Summary, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The adapter does not agree with it, so that the reference judges, and finds the fault."""
    install(monkeypatch, MEMBERS, lambda _module: WRONG)
    result = examined()
    (wrong,) = result.found()
    assert (wrong.law, wrong.kind) == ("oracle-agrees", MEMBERS)
    assert wrong.times == result.counts("document", "coverage")[f"asked:{MEMBERS}"]
    assert '"wrong":true' in wrong.detail
    assert result.counts("document", "checked") == alone.counts("document", "checked")
    assert result.judged().exit_code == 5
    options = ["--histories", "2", "--seed", "3", "--reading", "document"]
    assert run(["fuzz", SYSTEM, "--adapter", str(PLAN.adapter), *options]) == 5
    said = capsys.readouterr().out
    assert '"wrong":true' in said
    assert "seed 3 --index 0 --profile default --reading document" in said
    assert "--adapter 'rejoin serve --oracle'" in said


def test_a_fault_that_the_adapter_shares_is_found_where_the_reference_checks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The module says that every reply agrees with what it answered."""
    install(monkeypatch, MEMBERS, lambda _module: WRONG, agree=lambda _answer, _reply: True)
    missed, found = examined(check_every=1_000_000), examined(check_every=1)
    assert missed.found() == []
    assert [each.kind for each in found.found()] == [MEMBERS]


@pytest.mark.parametrize(
    "changed", [{"answer": lambda module: module.panic_in_port()}, {"stale": True}]
)
def test_the_reference_answers_where_the_oracle_panics_or_knows_other_vectors(
    alone: Summary, changed: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, MEMBERS, **changed)
    oracle = oracle_of(SYSTEM)
    assert oracle is not None
    assert oracle.changed == ((MEMBERS,) if "stale" in changed else ())
    result = examined()
    assert answered(result)[1] == result.counts("document", "coverage")[f"asked:{MEMBERS}"] > 0
    assert result.digest == alone.digest


def test_it_answers_under_no_reading_that_it_does_not_declare() -> None:
    oracle = oracle_of(SYSTEM)
    assert oracle is not None
    assert oracle.answers(MEMBERS, "document")
    assert not oracle.answers(MEMBERS, "my_rule.py")
    assert not oracle.answers("history-merge/unheard-of", "document")
    assert oracle_of("toy") is None


def test_another_spelling_agrees_but_no_integer_that_the_port_cannot_hold() -> None:
    rows: list[tuple[JsonObject, str, bool]] = [
        ({"a": 1, "b": "é"}, '{"b": "\\u00e9", "a": 1}', True),
        ({"a": 1}, '{"a": 2}', False),
        ({"a": 1}, '{"a": 1.0}', False),
        ({"a": 1}, '{"a": 1, "a": 1}', False),
    ]
    for bits in (64, 126, 127, 128, 200):
        for known in (2**bits, -(2**bits)):
            for given in (known, known + 1, 2**300):
                same = known == given and bits < 127
                rows.append(({"a": known, "b": 0}, f'{{"b": 0, "a": {given}}}', same))
    oracle = oracle_of(SYSTEM)
    assert oracle is not None
    for value, reply, agrees in rows:
        answer = answer_of(Output(value))
        said = oracle.agree(7, answer, f'{{"output": {reply}, "id": 7}}'.encode())
        assert said is agrees, (value, reply)
        assert oracle.agree(7, answer, b'{"id":7' + answer)


def test_a_request_has_the_canonical_text_even_if_the_port_cannot_hold_it() -> None:
    oracle = oracle_of(SYSTEM)
    assert oracle is not None
    texts = ["", 'a"b\\c', "\b\t\n\f\r\x00\x1f\x7f", "\u00e9\u2028\uffff", "\U0001f600"]
    held: list[Any] = [{"b": [True, False, None, -1, 2**63 - 1], "a": {}}]
    held.append(dict.fromkeys(texts, texts))
    others: list[Any] = [{"a": 2**63}, {"a": "\ud800"}, {"a": 1.5}]
    for value in held:
        request, _ = oracle.ask(MEMBERS, "document", value)
        assert request == unnumbered(MEMBERS, "document", canonical_json(value))
    for value in others:
        asked = oracle.ask(MEMBERS, "document", value)
        assert asked == (unnumbered(MEMBERS, "document", canonical_json(value)), None)


def test_an_answer_can_take_more_memory_than_the_oracle_keeps() -> None:
    oracle, operation = oracle_of(SYSTEM), system_named(SYSTEM).operation("history-merge/diff")
    assert oracle is not None
    assert operation is not None
    names: list[Json] = [f"{number:06}" for number in range(200_000)]
    inputs: list[JsonObject] = [{"origin": names[:-1], "changed": names[1:]}]
    inputs.append({"origin": [], "changed": names[:1]})
    for given in inputs:
        _, answer = oracle.ask(operation.name, "document", given)
        assert answer == answer_of(operation.answer(given, "document"))


def test_the_doctor_finds_every_wrong_answer_to_the_corpus(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    uninstall(monkeypatch)
    assert run(["doctor", "--oracle"]) == 3
    assert "reference answers" in capsys.readouterr().out
    monkeypatch.undo()
    install(monkeypatch, MEMBERS, lambda _module: WRONG)
    checked = checked_oracle(system_named(SYSTEM))
    wrong = [each for each in load_system(SYSTEM) if each.operation == MEMBERS]
    assert {each.partition(" ")[0] for each in checked.wrong} == {each.id for each in wrong}
    assert checked.unsaid == 0
    assert checked.asked > len(checked.wrong) > 0
