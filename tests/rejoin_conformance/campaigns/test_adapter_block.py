"""A block of histories, asked of an adapter: differences are counted, and affect nothing else."""

from __future__ import annotations

import shlex
import sys
from functools import partial
from pathlib import Path

import pytest
from attrs import evolve

from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.campaigns import adapter_block, adapter_questions
from rejoin_conformance.campaigns.adapter_block import BREAKS_A_BLOCK, block_examiner
from rejoin_conformance.campaigns.adapter_questions import PATIENCE
from rejoin_conformance.campaigns.campaign import run_campaign
from rejoin_conformance.campaigns.child import Child
from rejoin_conformance.campaigns.findings.adapter_findings import (
    AdapterFinding,
    findings_of,
    write_vector,
)
from rejoin_conformance.campaigns.mutants.deciding import Decided
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.campaigns.tables import Tables
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.corpus.load import load_topic_file
from rejoin_conformance.kit.draw import Draw
from rejoin_conformance.kit.json_types import JsonObject
from support.plans import small_plan
from support.spreads import HERE
from support.toy_runs import TOY_ADAPTER, left_behind

HISTORIES = 12
LAW = "agrees-with-reference"
TRIGGER = 14
"""The number on which the toy adapter is broken."""


pytestmark = pytest.mark.usefixtures("only_toy")


def plan_of(mode: str, traces: Path, timeout: int = 30) -> Plan:
    traces.mkdir(exist_ok=True)
    command = shlex.join([sys.executable, "-IS", str(TOY_ADAPTER), mode, str(traces)])
    more = {"profile": "default", "adapter": command, "timeout": timeout}
    return small_plan("toy", HISTORIES, **more)


ANSWERS = """
import json, sys
for line in sys.stdin:
    asked, said = json.loads(line), {'type': 'hello', 'protocol': 1, 'name': 'x'}
    said['operations'] = ['toy/halve']
    if asked['type'] == 'bye': break
    if asked['type'] == 'run':
        number = asked['input']['number']
        ANSWER
    print(json.dumps(said), flush=True)
"""


def with_answers(folder: Path, *lines: str) -> Plan:
    """Return a plan whose adapter answers by some lines of Python."""
    script = folder / "adapter.py"
    script.write_text(ANSWERS.replace("ANSWER", "\n        ".join(lines)))
    command = shlex.join([sys.executable, "-IS", str(script)])
    return evolve(plan_of("sound", folder / "traces"), adapter=command)


def numbers() -> list[int]:
    """Return the numbers that the histories of the plan ask to halve, each once per history."""
    drawn = []
    for index in range(HISTORIES):
        draw = Draw(history_seed(1, "toy", "default", index))
        drawn += [*{draw.below(40) for _ in range(8)}]
    return drawn


def odd() -> int:
    """Return how many of these numbers the toy system refuses."""
    return sum(number % 2 for number in numbers())


def child_of(plan: Plan) -> Child:
    return Child(partial(block_examiner, plan), plan.bounds)


def examined(plan: Plan) -> Summary:
    return run_campaign(plan, HERE)


def found(plan: Plan) -> list[AdapterFinding]:
    return list(findings_of(plan, examined(plan)))


def kinds(result: Summary) -> dict[str, int]:
    return {each.kind: each.times for each in result.found()}


def test_the_trigger_is_among_the_numbers() -> None:
    assert 3 <= numbers().count(TRIGGER) < BREAKS_A_BLOCK


def test_a_sound_adapter_agrees_on_every_call_that_it_declares(tmp_path: Path) -> None:
    result = examined(plan_of("sound", tmp_path / "traces"))
    assert kinds(result) == {}
    assert result.counts("strict", "checked") == {LAW: len(numbers())}
    assert result.counts("strict", "vacuous") == {LAW: len(numbers())}
    assert result.counts("strict", "coverage") == {
        "asked:toy/halve": len(numbers()),
        "not-declared:toy/double": len(numbers()),
        "expected:rejected": odd(),
        "expected:output": len(numbers()) - odd(),
    }
    assert left_behind(tmp_path / "traces") == []


