"""A history that exits, loops or eats memory is quarantined, and the rest is examined."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import NoReturn

import pytest

from rejoin_conformance.campaigns.adapter_block import block_examiner
from rejoin_conformance.campaigns.block import Quarantined
from rejoin_conformance.campaigns.campaign import run_campaign
from rejoin_conformance.campaigns.child import START, Child, Examine, Note, child_of_slot
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Bounds, Plan
from rejoin_conformance.kit.errors import IncompleteError
from support.plans import small_plan
from support.processes import descendants, processes, until
from support.spreads import HERE
from support.window_rule import window_rule

EARLY, LATE = (6, 4), (7, 176)
"""A largest seqno, and the first history of the campaign that comes to it."""
LOOP = "while True: pass"
BOUNDS = Bounds(history_timeout=60, max_memory=1)


def plan_of(
    body: str, where: tuple[int, int] = EARLY, histories: int = 0, bounds: Bounds = BOUNDS
) -> Plan:
    largest, index = where
    rule = window_rule(body, f"largest == {largest}")
    many = histories or index + 1
    return small_plan("config-merge", many, readings=("rule.py",), rule=rule, bounds=bounds)


@contextmanager
def _no_work(_note: Note) -> Iterator[Examine]:
    yield lambda _block, _left_out: {}


def child_of(plan: Plan, method: str = START) -> Child:
    return Child(partial(block_examiner, plan), plan.bounds, method=method)


def test_a_child_that_cannot_be_started_fails_with_its_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def start(_process: object) -> NoReturn:
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(f"multiprocessing.context.{START.title()}Process.start", start)
    with pytest.raises(BlockingIOError), child_of(plan_of("pass")) as child:
        child.examine(0)
    for _ in range(2):
        with pytest.raises(BlockingIOError), child_of_slot(0, _no_work, BOUNDS) as child:
            child.examine(0)


@pytest.mark.parametrize(
    ("body", "kind", "detail"),
    [
        ("os._exit(7)", "worker-died", "its process was ended with exit code 7"),
        ("raise SystemExit(3)", "worker-died", "its process was ended with exit code 3"),
        ("os.abort()", "worker-died", "its process was ended by SIGABRT"),
        (LOOP, "timeout", "no result within 2 seconds"),
        ("bytearray(2 << 30)", "memory", "it needs more than 1 GiB"),
    ],
)
def test_a_history_that_ends_its_process_is_quarantined(body: str, kind: str, detail: str) -> None:
    bounds = Bounds(history_timeout=2 if body == LOOP else 60, max_memory=1)
    summary = run_campaign(plan_of(body, bounds=bounds), HERE)
    (found,) = [each for each in summary.found() if each.law == "no-crash"]
    assert (found.kind, found.detail, found.index) == (kind, detail, EARLY[1])
    assert (found.times, found.claimed, summary.complete) == (1, True, True)
    assert summary.active_seconds() > 2 * (kind == "timeout")


def test_the_other_blocks_are_as_without_the_fault() -> None:
    sound, broken = (plan_of(body, LATE, BLOCK_SIZE + 1) for body in ("pass", "os._exit(7)"))
    with child_of(sound) as good, child_of(broken) as bad:
        assert digest_of(good, 0) != digest_of(bad, 0)
        assert digest_of(good, 1) == digest_of(bad, 1)


def digest_of(child: Child, block: int) -> object:
    return child.examine(block)["blocks"][0]["digest"]


def test_a_spawned_child_gives_the_same() -> None:
    """Systems other than Linux spawn the child."""
    plan = plan_of("os._exit(7)")
    with child_of(plan, "fork") as forked, child_of(plan, "spawn") as spawned:
        assert digest_of(forked, 0) == digest_of(spawned, 0)


def test_a_child_that_ends_before_any_history_is_a_failure_of_the_campaign() -> None:
    with (
        pytest.raises(IncompleteError, match="block 0: its process was ended with exit code 9"),
        Child(ends_at_once, BOUNDS) as child,
    ):
        child.examine(0)


def ends_at_once(*_: object) -> NoReturn:
    os._exit(9)


def test_each_history_of_a_block_can_be_quarantined() -> None:
    with Child(odd_ones_die, BOUNDS) as child:
        assert child.examine(0) == {1: "worker-died", 3: "worker-died"}


@contextmanager
def odd_ones_die(note: Note) -> Iterator[Examine]:
    def examine(_: int, left_out: Mapping[int, Quarantined]) -> dict[int, str]:
        for index in {0, 1, 2, 3} - left_out.keys():
            note.begin(index)
            if index % 2:
                os._exit(1)
        return {index: why.reason for index, why in left_out.items()}

    yield examine


def test_an_interruption_while_a_child_starts_stays_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(group: int) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr("rejoin_conformance.campaigns.child.Guard", interrupted)
    with pytest.raises(KeyboardInterrupt), child_of(small_plan("config-merge", 1)) as child:
        child.examine(0)


def test_the_progress_within_a_block_is_reported() -> None:
    told: list[tuple[int, int]] = []
    with Child(waits_and_dies, BOUNDS, lambda *numbers: told.append(numbers)) as child:
        child.examine(0)
    assert {(1, 0), (2, 0), (2, 1)} <= {*told}
    assert told == sorted(told), "it begins the block again, and the numbers do not go back"


@contextmanager
def waits_and_dies(note: Note) -> Iterator[Examine]:
    def examine(_: int, left_out: Mapping[int, Quarantined]) -> None:
        for index in sorted({0, 1} - left_out.keys()):
            note.begin(index)
            time.sleep(1.5)
            if index:
                os._exit(1)

    yield examine


def test_the_child_of_a_slot_is_kept_for_equal_work_only() -> None:
    numbers = [pid_in_slot("a"), pid_in_slot("a"), pid_in_slot("b")]
    assert numbers[0] == numbers[1] != numbers[2]
    assert numbers[2] in {each.pid for each in descendants(os.getpid())}
    with pytest.raises(ZeroDivisionError), child_of_slot("b", says_its_pid, BOUNDS):
        _ = 1 / 0
    assert not {*numbers} & {each.pid for each in processes()}


def pid_in_slot(key: str) -> int:
    with child_of_slot(key, says_its_pid, BOUNDS) as child:
        number = child.examine(0)
    assert isinstance(number, int)
    return number


@contextmanager
def says_its_pid(*_: object) -> Iterator[Examine]:
    yield lambda _block, _left_out: os.getpid()


def test_nothing_is_left_when_the_parent_is_killed() -> None:
    """Without a guard, a child in an endless loop would go on for ever."""
    parent = os.fork()
    if parent == 0:
        with child_of(plan_of(LOOP)) as child:
            child.examine(0)
        os._exit(0)
    until(lambda: len(descendants(parent)) == 2)
    started = {each.pid for each in descendants(parent)}
    os.kill(parent, signal.SIGKILL)
    os.waitpid(parent, 0)
    until(lambda: not started & {each.pid for each in processes()})
