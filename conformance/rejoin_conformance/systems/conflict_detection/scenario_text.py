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

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from attrs import define, evolve, field

from rejoin_conformance.contract.drafting import in_order, repeated
from rejoin_conformance.contract.notation import Example
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.phrases import filled
from rejoin_conformance.systems.conflict_detection.actions import (
    FOO,
    polled_by,
    read_action,
    spelled_action,
)
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
from rejoin_conformance.systems.conflict_detection.snapshots import (
    read_hex,
)
from rejoin_conformance.systems.conflict_detection.story import (
    Observed,
    Seen,
    Story,
    fail_at,
    observe,
    report_of,
    sharing,
    spelled_observations,
    story_of,
)

OPERATION: Final = "conflict-detection/scenario"
OPERATIONS: Final = (OPERATION,)
BOTH_DESIGNS: Final = "both designs"
_KEY_BYTES: Final = 32
_HEADERS: Final = ("snapshots", "version", "in", "both")


def begins(statement: Statement) -> bool:
    """Return whether a statement is the header of a scenario, which lists the clients."""
    words = [token.text for token in statement[0].tokens]
    return words[0] in _HEADERS and ":" in words


# Reading.


@define
class Script:
    """The statements of a scenario. early: whether the reports stand before the first action."""

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
        for statement in body:
            text = statement[0]
            if text.takes("report"):
                if self.report is not None:
                    text.fail("one list of reports")
                self.early, self.report = not self.actions, words_left(text, "a report")
                if {*self.report} - {COUNTS, *REPORTS}:
                    fail_at(text, 1, f"reports: {', '.join([COUNTS, *REPORTS])}")
            elif text.takes("signing", "keys"):
                self.keys |= items(text, "a client", _key)
            elif text.takes("every", "file", "named"):
                self.named = True
            elif text.takes("nothing", "happens"):
                self.quiet = True
            else:
                self.actions.append(statement)
                continue
            text.end()

    @property
    def reports(self) -> list[Any]:
        """Return the reports that are named, and those of what is observed."""
        said = {report_of(text) for statement in self.actions for text in statement[1:]} - {""}
        listed = self.report or []
        return listed if said <= {*listed} else sorted({*listed, *said})

    def read(self, statement: Statement) -> Observed:
        """Return an action and what is observed after it."""
        first, *others = statement
        step, seen = read_action(first, named=self.named), Seen()
        first.end()
        for text in others:
            observe(seen, text, step)
            text.end()
        return step, seen

    def play(self, story: Story) -> tuple[list[Json], list[Json], bool]:
        """Return the actions, their reports, and whether the text states reports."""
        steps: list[Json] = []
        reports: list[Json] = []
        stated, silent = self.quiet, None
        for pairs, statement, times in self._pairs(story):
            for step, seen in pairs:
                report = story.take(step, seen)
                steps.append(_recipe(times, step) if times else step)
                reports.append(_recipe(times, report) if times else report)
                if times:
                    story.settle(times[-1])
                if statement is not None:
                    found = "found" in seen
                    stated |= len(statement) > 1
                    silent = silent or (None if found or not polled_by(step) else statement[0])
        if stated and silent is not None:
            silent.fail("the finding of this poll too, after two spaces: other steps state theirs")
        return steps, reports, stated

    def _pairs(self, story: Story) -> Iterator[tuple[Iterable[Observed], Statement | None, range]]:
        """Yield the actions of each statement, the statement, and the numbers that repeat them.

        The statement is None if its actions are shared ones, whose observations are implied.
        """
        once = range(0)
        if self.in_sync and self.value["clients"]:
            first: JsonObject = {"client": self.value["clients"][0], "edit": "X"}
            step = first | ({"file": FOO} if self.named else {})
            yield sharing(story, step, back=True), None, once
        for statement in self.actions:
            if statement[0].text_at(1) == "shares":
                yield self._shared(story, statement), None, once
                continue
            told, numbers, written_out = without_repetition(statement)
            if written_out:
                for number in numbers:
                    yield [self.read(with_number(told, number))], told, once
            else:
                yield [self.read(told)], told, numbers

    def _shared(self, story: Story, statement: Statement) -> Iterator[Observed]:
        first, *others = statement
        for more in others:
            more.fail("the next step: `shares` implies its observations")
        client, verb, *rest = first.tokens
        step, _ = self.read([evolve(first, tokens=[client, evolve(verb, text="edits"), *rest])])
        return sharing(story, step, back=False)


def _recipe(numbers: range, item: Json) -> Json:
    return repeated(len(numbers), item, start=numbers[0], step=numbers.step)


def _key(text: Any) -> Json:
    start = text.place
    key = read_hex(text) if text.next.text.startswith("0x") else b""
    if len(key) != _KEY_BYTES:
        fail_at(text, start, f"{_KEY_BYTES} bytes as `0x` and hex")
    return key.hex()


