"""What a scenario observes after an action, and the state after it, to which its text is relative.

An action is assumed to change only the files of its own client, by what its user writes, deletes
or renames, and to cost what is usual. The text of a scenario states everything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, TypeAlias, cast

from attrs import define, field

from rejoin_conformance.contract.drafting import in_order, numbered
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.phrases import Kind
from rejoin_conformance.systems.conflict_detection.actions import (
    FOO,
    polled_by,
    read_action,
    spelled_action,
)
from rejoin_conformance.systems.conflict_detection.fields import CLASSIFICATION, FOUND
from rejoin_conformance.systems.conflict_detection.kinds import KINDS
from rejoin_conformance.systems.conflict_detection.reports import COSTS, OPERATIONS, REPORTS
from rejoin_conformance.systems.conflict_detection.reports import OPERATIONS as COUNTS
from rejoin_conformance.systems.conflict_detection.segments import (
    WORDS,
    Statement,
    ends,
    items,
    spelled_items,
    whole,
    word,
)

_MARK: Final = ".conflict-"
FILES: Final = "files"

Seen: TypeAlias = dict[str, Any]
"""What is observed after an action, as far as it is not assumed.

found: the classification; each: those of a poll of all files; operations: the number of operations
of each kind that occurs; any other key: a report -> client -> its value.
"""

Observed: TypeAlias = tuple[JsonObject, Seen]
"""An action, and what is observed after it."""


class Telling:
    """What an operation tells of each action of a list, and how a text states it.

    polls_tell: whether each poll states its finding, if anything is stated.
    """

    polls_tell: ClassVar[bool] = True

    def read_action(self, text: Statement, *, named: bool) -> JsonObject:
        """Take an action. named: whether it has the field `file` even if that is foo."""
        return read_action(text, named=named)

    def written_action(self, step: JsonObject, *, named: bool) -> str:
        """Return the text of an action."""
        return spelled_action(step, named=named)

    def assume(self, step: JsonObject) -> object:
        """Apply an action of which nothing is told."""

    def settle(self, number: int) -> None:
        """Make the state after a repeated action that of its last number."""

    def output(self, told: list[Any]) -> JsonObject:
        """Return the output. told: the report of each action."""
        return {"steps": in_order(told)}

    def reports_in(self, _value: Any, output: Any) -> list[Any]:
        """Return the report of each action of an input."""
        return [*output["steps"]]


@define
class Story(Telling):
    """The state of a scenario. states: report -> client -> file -> value."""

    design: str
    states: dict[str, dict[str, Any]]
    reports: Sequence[str]
    offline: set[str] = field(factory=set)

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> Story:
        """Return the state of a scenario before its first action."""
        reports = value.get("report", ())
        kept = [FILES, *(name for name in reports if name in REPORTS)]
        states: dict[str, dict[str, Any]] = {
            name: {client: {} for client in value["clients"]} for name in kept
        }
        return cls(value["design"], states, reports)

    def take(self, step: JsonObject, seen: Seen) -> JsonObject:
        """Apply an action with what is observed, and return its report."""
        usual = self.assume(step)
        report: JsonObject = {"classification": seen.get("found")}
        for name, state in self.states.items():
            state.update(seen.get(name, {}))
            report[name] = {**state}
        if OPERATIONS in self.reports:
            report[OPERATIONS] = _totalled(seen.get(OPERATIONS, usual))
        if "poll_all" in step:
            report["classifications"] = seen.get("each", {})
        return report

    def settle(self, number: int) -> None:
        """Make the state after a repeated action that of its last number."""
        (states,) = numbered([{**self.states}], number)
        assert isinstance(states, dict)
        self.states = cast("dict[str, dict[str, Any]]", states)

    def observe(self, step: JsonObject, report: Any) -> Seen:
        """Apply an action with its report, and return what the text has to state."""
        usual, seen = self.assume(step), {"found": report["classification"]}
        for name, state in self.states.items():
            changed = {who: each for who, each in report[name].items() if state.get(who) != each}
            state.update(changed)
            seen |= {name: changed} if changed else {}
        if OPERATIONS in self.reports:
            costs = {kind: count for kind, count in report[OPERATIONS].items() if count}
            costs.pop("total", None)
            seen |= {} if costs == usual else {OPERATIONS: costs}
        return seen | ({"each": report["classifications"]} if "poll_all" in step else {})

    def assume(self, step: JsonObject) -> dict[str, int]:
        """Apply what an action does to the files of its own client; return its usual costs."""
        if "collect_garbage" in step:
            return {}
        client = str(step["client"])
        if "join" in step:
            for state in self.states.values():
                state.setdefault(client, {})
        self.offline -= {client} if "online" in step else set()
        self.offline |= {client} if "offline" in step or "stops" in step else set()
        self.states[FILES][client] = own_files(self.states[FILES].get(client, {}), step)
        return {} if client in self.offline and "stops" not in step else self._costs(step)

    def _costs(self, step: JsonObject) -> dict[str, int]:
        beside = _MARK in str(step.get("file", FOO))
        if polled_by(step) is not None:
            return {"directory_reads": 1}
        if not {"edit", "undelete", "resolve", "delete"} & {*step} or ("edit" in step and beside):
            return {}
        contents = {} if "delete" in step and not beside else {"content_uploads": 1}
        snapshots = {"snapshot_uploads": 1} if self.design == "snapshots" else {}
        return {**contents, **snapshots, "directory_updates": 1}

    def see(self, seen: Seen, text: Statement, step: JsonObject) -> None:
        """Add an observation to those of an action."""
        polls, every = polled_by(step) is not None, "poll_all" in step
        if polls and (text.next.text in (*FOUND, "nothing") or (every and text.ahead(1) == "=")):
            if "found" in seen:
                text.fail("one finding of a poll")
            nothing = text.takes("nothing")
            seen["found"] = None if nothing or every else CLASSIFICATION.read(text)
            seen["each"] = (
                {} if nothing or not every else items(text, "a file", CLASSIFICATION.read)
            )
        elif text.next.kind == "bare" and text.next.text.isdecimal():
            if COUNTS in seen:
                text.fail("the operations of a step once")
            seen[COUNTS] = _read_costs(text, poll=polls)
        else:
            client, verb = word(text, _OBSERVED), text.next.text
            name = _VERBS.get("" if ends(text) else verb) or text.fail_at(text.start, _OBSERVED)
            text.take()
            if client in seen.setdefault(name, {}):
                text.fail_at(
                    text.start, f"one observation of this kind for {client!r} in each step"
                )
            if ends(text):
                text.fail("`nothing`, or names with `=` and values")
            nothing = text.takes("nothing")
            seen[name][client] = {} if nothing else items(text, "a file", _kind_of(name).read)

    def spelled(self, step: JsonObject, seen: Seen) -> Iterator[str]:
        """Yield the text of each observation."""
        polls = polled_by(step) is not None
        if polls:
            yield spelled_items(seen.get("each", {}), str, "") or seen["found"] or "nothing"
        for verb, name in _VERBS.items():
            for client, value in seen.get(name, {}).items():
                who = f'"{client}"' if client.isdecimal() else WORDS.spelled(client)
                texts = {file: _kind_of(name).write(each, None) for file, each in value.items()}
                told = spelled_items(texts, str, "nothing")
                yield f"{who}: {told}" if name == FILES else f"{who} {verb} {told}"
        if COUNTS in seen:
            yield _spelled_costs(seen[COUNTS], poll=polls)


def _totalled(costs: Mapping[str, int]) -> JsonObject:
    counted: JsonObject = {kind: costs.get(kind, 0) for kind in COSTS}
    return {**counted, "total": sum(costs.values()) - costs.get("directory_reads", 0)}


def own_files(files: JsonObject, step: Any) -> JsonObject:
    """Return the files of a client after an action of its user."""
    after, file = {**files}, str(step.get("file", FOO))
    match step:
        case {"edit": text} | {"undelete": text}:
            after[file] = text
        case {"delete": _} | {"change": None}:
            after.pop(file, None)
        case {"change": text}:
            after[file] = text
        case {"rename": target} if file in after:
            after[target] = after.pop(file)
        case {"resolve": others}:
            for name in _conflict_files(files, file, others):
                del after[name]
            after |= {file: step["text"]} if "text" in step else {}
        case {"join": joined}:
            after = {**joined}
    return after


def _conflict_files(files: Iterable[str], file: str, others: Iterable[str]) -> Iterator[str]:
    for name in files:
        path, mark, nicknames = name.rpartition(_MARK)
        if mark and path == file and {*nicknames.split(",")} & {*others}:
            yield name


def sharing(story: Story, step: JsonObject, *, back: bool) -> Iterator[Observed]:
    """Yield an edit, the overwrite at each other client, and perhaps polls back by its maker."""
    maker, file, text = str(step["client"]), str(step.get("file", FOO)), step["edit"]
    named = {"file": step["file"]} if "file" in step else {}
    snapshots = story.design == "snapshots"

    def seen(client: str) -> Seen:
        made = {"links": text, **({"cached": 1} if snapshots else {})}
        states = {name: story.states[name] for name in made if name in story.states}
        return {
            name: {client: {**state.get(client, {}), file: made[name]}}
            for name, state in states.items()
        }

    yield step, seen(maker)
    fetched = {"snapshot_downloads": 1} if snapshots else {}
    costs = {**fetched, "content_downloads": 1, "directory_updates": 1, "directory_reads": 1}
    for client in [each for each in story.states[FILES] if each != maker]:
        files = {client: {**story.states[FILES].get(client, {}), file: text}}
        overwrite = {"found": "overwrite", FILES: files, OPERATIONS: costs, **seen(client)}
        yield {"client": client, "poll": maker, **named}, overwrite
        if back:
            yield {"client": maker, "poll": client, **named}, {"found": "same"}


_VERBS: Final[Mapping[str, str]] = {":": FILES, **{e.verb: name for name, e in REPORTS.items()}}
"""Verb of an observation -> the report."""
_OBSERVED: Final = "an observation: a finding, `A: foo=a`, {}, or operations such as {}".format(
    ", ".join(f"`A {each.verb} ...`" for each in REPORTS.values()), "`1 snapshot, 1 content`"
)
_COST_WORDS: Final = {
    "snapshot": ("snapshot_uploads", "snapshot_downloads"),
    "content": ("content_uploads", "content_downloads"),
    "update": ("directory_updates", "directory_updates"),
    "read": ("directory_reads", "directory_reads"),
}
"""Word -> the operation that it means in a change, and the one that it means in a poll."""


def report_of(text: Statement) -> str:
    """Return the report that an observation belongs to, or nothing."""
    name = COUNTS if text.next.text.isdecimal() else _VERBS.get(text.ahead(1), "")
    return "" if name == FILES else name


def _kind_of(report: str) -> Kind:
    """Return the kind of the value of a file."""
    return REPORTS[report].value if report in REPORTS else KINDS["text"]


def _read_costs(text: Statement, *, poll: bool) -> dict[str, int]:
    costs = {"directory_reads": 1} if poll else {}
    known = {name: pair[poll] for each, pair in _COST_WORDS.items() for name in (each, f"{each}s")}
    known |= {kind: kind for kind in COSTS}
    more = True
    while more:
        count, kind = whole(text, "how many operations"), word(text, "a kind of operation")
        more, kind = kind.endswith(","), kind.rstrip(",")
        if kind in known:
            costs[known[kind]] = count
        elif kind != COUNTS or count:
            text.refuse("snapshots, contents, updates or reads")
    return {kind: count for kind, count in costs.items() if count}


def _spelled_costs(costs: Mapping[str, int], *, poll: bool) -> str:
    words = {pair[poll]: each for each, pair in _COST_WORDS.items()}
    parts = [
        f"{costs[kind]} {words.get(kind, kind)}{'s' * (kind in words and costs[kind] != 1)}"
        for kind in COSTS
        if kind in costs and (kind, costs[kind], poll) != ("directory_reads", 1, True)
    ]
    parts += ["0 reads"] if poll and not costs.get("directory_reads") else []
    return ", ".join(parts) or "0 operations"
