"""The machine of conflict detection: clients that edit, poll and resolve, and vectors turned round.

The oracle keeps a witness of every version: the set of the changes that it includes. A version
follows another one if it includes the other's change and is not the same version. It knows neither
snapshots nor version maps, and so judges both designs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from attrs import define, field, frozen
from hypothesis import assume, event
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from rejoin_conformance.laws.asking import Answer, LawMachine

Step: TypeAlias = dict[str, Any]

CLIENTS = "ABCD"
FILES = st.sampled_from(["bar", "foo"])
DESIGNS = st.sampled_from(["snapshots", "version-maps"])
KINDS = st.sampled_from(["edit", "poll", "poll", "poll", "resolve"])
PLACES = st.integers(0, 3)
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

    clients: str
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
            text = step["edit"] if "edit" in step else step["text"]
            mine.take(Version(text, number, includes))
            self.versions.append((name, client, Version(text, number, includes)))
        return {"classification": found, "files": {each: self.files(each) for each in self.clients}}

    def files(self, client: str) -> dict[str, str]:
        """Return the files in a client's folder."""
        copies = [(name, copy) for (of, name), copy in self.copies.items() if of == client]
        files = {name: copy.version.text for name, copy in copies if copy.version is not None}
        return files | {
            f"{name}.conflict-{other}": version.text
            for name, copy in copies
            for other, version in copy.conflicts.items()
        }


def witnessed(clients: str, steps: Sequence[Step]) -> Answer:
    """Return what `scenario` must answer."""
    witness = Witness(clients)
    said: Any = [witness.perform(step) for step in steps]
    return {"output": {"steps": said}}


def apart(one: Step, two: Step) -> bool:
    """Return whether two steps concern different folders, and neither sees the other's client."""
    clients = (one["client"], two["client"])
    return clients[0] != clients[1] and not {one.get("poll"), two.get("poll")} & {*clients}


def exchanged(steps: list[Step], said: list[Any]) -> tuple[list[Step], list[Any]]:
    """Exchange the last two neighbouring steps that are apart, and what is said of them."""
    for n in range(len(steps) - 1, 0, -1):
        one, two = steps[n - 1 : n + 1]
        if apart(one, two):
            before = said[n - 2]["files"] if n > 1 else {}
            files = {**said[n]["files"], one["client"]: before.get(one["client"], {})}
            turned = [{**said[n], "files": files}, {**said[n - 1], "files": said[n]["files"]}]
            return (
                [*steps[: n - 1], two, one, *steps[n + 1 :]],
                [*said[: n - 1], *turned, *said[n + 1 :]],
            )
    return steps, said


def polled_twice(steps: list[Step], said: list[Any]) -> tuple[list[Step], list[Any]]:
    """Repeat the last step if it is a poll, and no deletion could end a link meanwhile."""
    if "poll" not in steps[-1] or any("delete" in each or "change" in each for each in steps):
        return steps, said
    found = said[-1]["classification"]
    again = {**said[-1], "classification": "same" if found == "overwrite" else found}
    return [*steps, steps[-1]], [*said, again]


