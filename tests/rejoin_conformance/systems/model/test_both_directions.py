"""The reference does what a system's model does, and the model allows what the reference does.

Neither can drift from the other unseen: deliberate changes of both are found.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pytest
from attrs import frozen

from rejoin.history_merge import DOCUMENT, HistoryMergeError
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.model import (
    AnyModel,
    Behaviour,
    CannotTranslateError,
    model_folder,
)
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.model_checking.behaviours import every, simulated
from rejoin_conformance.model_checking.replaying import difference
from rejoin_conformance.model_checking.validate import Accepted, Refused, validated
from rejoin_conformance.systems.config_merge.model import NOT_IN_THE_MODEL, TAKEN
from rejoin_conformance.systems.history_merge.actions import History, post
from rejoin_conformance.systems.history_merge.model import ids_of
from rejoin_conformance.systems.history_merge.run import run_history
from support.faults import faults_of, faulty


@frozen(kw_only=True)
class Samples:
    """What the two directions are tried with in a system.

    random: the number of random behaviours, their depth and their seed. actions: of all of them.
    short: the depth up to which the reference does all behaviours, and how many these are at least.
    histories: profile -> how many of its histories become traces.
    unlike: a reading that the model of the default reading refuses.
    beyond: the planted faults that neither direction can see, and why.
    only: planted fault -> the only direction in which this sample catches it.
    """

    random: tuple[int, int, int]
    actions: str
    short: tuple[int, int]
    histories: Mapping[str, int]
    unlike: str
    beyond: Mapping[str, str]
    only: Mapping[str, str]


NO_COST: Final = "the model fetches and keeps nothing that costs"
SAMPLES: Final = {
    "config-merge": Samples(
        random=(150, 24, 11),
        actions="agree edit fetch network push resolve",
        short=(8, 500),
        histories={"tiny": 30, "racing": 11, "default": 6},
        unlike="document+first_message_lags_zero=true",
        beyond={
            "the messages are merged in the order in which they came": "they come by their ranks",
            "keys after the signature are accepted": "the model's messages are no bytes",
            "a lagged diff takes its values from the lowest message that carries it": "all agree",
        },
        only={
            "entries of newseqno - N are not replayed": "traces",
            "a merge keeps no unknown keys": "traces",
            "unknown keys are lost in parsing": "traces",
            "the survivors stay in the order in which they came": "behaviours",
        },
    ),
    "conflict-detection": Samples(
        random=(120, 24, 11),
        actions="begin change come-back delete edit go-offline join poll poll-and-stop resolve"
        " subscribe undelete unsubscribe upload",
        short=(5, 800),
        histories={"default": 20, "racing": 8},
        unlike="literal",
        beyond={
            "a missing link never counts": "no sample",
            "nothing is purged": NO_COST,
            "a walk forgets where it was": NO_COST,
            "an upload is not counted": NO_COST,
            "leases are renewed for what is linked directly": NO_COST,
        },
        only={
            "conflict files stay when followed": "behaviours",
            "a link to a deletion stays": "behaviours",
            "only the current snapshot is cached": "behaviours",
            "of several resolved conflicts one counts": "traces",
        },
    ),
    "history-merge": Samples(
        random=(100, 40, 11),
        actions="accept merge post refuse refuse-redundant",
        short=(3, 2000),
        histories={"default": 25, "adversarial": 15, "racing": 10},
        unlike="document+fold_order=descending",
        beyond={
            "edges that are never virtual": "the model has no operational edges",
            "temporary nodes over one origin": "the model merges without temporary nodes",
            "a reduction that leaves all parents": "its histories are reduced from the start",
        },
        only={
            "a fold that forgets what it has merged": "behaviours",
            "a cache that keeps too much": "traces",
            "the last head decides": "traces",
        },
    ),
}
CHANGES: Final = {
    "config-merge": (
        ("Messages", "book[m].place < book[n].place", "book[m].place > book[n].place"),
        ("Messages", "Append(old.rows, current)", "old.rows"),
        ("Messages", "LAMBDA n : Within(window,", "LAMBDA n : Within(window + 1,"),
        ("ConfigMerge", r"(@ \cup {batch.store}) \ batch.delete", r"@ \cup {batch.store}"),
    ),
    "conflict-detection": (
        ("ConflictDetection", ">= earlier[client]", "+ 1 >= earlier[client]"),
        ("ConflictDetection", "[link EXCEPT ![client] = theirs]", "link"),
        ("ConflictDetection", r"held.by /\ held.version = version", "held.by"),
        ("ConflictDetection", "SameVersion(mine.seen[other], mine.version)", "TRUE"),
        ("ConflictDetection", r'first = "overwrite" /\ old.changed', "FALSE"),
    ),
    "history-merge": (
        ("HistoryMerge", r"(b \cup (a \ o)) \ (o \ a)", r"a \cup b"),
        (
            "HistoryMerge",
            r"list \o SelectSeq(ascending, LAMBDA m : m \notin Numbers(list))",
            "ascending",
        ),
        (
            "HistoryMerge",
            r'[] ~(messages[m].parents \subseteq seen[r]) -> "unknown-parent"',
            "",
        ),
    ),
}
"""Deliberate changes of a model: the module, and its text before and after."""

NAMES: Final = system_names()
FULLY: Final = [
    pytest.param(name, marks=pytest.mark.full_run(f"model of {name.replace('-', ' ')}"))
    for name in NAMES
]


def model_of(name: str) -> AnyModel:
    model = system_named(name).model
    assert model is not None
    return model


def default(name: str) -> str:
    return system_named(name).default_reading


def made(name: str, reading: str, folder: Path | None = None, **more: int) -> Iterator[Behaviour]:
    """Random behaviours of a model, or of the changed one in a folder."""
    number, depth, seed = SAMPLES[name].random
    settings = {"number": number, "depth": depth, "seed": seed, **more}
    return simulated(model_of(name), folder or model_folder(name), reading, **settings)


@cache
def behaviours(name: str) -> list[Behaviour]:
    """The random behaviours that several tests share."""
    return [*made(name, default(name))]


def differences(name: str, some: Iterable[Behaviour], reading: str) -> Iterator[str]:
    """Where the reference does otherwise."""
    found = (difference(model_of(name), each, reading) for each in some)
    return (each.text() for each in found if each is not None)


@cache
def histories(name: str) -> list[Any]:
    """The histories that become traces."""
    return [
        system_named(name).histories.generate(profile, history_seed(11, name, profile, index))
        for profile, count in SAMPLES[name].histories.items()
        for index in range(count)
    ]


def traces(name: str, reading: str) -> dict[int, Behaviour]:
    """The traces of the histories that the model can say, by the number of the history."""
    found = {}
    for number, history in enumerate(histories(name)):
        with suppress(CannotTranslateError, HistoryMergeError):
            found[number] = model_of(name).trace_of(history, reading)
    return found


def catching(direction: str, name: str) -> list[str]:
    """The planted faults that a direction must catch."""
    of = SAMPLES[name]
    assert faults_of(name).keys() >= of.beyond.keys() | of.only.keys()
    return [
        each
        for each in faults_of(name)
        if each not in of.beyond and of.only.get(each, direction) == direction
    ]


@pytest.mark.parametrize("name", NAMES)
def test_the_reference_does_random_behaviours(name: str) -> None:
    actions = {step.action for each in behaviours(name) for step in each.steps}
    assert actions == {*SAMPLES[name].actions.split()}
    assert [*differences(name, behaviours(name), default(name))] == []


@pytest.mark.full_run("model of config merge")
def test_the_reference_does_random_behaviours_of_the_other_reading() -> None:
    other = made("config-merge", "libsession", number=40, seed=12)
    assert [*differences("config-merge", other, "libsession")] == []


@pytest.mark.parametrize("name", FULLY)
def test_the_reference_does_every_short_behaviour(name: str) -> None:
    depth, number = SAMPLES[name].short
    short = every(model_of(name), model_folder(name), default(name), depth=depth)
    assert len(short) > number
    assert [*differences(name, short, default(name))] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_behaviour_is_a_history_that_keeps_the_laws(name: str) -> None:
    system, reading = system_named(name), default(name)
    claimed = {law.name for law in system.laws if reading in law.claimed_by}
    for behaviour in behaviours(name)[:40]:
        history: Any = model_of(name).history_of(behaviour, reading)
        assert system.histories.from_json(system.histories.to_json(history)) == history
        broken = {each.law for each in system.histories.examine(history, reading).violations}
        assert not broken & claimed
        if name != "history-merge":
            assert len(history.events) == len(behaviour.steps) - 1
            continue
        assert [each["post"] for each in history.events if "post" in each] == [*ids_of(behaviour)]
        states = [message.state for message in run_history(history, DOCUMENT).messages]
        after: list[Any] = [step.after for step in behaviour.steps if step.action == "post"]
        assert states == [each["state"] for each in after]


@pytest.mark.parametrize("name", FULLY)
def test_the_model_allows_what_the_reference_does_and_refuses_what_changed_ones_do(
    name: str,
) -> None:
    told = traces(name, default(name))
    assert len(told) > 0.8 * len(histories(name))
    unlike = [*traces(name, SAMPLES[name].unlike).values()]
    asked, by_fault = [*told.values(), *unlike], dict[str, range]()
    for fault in catching("traces", name):
        with faulty(faults_of(name)[fault]):
            now = traces(name, default(name)).items()
            changed = [*islice((each for at, each in now if each != told.get(at)), 2)]
        by_fault[fault] = range(len(asked), len(asked) + len(changed))
        asked += changed
    verdicts = [*validated(model_of(name), model_folder(name), asked, default(name))]
    assert verdicts[: len(told)] == [Accepted(trace=number) for number in range(len(told))]
    assert any(isinstance(each, Refused) for each in verdicts[len(told) :][: len(unlike)])
    for fault, numbers in by_fault.items():
        assert numbers, f"no history shows: {fault}"
        assert all(isinstance(verdicts[number], Refused) for number in numbers), fault


@pytest.mark.full_run("model of config merge")
@pytest.mark.parametrize(
    ("name", "reading"), [("config-merge", "libsession"), ("conflict-detection", "literal")]
)
def test_the_model_allows_what_the_reference_does_in_the_other_reading(
    name: str, reading: str
) -> None:
    told = [*islice(traces(name, reading).values(), 20)]
    verdicts = [*validated(model_of(name), model_folder(name), told, reading)]
    assert verdicts == [Accepted(trace=number) for number in range(20)]


@pytest.mark.parametrize("name", NAMES)
def test_a_changed_reference_does_not_do_the_model_s_behaviours(name: str) -> None:
    unseen = []
    for fault in catching("behaviours", name):
        with faulty(faults_of(name)[fault]):
            unseen += [] if any(differences(name, behaviours(name), default(name))) else [fault]
    assert unseen == []


@pytest.mark.parametrize("name", FULLY)
def test_a_changed_model_is_noticed(name: str, tmp_path: Path) -> None:
    for place, (module, before, after) in enumerate(CHANGES[name]):
        folder = tmp_path / f"{place}"
        shutil.copytree(model_folder(name), folder)
        text = (folder / f"{module}.tla").read_text("utf-8")
        assert text.count(before) == 1, before
        (folder / f"{module}.tla").write_text(text.replace(before, after), "utf-8")
        assert any(differences(name, made(name, default(name), folder), default(name))), before


def test_a_history_that_a_model_cannot_say_is_refused_with_a_reason() -> None:
    reasons = set()
    config = system_named("config-merge").histories
    for profile, index in (
        (profile, at) for profile in ("adversarial", "default") for at in range(100)
    ):
        history = config.generate(profile, history_seed(11, "config-merge", profile, index))
        try:
            model_of("config-merge").trace_of(history, "libsession")
        except CannotTranslateError as error:
            reasons.add(f"{error}")
    assert reasons >= {*NOT_IN_THE_MODEL.values(), TAKEN}
    twice = History((post("A", "m", "talk", ()), post("A", "m", "talk", ())), probe=1)
    with pytest.raises(CannotTranslateError, match=r"posted twice, or .* '~': 'm'"):
        model_of("history-merge").trace_of(twice, "document")
