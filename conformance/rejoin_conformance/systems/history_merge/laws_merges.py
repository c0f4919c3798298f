"""Checks of the laws on the merge of one set: fold orders, splits, other ways to merge."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from attrs import define, field

from rejoin.history_merge import LITERAL_NODES, HistoryMergeError
from rejoin_conformance.contract.law import Ledger
from rejoin_conformance.kit.draw import Draw
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.history_merge.laws_elements import (
    ElementAlone,
    counted,
    expected_by_premise,
)
from rejoin_conformance.systems.history_merge.merges import Posted, State
from rejoin_conformance.systems.history_merge.outcome import merge_evidence, shown, split_evidence
from rejoin_conformance.systems.history_merge.run import Run


@define
class MergeCheck:
    """One set of messages and its merge by ascending ID.

    numbers: the numbers of the messages. past: the bits of the set and the messages before it.
    expected: element -> whether it must be in the merge, for the elements that meet the premise.
    unmet: the elements that do not meet it.
    """

    run: Run
    ledger: Ledger
    draw: Draw
    numbers: tuple[int, ...]
    ids: tuple[str, ...] = field(init=False)
    past: int = field(init=False)
    merged: State = field(init=False)
    expected: dict[str, bool] = field(init=False)
    unmet: list[str] = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Merge the set and find the elements that meet the premise."""
        self.ids = self.run.ids(self.numbers)
        self.past = self.run.past_of(self.numbers)
        self.merged = self.run.merges.merge(self.ids)
        self.expected, self.unmet = expected_by_premise(self.run, self.past)
        self.ledger.observe(shown(self.merged))

    def check_all(self, alone: ElementAlone) -> None:
        """Check every law about one set."""
        self._cover()
        self._last_operations()
        self._unanimity()
        plain = self.run.merges.merge_anew(self.ids)
        self._same("cache-changes-nothing", plain, "without a cache")
        self._temporary_nodes()
        self._element_alone(alone)
        if len(self.numbers) > 1:
            self._fold_orders(alone)
            self._recurse_fold()
        if len(self.numbers) > 2:
            self._split()
        self._reduced()
        self._evaluations()

    def _broken(
        self, law: str, kind: str, detail: str, evidence: Callable[[], JsonObject] | None = None
    ) -> None:
        self.ledger.broken(law, kind, f"merging {' '.join(self.ids)}: {detail}", evidence)

    def _evidence(
        self, elements: Iterable[str], operation: str = "history-merge/merge"
    ) -> Callable[[], JsonObject]:
        wanted = frozenset(elements)
        return partial(merge_evidence, self.run, self.numbers, wanted, operation=operation)

    def _same(
        self,
        law: str,
        other: State,
        how: str,
        *,
        kind: str = "another-state",
        operation: str = "history-merge/merge",
    ) -> None:
        """Expect that another way to merge the set gives the same state."""
        self.ledger.check(law)
        if other != self.merged:
            detail = f"{shown(self.merged)}, {how} {shown(other)}"
            self._broken(law, kind, detail, self._evidence(self.merged ^ other, operation))

    def _cover(self) -> None:
        ledger, size = self.ledger, len(self.numbers)
        ledger.cover(f"shape:merged-nodes:{size}")
        if size < 2:
            ledger.decide("HM-MERGE-ONE")
            return
        ledger.decide("HM-MERGE-STEP", "HM-TEMP-FOLD", "HM-TEMP-AGREES", "HM-MERGE-ANY-TYPE")
        *first, last = sorted(self.ids)
        origins = self.run.merges.lca_u(first, last)
        ledger.cover(f"shape:origins:{len(origins)}")
        ledger.decide("HM-LCAU-LOWEST" if origins else "HM-LCAU-NONE")
        ledger.decide("HM-MERGE-ORIGIN" if origins else "HM-MERGE-NO-ORIGIN")

    def _last_operations(self) -> None:
        """Compare the merge with the last operations on the elements that meet the premise."""
        law = "last-operations-count"
        wrong = sorted(x for x, state in self.expected.items() if (x in self.merged) != state)
        self._check_premises(law)
        if wrong:
            detail = f"the merge is wrong for {' '.join(wrong)}"
            self._broken(law, "another-state", detail, self._evidence(wrong))

    def _check_premises(self, law: str) -> None:
        """Count the elements that do not meet the premise, and a check if others do."""
        self.ledger.check(law, premise=False, times=len(self.unmet))
        if self.expected:
            self.ledger.check(law)

    def _unanimity(self) -> None:
        states = [self.run.messages[number].state for number in self.numbers]
        everywhere, anywhere = frozenset.intersection(*states), frozenset().union(*states)
        if len(states) > 1 and everywhere == anywhere:
            self.ledger.decide("HM-MERGE-IDEMPOTENT")
        self.ledger.check("unanimity")
        if not everywhere <= self.merged <= anywhere:
            detail = f"all have {shown(everywhere)}, any has {shown(anywhere)}"
            detail += f", the merge has {shown(self.merged)}"
            self._broken("unanimity", "not-unanimous", detail, self._evidence(anywhere))

    def _temporary_nodes(self) -> None:
        merges, law = self.run.merges, "temporary-nodes-agree"
        before = len(merges)
        with_nodes = merges.with_temporary_nodes(self.ids)
        operation = "history-merge/merge-temporary-nodes"
        self._same(law, with_nodes, "with temporary nodes", operation=operation)
        if len(merges) != before:
            self._same(law, frozenset("?"), "with a node left behind", kind="node-left")

    def _element_alone(self, alone: ElementAlone) -> None:
        inside, count = alone.messages.merge(self.ids)
        law = "elements-are-independent"
        self.ledger.check(law)
        if inside != (alone.element in self.merged):
            detail = (
                f"{alone.element} is {'in' if inside else 'not in'} the merge of this element"
                f" alone, and {'not in' if inside else 'in'} the merge of the whole states"
            )
            self._broken(law, "another-state", detail, self._evidence([alone.element]))
        self._counter(count)

    def _counter(self, count: int) -> None:
        self.ledger.check("counters-count-once")
        once = counted(self.past)
        if count != once:
            detail = f"the counter is {count:x}; counting every message once gives {once:x}"
            self._broken("counters-count-once", "counted-wrong", detail, self._evidence(()))

    def _fold_orders(self, alone: ElementAlone) -> None:
        """Fold these nodes in descending order, and all nodes in a drawn order."""
        run, draw = self.run, self.draw
        descending = sorted(self.ids, reverse=True)
        for ranking in (descending, draw.shuffled([message.id for message in run.messages])):
            merged = run.merges.merge_anew(self.ids, ranking)
            evidence = partial(merge_evidence, run, self.numbers, order=ranking)
            self._compare("order-independence", merged, evidence)
        self._counter(alone.messages.merge(self.ids, ranking)[1])

    def _split(self) -> None:
        """Merge a part of the nodes first, and put a new node over them."""
        run, draw = self.run, self.draw
        shuffled = draw.shuffled(self.ids)
        size = draw.between(2, len(shuffled) - 1)
        first, rest = shuffled[:size], shuffled[size:]
        name = draw.pick(("!", "~"))  # sorts before or after all other IDs
        joining = Posted(name, frozenset(first), run.merges.merge(first))
        merged = run.merges.also(joining).merge_anew([name, *rest])

        def evidence(elements: State) -> JsonObject:
            return split_evidence(run, self.numbers, elements, joining, rest)

        self._compare("associativity", merged, evidence)

    def _compare(self, name: str, other: State, evidence: Callable[[State], JsonObject]) -> None:
        """Compare a second merge with the first, with the premise and without.

        name: of the law with the premise; the law without it is `NAME-always`.
        """
        ledger = self.ledger
        ledger.observe(shown(other))
        differing = self.merged ^ other
        claimed = frozenset(x for x in differing if x in self.expected)
        self._check_premises(name)
        if claimed:
            detail = f"{shown(claimed)} differs"
            self._broken(name, "another-state", detail, partial(evidence, claimed))
        always = f"{name}-always"
        ledger.check(always)
        if differing:
            detail, shows = f"{shown(self.merged)} or {shown(other)}", partial(evidence, differing)
            self._broken(always, "concurrent-opposites", detail, shows)
            ledger.decide("HM-FOLD-ASCENDING", *ledger.laws[name].clauses)

    def _recurse_fold(self) -> None:
        wrong = self.run.merges.by_recurse_fold(self.ids)
        if wrong != self.merged:
            self.ledger.decide("HM-RECURSE-FOLD-DIFFERS")
        operation = "history-merge/merge-recurse-fold"
        self._same("recurse-fold-agrees", wrong, "by recurse-fold", operation=operation)

    def _reduced(self) -> None:
        """Add an older node to the set: a merge refuses it, or reduces it to the maximal nodes."""
        run, law = self.run, "reduced-sets"
        older = [n for n in run.in_past(self.past) if n.number not in self.numbers]
        if not older:
            self.ledger.check(law, premise=False)
            return
        extra = self.draw.pick(older).id
        names = (*self.ids, extra)
        reduced = run.merges.merge_anew(names, reduced=True)
        self._same(law, reduced, f"with {extra} added and reduced")
        self.ledger.decide("HM-MERGE-REDUCED", "HM-MERGE-CHECK")
        try:
            run.merges.merge_anew(names)
        except HistoryMergeError as error:
            refused = error.code == "not-an-anti-chain" and error.nodes[:1] == (extra,)
        else:
            refused = False
        self.ledger.check(law)
        if not refused:
            detail = f"not refused with {extra} added, though {extra} is before another node"
            self._broken(law, "not-refused", detail)

    def _evaluations(self) -> None:
        """Merge the set by the literal evaluation too, as far as its bound allows."""
        if self.past.bit_count() > LITERAL_NODES:
            self.ledger.check("evaluations-agree", premise=False)
            return
        past = (message.node for message in self.run.in_past(self.past))
        literal = self.run.merges.literally(self.ids, past)
        self._same("evaluations-agree", literal, "literally")
