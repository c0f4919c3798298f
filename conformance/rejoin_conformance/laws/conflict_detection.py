"""The machine of conflict detection: clients that edit, poll and resolve, and vectors turned round.

The oracle is a witness graph: a version includes the numbers of all changes that it follows. It
knows neither snapshots nor version maps, and so judges both designs.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeAlias

from attrs import define, field
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from rejoin_conformance.laws.machine import LawMachine, Question

Step: TypeAlias = dict[str, Any]
Version: TypeAlias = frozenset[int]
"""The numbers of the changes that a version includes; the largest one is its own."""

DESIGNS = ("snapshots", "version-maps")
NAMES = ("bar", "foo")
KINDS = st.sampled_from(["edit", "poll", "poll", "poll", "resolve"])
WORK = st.lists(st.tuples(st.sampled_from(NAMES), KINDS), min_size=3, max_size=12)
"""A file, and what to do, for each of some steps."""
PLAIN = {"client", "edit", "poll", "resolve", "file", "text"}
"""The fields of steps that the witness knows."""
LOCAL = {*PLAIN, "delete", "change", "upload"}
"""The fields of steps that concern the folder and the directory of one client only."""


def classified(ours: Version, theirs: Version) -> str:
    """Return the classification that a poll should find."""
    if ours == theirs:
        return "same"
    if ours < theirs:
        return "overwrite"
    return "stale" if theirs < ours else "conflict"


@define
class Witness:
    """All clients' copies of files, and all changes by their numbers.

    copies: (client, file) -> whose version -> this version, in conflict files; "" is the client's.
    changes: the file, the client, the text, and the version that a change makes.
    """

    clients: list[str]
    copies: dict[tuple[str, str], dict[str, Version]] = field(factory=dict)
    changes: list[tuple[str, str, str, Version]] = field(factory=list)

    def perform(self, step: Step) -> Step:
        """Take a step, and return what `scenario` must say of it."""
        name, client = step.get("file", "foo"), step["client"]
        mine, found = self.copies.setdefault((client, name), {}), None
        if "poll" not in step:
            had = [mine[each] for each in ("", *step.get("resolve", ())) if each in mine]
            text = step.get("edit", step.get("text", self._text(had[0]) if had else ""))
            new = frozenset([len(self.changes)]).union(*had)
            self.changes.append((name, client, text or "", new))
        elif theirs := self.copies.get((step["poll"], name), {}).get(""):
            found, new = classified(mine.get("", frozenset()), theirs), theirs
        if found == "conflict":
            mine[step["poll"]] = new
        elif found == "overwrite" or "poll" not in step:  # conflicts that it settles go
            left = {whose: each for whose, each in mine.items() if not each <= new}
            self.copies[client, name] = {**left, "": new}
        files: dict[str, dict[str, str]] = {each: {} for each in self.clients}
        for (of, named), versions in self.copies.items():
            for whose, each in versions.items():
                files[of][f"{named}.conflict-{whose}" if whose else named] = self._text(each)
        return {"classification": found, "files": files}

    def _text(self, version: Version) -> str:
        return self.changes[max(version)][2]


def apart(steps: list[Step]) -> list[int]:
    """Return each step that concerns another folder than the one before; neither sees the other."""
    seen = [{step["client"], step.get("poll")} for step in steps]
    whose = [step["client"] for step in steps]
    both = range(1, len(steps))
    return [n for n in both if whose[n] not in seen[n - 1] and whose[n - 1] not in seen[n]]


def exchange(n: int, steps: list[Step], said: list[Any]) -> None:
    """Exchange step n with the one before, which it is apart from, and what is said of them."""
    one, two = steps[n - 1 : n + 1]
    before = said[n - 2]["files"] if n > 1 else {}
    files = {**said[n]["files"], one["client"]: before.get(one["client"], {})}
    said[n - 1 : n + 1] = {**said[n], "files": files}, {**said[n - 1], "files": said[n]["files"]}
    steps[n - 1 : n + 1] = two, one


class ConflictDetection(LawMachine):
    """A folder of two to four clients with two files."""

    operations = ("scenario",)

    def begin_with(self, value: Any, output: Any) -> None:
        """Begin with the steps of a vector, or in empty folders."""
        steps, names = value.get("steps", []), value.get("clients", [])
        texts = [each.get("edit", each.get("text")) for each in steps if "poll" not in each]
        plain = all({*each} <= PLAIN and each.get("file", "foo") in NAMES for each in steps)
        plain = plain and len({*texts}) == len(texts)  # equal changes can be one snapshot
        known = bool(output) and plain and len(names) > 1
        self.witness = Witness(names if known else [*"ABCD"[: self.one((2, 3, 4))]])
        self.steps = list[Step]()
        self._take(*(steps if known else ()))
        if not known:
            self.users_work()

    @rule()
    def users_work(self) -> None:
        """Users change files and resolve conflicts, and clients poll."""
        for name, kind in self.draw(WORK):
            client, *others = self.shuffled(self.witness.clients)
            if kind == "edit":
                self._take({"client": client, "file": name, "edit": f"{len(self.steps)}"})
            elif kind == "resolve":
                self._resolve(client, name)
            else:
                self._take({"client": client, "file": name, "poll": others[0]})

    @rule()
    def commutativity(self) -> None:
        """Exchange two steps of which neither sees the other, if there are such steps."""
        steps = [*self.steps]
        if pairs := apart(steps):
            at = self.one(pairs)
            steps[at - 1 : at + 1] = steps[at], steps[at - 1]
        self._expect("polls-are-acted-on", steps)

    @rule()
    def idempotence(self) -> None:
        """Poll twice instead of once; also somebody who lags behind by now."""
        if polls := [step for step in self.steps if "poll" in step]:
            again = self.one(polls)
            self._expect("no-news-missed", [*self.steps, again, again])

    @rule()
    def convergence(self) -> None:
        """One client polls all others and resolves all that it holds; the others poll it."""
        one, *others = self.shuffled(self.witness.clients)
        for name in NAMES:
            self._take(*({"client": one, "file": name, "poll": each} for each in others))
            self._resolve(one, name)
            self._take(*({"client": each, "file": name, "poll": one} for each in others))
        self._expect("one-resolver-is-enough", [*self.steps])

    @precondition(lambda self: self.witness.changes)
    @rule()
    def two_versions(self) -> None:
        """Compare two versions of a file without clients: by a graph, and by maps."""
        changes = self.witness.changes
        alike = {n: each for n, (of, _, _, each) in enumerate(changes) if of == changes[-1][0]}
        one, two = self.one([*alike]), self.one([*alike])
        found = classified(alike[one], alike[two])
        graph = [{"id": f"{n}", "parents": [*map(str, each - {n})]} for n, each in alike.items()]
        value: Step = {"local": f"{one}", "remote": f"{two}", "snapshots": graph}
        self.expect("no-false-conflict", "classify-snapshot", value, classification=found)
        local, remote = (Counter(changes[n][1] for n in alike[each]) for each in (one, two))
        value = {"local": local, "remote": remote}
        self.expect("no-false-conflict", "classify-version-map", value, classification=found)

    def turned(self, operation: str, value: Any, answer: Any) -> Question:
        """Exchange two steps of a vector that concern different folders; poll twice."""
        steps, said = [*value["steps"]], [*answer.get("output", {}).get("steps", ())]
        if said and "report" not in value and all({*each} <= LOCAL for each in steps):
            if pairs := apart(steps):
                exchange(self.one(pairs), steps, said)
            if "poll" in steps[-1] and not any({"delete", "change"} & {*each} for each in steps):
                new = said[-1]["classification"] == "overwrite"
                again = {**said[-1], "classification": "same"} if new else said[-1]
                steps, said = [*steps, steps[-1]], [*said, again]
            answer = {"output": {"steps": said}}
        return "polls-are-acted-on", operation, {**value, "steps": steps}, answer

    def _take(self, *steps: Step) -> None:
        for step in steps:
            self.steps.append(step)
            self.asking.saw(self.witness.perform(step)["classification"] or "no other version")

    def _resolve(self, client: str, name: str) -> None:
        """Let a client resolve what it holds in conflict files of a file, if there are any."""
        if held := sorted({*self.witness.copies.get((client, name), {})} - {""}):
            text = f"{len(self.steps)}"
            self._take({"client": client, "file": name, "resolve": held, "text": text})

    def _expect(self, law: str, steps: list[Step]) -> None:
        said = [*map(Witness(self.witness.clients).perform, steps)]
        value = {"design": self.one(DESIGNS), "clients": self.witness.clients, "steps": steps}
        self.expect(law, "scenario", value, steps=said)