def read(body: Sequence[Statement]) -> Example:
    """Return a scenario, with its reports if observations are stated. Raises NotationError."""
    header, *others = body
    text, design = header[0], "snapshots"
    if text.takes("version", "maps"):
        design = "version-maps"
    elif not text.takes("snapshots") and text.text_at(0) != "in":
        text.fail("`snapshots:`, `version maps:` or `in sync:`, and the clients")
    in_sync = text.takes("in", "sync")
    text.need(":")
    value: dict[str, Any] = {"design": design, "clients": words_left(text, "a client", "nobody")}
    for more in header[1:]:
        more.fail("a step on a line of its own, or after a semicolon")
    script = Script(value, in_sync)
    script.sort(others)
    asked = {"report": script.reports} if script.report is not None or script.reports else {}
    steps, reports, stated = script.play(story_of({**value, **asked}))
    value |= {"signing_keys": script.keys} if script.keys else {}
    value |= asked if script.early else {}
    value |= {"steps": steps, **asked}
    output: JsonObject | None = {"steps": in_order(reports)} if stated else None
    return Example(operation=OPERATION, input=value, output=output)


def _above(example: Example, output: Any) -> list[Observed]:
    """Return the actions of a scenario, with what is observed of an output."""
    value: Any = example.input
    story = story_of(value)
    pairs = zip(value["steps"], output["steps"], strict=True)
    return [(step, story.observe(step, report)) for step, report in pairs]


def every_file_named(steps: Any) -> bool:
    """Return whether the actions name their file even if it is foo."""
    return any(step.get("file") == FOO for step in steps)


def read_answer(body: Sequence[Statement], example: Example) -> JsonObject:
    """Return the reports in another reading, from the actions with other observations.

    Each line is about the last matching action before the one of the next line.
    """
    value: Any = example.input
    if example.output is None:
        body[0][0].fail(
            "the observations of the default reading above, before those of another reading"
        )
    above, script = _above(example, example.output), Script(value)
    script.named = every_file_named(value["steps"])
    script.sort(body)
    end = len(above)
    for statement in reversed(script.actions):
        step, seen = script.read(statement)
        if polled_by(step) is not None and "found" not in seen:
            statement[0].fail("the finding of this poll, after two spaces")
        end = next((at for at in reversed(range(end)) if above[at][0] == step), -1)
        if end < 0:
            fail_at(statement[0], 0, "a step of the scenario above, in its order")
        above[end] = (step, seen)
    story = story_of(value)
    return {"steps": [story.take(*each) for each in above]}


def read_mended(body: Sequence[Statement], example: Example) -> Example:
    """Return the scenario above with other actions instead of its last one."""
    value: Any = example.input
    *before, _ = value["steps"]
    script, story = Script(value, named=every_file_named(value["steps"])), story_of(value)
    script.sort(body)
    for step in before:
        story.assume(step)
    steps, _, _ = script.play(story)
    return Example(operation=OPERATION, input={**value, "steps": [*before, *steps]})


# Writing.


def written(example: Example) -> str:
    """Return the text of a scenario."""
    value: Any = example.input
    keys, reports = value.get("signing_keys", {}), value.get("report")
    named = every_file_named(value["steps"])
    design = value["design"].replace("-", " ")
    lines = [f"{design}: {spelled_list(value['clients'], 'nobody')}"]
    if keys:
        lines.append(f"signing keys {spelled_items(keys, '0x{}'.format, '')}")
    lines += ["every file named"] * named
    if reports is not None:
        lines.append(f"report {spelled_list(reports)}")
    if example.output is None:
        actions = [spelled_action(step, named=named) for step in value["steps"]]
        return "\n".join([*lines, *filled(actions, "; ")])
    above = _above(example, example.output)
    told = _lines(above, named=named)
    stated = any(GAP in line for line in told)
    return "\n".join([*lines, *told, *([] if stated else ["nothing happens"])])


def written_answer(example: Example, output: JsonObject) -> str:
    """Return the text of the actions from the first one on with another observation."""
    value: Any = example.input
    pairs = [*zip(_above(example, example.output), _above(example, output), strict=True)]
    first = next((at for at, (one, other) in enumerate(pairs) if one != other), 0)
    named = every_file_named(value["steps"])
    return "\n".join(_lines([other for _, other in pairs[first:]], named=named))


def _lines(above: Sequence[Observed], *, named: bool) -> list[str]:
    """Return the lines of actions: those without observations share lines."""
    lines: list[str] = []
    silent: list[str] = []
    for step, seen in above:
        told = [spelled_action(step, named=named), *spelled_observations(step, seen)]
        if len(told) == 1:
            silent += told
            continue
        lines += [*filled(silent, "; "), "\n    ".join(filled(told, GAP))]
        silent = []
    return [*lines, *filled(silent, "; ")]