@pytest.mark.parametrize(
    ("mode", "way"),
    [
        ("wrong-output", "wrong-output half too large"),
        ("control-characters", "wrongly-rejected"),
        ("refuses-what-it-declared", "error"),
        ("exits", "crash"),
        ("no-result", "protocol-error"),
        ("hangs", "timeout"),
        ("accepts-everything", "wrongly-accepted odd"),
    ],
)
def test_a_broken_call_is_one_difference_and_costs_nothing_else(
    mode: str, way: str, tmp_path: Path
) -> None:
    timeout = 1 if mode == "hangs" else 30
    result = examined(plan_of(mode, tmp_path / "traces", timeout))
    times = odd() if mode == "accepts-everything" else numbers().count(TRIGGER)
    assert kinds(result) == {f"toy/halve {way}": times}
    assert result.counts("strict", "checked") == {LAW: len(numbers())}
    assert left_behind(tmp_path / "traces") == []


def test_strict_codes_compare_the_code_of_each_rejection(tmp_path: Path) -> None:
    """The toy system refuses odd numbers with the code `odd`."""
    wrong = {"toy/halve wrong-reason odd": odd()}
    for mode, names, differences in (
        ("sound", {}, wrong),
        ("gives-codes", {}, wrong),
        ("gives-codes", {"toy": {"E_ODD": ("even", "odd")}}, {}),
    ):
        plan = evolve(plan_of(mode, tmp_path / "traces"), strict_codes=True, codes=names)
        assert kinds(examined(plan)) == differences, (mode, names)
        assert Plan.from_json(plan.to_json()) == plan
    assert not {"strict_codes", "codes"} & plan_of("sound", tmp_path / "traces").to_json().keys()


def test_a_block_ends_its_questions_where_the_adapter_breaks_on_everything(tmp_path: Path) -> None:
    result = examined(with_answers(tmp_path, "said = '?'"))
    assert kinds(result) == {"toy/halve protocol-error": BREAKS_A_BLOCK}
    assert BREAKS_A_BLOCK % PATIENCE == 0
    assert (
        result.counts("strict", "coverage")["not-asked:adapter-broke"]
        == len(numbers()) - BREAKS_A_BLOCK
    )


def test_known_breaks_of_the_adapter_hide_no_other_difference(tmp_path: Path) -> None:
    """The adapter ends on every odd number, and is wrong about one even number."""
    plan = with_answers(
        tmp_path,
        "if number % 2: break",
        f"said = {{'id': asked['id'], 'output': {{'half': number // 2 + (number == {TRIGGER})}}}}",
    )
    assert "toy/halve wrong-output half too large" not in kinds(examined(plan))
    known = examined(evolve(plan, known=("toy/halve crash",)))
    wrong = {"toy/halve wrong-output half too large": numbers().count(TRIGGER)}
    assert kinds(known) == {"toy/halve crash": odd()} | wrong
    assert [each.kind for each in known.failures()] == [*wrong]
    judged = known.judged(allow_restarts=True)
    assert (judged.asked, judged.left_out, judged.broken) == (len(numbers()), 0, 1)


def test_the_digest_covers_the_answers(tmp_path: Path) -> None:
    modes = ("sound", "wrong-output", "exits", "control-characters")
    results = [examined(plan_of(mode, tmp_path / mode)) for mode in modes]
    assert len({result.digest for result in results}) == len(modes)


def results(tables: Tables) -> Tables:
    """Return the rows of a block without its times."""
    return {**tables, "blocks": [{"digest": tables["blocks"][0]["digest"]}]}


def test_the_digest_is_the_same_whatever_process_answered(tmp_path: Path) -> None:
    """One adapter for each block, or one for all blocks: the output is the same."""
    plan = plan_of("exits", tmp_path / "traces")
    with child_of(plan) as child:
        first, second = (results(child.examine(0)), results(child.examine(0)))
    with child_of(plan) as child:
        assert first == second == results(child.examine(0))


