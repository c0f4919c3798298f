"""Clients, a swarm and a network, driven by rules; the laws are invariants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from attrs import evolve
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from rejoin import config_merge as cm
from rejoin.config_merge import client_update_behaviour, conflict_resolution
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.changes import change_json
from rejoin_conformance.systems.config_merge.histories import examine_run
from rejoin_conformance.systems.config_merge.injections import INJECTIONS
from rejoin_conformance.systems.config_merge.laws import LAWS
from rejoin_conformance.systems.config_merge.records import History
from rejoin_conformance.systems.config_merge.run import Run, begun

CLIENTS = "ABC"
EXAMPLES = 120
KEYS = st.sampled_from([b"a", b"b", b"s"])
PATHS = st.lists(KEYS, min_size=1, max_size=3).map(tuple)
SCALARS = st.one_of(
    st.integers(-3, 3),
    st.sampled_from([b"", b"-", b"1", b"\xff"]),
    st.integers(-(2**63), 2**63 - 1),
)
CHANGES: st.SearchStrategy[JsonObject] = st.one_of(
    st.builds(change_json, st.sampled_from(["assign", "add", "discard"]), PATHS, SCALARS),
    st.builds(change_json, st.just("remove"), PATHS),
)
CLIENT = st.sampled_from(CLIENTS)


class ClientsAndSwarm(RuleBasedStateMachine):
    """A history that Hypothesis creates step by step, and shortens if it breaks a law."""

    reading = cm.DOCUMENT

    def __init__(self) -> None:
        super().__init__()
        self.run: Run | None = None
        self.events: list[JsonObject] = []
        self.heads: dict[tuple[frozenset[bytes], bool], bytes] = {}

    @initialize(window=st.integers(1, 6), signed=st.booleans(), readers=st.sampled_from(["", "C"]))
    def begin(self, window: int, readers: str, *, signed: bool) -> None:
        history = History(
            seed=7,
            clients=len(CLIENTS),
            window=window,
            signed=signed,
            readers=tuple(readers),
            events=(),
        )
        self.run = begun(history, self.reading)

    def perform(self, **event: Any) -> Run:
        assert self.run is not None
        self.run.perform(event)
        self.events.append(event)
        return self.run

    @rule(client=CLIENT, changes=st.lists(CHANGES, min_size=1, max_size=3))
    def edit(self, client: str, changes: list[JsonObject]) -> None:
        assert self.run is not None
        if self.run.history.can_sign(client):
            self.perform(client=client, changes=changes)

    @rule(client=CLIENT, delete=st.booleans(), delayed=st.booleans())
    def push(self, client: str, *, delete: bool, delayed: bool) -> None:
        mishaps = {"deletes_nothing": not delete, "delayed": delayed}
        happening = {name: True for name, happens in mishaps.items() if happens}
        self.perform(client=client, push=True, **happening)

    @rule(client=CLIENT, skip=st.sampled_from([0, 0, 0, 1, 0b10, 0b101]))
    def fetch(self, client: str, skip: int) -> None:
        self.perform(client=client, fetch=True, **({"skip": skip} if skip else {}))

    @rule(client=CLIENT)
    def resolve(self, client: str) -> None:
        self.perform(client=client, resolve=True)

    @rule(client=CLIENT)
    def catch_up(self, client: str) -> None:
        self.perform(client=client, fetch=True)
        self.perform(client=client, resolve=True)

    @rule(changes=st.lists(CHANGES, min_size=2, max_size=2))
    def race(self, changes: list[JsonObject]) -> None:
        for client in "AB":
            self.catch_up(client)
        for client, change in zip("AB", changes, strict=True):
            self.edit(client, [change])
            self.push(client, delete=True, delayed=False)

    @rule(far=st.lists(CLIENT, min_size=1, max_size=2, unique=True))
    def cut(self, far: list[str]) -> None:
        self.perform(partition=far)

    @rule()
    def mend(self) -> None:
        self.perform(heal=True)

    @rule()
    def deliver(self) -> None:
        self.perform(deliver=True)

    @rule(
        kind=st.sampled_from(sorted(INJECTIONS)),
        place=st.integers(0, 3),
        salt=st.integers(0, 2**16 - 1),
    )
    def inject(self, kind: str, place: int, salt: int) -> None:
        self.perform(inject=kind, target=place, salt=salt)

    @invariant()
    def clients_that_know_the_same_hold_the_same(self) -> None:
        if self.run is None:
            return
        for name, client in self.run.clients.items():
            try:
                _, resolution = cm.resolve_known(client)
            except cm.ConfigMergeError as error:
                if error.code != "seqno-exhausted":
                    raise
                continue
            if resolution is not None:
                can_sign = self.run.history.can_sign(name)
                seen = (frozenset(client.known), can_sign)
                head = self.heads.setdefault(seen, resolution.message.encoded)
                assert head == resolution.message.encoded

    @invariant()
    def every_head_is_valid_and_canonical(self) -> None:
        if self.run is None:
            return
        for client in self.run.clients.values():
            head = client.head
            if head is not None:
                settings_ = client.settings
                parsed = cm.parse_message(
                    head.encoded,
                    window=settings_.window,
                    reading=self.reading,
                    verify_key=settings_.verify_key,
                )
                assert parsed == head
                assert parsed.data == head.data

    @invariant()
    def an_application_sees_its_edit(self) -> None:
        if self.run is None:
            return
        for name, client in self.run.clients.items():
            expected: Any = self.run.shown.get(name)
            if expected is not None:
                assert client.data == expected

    def teardown(self) -> None:
        if self.run is not None:
            self.run.exchange()
            claimed = {law.name for law in LAWS if self.reading.name in law.claimed_by}
            examination = examine_run(self.run)
            broken = sorted({each.law for each in examination.violations} & claimed)
            assert not broken, f"{' and '.join(broken)} broken by {self.events}"


class ClientsAndSwarmOfTheLibrary(ClientsAndSwarm):
    """The same under the reading that describes the deployed library."""

    reading = cm.LIBSESSION


ClientsAndSwarm.TestCase.settings = settings(max_examples=EXAMPLES, stateful_step_count=40)
ClientsAndSwarmOfTheLibrary.TestCase.settings = settings(max_examples=60, stateful_step_count=40)

TestClientsAndSwarm = ClientsAndSwarm.TestCase
TestClientsAndSwarmOfTheLibrary = ClientsAndSwarmOfTheLibrary.TestCase


def test_the_machine_finds_a_merge_that_forgets_lagged_diffs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    right = conflict_resolution.merge

    def forgetful(survivors: Sequence[cm.Message], **keywords: Any) -> cm.Message:
        return right([evolve(survivor, lagged=()) for survivor in survivors], **keywords)

    for module in (client_update_behaviour, cm):
        monkeypatch.setattr(module, "merge", forgetful)
    laws = "ignored-exactly|no-lost-update|deletion-loses-nothing"
    with pytest.raises(AssertionError, match=rf"({laws}) .*broken by"):
        run_state_machine_as_test(
            ClientsAndSwarm,
            settings=settings(
                max_examples=EXAMPLES, stateful_step_count=40, phases=[Phase.generate]
            ),
        )
