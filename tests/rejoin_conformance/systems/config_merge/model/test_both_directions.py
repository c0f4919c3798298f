"""The reference does what the model does, and the model allows what the reference does.

Neither can drift from the other unseen: deliberate changes of both are found.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

import pytest

from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.model import Behaviour, CannotTranslateError, model_folder
from rejoin_conformance.model_checking.behaviours import every, simulated
from rejoin_conformance.model_checking.replaying import difference
from rejoin_conformance.model_checking.validate import Accepted, Refused, validated
from rejoin_conformance.systems.config_merge.histories import HISTORIES
from rejoin_conformance.systems.config_merge.model import MODEL, NOT_IN_THE_MODEL, TAKEN
from rejoin_conformance.systems.config_merge.records import History
from support.faults import faults_of, faulty

FOLDER = model_folder("config-merge")

BEYOND = {
    "the messages are merged in the order in which they came": "they come in the order of ranks",
    "keys after the signature are accepted": "the model's messages are no bytes",
    "a lagged diff takes its values from the lowest message that carries it": "rows are honest",
}
"""Mutants that the two directions cannot see, and why."""

ONLY = {
    "entries of newseqno - N are not replayed": "traces",
    "a merge keeps no unknown keys": "traces",
    "unknown keys are lost in parsing": "traces",
    "the survivors stay in the order in which they came": "behaviours",
}
"""Mutant -> the only direction in which this sample catches it. Both catch the others."""

MUTANT = faults_of("config-merge")
WITHIN = [name for name in MUTANT if name not in BEYOND]
SAMPLE = (("tiny", 30), ("racing", 11), ("default", 6))


@pytest.fixture(scope="module")
def behaviours() -> list[Behaviour]:
    return list(simulated(MODEL, FOLDER, "document", number=150, depth=24, seed=11))


def _histories() -> Iterator[History]:
    for profile, count in SAMPLE:
        for index in range(count):
            yield HISTORIES.generate(profile, history_seed(11, "config-merge", profile, index))


def _traces(histories: list[History], reading: str) -> dict[int, Behaviour]:
    """The traces of the histories that the model can say, by the number of the history."""
    traces = {}
    for number, history in enumerate(histories):
        with suppress(CannotTranslateError):
            traces[number] = MODEL.trace_of(history, reading)
    return traces


def test_the_reference_does_random_behaviours(behaviours: list[Behaviour]) -> None:
    steps = Counter(step.action for behaviour in behaviours for step in behaviour.steps)
    assert set(steps) == {"agree", "edit", "fetch", "resolve", "push", "network"}
    found = [difference(MODEL, behaviour, "document") for behaviour in behaviours]
    assert [each.text() for each in found if each is not None] == []


@pytest.mark.full_run("model of config merge")
def test_the_reference_does_random_behaviours_of_the_other_reading() -> None:
    made = simulated(MODEL, FOLDER, "libsession", number=40, depth=24, seed=12)
    found = [difference(MODEL, behaviour, "libsession") for behaviour in made]
    assert [each.text() for each in found if each is not None] == []


@pytest.mark.full_run("model of config merge")
def test_the_reference_does_every_short_behaviour() -> None:
    short = every(MODEL, FOLDER, "document", depth=8)
    assert len(short) > 500
    found = [difference(MODEL, behaviour, "document") for behaviour in short]
    assert [each.text() for each in found if each is not None] == []


def test_a_behaviour_is_a_history_that_keeps_the_laws(behaviours: list[Behaviour]) -> None:
    for behaviour in behaviours[:25]:
        history = MODEL.history_of(behaviour, "document")
        assert len(history.events) == len(behaviour.steps) - 1
        assert HISTORIES.examine(history, "document").violations == ()
        assert HISTORIES.from_json(HISTORIES.to_json(history)) == history


@pytest.mark.full_run("model of config merge")
def test_the_model_allows_what_the_reference_does_and_refuses_what_changed_ones_do() -> None:
    histories = list(_histories())
    told = _traces(histories, "document")
    assert len(told) > 0.8 * len(histories)
    traces = list(told.values())
    by_mutant: dict[str, list[int]] = {}
    for name in (name for name in WITHIN if ONLY.get(name) != "behaviours"):
        with faulty(MUTANT[name]):
            changed = list(islice(_changed(histories, told), 1))
        by_mutant[name] = list(range(len(traces), len(traces) + len(changed)))
        traces += changed
    verdicts = list(validated(MODEL, FOLDER, traces, "document"))
    assert verdicts[: len(told)] == [Accepted(trace=number) for number in range(len(told))]
    for name, numbers in by_mutant.items():
        assert numbers, f"no history shows: {name}"
        assert all(isinstance(verdicts[number], Refused) for number in numbers), name


def _changed(histories: list[History], told: dict[int, Behaviour]) -> Iterator[Behaviour]:
    """The traces that are other ones now."""
    for number, trace in told.items():
        now = MODEL.trace_of(histories[number], "document")
        if now != trace:
            yield now


@pytest.mark.full_run("model of config merge")
def test_the_model_allows_what_the_reference_does_in_the_other_reading() -> None:
    traces = list(_traces(list(islice(_histories(), 20)), "libsession").values())
    verdicts = list(validated(MODEL, FOLDER, traces, "libsession"))
    assert verdicts == [Accepted(trace=number) for number in range(len(traces))]


@pytest.mark.parametrize("name", [name for name in WITHIN if ONLY.get(name) != "traces"])
def test_a_changed_reference_does_not_do_the_model_s_behaviours(
    name: str, behaviours: list[Behaviour]
) -> None:
    with faulty(MUTANT[name]):
        assert any(difference(MODEL, each, "document") is not None for each in behaviours)


CHANGES = {
    "the higher hash comes first": (
        "Messages",
        "book[m].place < book[n].place",
        "book[m].place > book[n].place",
    ),
    "an update has no row of the current message": (
        "Messages",
        "Append(old.rows, current)",
        "old.rows",
    ),
    "the window of rows is one too wide": (
        "Messages",
        "LAMBDA n : Within(window, Seqno(book, n), newseqno)",
        "LAMBDA n : Within(window + 1, Seqno(book, n), newseqno)",
    ),
    "a push deletes nothing": (
        "ConfigMerge",
        r"(@ \cup {batch.store}) \ batch.delete",
        r"@ \cup {batch.store}",
    ),
}
"""Deliberate change of the model -> its module, and the text before and after."""


@pytest.mark.parametrize(("name", "before", "after"), CHANGES.values(), ids=CHANGES)
def test_a_changed_model_is_noticed(name: str, before: str, after: str, tmp_path: Path) -> None:
    for path in FOLDER.glob("*.tla"):
        shutil.copy(path, tmp_path)
    module = tmp_path / f"{name}.tla"
    text = module.read_text(encoding="utf-8")
    assert text.count(before) == 1
    module.write_text(text.replace(before, after), encoding="utf-8")
    made = simulated(MODEL, tmp_path, "document", number=15, depth=24, seed=13)
    assert any(difference(MODEL, each, "document") is not None for each in made)


def test_another_reading_is_not_what_the_model_says(behaviours: list[Behaviour]) -> None:
    unlike = "document+first_message_lags_zero=true"
    assert all(difference(MODEL, each, unlike) is not None for each in behaviours if _pushes(each))


def _pushes(behaviour: Behaviour) -> bool:
    return any(step.action == "push" for step in behaviour.steps)


@pytest.mark.parametrize("kind", NOT_IN_THE_MODEL)
def test_a_history_that_the_model_cannot_say_is_refused_with_a_reason(kind: str) -> None:
    for index in range(200):
        seed = history_seed(11, "config-merge", "adversarial", index)
        history = HISTORIES.generate("adversarial", seed)
        kinds = [event.get("inject") for event in history.events]
        first = next((each for each in kinds if each in NOT_IN_THE_MODEL), None)
        if first == kind:
            with pytest.raises(CannotTranslateError, match=NOT_IN_THE_MODEL[kind]):
                MODEL.trace_of(history, "document")
            return
    raise AssertionError(f"no history begins its lies with {kind}")


def test_an_invalid_message_that_a_client_takes_for_its_head_is_not_in_the_model() -> None:
    reasons = set()
    for index in range(40):
        history = HISTORIES.generate("default", history_seed(11, "config-merge", "default", index))
        try:
            MODEL.trace_of(history, "document")
            MODEL.trace_of(history, "libsession")
        except CannotTranslateError as error:
            reasons.add(str(error))
    assert TAKEN in reasons
