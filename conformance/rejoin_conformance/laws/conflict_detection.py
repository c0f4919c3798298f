"""The machine of conflict detection: clients that edit, poll and resolve, and vectors turned round.

The oracle keeps a witness of every version: the set of the changes that it includes. A version
follows another one if it includes the other's change and is not the same version. It knows neither
snapshots nor version maps, and so judges both designs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeAlias

from attrs import define, field, frozen
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.laws.asking import Answer, LawMachine

Step: TypeAlias = dict[str, Any]
Wanted: TypeAlias = list[tuple[int, int, str, str]]
"""A client, another one, a file, and what to do, for each of some steps."""

CLIENTS = "ABCD"
NAMES = ("bar", "foo")
FILES = st.sampled_from(NAMES)
DESIGNS = st.sampled_from(["snapshots", "version-maps"])
KINDS = st.sampled_from(["edit", "poll", "poll", "poll", "resolve"])
WORK = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), FILES, KINDS), min_size=3, max_size=12
)
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


@define
class Copy:
    """What a client has of one file: its version, and the versions in its conflict files."""

    version: Version | None = None
    conflicts: dict[str, Version] = field(factory=dict)

    def take(self, version: Version) -> None:
        """Make a version the client's own; conflicts that it settles go."""
        self.version = version
        held = self.conflicts.items()
        self.conflicts = {n: each for n, each in held if each.number not in version.includes}


def classified(ours: Version | None, theirs: Version) -> str:
    """Return the classification that a poll should find."""
    if ours is None or theirs.follows(ours):
        return "overwrite"
    if theirs.number == ours.number:
        return "same"
    return "stale" if ours.follows(theirs) else "conflict"


@define
class Witness:
    """All clients' copies, and the versions by their numbers."""

    clients: Sequence[str]
    copies: dict[tuple[str, str], Copy] = field(factory=dict)
    versions: list[tuple[str, str, Version]] = field(factory=list)

    def perform(self, step: Step) -> Step:
        """Take a step, and return what `scenario` must say of it."""
        name, client = step.get("file", "foo"), step["client"]
        mine = self.copies.setdefault((client, name), Copy())
        found = None
        if "poll" in step:
            theirs = self.copies.get((step["poll"], name), Copy()).version
            found = None if theirs is None else classified(mine.version, theirs)
            if theirs is not None and found == "overwrite":
                mine.take(theirs)
            if theirs is not None and found == "conflict":
                mine.conflicts[step["poll"]] = theirs
        else:
            had = [mine.conflicts[each] for each in step.get("resolve", ())]
            had += [] if mine.version is None else [mine.version]
            number = len(self.versions)
            includes = frozenset([number]).union(*(each.includes for each in had))
            kept = "" if mine.version is None else mine.version.text
            text: str = step.get("edit", step.get("text", kept)) or ""
            mine.take(Version(text, number, includes))
            self.versions.append((name, client, Version(text, number, includes)))
        return {"classification": found, "files": {each: self.files(each) for each in self.clients}}

    def held(self, client: str, name: str) -> list[str]:
        """Return whose versions a client has in conflict files of a file."""
        return sorted(self.copies.get((client, name), Copy()).conflicts)

    def files(self, client: str) -> dict[str, str]:
        """Return the files in a client's folder."""
        copies = [(name, copy) for (of, name), copy in self.copies.items() if of == client]
        files = {name: copy.version.text for name, copy in copies if copy.version is not None}
        return files | {
            f"{name}.conflict-{other}": version.text
            for name, copy in copies
            for other, version in copy.conflicts.items()
        }


def witnessed(clients: Sequence[str], steps: Sequence[Step]) -> Answer:
    """Return what `scenario` must answer."""
    witness = Witness(clients)
    said: Any = [witness.perform(step) for step in steps]
    return {"output": {"steps": said}}


def known_steps(vector: Vector, answer: Any) -> list[Step]:
    """Return the steps of a vector; none if the witness does not know one of them."""
    steps: Any = vector.input["steps"]
    known = all({*each} <= PLAIN and each.get("file", "foo") in NAMES for each in steps)
    return [*steps] if known and "output" in answer else []


