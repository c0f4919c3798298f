"""The reference does what the model does, and the model allows what the reference does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

import pytest
from attrs import frozen

from rejoin.history_merge import HistoryMergeError
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.model import Behaviour, CannotTranslateError, model_folder
from rejoin_conformance.model_checking.behaviours import every, simulated
from rejoin_conformance.model_checking.replaying import difference
from rejoin_conformance.model_checking.validate import Accepted, Refused, validated
from rejoin_conformance.systems.history_merge import READINGS
from rejoin_conformance.systems.history_merge.actions import History, post
from rejoin_conformance.systems.history_merge.histories import HISTORIES
from rejoin_conformance.systems.history_merge.model import MODEL, ids_of
from rejoin_conformance.systems.history_merge.run import run_history
from support.faults import faults_of, faulty

FOLDER = model_folder("history-merge")

BEYOND = {
    "edges that are never virtual": "the model has no operational edges",
    "temporary nodes over one origin": "the model merges without temporary nodes",
    "a reduction that leaves all parents": "the model's histories are reduced from the start",
}
"""Mutants of functions that the model says nothing about."""

DRIFT = {
    "of several origins only the first": "both",
    "a fold that forgets what it has merged": "behaviours",
    "no anti-chain check": "both",
    "a cache that keeps too much": "traces",
    "a refused message that stays": "both",
    "a message that is accepted twice": "both",
    "the last head decides": "traces",
    "a merge that never removes": "both",
    "a merge that favours one side": "both",
}
"""Changed rule of the reference -> the direction in which this sample catches it."""

MUTANT = faults_of("history-merge")


def test_every_mutant_is_in_the_table_or_beyond_the_model() -> None:
    assert set(MUTANT) == set(DRIFT) | set(BEYOND)


@pytest.fixture(scope="module")
def behaviours() -> list[Behaviour]:
    return list(simulated(MODEL, FOLDER, "document", number=100, depth=40, seed=11))


def _histories() -> Iterator[History]:
    for profile, count in (("default", 25), ("adversarial", 15), ("racing", 10)):
        for index in range(count):
            yield HISTORIES.generate(profile, history_seed(11, "history-merge", profile, index))


def test_the_reference_does_random_behaviours(behaviours: list[Behaviour]) -> None:
    steps = Counter(step.action for behaviour in behaviours for step in behaviour.steps)
    assert set(steps) == {"post", "accept", "refuse", "refuse-redundant", "merge"}
    found = [difference(MODEL, behaviour, "document") for behaviour in behaviours]
    assert [each.text() for each in found if each is not None] == []


@pytest.mark.full_run("model of history merge")
def test_the_reference_does_every_short_behaviour() -> None:
    short = every(MODEL, FOLDER, "document", depth=3)
    assert len(short) > 2000
    assert [each for each in short if difference(MODEL, each, "document") is not None] == []


def test_a_behaviour_is_a_history_with_the_same_messages(behaviours: list[Behaviour]) -> None:
    for behaviour in behaviours[:40]:
        posts = [step for step in behaviour.steps if step.action == "post"]
        history = MODEL.history_of(behaviour, "document")
        run = run_history(history, READINGS.named["document"])
        posted = [event["post"] for event in history.events if "post" in event]
        assert posted == [*ids_of(behaviour)]
        states = [message.state for message in run.messages]
        assert states == [_field(step.after, "state") for step in posts]
        assert HISTORIES.examine(history, "document").digest


def _field(observed: object, name: str) -> object:
    return observed[name]  # type: ignore[index]  # JSON of this shape


@pytest.mark.full_run("model of history merge")
def test_the_model_allows_what_the_reference_does_and_refuses_what_changed_ones_do() -> None:
    histories = list(_histories())
    traces = [MODEL.trace_of(history, "document") for history in histories]
    by_mutant: dict[str, list[int]] = {}
    for name in (name for name, caught in DRIFT.items() if caught != "behaviours"):
        with faulty(MUTANT[name]):
            changed = list(islice(_changed(histories, traces), 2))
        by_mutant[name] = list(range(len(traces), len(traces) + len(changed)))
        traces += changed
    verdicts = list(validated(MODEL, FOLDER, traces, "document"))
    accepted = [Accepted(trace=number) for number in range(len(histories))]
    assert verdicts[: len(histories)] == accepted
    for name, numbers in by_mutant.items():
        assert numbers, f"no history shows: {name}"
        assert all(isinstance(verdicts[number], Refused) for number in numbers), name


def _changed(histories: list[History], traces: list[Behaviour]) -> Iterator[Behaviour]:
    """The traces that are other ones now; a history that the code now refuses has none."""
    for history, trace in zip(histories, traces, strict=False):
        with suppress(HistoryMergeError):
            now = MODEL.trace_of(history, "document")
            if now != trace:
                yield now


@pytest.mark.parametrize("name", [name for name, caught in DRIFT.items() if caught != "traces"])
def test_a_changed_reference_does_not_do_the_model_s_behaviours(
    name: str, behaviours: list[Behaviour]
) -> None:
    with faulty(MUTANT[name]):
        found = [each for each in behaviours if difference(MODEL, each, "document") is not None]
    assert found


@frozen
class Change:
    """A deliberate change of the model."""

    name: str
    before: str
    after: str


CHANGES = (
    Change("merges are unions", r"(b \cup (a \ o)) \ (o \ a)", r"a \cup b"),
    Change(
        "a list is no fold order",
        r"list \o SelectSeq(ascending, LAMBDA m : m \notin Numbers(list))",
        "ascending",
    ),
    Change(
        "orphans are welcome",
        r'[] ~(messages[m].parents \subseteq seen[r]) -> "unknown-parent"',
        "",
    ),
)


@pytest.mark.full_run("model of history merge")
@pytest.mark.parametrize("change", CHANGES, ids=lambda each: str(each.name))
def test_a_changed_model_is_noticed(change: Change, tmp_path: Path) -> None:
    module = "HistoryMerge.tla"
    text = (FOLDER / module).read_text(encoding="utf-8")
    assert text.count(change.before) == 1
    changed = text.replace(change.before, change.after)
    (tmp_path / module).write_text(changed, encoding="utf-8")
    made = simulated(MODEL, tmp_path, "document", number=60, depth=40, seed=11)
    assert any(difference(MODEL, each, "document") is not None for each in made)


@pytest.mark.full_run("model of history merge")
def test_another_reading_is_not_what_the_model_says() -> None:
    traces = [MODEL.trace_of(each, "document+fold_order=descending") for each in _histories()]
    verdicts = list(validated(MODEL, FOLDER, traces, "document"))
    assert any(isinstance(each, Refused) for each in verdicts)


def test_a_history_that_the_model_cannot_say_is_refused_with_a_reason() -> None:
    twice = History((post("A", "m", "talk", ()), post("A", "m", "talk", ())), probe=1)
    with pytest.raises(CannotTranslateError, match=r"posted twice, or .* '~': 'm'"):
        MODEL.trace_of(twice, "document")
