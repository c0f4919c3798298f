"""The machine of conflict detection: clients that edit, poll and resolve, and vectors turned round.

The oracle is a witness graph: a version includes the numbers of all changes that it follows. It
knows neither snapshots nor version maps, and so judges both designs.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeAlias

from hypothesis import strategies as st
from hypothesis.stateful import rule

from rejoin_conformance.laws.machine import LawMachine

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


def text_of(step: Step) -> str | None:
    """Return the text that a change gives to a file, if it gives one."""
    return step.get("edit", step.get("text"))


def classified(ours: Version, theirs: Version) -> str:
    """Return the classification that a poll should find."""
    if ours == theirs:
        return "same"
    if ours < theirs:
        return "overwrite"
    return "stale" if theirs < ours else "conflict"


def witnessed(
    clients: list[str], steps: list[Step]
) -> tuple[list[Step], dict[str, dict[int, Version]]]:
    """Return what `scenario` must say of each step, and the versions of each file by their own."""
    said, versions = list[Step](), {name: dict[int, Version]() for name in NAMES}
    folders: dict[str, dict[str, Version]] = {client: {} for client in clients}
    for number, step in enumerate(steps):
        folder, name, found = folders[step["client"]], step.get("file", "foo"), None
        if "poll" not in step:
            settled = [name, *(f"{name}.conflict-{whose}" for whose in step.get("resolve", ()))]
            had = [folder[each] for each in settled if each in folder]
            new = versions[name][number] = frozenset([number]).union(*had)
        elif new := folders[step["poll"]].get(name, frozenset()):
            found = classified(folder.get(name, frozenset()), new)
        if found == "conflict":
            folder[f"{name}.conflict-{step['poll']}"] = new
        elif found == "overwrite" or "poll" not in step:  # conflicts that it settles go
            left = {each: version for each, version in folder.items() if not version <= new}
            folders[step["client"]] = {**left, name: new}
        files = {
            client: {each: text_of(steps[max(version)]) for each, version in folder.items()}
            for client, folder in folders.items()
        }
        said.append({"classification": found, "files": files})
    return said, versions


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
        steps, clients = value["steps"], value["clients"]
        texts = [text_of(each) for each in steps if "poll" not in each]
        distinct = len({*texts} - {None}) == len(texts)  # equal changes can be one snapshot
        plain = all({*each} <= PLAIN and each.get("file", "foo") in NAMES for each in steps)
        known = output and plain and distinct and len(clients) > 1
        self.clients = clients if known else [*"ABCD"[: self.one((2, 3, 4))]]
        self.steps = [*steps] if known else list[Step]()
        if not known:
            self.users_work()

    @rule()
    def users_work(self) -> None:
        """Users change files and resolve conflicts, and clients poll."""
        for name, kind in self.draw(WORK):
            client, other, *_ = self.shuffled(self.clients)
            if kind == "resolve":
                self._resolve(client, name)
            else:
                what = other if kind == "poll" else f"{len(self.steps)}"
                self.steps.append({"client": client, "file": name, kind: what})

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
        one, *others = self.shuffled(self.clients)
        for name in NAMES:
            self.steps += [{"client": one, "file": name, "poll": each} for each in others]
            self._resolve(one, name)
            self.steps += [{"client": each, "file": name, "poll": one} for each in others]
        self._expect("one-resolver-is-enough", [*self.steps])

    @rule(name=st.sampled_from(NAMES))
    def two_versions(self, name: str) -> None:
        """Compare two versions of a file without clients: by a graph, and by maps."""
        if versions := witnessed(self.clients, self.steps)[1][name]:
            one, two = self.one([*versions]), self.one([*versions])
            found = classified(versions[one], versions[two])
            follows = {n: map(str, version - {n}) for n, version in versions.items()}
            graph = [{"id": f"{n}", "parents": [*parents]} for n, parents in follows.items()]
            value: Step = {"local": f"{one}", "remote": f"{two}", "snapshots": graph}
            self.expect("no-false-conflict", "classify-snapshot", value, classification=found)
            value = {
                side: Counter(self.steps[n]["client"] for n in versions[own])
                for side, own in (("local", one), ("remote", two))
            }
            self.expect("no-false-conflict", "classify-version-map", value, classification=found)

    def turn_round(self, operation: str, value: Any, output: Any) -> None:
        """Exchange two steps of a vector that concern different folders; poll twice."""
        steps, said = [*value["steps"]], [*output.get("steps", ())]
        if said and "report" not in value and all({*each} <= LOCAL for each in steps):
            if pairs := apart(steps):
                exchange(self.one(pairs), steps, said)
            if "poll" in steps[-1] and not any({"delete", "change"} & {*each} for each in steps):
                new = said[-1]["classification"] == "overwrite"
                again = {**said[-1], "classification": "same"} if new else said[-1]
                steps, said = [*steps, steps[-1]], [*said, again]
            output = {"steps": said}
        self.expect("polls-are-acted-on", operation, {**value, "steps": steps}, **output)

    def _resolve(self, client: str, name: str) -> None:
        """Let a client resolve what it holds in conflict files of a file, if there are any."""
        said, _ = witnessed(self.clients, self.steps)
        files = said[-1]["files"][client] if said else {}
        if held := [whose for whose in self.clients if f"{name}.conflict-{whose}" in files]:
            what = {"resolve": sorted(held), "text": f"{len(self.steps)}"}
            self.steps.append({"client": client, "file": name, **what})

    def _expect(self, law: str, steps: list[Step]) -> None:
        said, _ = witnessed(self.clients, steps)
        for found in filter(None, (each["classification"] for each in said)):
            self.asking.saw(found)
        value = {"design": self.one(DESIGNS), "clients": self.clients, "steps": steps}
        self.expect(law, "scenario", value, steps=said)
