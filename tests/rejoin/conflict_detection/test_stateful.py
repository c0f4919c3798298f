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
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.actions import NICKNAMES, ROWS, Action
from rejoin_conformance.systems.conflict_detection.examine import Session, new_session
from rejoin_conformance.systems.conflict_detection.laws import LAWS
from rejoin_conformance.systems.conflict_detection.laws_clients import check_end

FIRST_CLIENTS = 3
ALL_CLIENTS = 5
CLIENT = st.sampled_from(NICKNAMES[:ALL_CLIENTS])
PATH = st.sampled_from(["foo", "foo", "bar"])
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(("client", "poll", "poll_all", "subscribe", "unsubscribe"), CLIENT),
    **dict.fromkeys(("file", "rename", "move"), PATH),
    **dict.fromkeys(("edit", "touch", "undelete", "text", "change"), st.just("")),
    "pick": st.integers(0, 7),
    "join": st.just({}),
}
"""Field of an event -> its values; true for any other field. The machine writes the texts."""
OFTEN = {"edit": 3, "poll": 4, "poll_all": 3, "resolve_held": 3}
"""Event -> how many times as often as others it comes."""


def event_of(row: Action) -> st.SearchStrategy[JsonObject]:
    """Return a strategy for the events of a row."""
    fields: dict[Any, Any] = {name: FIELDS.get(name, st.just(value=True)) for name in row.fields}
    optional = {name: fields.pop(name) for name in [*fields] if name in row.phrase.optional}
    if "file" in optional:
        fields["file"] = optional.pop("file")
    return st.fixed_dictionaries(fields, optional=optional)


EVENTS = st.one_of(
    [
        event_of(row)
        for row in ROWS.values()
        if row.is_event and row.key != "join"
        for _ in range(OFTEN.get(row.key, 1))
    ]
)


class Clients(RuleBasedStateMachine):
    """A history that Hypothesis creates event by event, and shortens if it breaks a law."""

    reading: cd.Reading = cd.REPAIRED

    def __init__(self) -> None:
        super().__init__()
        self.session: Session = new_session(self.reading, FIRST_CLIENTS)
        self.joined = FIRST_CLIENTS
        self.texts = 0
        self.events: list[JsonObject] = []

    @initialize(in_sync=st.booleans())
    def begin(self, *, in_sync: bool) -> None:
        if in_sync:
            self.take({"client": "A", "file": "foo", "edit": ""})
            for client in NICKNAMES[1:FIRST_CLIENTS]:
                self.take({"client": client, "poll_all": "A"})

    @rule(event=EVENTS)
    def take(self, event: JsonObject) -> None:
        """Take an event; each of its texts is one that nobody wrote before."""
        if event.get("client") in (event.get("poll"), event.get("poll_all")):
            return
        self.texts += 1
        event = {name: str(self.texts) if value == "" else value for name, value in event.items()}
        self.events.append(event)
        self.session.take(event)

    @precondition(lambda self: self.joined < ALL_CLIENTS)
    @rule(with_file=st.booleans())
    def join(self, *, with_file: bool) -> None:
        files: JsonObject = {"foo": f"of {self.joined}"} if with_file else {}
        self.take({"client": NICKNAMES[self.joined], "join": files})
        self.joined += 1

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
