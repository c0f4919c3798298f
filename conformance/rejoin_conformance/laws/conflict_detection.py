"""The machine of conflict detection: clients that edit, poll and resolve, and vectors turned round.

The oracle keeps a witness of every version: the set of the changes that it includes. A version
follows another one if it includes the other's change and is not the same version. It knows neither
snapshots nor version maps, and so judges both designs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from attrs import define, field, frozen
from hypothesis import strategies as st
from hypothesis.stateful import rule

from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.laws.machine import LawMachine, Question

Step: TypeAlias = dict[str, Any]

CLIENTS = "ABCD"
NAMES = ("bar", "foo")
DESIGNS = st.sampled_from(["snapshots", "version-maps"])
KINDS = st.sampled_from(["edit", "poll", "poll", "poll", "resolve"])
CLIENT = st.integers(0, 3)
WORK = st.lists(st.tuples(CLIENT, CLIENT, st.sampled_from(NAMES), KINDS), min_size=3, max_size=12)
"""A client, another one, a file, and what to do, for each of some steps."""
PLAIN = {"client", "edit", "poll", "resolve", "file", "text"}
"""The fields of steps that the witness knows."""
LOCAL = {"client", "edit", "poll", "resolve", "delete", "change", "upload", "file", "text"}
"""The fields of steps that concern the folder and the directory of one client only."""


@frozen
class Version:
    """A version: its text, its number, and the numbers of the changes that it includes."""

    text: str
    number: int
    includes: frozenset[int]

    def follows(self, other: Version) -> bool:
        """Return whether this version was made by somebody who had the other one."""
        return other.number in self.includes and other.number != self.number


def classified(ours: Version | None, theirs: Version) -> str:
    """Return the classification that a poll should find."""
    if ours is None or theirs.follows(ours):
        return "overwrite"
    if theirs.number == ours.number:
        return "same"
    return "stale" if ours.follows(theirs) else "conflict"


@define
class Witness:
    """All clients' copies of files, and the versions by their numbers.

    copies: (client, file) -> whose version -> this version, in conflict files; "" is the client's.
    """

    clients: Sequence[str]
    copies: dict[tuple[str, str], dict[str, Version]] = field(factory=dict)
    versions: list[tuple[str, str, Version]] = field(factory=list)

    def perform(self, step: Step) -> Step:
        """Take a step, and return what `scenario` must say of it."""
        name, client = step.get("file", "foo"), step["client"]
        mine, found = self.copies.setdefault((client, name), {}), None
        if "poll" not in step:
            had = [mine[each] for each in ("", *step.get("resolve", ())) if each in mine]
            number = len(self.versions)
            includes = frozenset([number]).union(*(each.includes for each in had))
            kept = mine[""].text if "" in mine else ""
            new = Version(step.get("edit", step.get("text", kept)) or "", number, includes)
            self.versions.append((name, client, new))
        elif theirs := self.copies.get((step["poll"], name), {}).get(""):
            found, new = classified(mine.get(""), theirs), theirs
        if found == "conflict":
            mine[step["poll"]] = new
        elif found == "overwrite" or "poll" not in step:  # conflicts that it settles go
            left = {whose: each for whose, each in mine.items() if each.number not in new.includes}
            self.copies[client, name] = {**left, "": new}
        return {"classification": found, "files": {each: self.files(each) for each in self.clients}}

    def held(self, client: str, name: str) -> list[str]:
        """Return whose versions a client has in conflict files of a file."""
        return sorted({*self.copies.get((client, name), {})} - {""})

    def files(self, client: str) -> dict[str, str]:
        """Return the files in a client's folder."""
        return {
            f"{name}.conflict-{whose}" if whose else name: version.text
            for (of, name), versions in self.copies.items()
            for whose, version in versions.items()
            if of == client
        }


