"""Code to model: translate a history, with the exchange at its end, into a trace.

The label of a step comes from the history and from the application's changes, never from the
reference. The reference's results appear only in the observation after the step.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from attrs import define, field

from rejoin import bencode
from rejoin import config_merge as cm
from rejoin_conformance.contract.model import Behaviour, CannotTranslateError, Step
from rejoin_conformance.kit.tla_values import Value, record
from rejoin_conformance.systems.config_merge.histories import events as ev
from rejoin_conformance.systems.config_merge.histories.injections import Target, inject
from rejoin_conformance.systems.config_merge.histories.leaves import changed
from rejoin_conformance.systems.config_merge.histories.records import Record
from rejoin_conformance.systems.config_merge.histories.run import Run
from rejoin_conformance.systems.config_merge.model.abstraction import View, extra_name

NOT_IN_THE_MODEL: Final = {
    "forged-rows": "a row that does not agree with the message that it names",
    "forged-diff": "a diff that does not agree with its data",
    "leap": "a seqno that does not follow that of any message",
    "last-seqno": "a seqno that TLC's integers cannot hold",
}
"""Injections that the model does not have, each with the reason."""

TAKEN: Final = "an invalid message that a client took for its head (CM-E69)"

LENIENT: Final = "a message that only a lenient parser accepts"

ROUNDS: Final = 2
"""The number of rounds of the final exchange that the trace includes."""


def trace_of(history: ev.History, reading: cm.Reading) -> Behaviour:
    """Return the trace of a history, which the model must allow.

    Raises CannotTranslateError if the history contains something that the model does not have.
    """
    for event in history.events:
        if isinstance(event, ev.Inject) and event.kind in NOT_IN_THE_MODEL:
            raise CannotTranslateError(NOT_IN_THE_MODEL[event.kind])
    tracer = _Tracer(View(Run(history, reading)))
    for event in history.events:
        tracer.perform(event)
    for event in _exchange(tracer.view.run):
        tracer.perform(event)
    return Behaviour(tuple(tracer.steps))


def _exchange(run: Run) -> Iterator[ev.Event]:
    """Yield events in which all clients fetch, then all resolve, then all push."""
    everyone = range(run.history.clients)
    yield ev.Heal()
    yield ev.Deliver()
    for _ in range(ROUNDS):
        before = len(run.records), [len(client.known) for client in run.clients]
        for client in everyone:
            yield ev.Fetch(client)
            yield ev.Resolve(client)
        for client in everyone:
            yield ev.Push(client)
        if before == (len(run.records), [len(client.known) for client in run.clients]):
            return


@define
class _Tracer:
    """A history that is being translated into a trace."""

    view: View
    steps: list[Step] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        history = self.view.run.history
        readers = [client for client in range(history.clients) if not history.can_sign(client)]
        setting = record(
            window=history.window,
            signed=history.signed,
            readers=frozenset(client + 1 for client in readers),
        )
        self.steps.append(Step(record(action="agree", setting=setting), ()))

    def perform(self, event: ev.Event) -> None:
        """Carry out an event and add its step to the trace, unless the event changes nothing."""
        match event:
            case ev.Edit():
                self._edit(event)
            case ev.Fetch():
                self._fetch(event)
            case ev.Resolve():
                self._resolve(event)
            case ev.Push():
                self._push(event)
            case ev.Inject():
                self._inject(event)
            case ev.Partition(members):
                far = [k + 1 for k in range(self.view.run.history.clients) if members >> k & 1]
                self.view.run.perform(event)
                if len(self.view.run.network.sides) == 2:
                    self._network(event="cut", members=frozenset(far))
                else:
                    self._network(event="heal")
            case ev.Heal():
                self._carried_out(event, "heal")
            case ev.Deliver():
                self._carried_out(event, "deliver")

    def _carried_out(self, event: ev.Event, name: str) -> None:
        self.view.run.perform(event)
        self._network(event=name)

    def _add(self, after: Value, **label: Value) -> None:
        self.steps.append(Step(record(**label), after))

    def _network(self, **label: Value) -> None:
        self._add(self.view.observed_network(), action="network", **label)

    def _edit(self, event: ev.Edit) -> None:
        run, client = self.view.run, event.client
        shown, head = run.shown[client], run.clients[client].head
        seen = shown if shown is not None else {} if head is None else head.data
        refused = _refusals(run)
        run.perform(event)
        if _refusals(run) == refused:
            data = self.view.data(changed(seen, event.changes))
            after = self.view.observed_edit(client)
            self._add(after, action="edit", client=client + 1, data=data)

    def _fetch(self, event: ev.Fetch) -> None:
        run, client = self.view.run, event.client
        stored = run.network.stored_for(client)
        known = run.clients[client].known
        news = [
            name
            for place, name in enumerate(stored)
            if name not in known and not event.skip >> (place & 15) & 1
        ]
        run.perform(event)
        if news:
            forms = self.view.form_set(news)
            after = self.view.observed_fetch(client)
            self._add(after, action="fetch", client=client + 1, forms=forms)

    def _resolve(self, event: ev.Resolve) -> None:
        run = self.view.run
        refused = _refusals(run)
        run.perform(event)
        if _refusals(run) != refused:
            raise CannotTranslateError(NOT_IN_THE_MODEL["last-seqno"])
        after = self.view.observed_resolve(event.client)
        self._add(after, action="resolve", client=event.client + 1)

    def _push(self, event: ev.Push) -> None:
        run = self.view.run
        pushed = len(run.pushed)
        run.perform(event)
        place = 0
        if len(run.pushed) > pushed:
            made = run.pushed[-1]
            place = self.view.place(run.records[made.record])
            # A changed reference can delete messages that it does not know.
            deleted = (made.before.known.get(name) for name in made.obsolete)
            if any(isinstance(each, cm.ConfigMergeError) for each in deleted):
                raise CannotTranslateError(TAKEN)
        self._add(
            self.view.observed_push(event.client),
            action="push",
            client=event.client + 1,
            place=place,
            permitted=event.delete,
            late=event.delayed,
        )

    def _inject(self, event: ev.Inject) -> None:
        """Translate an injection. This makes the injected message again, to learn its content."""
        view, run = self.view, self.view.run
        if not run.records:
            return
        target = run.records[-1 - event.target % len(run.records)]
        injection = _made(run, event, target)
        seen = set(run.opened)
        run.perform(event)
        if injection is None:
            return
        side = 1 + (event.salt & 1 if len(run.network.sides) == 2 else 0)
        name = next((each for each in run.opened if each not in seen), None)
        name = name or cm.storage_id(injection.ciphertext)
        content = run.opened[name].content if name in run.opened else None
        if injection.truth in ("bad", "bad-in-document"):
            accepted = isinstance(content, cm.Message)
            if (
                accepted
                and injection.truth == "bad-in-document"
                and not run.reading.strict_encoding
            ):
                raise CannotTranslateError(LENIENT)
            nothing = (0, view.copies.get(0, 0) + 1)
            form = nothing if accepted else view.form(name)
            self._network(event="store", form=form, side=side)
        elif injection.truth == "known":
            self._network(event="store", form=view.form(name), side=side)
        elif isinstance(content, cm.Message):
            made = run.records[run.by_rank[content.rank]]
            about: dict[str, Value] = {"target": view.number(target), "place": view.place(made)}
            if injection.truth == "twin":
                self._network(event="signed", sign=view.signature(content), side=side, **about)
            else:
                data = view.data(changed(target.message.data, injection.changes))
                extra = extra_name(_unknown_keys(content.encoded))
                self._network(event="outsider", data=data, extra=extra, side=side, **about)


def _unknown_keys(encoded: bytes) -> tuple[tuple[bytes, bytes], ...]:
    """Return a message's unknown keys and their encoded values, without parsing the message."""
    outer: Any = bencode.decode(encoded)
    known = (b"#", b"&", b"<", b"=", b"~")
    return tuple((key, bencode.encode(outer[key])) for key in sorted(outer) if key not in known)


def _refusals(run: Run) -> int:
    """Return the number of operations that the reference has refused so far."""
    return sum(
        count
        for name, count in run.counts.items()
        if name.startswith(("edit-", "resolve-", "inject-"))
    )


def _made(run: Run, event: ev.Inject, target: Record) -> Any:
    others = [each.message for each in reversed(run.records) if each is not target]
    settings = run.clients[0].settings
    try:
        return inject(
            event.kind, Target(target.message, target.ciphertext, others, settings), event.salt
        )
    except cm.ConfigMergeError:
        return None
