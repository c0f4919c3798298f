"""Run a history on the reference: its clients, the swarm, the network between them.

Besides the reference's values, a run records facts that do not depend on the reference: the parents
of each message, the changes of each message with their values, and the injections.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_
from typing import Any, Final, TypeAlias

from attrs import define, evolve, field, frozen

from rejoin import config_merge as cm
from rejoin_conformance.contract.rows import action_of
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.actions import BY_KEY, EVENTS, Stage
from rejoin_conformance.systems.config_merge.changes import Change, changed, changes_between
from rejoin_conformance.systems.config_merge.injections import INJECTIONS, Injection, Target, sealed
from rejoin_conformance.systems.config_merge.records import History, Kept, Pushed, Record, Resolved

NO_DATA: Final[Mapping[bytes, Any]] = {}
NO_FIELDS: Final[Mapping[str, Any]] = {}

Fields: TypeAlias = Mapping[str, Any]
"""The fields of an action in Python."""


@frozen
class Done:
    """An action that was carried out. key: of its row. made: what the function of the row returned.

    before: the client before it, if a client acted. stored: what its side of the swarm stored.
    """

    key: str
    client: str
    fields: Fields
    before: cm.Client | None
    stored: Mapping[bytes, bytes]
    made: Any


@define
class Run(Stage):
    """A history that is running or has run; `begun` begins one.

    history: the history, with the N of the reading if the reading fixes it.
    applied: the settings of each client, with the N that applies. shown: the data that each
    application should see if it has an edit that is not pushed. standing: for each client, the
    record of its head, or the records that the head merges. records: in the order in which their
    messages were made, with the unpushed merges that a client resolved (CM-E72). sent: the indices
    of those that were sent, in this order. by_rank: rank -> index of a record. opened: name -> each
    ciphertext that a client opened. rows: the lagged rows of the opened messages, by prefix; equal
    rows are parsed once. injected: name -> each injection, and the record from which it was made.
    rounds: the number of rounds of the final exchange. quiet: whether the exchange ended because
    nothing changed any longer.
    """

    history: History = field(kw_only=True)
    reading: cm.Reading = field(kw_only=True)
    applied: dict[str, cm.Settings] = field(kw_only=True)
    shown: dict[str, Mapping[bytes, Any] | None] = field(factory=dict)
    standing: dict[str, tuple[int, ...]] = field(factory=dict)
    records: list[Record] = field(factory=list)
    sent: list[int] = field(factory=list)
    by_rank: dict[cm.Rank, int] = field(factory=dict)
    opened: dict[bytes, cm.Opened] = field(factory=dict)
    rows: dict[bytes, cm.LaggedDiff] = field(factory=dict)
    injected: dict[bytes, Injection] = field(factory=dict)
    resolved: list[Resolved] = field(factory=list)
    pushed: list[Pushed] = field(factory=list)
    kept: list[Kept] = field(factory=list)
    counts: dict[str, int] = field(factory=dict)
    event: int = 0
    rounds: int = 0
    quiet: bool = False

    def perform(self, event: JsonObject) -> Done | None:
        """Carry out one event. Returns None if the reference refuses it, or if it has no effect."""
        row = action_of(EVENTS, event)
        name = str(event.get("client", ""))
        done = self.act(row.key, name, row.loaded(event, self.reading))
        self.event += 1
        return done

    def act(self, key: str, name: str = "", fields: Fields = NO_FIELDS) -> Done | None:
        """Carry out one action, as `perform` does. fields: in Python."""
        try:
            becomes = BY_KEY[key].becomes
            if becomes is not None:
                became = becomes(self, name, fields)
                if became is None:
                    return None
                key, fields = became
            before, stored = self.clients.get(name), self.stored_for(name)
            does = BY_KEY[key].does
            assert does is not None
            done = Done(key, name, fields, before, stored, does(self, name, fields))
        except cm.ConfigMergeError as error:
            self.count(f"{key}-{error.code}")
            return None
        match key:
            case "edit":
                edited = fields["edit"]
                self.shown[name] = None if edited == data_of(self.clients[name].head) else edited
            case "resolve":
                self._record_resolve(done)
            case "push":
                self._record_push(done)
            case "partition" if done.made:
                self.count("partition")
        return done

    def count(self, what: str) -> None:
        """Count one occurrence of `what`."""
        self.counts[what] = self.counts.get(what, 0) + 1

    def fetch(self, name: str, skip: int) -> bool:
        """Fetch from the client's side and return whether anything was new."""
        known = self.clients[name].known
        new = [
            self.open(each, ciphertext)
            for place, (each, ciphertext) in enumerate(self.stored_for(name).items())
            if each not in known and not skip >> (place & 15) & 1
        ]
        if new:
            self.clients[name] = cm.receive(self.clients[name], new)
            self.count("partial-fetch" if skip else "fetch")
        return bool(new)

    def open(self, name: bytes, ciphertext: bytes) -> cm.Opened:
        """Return the opened ciphertext, which is the same for every client and opened only once."""
        opened = self.opened.get(name)
        if opened is None:
            opened = cm.open_stored(ciphertext, self.settings, rows=self.rows)
            self.opened[name] = opened
            if not isinstance(opened.content, cm.ConfigMergeError):
                self.rows.update(cm.rows_by_prefix(opened.content.lagged))
        return opened

    def seen(self, name: str) -> Mapping[bytes, Any]:
        """Return the data that an application should see."""
        shown = self.shown.get(name)
        return data_of(self.clients[name].head) if shown is None else shown

    def edit_of(self, name: str, fields: Fields) -> tuple[str, Fields]:
        """Return the edit that changes of data become."""
        return "edit", {"edit": changed(self.seen(name), fields["changes"])}

    def store_of(self, _: str, fields: Fields) -> tuple[str, Fields] | None:
        """Return the ciphertext that an injection becomes, made from an existing message."""
        if not self.sent:
            return None
        kind, salt = fields["inject"], fields["salt"]
        record = self.target(fields["target"])
        sent = [self.records[index] for index in reversed(self.sent)]
        others = [each.message for each in sent if each is not record]
        settings = next(iter(self.applied.values()))
        target = Target(record.message, record.ciphertext, others, settings)
        injection = INJECTIONS[kind](target, salt)
        self.count(kind)
        self._record_injection(kind, injection, record)
        made = {"store_raw": injection.ciphertext, "side": salt}
        return "store_raw", {**made, "injection": injection, "target": record}

    @property
    def head(self) -> cm.Message | None:
        """Return the head of the first client."""
        return next(iter(self.clients.values())).head

    @property
    def heads(self) -> set[bytes | None]:
        """Return the different heads of the clients, encoded."""
        heads = [client.head for client in self.clients.values()]
        return {None if head is None else head.encoded for head in heads}

    def records_of(self, messages: Iterable[cm.Message]) -> list[Record]:
        """Return the records of messages."""
        return [self.records[self.by_rank[message.row.rank]] for message in messages]

    def with_ancestors(self, records: Iterable[Record]) -> list[Record]:
        """Return these records and all their ancestors, in the order in which they were made."""
        mask = reduce(or_, [record.mask for record in records], 0)
        return [record for record in self.records if mask >> record.index & 1]

    def target(self, back: int) -> Record:
        """Return the record that an injection counts back to from the newest that was sent."""
        return self.records[self.sent[-1 - back % len(self.sent)]]

    def exchange(self) -> None:
        """Repair the network, then let all clients fetch, resolve and push until nothing changes.

        In each round all clients resolve before any client pushes, so their pushes race.
        """
        self.event = -1
        self.act("heal")
        self.act("deliver")
        while self.rounds < 2 * self.history.clients + 4:
            self.rounds += 1
            news = [self._made("fetch", name) for name in self.clients]
            for name, new in zip(self.clients, news, strict=True):
                if new or self.rounds == 1:
                    self.act("resolve", name)
            pushes = [self._made("push", name) for name in self.clients]
            if not any(news) and not any(pushes):
                self.quiet = True
                return

    def _made(self, key: str, name: str) -> bool:
        done = self.act(key, name)
        return done is not None and bool(done.made)

    def _record_resolve(self, done: Done) -> None:
        """Record a resolve, and its effect on an edit that the client has not pushed."""
        name, before, resolution = done.client, done.before, done.made
        if resolution is None or before is None:
            return
        after = self.clients[name]
        own = [self._record_unpushed(name, each) for each in cm.unpushed_merge_added(before)]
        known = {**{each.name: each.message for each in own}, **after.known}
        self.resolved.append(Resolved(self.event, name, known, resolution, self.applied[name]))
        if resolution.message not in [each.message for each in own]:
            heads = resolution.survivors if resolution.merged else (resolution.message,)
            self.standing[name] = tuple([each.index for each in self.records_of(heads)])
        shown = self.shown.get(name)
        if shown is not None and after.head is not None:
            edits = changes_between(data_of(before.head), shown)
            expected = changed(after.head.data, edits)
            seen = after.data
            self.kept.append(Kept(self.event, name, expected, seen))
            self.shown[name] = None if seen == after.head.data else seen

    def _record_unpushed(self, name: str, merge: cm.Message) -> Record:
        """Record a merge that a client resolves before it pushes it. Returns its record."""
        index = self._add(
            merge,
            sealed(merge.encoded, self.settings),
            kind="merge",
            by=name,
            parents=self.standing[name],
            honest=True,
            changes=(),
            sent=False,
        )
        return self.records[index]

    def _record_push(self, done: Done) -> None:
        """Record a push, and its message if it is new."""
        name, before, batch = done.client, done.before, done.made
        head = self.clients[name].head
        if batch is None or head is None or before is None:
            return
        shown, self.shown[name] = self.shown.get(name), None
        old = data_of(before.head)
        changes = () if shown is None else tuple(changes_between(old, shown))
        kind = "update" if before.head_is_stored else "merge-and-change"
        record = self._add(
            head,
            batch.store,
            kind="first" if before.head is None else "merge" if shown is None else kind,
            by=name,
            parents=self.standing.get(name, ()),
            honest=True,
            changes=changes,
        )
        self.standing[name] = (record,)
        self.pushed.append(
            Pushed(
                self.event,
                name,
                before,
                record,
                batch,
                intended=old if shown is None else shown,
                permitted="deletes_nothing" not in done.fields,
                was_stored=self.records[record].name in done.stored,
            )
        )
        if "delayed" in done.fields:
            self.count("delayed-push")

    def _record_injection(self, kind: str, injection: Injection, target: Record) -> None:
        name = cm.storage_id(injection.ciphertext)
        self.injected.setdefault(name, injection)
        content = self.open(name, injection.ciphertext).content
        if isinstance(content, cm.ConfigMergeError) or injection.truth == "known":
            return
        changes: tuple[Change, ...] = ()
        parents: tuple[int, ...] = (target.index,)
        if injection.truth == "follows":
            intended = changed(target.message.data, injection.changes)
            changes = tuple(changes_between(target.message.data, intended))
        elif injection.truth == "twin":
            changes, parents = target.changes, target.parents
        self._add(
            content,
            injection.ciphertext,
            kind=kind,
            by=None,
            parents=parents,
            honest=injection.truth in ("follows", "twin") and target.honest,
            changes=changes,
        )

    def _add(
        self, message: cm.Message, ciphertext: bytes, *, sent: bool = True, **facts: Any
    ) -> int:
        """Record a message and return the index of its record.

        If the message already has a record, the record stays as it is. A message made from a
        dishonest message is not honest. facts: kind, by, parents, honest and changes.
        """
        index = self.by_rank.get(message.rank, len(self.records))
        if sent and index not in self.sent:
            self.sent.append(index)
        if index < len(self.records):
            return index
        mask = 1 << index
        for parent in facts["parents"]:
            mask |= self.records[parent].mask
            facts["honest"] = facts["honest"] and self.records[parent].honest
        name = cm.storage_id(ciphertext)
        self.by_rank[message.rank] = index
        self.records.append(
            Record(index, message, ciphertext, name, mask=mask, event=self.event, **facts)
        )
        return index


def begun(history: History, reading: cm.Reading) -> Run:
    """Return a run of a history before its first event."""
    settings = history.settings(reading)
    window = cm.applied_window(history.window, reading)
    return Run(
        {name: cm.Client(each) for name, each in settings.items()},
        history=evolve(history, window=window),
        reading=reading,
        applied={name: evolve(each, window=window) for name, each in settings.items()},
    )


def run_history(history: History, reading: cm.Reading) -> Run:
    """Run a whole history, including the exchange at its end."""
    run = begun(history, reading)
    for event in history.events:
        run.perform(event)
    run.exchange()
    return run


def data_of(message: cm.Message | None) -> Mapping[bytes, Any]:
    """Return the data of a message; none has no data."""
    return NO_DATA if message is None else message.data
