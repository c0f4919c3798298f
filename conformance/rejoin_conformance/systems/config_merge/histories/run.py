"""Run a history on the reference: its clients, the swarm, the network between them.

Besides the reference's values, a run records facts that do not depend on the reference: the parents
of each message, the changes of each message with their values, and the injections.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from attrs import define, evolve, field

from rejoin import config_merge as cm
from rejoin_conformance.systems.config_merge.histories import events as ev
from rejoin_conformance.systems.config_merge.histories.injections import (
    Injection,
    Target,
    Truth,
    inject,
)
from rejoin_conformance.systems.config_merge.histories.leaves import changed, changes_between
from rejoin_conformance.systems.config_merge.histories.network import Network
from rejoin_conformance.systems.config_merge.histories.records import (
    Kept,
    Pushed,
    Record,
    RecordBook,
    Resolved,
)
from rejoin_conformance.systems.config_merge.histories.settings import settings_of

NO_DATA: Final[Mapping[bytes, Any]] = {}


@define
class Run:
    """A history that is running or has run.

    history: the history, with the N of the reading if the reading fixes it.
    applied: the settings of each client, with the N that applies. records, by_rank: those of the
    book. shown: the data that each application should see if it has an edit that is not pushed.
    rows: the lagged rows of the opened messages, by prefix; equal rows are parsed once.
    standing: for each client, the record of its head, or the records that the head merges. truths:
    the known truth about each injected ciphertext, by name. rounds: the number of rounds of the
    final exchange. quiet: whether the exchange ended because nothing changed any longer.
    """

    history: ev.History
    reading: cm.Reading
    clients: list[cm.Client] = field(init=False)
    applied: list[cm.Settings] = field(init=False)
    network: Network = field(factory=Network)
    shown: list[Mapping[bytes, Any] | None] = field(init=False)
    standing: list[tuple[int, ...]] = field(init=False)
    book: RecordBook = field(factory=RecordBook)
    records: list[Record] = field(init=False)
    by_rank: dict[cm.Rank, int] = field(init=False)
    opened: dict[bytes, cm.Opened] = field(factory=dict)
    rows: dict[bytes, cm.LaggedDiff] = field(factory=dict)
    truths: dict[bytes, Truth] = field(factory=dict)
    resolved: list[Resolved] = field(factory=list)
    pushed: list[Pushed] = field(factory=list)
    kept: list[Kept] = field(factory=list)
    counts: dict[str, int] = field(factory=dict)
    event: int = 0
    rounds: int = 0
    quiet: bool = False

    def __attrs_post_init__(self) -> None:
        settings = settings_of(self.history, self.reading)
        self.clients = [cm.Client(each) for each in settings]
        applied = cm.applied_window(self.history.window, self.reading)
        self.history = evolve(self.history, window=applied)
        self.applied = [evolve(each, window=applied) for each in settings]
        self.records, self.by_rank = self.book.records, self.book.by_rank
        self.shown = [None] * self.history.clients
        self.standing = [()] * self.history.clients

    def perform(self, event: ev.Event) -> None:
        """Carry out one event."""
        if isinstance(event, ev.Fetch):
            self.fetch(event.client, event.skip)
        elif isinstance(event, ev.Resolve):
            self.resolve(event.client)
        elif isinstance(event, ev.Push):
            self.push(event)
        elif isinstance(event, ev.Edit):
            self.edit(event)
        elif isinstance(event, ev.Inject):
            self.inject(event)
        elif isinstance(event, ev.Partition):
            self.partition(event.members)
        elif isinstance(event, ev.Heal):
            self.network.mend()
        elif isinstance(event, ev.Deliver):
            self.network.deliver()
        self.event += 1

    def count(self, what: str) -> None:
        """Count one occurrence of `what`."""
        self.counts[what] = self.counts.get(what, 0) + 1

    def fetch(self, client: int, skip: int = 0) -> bool:
        """Fetch from the client's side and return whether anything was new."""
        known = self.clients[client].known
        stored = self.network.stored_for(client)
        new = [
            self.open(name, ciphertext)
            for place, (name, ciphertext) in enumerate(stored.items())
            if name not in known and not skip >> (place & 15) & 1
        ]
        if not new:
            return False
        self.clients[client] = cm.receive(self.clients[client], new)
        self.count("partial-fetch" if skip else "fetch")
        return True

    def open(self, name: bytes, ciphertext: bytes) -> cm.Opened:
        """Return the opened ciphertext, which is the same for every client and opened only once."""
        opened = self.opened.get(name)
        if opened is None:
            opened = cm.open_stored(ciphertext, self.clients[0].settings, rows=self.rows)
            self.opened[name] = opened
            if not isinstance(opened.content, cm.ConfigMergeError):
                self.rows.update(cm.rows_by_prefix(opened.content.lagged))
        return opened

    def resolve(self, client: int) -> None:
        """Resolve. If the client has an edit that it has not pushed, record the effect on it."""
        before = self.clients[client]
        try:
            after, resolution = cm.resolve_known(before)
        except cm.ConfigMergeError as error:
            self.count(f"resolve-{error.code}")
            return
        self.clients[client] = after
        if resolution is None:
            return
        self.resolved.append(
            Resolved(self.event, client, after.known, resolution, self.applied[client])
        )
        self.standing[client] = tuple(
            [self.by_rank[message.rank] for message in resolution.survivors]
            if resolution.merged
            else [self.by_rank[resolution.message.rank]]
        )
        shown = self.shown[client]
        if shown is not None and after.head is not None:
            edits = changes_between(_data_of(before.head), shown)
            expected = changed(after.head.data, edits)
            seen = after.data
            self.kept.append(Kept(self.event, client, expected, seen))
            self.shown[client] = None if seen == after.head.data else seen

    def edit(self, event: ev.Edit) -> None:
        """Change the data that the application sees."""
        before = self.clients[event.client]
        seen = self.shown[event.client]
        head_data = _data_of(before.head)
        tree = changed(head_data if seen is None else seen, event.changes)
        try:
            self.clients[event.client] = cm.edit(before, tree)
        except cm.ConfigMergeError as error:
            self.count(f"edit-{error.code}")
            return
        self.shown[event.client] = None if tree == head_data else tree

    def push(self, event: ev.Push) -> bool:
        """Push and return whether there was anything to push."""
        client = event.client
        before = self.clients[client]
        try:
            after, batch = cm.push(before)
        except cm.ConfigMergeError as error:
            self.count(f"push-{error.code}")
            return False
        if batch is None or after.head is None:
            return False
        self.clients[client] = after
        shown, self.shown[client] = self.shown[client], None
        intended = _data_of(before.head) if shown is None else shown
        kind = (
            "merge" if shown is None else "update" if before.head_is_stored else "merge-and-change"
        )
        record = self.by_rank.get(after.head.rank)
        if record is None:
            record = self.book.add(
                after.head,
                batch.store,
                kind=kind if before.head is not None else "first",
                by=client,
                parents=self.standing[client],
                honest=True,
                changes=()
                if shown is None
                else tuple(changes_between(_data_of(before.head), shown)),
                event=self.event,
            )
        self.standing[client] = (record,)
        was_stored = self.records[record].name in self.network.stored_for(client)
        self.pushed.append(
            Pushed(
                self.event,
                client,
                before,
                record,
                batch.store,
                intended,
                batch.delete,
                event.delete,
                was_stored,
            )
        )
        if event.delayed:
            self.network.delay(client, batch, permitted=event.delete)
            self.count("delayed-push")
        else:
            self.network.execute(client, batch, permitted=event.delete)
        return True

    def inject(self, event: ev.Inject) -> None:
        """Store a ciphertext that no client pushed, made from an existing message."""
        if not self.records:
            return
        record = self.records[-1 - event.target % len(self.records)]
        others = [each.message for each in reversed(self.records) if each is not record]
        target = Target(record.message, record.ciphertext, others, self.applied[0])
        try:
            injection = inject(event.kind, target, event.salt)
        except cm.ConfigMergeError as error:
            self.count(f"inject-{error.code}")
            return
        self.count(event.kind)
        self._record_injection(event.kind, injection, record)
        self.network.store(injection.ciphertext, event.salt)

    def partition(self, members: int) -> None:
        """Split the swarm in two. This first ends an earlier partition."""
        self.network.mend()
        if 0 < members < (1 << self.history.clients) - 1:
            self.network.cut(members)
            self.count("partition")

    def exchange(self) -> None:
        """Repair the network, then let all clients fetch, resolve and push until nothing changes.

        In each round all clients resolve before any client pushes, so their pushes race.
        """
        self.event = -1
        self.network.mend()
        self.network.deliver()
        everyone = range(self.history.clients)
        while self.rounds < 2 * self.history.clients + 4:
            self.rounds += 1
            news = [self.fetch(client) for client in everyone]
            for client, new in zip(everyone, news, strict=True):
                if new or self.rounds == 1:
                    self.resolve(client)
            pushes = [self.push(ev.Push(client)) for client in everyone]
            if not any(news) and not any(pushes):
                self.quiet = True
                return

    def _record_injection(self, kind: str, injection: Injection, target: Record) -> None:
        name = cm.storage_id(injection.ciphertext)
        self.truths.setdefault(name, injection.truth)
        content = self.open(name, injection.ciphertext).content
        if isinstance(content, cm.ConfigMergeError) or injection.truth == "known":
            return
        changes: tuple[ev.Change, ...] = ()
        parents: tuple[int, ...] = (target.index,)
        if injection.truth == "follows":
            intended = changed(target.message.data, injection.changes)
            changes = tuple(changes_between(target.message.data, intended))
        elif injection.truth == "twin":
            changes, parents = target.changes, target.parents
        self.book.add(
            content,
            injection.ciphertext,
            kind=kind,
            by=None,
            parents=parents,
            changes=changes,
            honest=injection.truth in ("follows", "twin") and target.honest,
            event=self.event,
        )


def run_history(history: ev.History, reading: cm.Reading) -> Run:
    """Run a whole history, including the exchange at its end."""
    run = Run(history, reading)
    for event in history.events:
        run.perform(event)
    run.exchange()
    return run


def _data_of(message: cm.Message | None) -> Mapping[bytes, Any]:
    return NO_DATA if message is None else message.data