def apart(steps: Sequence[Step]) -> list[int]:
    """Return each step that concerns another folder than the one before; neither sees the other."""
    return [
        n
        for n, (one, two) in enumerate(pairwise(steps), 1)
        if one["client"] != two["client"]
        and not {one.get("poll"), two.get("poll")} & {one["client"], two["client"]}
    ]


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

    def begun_with(self, vector: Vector | None) -> bool:
        """Begin with the steps of a vector, or in empty folders."""
        self.steps: list[Step] = []
        self.witness = Witness(CLIENTS[: self.number(3) + 2])
        if vector is not None and "output" in self.expected(vector):
            value: Any = vector.input
            steps: list[Step] = value["steps"]
            if all({*each} <= PLAIN and each.get("file", "foo") in NAMES for each in steps):
                self.witness = Witness(value["clients"])
                self._take(steps)
        return bool(self.steps)

    @rule()
    def users_work(self) -> None:
        """Users change files and resolve conflicts, and clients poll."""
        names = self.witness.clients
        for one, two, name, kind in self.draw(WORK):
            client, other = names[one % len(names)], names[two % len(names)]
            held, step = self.witness.held(client, name), {"client": client, "file": name}
            if kind == "edit":
                self._take([{**step, "edit": f"{len(self.steps)}"}])
            elif kind == "resolve" and held:
                self._take([{**step, "resolve": held, "text": f"{len(self.steps)}"}])
            elif client != other:
                self._take([{**step, "poll": other}])

    @rule(design=DESIGNS)
    def classifications_are_as_witnessed(self, design: str) -> None:
        """Overwrite, conflict, stale and same, in both designs."""
        self._expect("no-false-conflict", design, self.steps)

    @rule(design=DESIGNS)
    def commutativity(self, design: str) -> None:
        """Exchange two steps of which neither sees the other."""
        if pairs := apart(self.steps):
            at = self.one(pairs)
            one, two = self.steps[at - 1 : at + 1]
            steps = [*self.steps[: at - 1], two, one, *self.steps[at + 1 :]]
            self._expect("polls-are-acted-on", design, steps)

    @rule(design=DESIGNS)
    def idempotence(self, design: str) -> None:
        """Poll twice instead of once; also somebody who lags behind by now."""
        if polls := [step for step in self.steps if "poll" in step]:
            again = self.one(polls)
            self._expect("no-news-missed", design, [*self.steps, again, again])

    @rule(design=DESIGNS)
    def convergence(self, design: str) -> None:
        """One client polls all others and resolves all that it holds; the others poll it."""
        one = self.one(self.witness.clients)
        others = [each for each in self.witness.clients if each != one]
        for name in NAMES:
            self._take([{"client": one, "file": name, "poll": each} for each in others])
            step = {"client": one, "file": name, "text": f"all {len(self.steps)}"}
            if held := self.witness.held(one, name):
                self._take([{**step, "resolve": held}])
            self._take([{"client": each, "file": name, "poll": one} for each in others])
        self._expect("one-resolver-is-enough", design, self.steps)

    @rule()
    def two_versions(self) -> None:
        """Compare two versions of a file without clients: by a graph, and by maps."""
        versions = self.witness.versions
        if not (alike := [each for of, _, each in versions if of == versions[-1][0]]):
            return
        mine, theirs = self.one(alike), self.one(alike)
        expected = {"output": {"classification": classified(mine, theirs)}}
        graph = [
            {"id": f"{each.number}", "parents": [f"{n}" for n in each.includes - {each.number}]}
            for each in alike
        ]
        value: Step = {"local": f"{mine.number}", "remote": f"{theirs.number}", "snapshots": graph}
        self.expect("no-false-conflict", "classify-snapshot", value, expected)
        local, remote = (Counter(versions[n][1] for n in v.includes) for v in (mine, theirs))
        value = {"local": local, "remote": remote}
        self.expect("no-false-conflict", "classify-version-map", value, expected)

    def turned(self, vector: Vector) -> Question:
        """Exchange two steps of a vector that concern different folders; poll twice."""
        answer, value = self.expected(vector), vector.input
        steps: list[Step] = [*value["steps"]]  # type: ignore[misc]  # by its schema
        said = [*answer.get("output", {}).get("steps", ())]
        if said and "report" not in value and all({*each} <= LOCAL for each in steps):
            if pairs := apart(steps):
                exchange(self.one(pairs), steps, said)
            if "poll" in steps[-1] and not any({"delete", "change"} & {*each} for each in steps):
                found = said[-1]["classification"]
                again = {"classification": "same" if found == "overwrite" else found}
                steps, said = [*steps, steps[-1]], [*said, {**said[-1], **again}]
            answer = {"output": {"steps": said}}
        return "polls-are-acted-on", "scenario", {**value, "steps": steps}, answer

    def _take(self, steps: Sequence[Step]) -> None:
        self.steps += steps
        for step in steps:
            self.asking.saw(self.witness.perform(step)["classification"] or "no other version")

    def _expect(self, law: str, design: str, steps: Sequence[Step]) -> None:
        names = self.witness.clients
        witness = Witness(names)
        value = {"design": design, "clients": [*names], "steps": [*steps]}
        said = [witness.perform(step) for step in steps]
        self.expect(law, "scenario", value, {"output": {"steps": said}})
