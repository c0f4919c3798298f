"""Random histories: drawn from profiles, run on the reference, delivered in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from rejoin.history_merge import DOCUMENT, LITERAL_NODES
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.json_types import canonical_json, strict_json
from rejoin_conformance.readings.in_force import Side, now, side_in_force
from rejoin_conformance.readings.rule_file import Rule
from rejoin_conformance.systems.history_merge import PROFILES
from rejoin_conformance.systems.history_merge.actions import POST_KINDS, Event, History, hear, post
from rejoin_conformance.systems.history_merge.drawing import member_names
from rejoin_conformance.systems.history_merge.histories import HISTORIES
from rejoin_conformance.systems.history_merge.laws_elements import expected_by_premise
from rejoin_conformance.systems.history_merge.run import Run, Views, run_history


def _run(*events: Event) -> Run:
    return run_history(History(events, probe=1), DOCUMENT)


def _runs(profile: str, count: int) -> Iterator[Run]:
    for seed in range(count):
        yield run_history(HISTORIES.generate(profile, seed), DOCUMENT)


@pytest.mark.parametrize("profile", PROFILES.weights)
def test_a_profile_keeps_its_numbers(profile: str) -> None:
    wanted = PROFILES.weights[profile]
    for seed in range({"long": 3, "large": 1}.get(profile, 30)):
        history = HISTORIES.generate(profile, seed)
        assert HISTORIES.generate(profile, seed) == history != HISTORIES.generate(profile, seed + 1)
        value = strict_json(canonical_json(HISTORIES.to_json(history)))
        assert isinstance(value, dict)
        assert HISTORIES.from_json(value) == history
        messages = run_history(history, DOCUMENT).messages
        low, high = wanted["posts"]
        assert low <= len(messages) <= high
        assert len({each.id for each in messages}) == len(messages)
        assert len({each.post["author"] for each in messages}) <= wanted["authors"][1]
        members = {name for each in messages for name in each.state}
        assert members <= {*member_names(wanted["members"][1])}


def test_profiles_differ_in_shape() -> None:
    heads: Counter[str] = Counter()
    twice: Counter[str] = Counter()
    for profile in ("tiny", "default", "adversarial", "racing"):
        runs = [*_runs(profile, 150)]
        heads[profile] = sum(len(run.merges.heads()) for run in runs)
        changed = [each for run in runs for each in run.operations.values()]
        twice[profile] = sum(min(len(each.additions), len(each.removals)) > 1 for each in changed)
        if profile == "default":
            assert {each.post["kind"] for run in runs for each in run.messages} == {*POST_KINDS}
            assert any(sum(not each.parents for each in run.messages) > 1 for run in runs)
            ids = [[each.id for each in run.messages] for run in runs]
            assert not any(each == sorted(each) for each in ids)
    assert heads["racing"] > heads["default"]
    assert twice["adversarial"] > twice["default"] > twice["tiny"]


FAULTS: tuple[Any, ...] = (
    {"events": [], "probe": "01"},
    {"events": [], "probe": "9" * 102},
    {"events": [{"hear": "A", "from": "B", "behind": -1}], "probe": "1"},
    {"events": [{**post("A", "m", "talk"), "more": 1}], "probe": "1"},
    {"events": [post("", "m", "talk")], "probe": "1"},
    {"events": [post("A", "m-1", "talk")], "probe": "1"},
    {"events": [post("A", "m", "join", ["B", "A"])], "probe": "1"},
    {"events": [post("A", "m", "talk"), post("B", "m", "talk")], "probe": "1"},
)


def test_what_is_not_a_history_is_refused() -> None:
    for fault in FAULTS:
        with pytest.raises(ValueError, match=r"\S"):
            HISTORIES.from_json(fault)


def test_the_latest_messages_can_be_late() -> None:
    views = Views()
    assert not views.hear("B", "A", 0)
    for _ in range(3):
        views.post("A")
    assert views.hear("B", "A", 1)
    assert views.seen["B"] == 0b011
    assert not views.hear("B", "A", 5)
    assert views.hear("B", "A", 0)
    assert views.seen["B"] == 0b111


def test_an_addition_concurrent_with_a_removal_breaks_the_premise() -> None:
    run = _run(
        post("A", "r", "found", ("A", "X")),
        hear("B", "A"),
        post("A", "p", "kick", ("X",)),
        post("A", "t", "join", ("Y",)),
        post("B", "q", "join", ("Y",)),
        post("A", "s", "kick", ("Y",)),
    )
    assert expected_by_premise(run, 0b1) == ({"A": True, "X": True}, [])
    assert expected_by_premise(run, 0b11) == ({"A": True, "X": False}, [])
    assert expected_by_premise(run, 0b01111) == ({"A": True, "X": False, "Y": True}, [])
    assert expected_by_premise(run, 0b11111) == ({"A": True, "X": False}, ["Y"])


FIRST_ONLY = """
from rejoin.history_merge.lcau import lca_u


def first_only(graph, a, b):
    return frozenset(sorted(lca_u(graph, a, b))[:1])


OVERRIDES = {"rejoin.history_merge.lcau.lca_u": first_only}
"""


def test_a_rule_for_a_literal_function_is_seen_in_histories_within_the_bound() -> None:
    posts = [post("A", f"{number:02d}", "talk") for number in range(LITERAL_NODES + 1)]
    histories = [HISTORIES.generate("default", seed) for seed in range(40)]
    assert not _run(*posts[1:]).merges.literal
    system = system_named("history-merge")
    with side_in_force(Side("rule.py", Rule("rule.py", FIRST_ONLY)), system) as (name, changed):
        assert _run(*posts[1:]).merges.literal
        assert not _run(*posts).merges.literal
        made = [now(system, history)[1] for history in histories]
        examined = [changed.histories.examine(each, name) for each in made]
    broken = {violation.law for each in examined for violation in each.violations}
    assert {"counters-count-once", "temporary-nodes-agree"} <= broken