def apart(one: Step, two: Step) -> bool:
    """Return whether two steps concern different folders, and neither sees the other's client."""
    clients = (one["client"], two["client"])
    return clients[0] != clients[1] and not {one.get("poll"), two.get("poll")} & {*clients}


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

    @initialize(data=st.data(), clients=st.integers(1, 4), wanted=WORK)
    def begin(self, data: st.DataObject, clients: int, wanted: Wanted) -> None:
        """Begin with some work in empty folders, or with the steps of a vector."""
        self.steps: list[Step] = []
        (vector,) = self.drawn(data, 1)
        steps = known_steps(vector, self.expected(vector)) if clients == 1 else []
        names: Any = vector.input["clients"] if steps else CLIENTS[: max(2, clients)]
        self.witness = Witness([*names])
        self._take(steps)
        if not steps:
            self.users_work(wanted)

    @rule(wanted=WORK)
    def users_work(self, wanted: Wanted) -> None:
        """Users change files and resolve conflicts, and clients poll."""
        names = self.witness.clients
        for one, two, name, kind in wanted:
            client, other = names[one % len(names)], names[two % len(names)]
            held = self.witness.held(client, name)
            step: Step = {"client": client, "file": name}
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

    @rule(data=st.data(), design=DESIGNS)
    def commutativity(self, data: st.DataObject, design: str) -> None:
        """Exchange two steps of which neither sees the other."""
        pairs = [n for n in range(len(self.steps) - 1) if apart(*self.steps[n : n + 2])]
        if pairs:
            at = data.draw(st.sampled_from(pairs))
            one, two = self.steps[at : at + 2]
            steps = [*self.steps[:at], two, one, *self.steps[at + 2 :]]
            self._expect("polls-are-acted-on", design, steps)

    @rule(data=st.data(), design=DESIGNS)
    def idempotence(self, data: st.DataObject, design: str) -> None:
        """Poll twice instead of once; also somebody who lags behind by now."""
        if polls := [step for step in self.steps if "poll" in step]:
            again = data.draw(st.sampled_from(polls))
            self._expect("no-news-missed", design, [*self.steps, again, again])

    @rule(data=st.data(), design=DESIGNS)
    def convergence(self, data: st.DataObject, design: str) -> None:
        """One client polls all others and resolves all that it holds; the others poll it."""
        one = data.draw(st.sampled_from(self.witness.clients))
        others = [each for each in self.witness.clients if each != one]
        for name in NAMES:
            self._take([{"client": one, "file": name, "poll": each} for each in others])
            step = {"client": one, "file": name, "text": f"all {len(self.steps)}"}
            if held := self.witness.held(one, name):
                self._take([{**step, "resolve": held}])
            self._take([{"client": each, "file": name, "poll": one} for each in others])
        self._expect("one-resolver-is-enough", design, self.steps)

    @rule(data=st.data())
    def two_versions(self, data: st.DataObject) -> None:
        """Compare two versions of a file without clients: by a graph, and by maps."""
        versions = self.witness.versions
        alike = [each for of, _, each in versions if of == versions[-1][0]]
        if not alike:
            return
        drawn = [data.draw(st.sampled_from(alike)) for _ in range(2)]
        expected: Answer = {"output": {"classification": classified(*drawn)}}
        graph = [
            {"id": f"{each.number}", "parents": [f"{n}" for n in each.includes - {each.number}]}
            for each in alike
        ]
        local, remote = (f"{each.number}" for each in drawn)
        value: Step = {"snapshots": graph, "local": local, "remote": remote}
        self.expect("no-false-conflict", "classify-snapshot", value, expected)
        makers = [Counter(versions[n][1] for n in each.includes) for each in drawn]
        value = {"local": makers[0], "remote": makers[1]}
        self.expect("no-false-conflict", "classify-version-map", value, expected)

    def turned(self, data: st.DataObject, vector: Vector) -> tuple[str, str, Any, Any]:
        """Exchange two steps of a vector that concern different folders; poll twice."""
        steps: list[Any] = [*vector.input["steps"]]  # type: ignore[misc]  # a list, by its schema
        answer: Any = self.expected(vector)
        said = [*answer.get("output", {}).get("steps", ())]
        if said and "report" not in vector.input and all({*each} <= LOCAL for each in steps):
            if pairs := [n for n in range(1, len(steps)) if apart(*steps[n - 1 : n + 1])]:
                exchange(data.draw(st.sampled_from(pairs)), steps, said)
            if "poll" in steps[-1] and not any({"delete", "change"} & {*each} for each in steps):
                found = said[-1]["classification"]
                again = {"classification": "same" if found == "overwrite" else found}
                steps, said = [*steps, steps[-1]], [*said, {**said[-1], **again}]
            answer = {"output": {"steps": said}}
        return "polls-are-acted-on", "scenario", {**vector.input, "steps": steps}, answer

    def _take(self, steps: Sequence[Step]) -> None:
        self.steps += steps
        for step in steps:
            self.asking.saw(self.witness.perform(step)["classification"] or "no other version")

    def _expect(self, law: str, design: str, steps: Sequence[Step]) -> None:
        names = self.witness.clients
        value = {"design": design, "clients": [*names], "steps": [*steps]}
        self.expect(law, "scenario", value, witnessed(names, steps))