def test_one_process_answers_block_after_block(tmp_path: Path) -> None:
    """But for the first block, which ends its process, because the end is judged too."""
    with child_of(plan_of("sound", tmp_path / "traces")) as child:
        for block in (0, 0, 0):
            child.examine(block)
    assert len(list((tmp_path / "traces").iterdir())) == 2
    assert left_behind(tmp_path / "traces") == []


def test_answers_that_needed_another_process_are_counted(tmp_path: Path) -> None:
    plan = plan_of("answers-one-and-exits", tmp_path / "traces")
    result = examined(plan)
    assert kinds(result) == {}
    assert result.restarts > 10
    assert result.first_restart == "toy/halve: it ended with exit code 0"
    assert result.to_json()["restarts"] == result.restarts


def test_a_process_that_answers_well_and_ends_badly_fails_the_campaign(tmp_path: Path) -> None:
    good = plan_of("sound", tmp_path / "traces")
    bad = evolve(good, adapter=shlex.join(["sh", "-c", f"{good.adapter}; exit 3"]))
    results = examined(good), examined(bad)
    assert [(each.judged().exit_code, each.restarts) for each in results] == [(0, 0), (1, 1)]
    assert "exit code 3" in str(results[1].first_restart)


def test_an_adapter_that_answers_nothing_in_time_ends_the_campaign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adapter_block, "BREAKS_A_BLOCK", 2)
    monkeypatch.setattr(adapter_questions, "PATIENCE", 2)
    with pytest.raises(AdapterUnusableError, match="answered none of 2 requests in time"):
        examined(evolve(plan_of("answers-nothing", tmp_path / "traces"), timeout=1))


def test_an_adapter_that_answers_some_calls_in_time_ends_no_campaign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adapter_block, "BREAKS_A_BLOCK", 2)
    hangs = with_answers(
        tmp_path,
        "if number % 2 == 0: import time; time.sleep(600)",
        "said = {'id': asked['id'], 'rejected': {}}",
    )
    result = examined(evolve(hangs, timeout=1))
    assert kinds(result).keys() == {"toy/halve timeout"}
    assert result.failures()


def test_a_program_that_is_not_an_adapter_ends_the_campaign(tmp_path: Path) -> None:
    with pytest.raises(AdapterUnusableError, match="ended with exit code 5"):
        examined(plan_of("exits-before-hello", tmp_path / "traces"))


HALF = Decided(clauses=("TOY-HALF",), by="knock-outs")


@pytest.mark.parametrize(
    ("mode", "number", "expected"),
    [
        ("wrong-output", TRIGGER, {"output": {"half": 7}}),
        ("exits", TRIGGER, {"output": {"half": 7}}),
        ("accepts-everything", 7, {"rejected": {}}),  # it stays refused while it becomes smaller
        ("rejects-everything", 0, {"output": {"half": 0}}),
    ],
)
def test_a_class_of_differences_becomes_one_minimal_vector(
    mode: str, number: int, expected: JsonObject, tmp_path: Path
) -> None:
    plan = plan_of(mode, tmp_path / "traces")
    (finding,) = found(plan)
    (vector,) = load_topic_file(write_vector(plan, finding, HALF, tmp_path / "found"))
    assert vector.operation == "toy/halve"
    assert vector.input == {"number": number}
    assert vector.expected == {"strict": expected}
    assert vector.clauses == ("TOY-HALF",)


def test_the_number_of_tries_limits_the_search(tmp_path: Path) -> None:
    plan = plan_of("wrong-output", tmp_path / "traces")
    tries: list[int] = []
    summary = examined(plan)
    (finding,) = findings_of(plan, summary, lambda *those: tries.extend(those[1:2]), most=3)
    assert finding.outcome is not None
    assert (set(tries), len(tries) <= 3 + 4) == ({3}, True)


def test_what_does_not_show_again_is_said_to_be_so(tmp_path: Path) -> None:
    plan = plan_of("wrong-output", tmp_path / "traces")
    summary = examined(plan)
    steady = plan_of("sound", tmp_path / "traces")
    (finding,) = findings_of(steady, summary)
    assert finding.outcome is None
