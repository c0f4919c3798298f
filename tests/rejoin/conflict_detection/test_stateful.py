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
from rejoin_conformance.systems.conflict_detection.histories.events import (
    Collect,
    ComeBack,
    Delete,
    Discard,
    Edit,
    Event,
    GoOffline,
    Join,
    Move,
    Poll,
    PollAll,
    Rename,
    Resolve,
    Subscribe,
    Touch,
    Undelete,
    Unsubscribe,
)
from rejoin_conformance.systems.conflict_detection.histories.examine import Session, new_session
from rejoin_conformance.systems.conflict_detection.laws import LAWS

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
        self.events: list[Event] = []

    def take(self, event: Event) -> None:
        self.events.append(event)
        self.session.take(event)

    def text(self) -> int:
        """A text that nobody wrote before."""
        self.texts += 1
        return self.texts

    @initialize(in_sync=st.booleans())
    def begin(self, *, in_sync: bool) -> None:
        if in_sync:
            self.take(Edit(0, "foo", self.text()))
            for client in range(1, FIRST_CLIENTS):
                self.take(PollAll(client, 0))

    @rule(client=CLIENT, path=PATH)
    def edit(self, client: int, path: str) -> None:
        self.take(Edit(client, path, self.text()))

    @rule(client=CLIENT, other=CLIENT, path=PATH)
    def poll(self, client: int, other: int, path: str) -> None:
        self.take(Poll(client, other, path))

    @rule(client=CLIENT, other=CLIENT)
    def poll_all(self, client: int, other: int) -> None:
        self.take(PollAll(client, other))

    @rule(client=CLIENT, path=PATH, pick=PICK, rewritten=st.booleans())
    def resolve(self, client: int, path: str, pick: int, *, rewritten: bool) -> None:
        self.take(Resolve(client, path, pick, self.text() if rewritten else None))

    @rule(client=CLIENT, path=PATH, pick=PICK, what=st.sampled_from(["touch", "discard", "move"]))
    def do_something_beside(self, client: int, path: str, pick: int, what: str) -> None:
        if what == "touch":
            self.take(Touch(client, path, pick, self.text()))
        elif what == "discard":
            self.take(Discard(client, path, pick))
        else:
            self.take(Move(client, path, pick, path))

    @rule(client=CLIENT, path=PATH)
    def delete(self, client: int, path: str) -> None:
        self.take(Delete(client, path))

    @rule(client=CLIENT, path=PATH)
    def undelete(self, client: int, path: str) -> None:
        self.take(Undelete(client, path, self.text()))

    @rule(client=CLIENT)
    def rename(self, client: int) -> None:
        self.take(Rename(client, "foo", "bar"))

    @rule(client=CLIENT)
    def go_offline(self, client: int) -> None:
        self.take(GoOffline(client))

    @rule(client=CLIENT)
    def come_back(self, client: int) -> None:
        self.take(ComeBack(client))

    @precondition(lambda self: self.joined < ALL_CLIENTS)
    @rule(with_files=st.booleans())
    def join(self, *, with_files: bool) -> None:
        self.take(Join(self.joined, (("foo", self.text()),) if with_files else ()))
        self.joined += 1

    @rule(client=CLIENT, other=CLIENT)
    def unsubscribe(self, client: int, other: int) -> None:
        self.take(Unsubscribe(client, other))

    @rule(client=CLIENT, other=CLIENT)
    def subscribe(self, client: int, other: int) -> None:
        self.take(Subscribe(client, other))

    @rule()
    def collect(self) -> None:
        self.take(Collect())

    @invariant()
    def every_claimed_law_holds(self) -> None:
        claimed = {law.name for law in LAWS if self.reading.name in law.claimed_by}
        broken = [each for each in self.session.ledger.violations if each.law in claimed]
        assert not broken, f"{broken[0].law}: {broken[0].detail} after {self.events}"

    def teardown(self) -> None:
        self.session.settle()
        self.session.end()
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