class ConflictDetection(LawMachine):
    """A folder of two to four clients with two files."""

    @initialize(clients=st.integers(2, 4))
    def begin(self, clients: int) -> None:
        """Begin with empty folders."""
        self.steps: list[Step] = []
        self.witness = Witness(CLIENTS[:clients])

    @rule(wanted=st.lists(st.tuples(PLACES, PLACES, FILES, KINDS), min_size=3, max_size=12))
    def users_work(self, wanted: list[tuple[int, int, str, str]]) -> None:
        """Users change files and resolve conflicts, and clients poll."""
        for one, two, name, kind in wanted:
            client, other = (
                self.witness.clients[n % len(self.witness.clients)] for n in (one, two)
            )
            held = sorted(self.witness.copies.get((client, name), Copy()).conflicts)
            step: Step = {"client": client, "file": name}
            if kind == "edit":
                step |= {"edit": f"{len(self.steps)}"}
            elif kind == "resolve" and held:
                step |= {"resolve": held, "text": f"{len(self.steps)}"}
            elif client != other:
                step |= {"poll": other}
            else:
                continue
            self.steps.append(step)
            event(f"{self.witness.perform(step)['classification']}")

    @rule(design=DESIGNS)
    def classifications_are_as_witnessed(self, design: str) -> None:
        """Overwrite, conflict, stale and same, in both designs."""
        self._expect("no-false-conflict", design, self.steps)

    @rule(data=st.data(), design=DESIGNS)
    def commutativity(self, data: st.DataObject, design: str) -> None:
        """Exchange two steps of which neither sees the other."""
        pairs = [n for n in range(len(self.steps) - 1) if apart(*self.steps[n : n + 2])]
        assume(pairs)
        at = data.draw(st.sampled_from(pairs))
        one, two = self.steps[at : at + 2]
        self._expect("commutativity", design, [*self.steps[:at], two, one, *self.steps[at + 2 :]])

    @rule(data=st.data(), design=DESIGNS)
    def idempotence(self, data: st.DataObject, design: str) -> None:
        """Poll twice instead of once; also somebody who lags behind by now."""
        polls = [n for n, step in enumerate(self.steps) if "poll" in step]
        assume(polls)
        again = self.steps[data.draw(st.sampled_from(polls))]
        self._expect("no-news-missed", design, [*self.steps, again, again])

    @rule(data=st.data(), design=DESIGNS)
    def convergence(self, data: st.DataObject, design: str) -> None:
        """One client polls all others and resolves all that it holds; the others poll it."""
        steps, witness = [*self.steps], Witness(self.witness.clients)
        for step in steps:
            witness.perform(step)
        one = self._client(data)
        others = [each for each in witness.clients if each != one]
        for name in ("bar", "foo"):
            more: list[Step] = [{"client": one, "file": name, "poll": each} for each in others]
            for step in more:
                witness.perform(step)
            steps += more
            held = sorted(witness.copies.get((one, name), Copy()).conflicts)
            if held:
                steps.append({"client": one, "file": name, "resolve": held, "text": f"all {name}"})
            steps += [{"client": each, "file": name, "poll": one} for each in others]
        self._expect("one-resolver-is-enough", design, steps)

    @precondition(lambda self: self.witness.versions)
    @rule(data=st.data())
    def two_versions(self, data: st.DataObject) -> None:
        """Compare two versions without clients: by a graph, and by maps."""
        name = data.draw(st.sampled_from(self.witness.versions))[0]
        makers = {each.number: client for _, client, each in self.witness.versions}
        alike = [each for of, _, each in self.witness.versions if of == name]
        drawn = [data.draw(st.sampled_from(alike)) for _ in range(2)]
        expected: Answer = {"output": {"classification": classified(*drawn)}}
        ids = [f"{each.number}" for each in drawn]
        graph: list[Any] = [
            {"id": f"{each.number}", "parents": [f"{n}" for n in each.includes - {each.number}]}
            for each in alike
        ]
        value: Any = {"snapshots": graph, "local": ids[0], "remote": ids[1]}
        self.asking.expect("no-false-conflict", "classify-snapshot", value, expected)
        maps: list[Any] = [
            {c: n for c in CLIENTS if (n := sum(makers[each] == c for each in version.includes))}
            for version in drawn
        ]
        value = {"local": maps[0], "remote": maps[1]}
        self.asking.expect("no-false-conflict", "classify-version-map", value, expected)

    @rule(design=DESIGNS)
    def determinism(self, design: str) -> None:
        """Ask two processes the same question."""
        self.asking.expect("determinism", "scenario", self._value(design, self.steps))

    @rule(data=st.data())
    def commutativity_and_idempotence_of_vectors(self, data: st.DataObject) -> None:
        """Exchange two steps of a vector that concern different folders; poll twice."""
        for vector in self.drawn(data, "scenario"):
            steps: Any = vector.input["steps"]
            answer: Any = self.expected(vector)
            said: Any = answer.get("output", {}).get("steps", ())
            if said and "report" not in vector.input and all({*each} <= LOCAL for each in steps):
                steps, said = polled_twice(*exchanged(steps, said))
                answer = {"output": {"steps": said}}
            self.ask_turned("commutativity", vector, {**vector.input, "steps": steps}, answer)

    def _client(self, data: st.DataObject) -> str:
        return data.draw(st.sampled_from(self.witness.clients))

    def _value(self, design: str, steps: Sequence[Step]) -> Step:
        return {"design": design, "clients": [*self.witness.clients], "steps": [*steps]}

    def _expect(self, law: str, design: str, steps: Sequence[Step]) -> None:
        expected = witnessed(self.witness.clients, steps)
        self.asking.expect(law, "scenario", self._value(design, steps), expected)
