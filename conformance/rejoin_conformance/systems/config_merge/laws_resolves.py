"""Laws of a resolve: which messages it ignores, and which input does not affect its result.

The checks try dozens of orders and additions, so they avoid computing a result twice. A resolve
first ignores messages and then merges the survivors. If changed input leaves the same survivors in
the same order, the merge would have the same arguments, and the check does not call it. Otherwise
the check runs the whole resolve. The checks try orders and additions once for each set of
survivors, on the messages of the first resolve that merged it. `laws_merges` merges permuted
survivors.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import permutations
from operator import or_
from typing import Final, TypeAlias

from attrs import define, field

from rejoin import config_merge as cm
from rejoin_conformance.contract.law import Ledger
from rejoin_conformance.systems.config_merge.records import Record, Resolved, named, resolve_input
from rejoin_conformance.systems.config_merge.run import Run

_GOOD: Final = (None, "known", "follows", "twin")
_ALWAYS_BAD: Final = cm.ConfigMergeError("truncated", "a message that was cut short")

Input: TypeAlias = tuple[cm.Parsed, ...]


def check_resolves(run: Run, ledger: Ledger) -> list[Resolved]:
    """Check every resolve of a run and return the merges, one for each set of survivors."""
    checker = _Checker(run, ledger)
    by_known: dict[tuple[frozenset[bytes], bool], cm.Resolution] = {}
    by_survivors: dict[tuple[cm.Rank, ...], cm.Resolution] = {}
    merges: list[Resolved] = []
    for step in run.resolved:
        resolution, settings = step.resolution, step.settings
        signs = settings.verify_key is None or settings.signing_key is not None
        before = by_known.setdefault((frozenset(step.known), signs), resolution)
        ledger.check("same-messages-same-bytes")
        if before is not resolution:
            checker.compare("known", before, resolution, step)
            continue
        if signs:
            ranks = tuple([message.row.rank for message in resolution.survivors])
            before = by_survivors.setdefault(ranks, resolution)
            if before is not resolution:
                checker.compare("survivors", before, resolution, step)
            elif resolution.merged:
                merges.append(step)
                checker.check_merge(step)
        checker.check(step)
    return merges


def same_outcome(left: cm.Resolution, right: cm.Resolution) -> bool:
    """Return whether two resolutions have the same message and reached it in the same way."""
    return (
        left.message.encoded == right.message.encoded
        and left.merged == right.merged
        and left.survivors == right.survivors
    )


def resolve_again(given: Input, settings: cm.Settings) -> cm.Resolution:
    """Resolve parsed messages with a client's settings."""
    return cm.resolve_messages(
        given,
        window=settings.window,
        reading=settings.reading,
        verify_key=settings.verify_key,
        signing_key=settings.signing_key,
    )


