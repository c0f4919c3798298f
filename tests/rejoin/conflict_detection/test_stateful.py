"""Clients that do whatever Hypothesis thinks of, in both designs; the laws are invariants."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from rejoin import conflict_detection as cd
from rejoin.conflict_detection import map_conflict_resolution, overwrite_and_conflict
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.actions import NICKNAMES
from rejoin_conformance.systems.conflict_detection.examine import Session, new_session
from rejoin_conformance.systems.conflict_detection.laws import LAWS
from rejoin_conformance.systems.conflict_detection.laws_clients import check_end

FIRST_CLIENTS = 3
ALL_CLIENTS = 5
CLIENT = st.integers(0, ALL_CLIENTS - 1)
PATH = st.sampled_from(["foo", "foo", "bar"])
PICK = st.integers(0, 7)


class Clients(RuleBasedStateMachine):
    """A history that Hypothesis creates event by event, and shortens if it breaks a law."""

    reading: cd.Reading = cd.REPAIRED

    def __init__(self) -> None:
        super().__init__()
        self.session: Session = new_session(self.reading, FIRST_CLIENTS)
        self.joined = FIRST_CLIENTS
        self.texts = 0
        self.events: list[JsonObject] = []

    def take(self, client: int, **fields: Json) -> None:
        event: JsonObject = {"client": NICKNAMES[client], **fields}
        self.events.append(event)
        self.session.take(event)

    def text(self) -> str:
        """A text that nobody wrote before."""
        self.texts += 1
        return str(self.texts)

    @initialize(in_sync=st.booleans())
    def begin(self, *, in_sync: bool) -> None:
        if in_sync:
            self.take(0, file="foo", edit=self.text())
            for client in range(1, FIRST_CLIENTS):
                self.take(client, poll_all=NICKNAMES[0])

    @rule(client=CLIENT, path=PATH)
    def edit(self, client: int, path: str) -> None:
        self.take(client, file=path, edit=self.text())

    @rule(client=CLIENT, other=CLIENT, path=PATH)
    def poll(self, client: int, other: int, path: str) -> None:
        if other != client:
            self.take(client, file=path, poll=NICKNAMES[other])

    @rule(client=CLIENT, other=CLIENT)
    def poll_all(self, client: int, other: int) -> None:
        if other != client:
            self.take(client, poll_all=NICKNAMES[other])

    @rule(client=CLIENT, path=PATH, pick=PICK, rewritten=st.booleans())
    def resolve(self, client: int, path: str, pick: int, *, rewritten: bool) -> None:
        text = {"text": self.text()} if rewritten else {}
        self.take(client, file=path, resolve_held=True, pick=pick, **text)

    @rule(client=CLIENT, path=PATH, pick=PICK, what=st.sampled_from(["touch", "discard", "move"]))
    def do_something_beside(self, client: int, path: str, pick: int, what: str) -> None:
        if what == "touch":
            self.take(client, file=path, touch=self.text(), pick=pick)
        elif what == "discard":
            self.take(client, file=path, discard=True, pick=pick)
        else:
            self.take(client, file=path, move=path, pick=pick)

    @rule(client=CLIENT, path=PATH)
    def delete(self, client: int, path: str) -> None:
        self.take(client, file=path, delete=True)

    @rule(client=CLIENT, path=PATH)
    def undelete(self, client: int, path: str) -> None:
        self.take(client, file=path, undelete=self.text())

    @rule(client=CLIENT)
    def rename(self, client: int) -> None:
        self.take(client, file="foo", rename="bar")

    @rule(client=CLIENT)
    def go_offline(self, client: int) -> None:
        self.take(client, offline=True)

    @rule(client=CLIENT)
    def come_back(self, client: int) -> None:
        self.take(client, online=True)

    @precondition(lambda self: self.joined < ALL_CLIENTS)
    @rule(with_files=st.booleans())
    def join(self, *, with_files: bool) -> None:
        self.take(self.joined, join={"foo": self.text()} if with_files else {})
        self.joined += 1

    @rule(client=CLIENT, other=CLIENT)
    def unsubscribe(self, client: int, other: int) -> None:
        self.take(client, unsubscribe=NICKNAMES[other])

    @rule(client=CLIENT, other=CLIENT)
    def subscribe(self, client: int, other: int) -> None:
        self.take(client, subscribe=NICKNAMES[other])

    @rule()
    def collect(self) -> None:
        self.session.take({"collect_garbage": True})

    @invariant()
    def every_claimed_law_holds(self) -> None:
        claimed = {law.name for law in LAWS if self.reading.name in law.claimed_by}
        broken = [each for each in self.session.ledger.violations if each.law in claimed]
        assert not broken, f"{broken[0].law}: {broken[0].detail} after {self.events}"

    def teardown(self) -> None:
        self.session.settle()
        check_end(self.session.judges[0])
        check_end(self.session.judges[1])
        self.every_claimed_law_holds()


class LiteralClients(Clients):
    """The same under the literal reading, which claims less."""

    reading = cd.LITERAL


TestClients = Clients.TestCase
TestClients.settings = settings(max_examples=120, stateful_step_count=40)
TestLiteralClients = LiteralClients.TestCase


def machine_fails() -> str:
    """Return the machine's failure message; the search is long, so it is not shortened."""
    searching = settings(max_examples=400, phases=[Phase.generate])
    with pytest.raises(AssertionError) as failure:
        run_state_machine_as_test(Clients, settings=searching)
    return str(failure.value)


def test_the_machine_finds_a_resolution_that_forgets(monkeypatch: pytest.MonkeyPatch) -> None:
    def first_only(maps: Iterable[dict[str, int]]) -> dict[str, int]:
        return dict(next(iter(maps)))

    monkeypatch.setattr(map_conflict_resolution, "join", first_only)
    assert "after [" in machine_fails()


def test_the_machine_finds_a_walk_that_fetches_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    real = overwrite_and_conflict.walk

    def twice(known: Any, parents_of: Any, start: Iterable[Any]) -> Any:
        found = real(known, parents_of, start)
        for each in found.downloaded:
            parents_of(each)
        return found

    monkeypatch.setattr(overwrite_and_conflict, "walk", twice)
    assert machine_fails().startswith("walk-once")
