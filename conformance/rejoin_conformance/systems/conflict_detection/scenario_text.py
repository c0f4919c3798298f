"""Scenarios as text: the clients, then each action with what is observed after it.

    snapshots: A B; A shares foo=X
    A edits foo=a; B edits foo=b
    A polls B   conflict   A: foo=a foo.conflict-B=b

These are the observations:

    overwrite, conflict, stale, same, nothing     the finding of a poll
    foo=overwrite bar=conflict                    the findings of a poll of all files
    A: foo=a foo.conflict-B=b                     all files of a client; `A: nothing`
    A links foo=a bar=deleted                     a report, by its verb (`scenario.REPORTS`)
    1 snapshot, 1 content, 1 update               the remote operations of the step

What is not stated is as in `story`. `A shares foo=X` is an edit by A, and then a poll of A by each
other client, which overwrites. `in sync: A B` is the same with the text X in the design of
snapshots, and A polls each of the others too. The printer writes every action.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from attrs import define, evolve, field

from rejoin_conformance.contract.drafting import repeated
from rejoin_conformance.contract.notation import Example
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.phrases import filled
from rejoin_conformance.systems.conflict_detection.action_texts import OldDesign, StepsTold
from rejoin_conformance.systems.conflict_detection.actions import FOO, polled_by
from rejoin_conformance.systems.conflict_detection.reports import OPERATIONS as COUNTS
from rejoin_conformance.systems.conflict_detection.reports import REPORTS
from rejoin_conformance.systems.conflict_detection.segments import (
    GAP,
    Statement,
    items,
    spelled_items,
    spelled_list,
    with_number,
    without_repetition,
    words_left,
)
from rejoin_conformance.systems.conflict_detection.snapshots import read_hex
from rejoin_conformance.systems.conflict_detection.story import (
    Observed,
    Seen,
    Story,
    report_of,
    sharing,
)

AnyTelling: TypeAlias = Story | StepsTold | OldDesign

OPERATION: Final = "conflict-detection/scenario"
_STEPS: Final = "conflict-detection/scenario-steps"
_OLD: Final = "conflict-detection/old-design"
_TELLINGS: Final[Mapping[str, Callable[[Any], AnyTelling]]] = {
    OPERATION: Story.of,
    _STEPS: lambda _: StepsTold(),
    _OLD: lambda _: OldDesign(),
}
"""Operation -> its input -> what it tells, before the first action."""
OPERATIONS: Final = (*_TELLINGS,)
BOTH_DESIGNS: Final = "both designs"
_KEY_BYTES: Final = 32
_HEADERS: Final = ("snapshots", "version", "in", "both")


def begins(text: Statement) -> bool:
    """Return whether a statement is the header of a scenario, which lists the clients."""
    words = [token.text for token in text.tokens]
    told = words[:2] in (["steps", "of"], ["old", "design"])
    return told or (words[0] in _HEADERS and ":" in words)


# Reading.


@define
class Script:
    """The statements of a scenario. early: whether the reports stand before the first action."""

    operation: str
    value: dict[str, Any]
    in_sync: bool = False
    report: list[Any] | None = None
    early: bool = False
    named: bool = False
    quiet: bool = False
    keys: JsonObject = field(factory=dict)
    actions: list[Statement] = field(factory=list)

    def sort(self, body: Sequence[Statement]) -> None:
        """Take the statements that are no actions."""
        for text in body:
            if text.takes("report"):
                if self.report is not None:
                    text.fail("one list of reports")
                self.early, self.report = not self.actions, words_left(text, "a report")
                if {*self.report} - {COUNTS, *REPORTS}:
                    text.fail_at(1, f"reports: {', '.join([COUNTS, *REPORTS])}")
            elif text.takes("signing", "keys"):
                self.keys |= items(text, "a client", _key)
            elif text.takes("every", "file", "named"):
                self.named = True
            elif text.takes("nothing", "happens"):
                self.quiet = True
            else:
                self.actions.append(text)
                continue
            text.done()

    @property
    def reports(self) -> list[Any]:
        """Return the reports that are named, and those of what a scenario observes."""
        observing = self.actions if self.operation == OPERATION else ()
        said = {report for text in observing for report in _reports_of(text)} - {""}
        listed = self.report or []
        return listed if said <= {*listed} else sorted({*listed, *said})

    def telling(self, **more: Any) -> AnyTelling:
        """Return what is told, before the first action. more: further fields of the input."""
        return _TELLINGS[self.operation]({**self.value, **more})

    def read(self, text: Statement, telling: AnyTelling) -> Observed:
        """Return an action and what is observed after it."""
        step, seen = telling.read_action(text, named=self.named), Seen()
        text.end()
        while text.next_segment():
            telling.see(seen, text, step)
            text.end()
        return step, seen

    def play(self, telling: AnyTelling) -> tuple[list[Json], list[Json], bool]:
        """Return the actions, their reports, and whether the text states reports."""
        steps: list[Json] = []
        reports: list[Json] = []
        stated, silent = self.quiet, None
        for pairs, text, times in self._pairs(telling):
            for step, seen in pairs:
                report = telling.take(step, seen)
                steps.append(_recipe(times, step) if times else step)
                reports.append(_recipe(times, report) if times else report)
                if times:
                    telling.settle(times[-1])
                if text is not None:
                    found = "found" in seen or not telling.polls_tell
                    stated |= bool(seen)
                    silent = silent or (None if found or not polled_by(step) else text)
        if stated and silent is not None:
            expected = "the finding of this poll too, after two spaces: other steps state theirs"
            silent.fail_at(silent.first_end, expected)
        return steps, reports, stated

    def _pairs(
        self, telling: AnyTelling
    ) -> Iterator[tuple[Iterable[Observed], Statement | None, range]]:
        """Yield the actions of each statement, the statement, and the numbers that repeat them.

        The statement is None if its actions are shared ones, whose observations are implied.
        """
        once = range(0)
        story = telling if isinstance(telling, Story) else None
        if story and self.in_sync and self.value["clients"]:
            first: JsonObject = {"client": self.value["clients"][0], "edit": "X"}
            step = first | ({"file": FOO} if self.named else {})
            yield sharing(story, step, back=True), None, once
        for text in self.actions:
            if story and text.ahead(1) == "shares":
                yield sharing(story, self._shared(story, text), back=False), None, once
                continue
            told, numbers, written_out = without_repetition(text)
            if written_out:
                for number in numbers:
                    yield [self.read(with_number(told, number), telling)], told, once
            else:
                yield [self.read(told, telling)], told, numbers

    def _shared(self, story: Story, text: Statement) -> JsonObject:
        client, verb, *rest = text.tokens
        edit = evolve(text, tokens=[client, evolve(verb, text="edits"), *rest])
        step = story.read_action(edit, named=self.named)
        edit.done("the next step: `shares` implies its observations")
        return step


def _reports_of(text: Statement) -> Iterator[str]:
    """Yield the reports that the observations after an action belong to."""
    read = evolve(text)
    for read.place in range(1, len(text.tokens)):
        if read.begins_segment:
            yield report_of(read)


def _recipe(numbers: range, item: Json) -> Json:
    return repeated(len(numbers), item, start=numbers[0], step=numbers.step)


def _key(text: Any) -> Json:
    start = text.place
    key = read_hex(text) if text.next.text.startswith("0x") else b""
    if len(key) != _KEY_BYTES:
        text.fail_at(start, f"{_KEY_BYTES} bytes as `0x` and hex")
    return key.hex()


def _header(text: Statement) -> Script:
    """Take the header, which says the operation, the design and the clients."""
    operation = _OLD if text.takes("old", "design") else OPERATION
    operation = _STEPS if text.takes("steps", "of") else operation
    value: dict[str, Any] = {}
    if operation != _OLD:
        value["design"] = "version-maps" if text.takes("version", "maps") else "snapshots"
        maps = value["design"] == "version-maps"
        if not maps and not text.takes("snapshots") and text.next.text != "in":
            text.fail("`snapshots:`, `version maps:` or `in sync:`, and the clients")
    in_sync = operation == OPERATION and text.takes("in", "sync")
    text.need(":")
    value["clients"] = words_left(text, "a client", "nobody")
    text.done("a step on a line of its own, or after a semicolon")
    return Script(operation, value, in_sync)


def read(body: Sequence[Statement]) -> Example:
    """Return a scenario, with its reports if observations are stated. Raises NotationError."""
    header, *others = body
    script = _header(header)
    script.sort(others)
    value, reports = script.value, script.reports
    asked = {"report": reports} if script.report is not None or reports else {}
    telling = script.telling(**asked)
    steps, told, stated = script.play(telling)
    value |= {"signing_keys": script.keys} if script.keys else {}
    value |= asked if script.early else {}
    value |= {"steps": steps, **asked}
    output = telling.output(told) if stated else None
    return Example(operation=script.operation, input=value, output=output)


def _script_of(example: Example) -> Script:
    """Return a script of further statements on the actions of a question."""
    value: Any = example.input
    return Script(example.operation, value, named=every_file_named(value["steps"]))


def _above(example: Example, output: Any) -> list[Observed]:
    """Return the actions of a question, with what is observed of an output."""
    value, telling = example.input, _script_of(example).telling()
    steps: Any = value["steps"]
    pairs = zip(steps, telling.reports_in(value, output), strict=True)
    return [(step, telling.observe(step, report)) for step, report in pairs]


def every_file_named(steps: Any) -> bool:
    """Return whether the actions name their file even if it is foo."""
    return any(step.get("file") == FOO for step in steps)


def read_answer(body: Sequence[Statement], example: Example) -> JsonObject:
    """Return the reports in another reading, from the actions with other observations.

    Each line is about the last matching action before the one of the next line.
    """
    if example.output is None:
        body[0].fail(
            "the observations of the default reading above, before those of another reading"
        )
    above, script = _above(example, example.output), _script_of(example)
    script.sort(body)
    telling, end = script.telling(), len(above)
    for text in reversed(script.actions):
        step, seen = script.read(text, telling)
        if telling.polls_tell and polled_by(step) is not None and "found" not in seen:
            text.fail("the finding of this poll, after two spaces")
        end = next((at for at in reversed(range(end)) if above[at][0] == step), -1)
        if end < 0:
            text.fail_at(0, "a step of the scenario above, in its order")
        above[end] = (step, seen)
    return telling.output([telling.take(*each) for each in above])


def read_mended(body: Sequence[Statement], example: Example) -> Example:
    """Return the question above with other actions instead of its last one."""
    value, script = example.input, _script_of(example)
    listed: Any = value["steps"]
    script.sort(body)
    telling = script.telling()
    for step in listed[:-1]:
        telling.assume(step)
    steps, _, _ = script.play(telling)
    return evolve(example, input={**value, "steps": [*listed[:-1], *steps]}, output=None)


# Writing.


def written(example: Example) -> str:
    """Return the text of a question, and of its answer if it has one."""
    value: Any = example.input
    keys, reports, design = value.get("signing_keys"), value.get("report"), value.get("design")
    head = (design or "old design").replace("-", " ")
    head = f"steps of {head}" if example.operation == _STEPS else head
    lines = [f"{head}: {spelled_list(value['clients'], 'nobody')}"]
    if keys:
        lines.append(f"signing keys {spelled_items(keys, '0x{}'.format, '')}")
    lines += ["every file named"] * every_file_named(value["steps"])
    if reports is not None:
        lines.append(f"report {spelled_list(reports)}")
    if example.output is None:
        return "\n".join([*lines, *_lines(example, [(step, None) for step in value["steps"]])])
    told = _lines(example, _above(example, example.output))
    stated = any(GAP in line for line in told)
    return "\n".join([*lines, *told, *([] if stated else ["nothing happens"])])


def written_answer(example: Example, output: JsonObject) -> str:
    """Return the text of the actions from the first one on with another observation."""
    pairs = [*zip(_above(example, example.output), _above(example, output), strict=True)]
    first = next((at for at, (one, other) in enumerate(pairs) if one != other), 0)
    return "\n".join(_lines(example, [other for _, other in pairs[first:]]))


def _lines(example: Example, above: Iterable[tuple[JsonObject, Seen | None]]) -> list[str]:
    """Return the lines of actions: those without observations share lines."""
    script = _script_of(example)
    telling = script.telling()
    lines: list[str] = []
    silent: list[str] = []
    for step, seen in above:
        told = [telling.written_action(step, named=script.named)]
        told += [] if seen is None else telling.spelled(step, seen)
        if len(told) == 1:
            silent += told
            continue
        lines += [*filled(silent, "; "), "\n    ".join(filled(told, GAP))]
        silent = []
    return [*lines, *filled(silent, "; ")]