@define
class _Checker:
    """The state that the checks of a run's resolves share.

    records: name in the swarm -> record of each valid message that any client ever knew. bad:
    messages that are invalid by construction.
    """

    run: Run
    ledger: Ledger
    records: dict[bytes, Record] = field(init=False)
    bad: Input = field(init=False)

    def __attrs_post_init__(self) -> None:
        run = self.run
        self.records = {
            name: run.records[run.by_rank[opened.content.rank]]
            for name, opened in run.opened.items()
            if not isinstance(opened.content, cm.ConfigMergeError)
        }
        self.records |= {record.name: record for record in run.records}
        injected = run.injected.items()
        bad = [run.opened[name].content for name, each in injected if each.truth == "bad"]
        self.bad = tuple(bad) or (_ALWAYS_BAD,)

    def check(self, step: Resolved) -> None:
        """Check a resolve of a set of messages that no client resolved before."""
        present = self.present(step)
        if self.ledger.check("ignored-exactly", premise=all(record.honest for record in present)):
            self.check_ignored(step, present)
        self.check_truths(step)

    def check_merge(self, step: Resolved) -> None:
        """Check a resolve that merges a set of messages that no client merged before."""
        given, present = tuple(step.known.values()), self.present(step)
        self.check_orders(step, given)
        honest = all(record.honest for record in present)
        self.check_additions(step, given, present if honest else None)

    def present(self, step: Resolved) -> list[Record]:
        """Return the records of the valid messages in a resolve."""
        return [self.records[name] for name in step.known if name in self.records]

    def compare(
        self, what: str, before: cm.Resolution, after: cm.Resolution, step: Resolved
    ) -> None:
        """Compare two clients' resolutions of the same messages.

        `laws_pushes` compares the ciphertexts that the clients store.
        """
        if not same_outcome(before, after):
            detail = f"{named(before.message)} and {named(after.message)} from the same messages"
            self.broken("same-messages-same-bytes", f"same-{what}-other-message", detail, step)

    def check_ignored(self, step: Resolved, present: Sequence[Record]) -> None:
        """Check the ignored messages against the ancestry of the messages."""
        oldest = max([record.message.seqno for record in present]) - self.run.history.window
        ancestors = reduce(or_, [record.mask ^ (1 << record.index) for record in present])
        survived = {each.index for each in self.run.records_of(step.resolution.survivors)}
        for record in present:
            is_recent = record.message.seqno > oldest
            due = is_recent and not ancestors >> record.index & 1
            if due != (record.index in survived):
                kind = "wrongly-ignored" if due else "wrongly-kept"
                self.broken("ignored-exactly", kind, named(record.message), step)

    def check_truths(self, step: Resolved) -> None:
        """Check that the resolve reports every message built to be invalid, and no honest one."""
        law, injected = "bad-messages-spoil-nothing", self.run.injected
        refused = ("bad", "bad-in-document") if self.run.reading.name == "document" else ("bad",)
        invalid = {each.index for each in step.resolution.ignored if each.why == "invalid"}
        for index, name in enumerate(step.known if invalid or injected else ()):
            truth = injected[name].truth if name in injected else None
            if truth in _GOOD and index in invalid:
                detail = "a message of an honest program is reported as invalid"
                self.broken(law, "good-refused", detail, step)
            elif truth in refused:
                self.ledger.check(law)
                if index not in invalid:
                    self.broken(law, "bad-accepted", "an invalid message is accepted", step)

    def check_orders(self, step: Resolved, given: Input) -> None:
        """Resolve the same messages in other orders."""
        resolution = step.resolution
        reasons: list[cm.Why | None] = [None] * len(given)
        for each in resolution.ignored:
            reasons[each.index] = each.why
        before = _by_message(given, reasons)
        orders = _other_orders(given)
        self.ledger.check("order-independence", times=len(orders))
        for order in orders:
            survivors, reasons_now = cm.set_aside(order, window=step.settings.window)
            if survivors != resolution.survivors:
                again = resolve_again(order, step.settings)
                detail = f"{named(resolution.message)} in one order, {named(again.message)}"
                self.broken("order-independence", "other-message", f"{detail} in another", step)
            elif _by_message(order, reasons_now) != before:
                detail = "messages are ignored for other reasons in another order"
                self.broken("order-independence", "other-reasons", detail, step)

    def check_additions(
        self, step: Resolved, given: Input, honest: Sequence[Record] | None
    ) -> None:
        """Resolve with added repeats, ancestors, bad messages or the merge, and with less input.

        The check tries all additions at once. It tries them one by one only if together they change
        the outcome. honest: the records of the messages, or None if one of them is not honest.
        """
        ledger, resolution, settings = self.ledger, step.resolution, step.settings
        for law in ("repeats-change-nothing", "bad-messages-spoil-nothing", "idempotence"):
            ledger.check(law)
        ledger.check("repeats-change-nothing", premise=honest is not None)
        ancestors = tuple([each.message for each in self.run.with_ancestors(honest or ())])
        everything = (*self.bad, *ancestors, *given[::-1], *given)
        if not self.same_survivors(step, everything):
            for law, kind, more in (
                ("repeats-change-nothing", "doubled", (*given, *given)),
                ("repeats-change-nothing", "ancestors-added", (*ancestors, *given)),
                ("bad-messages-spoil-nothing", "bad-added", (*self.bad, *given)),
                ("order-independence", "of-more-messages", everything),
            ):
                again = resolve_again(more, settings)
                if not same_outcome(resolution, again):
                    detail = f"{named(resolution.message)} becomes {named(again.message)}"
                    self.broken(law, kind, detail, step)
                    break
        if honest is not None and not self.same_survivors(step, resolution.survivors):
            detail = f"{named(resolution.message)} comes out otherwise without the ignored messages"
            self.broken("repeats-change-nothing", "survivors-alone", detail, step)
        again = resolve_again((*given, resolution.message), settings)
        if again.merged or again.message.encoded != resolution.message.encoded:
            detail = f"{named(resolution.message)} with its inputs becomes {named(again.message)}"
            self.broken("idempotence", "merged-again", detail, step)

    def same_survivors(self, step: Resolved, given: Input) -> bool:
        """Return whether changed input leaves the same survivors in the same order."""
        survivors, _ = cm.set_aside(given, window=step.settings.window)
        return survivors == step.resolution.survivors

    def broken(self, law: str, kind: str, detail: str, step: Resolved) -> None:
        """Note a violation, with the resolve as its evidence."""
        given = [each for each in step.known.values() if not isinstance(each, cm.ConfigMergeError)]
        self.ledger.broken(law, kind, detail, lambda: resolve_input(given, step.settings))


def _other_orders(given: Input) -> Sequence[Input]:
    """Return other orders of the input: all orders if there are few, else five.

    The five are sorted and mixed orders. With the given order, the checks try at least 6 orders, or
    all orders of up to 3 messages. The given order is random, so the mixed orders are random too.
    """
    if len(given) <= 3:
        return list(permutations(given))[1:]
    invalid = tuple([each for each in given if isinstance(each, cm.ConfigMergeError)])
    valid = [each for each in given if not isinstance(each, cm.ConfigMergeError)]
    valid.sort(key=lambda message: message.rank)
    half = len(given) // 2
    return [
        given[::-1],
        (*valid, *invalid),
        (*invalid, *valid[::-1]),
        given[half:] + given[:half],
        given[::2] + given[1::2],
    ]


def _by_message(given: Input, reasons: Sequence[cm.Why | None]) -> list[tuple[str, bytes]]:
    """Return the ignored messages with their reasons, in an order independent of the input's."""
    pairs = zip(given, reasons, strict=True)
    return sorted([(why, _hash(each)) for each, why in pairs if why is not None])


def _hash(message: cm.Parsed) -> bytes:
    """Return the hash of a message, or empty bytes if it is invalid."""
    return b"" if isinstance(message, cm.ConfigMergeError) else message.row.rank[1]
