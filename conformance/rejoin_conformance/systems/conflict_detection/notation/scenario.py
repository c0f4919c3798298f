"""Read scenarios: the clients, then each step with its observations.

    snapshots: A B; A shares foo=X
    A edits foo=a; B edits foo=b
    A polls B   conflict   A: foo=a foo.conflict-B=b

`A shares foo=X` means an edit by A, and then a poll of A by each other client, which overwrites.
`in sync: A B` means the design of snapshots, the same steps with the text X, and a poll by A of
each other client after that client's poll. A step without observations changes only the files of
its own client.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from attrs import define, field

from rejoin_conformance.contract.notation import Example
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.notation.observations import (
    Reader,
    is_poll,
    report_of,
)
from rejoin_conformance.systems.conflict_detection.notation.snapshots import (
    define_snapshot,
    is_definition,
    parse_hex,
)
from rejoin_conformance.systems.conflict_detection.notation.steps import (
    file_and_text,
    parse_step,
)
from rejoin_conformance.systems.conflict_detection.notation.story import (
    SNAPSHOTS,
    STATES,
    Observation,
    ObservedStep,
    Story,
    sharing,
)
from rejoin_conformance.systems.conflict_detection.notation.words import Segment, Statement

OPERATION: Final = "conflict-detection/scenario"
VERSION_MAPS: Final = "version-maps"
BOTH_DESIGNS: Final = "both designs"
NOTHING_HAPPENS: Final = "nothing happens"
EVERY_FILE_NAMED: Final = "every file named"
SIGNING_KEYS: Final = "signing keys"
IN_SYNC_TEXT: Final = "X"
_KEY_BYTES: Final = 32
_REPORTS: Final = ("operations", *STATES)


def is_header(statement: Statement) -> bool:
    """Return whether a statement is the header, which lists the clients."""
    words = [token.text for token in statement[0].tokens]
    colon = words.index(":") if ":" in words else 0
    return bool(colon) and words[0] in {"snapshots", "version", "in", "both"}


@define
class _Script:
    """The statements of a scenario, sorted by kind.

    report: the reports that a statement requests, or None. early: whether that statement comes
    before the first step. named: whether each step names its file. keys: the signing keys.
    """

    design: str = SNAPSHOTS
    clients: list[str] = field(factory=list)
    in_sync: bool = False
    report: list[str] | None = None
    early: bool = False
    named: bool = False
    keys: dict[str, str] = field(factory=dict)
    reader: Reader = field(factory=Reader)
    steps: list[Statement] = field(factory=list)
    nothing_happens: bool = False

    @property
    def reports(self) -> list[str]:
        """Return all reports: the requested ones, and the ones that some observation states."""
        listed = self.report or []
        said = {report_of(segment) for statement in self.steps for segment in statement[1:]}
        said.discard(None)
        if said <= {*listed}:
            return listed
        return sorted({*listed, *(each for each in said if each)})


def parse_scenario(header: Statement, body: Sequence[Statement]) -> Example:
    """Return a scenario, with its observations if they are stated."""
    script = _Script()
    _read_header(script, header)
    _sort_statements(script, body)
    story = Story(script.design, script.clients, script.reports)
    steps, reports, stated = _play(script, story, [*_beginning(script, story)])
    value: JsonObject = {"design": script.design, "clients": [*script.clients]}
    if script.keys:
        value["signing_keys"] = {**script.keys}
    report: Json = [*script.reports]
    has_report = script.report is not None or bool(report)
    if has_report and script.early:
        value["report"] = report
    value["steps"] = [*steps]
    if has_report and not script.early:
        value["report"] = report
    output: JsonObject | None = {"steps": [*reports]} if stated else None
    return Example(operation=OPERATION, input=value, output=output)


def _read_header(script: _Script, statement: Statement) -> None:
    segment = statement[0]
    if segment.reads("version", "maps"):
        script.design = VERSION_MAPS
    elif not segment.reads(SNAPSHOTS) and segment.tokens[0].text != "in":
        segment.fail("`snapshots:`, `version maps:` or `in sync:`, and the clients")
    script.in_sync = segment.reads("in", "sync")
    segment.need(":")
    script.clients = segment.words("a client", "nobody")
    for more in statement[1:]:
        more.fail("a step on a line of its own, or after a semicolon")


def _sort_statements(script: _Script, body: Sequence[Statement]) -> None:
    for statement in body:
        segment = statement[0]
        if segment.reads("report"):
            if script.report is not None:
                segment.fail("one list of reports")
            script.early = not script.steps
            script.report = segment.words("a report")
            for report in script.report:
                if report not in _REPORTS:
                    segment.place = 1
                    segment.fail(f"reports: {', '.join(_REPORTS)}")
        elif segment.reads(*SIGNING_KEYS.split()):
            script.keys |= segment.items("a client", _key)
        elif segment.reads(*EVERY_FILE_NAMED.split()):
            segment.end()
            script.named = True
        elif segment.reads(*NOTHING_HAPPENS.split()):
            segment.end()
            script.nothing_happens = True
        elif is_definition(statement):
            define_snapshot(script.reader.names, statement)
        else:
            script.steps.append(statement)


def _key(segment: Segment) -> str:
    place = segment.place
    hexed = not segment.ended and segment.tokens[place].text.startswith("0x")
    key = parse_hex(segment) if hexed else b""
    if len(key) != _KEY_BYTES:
        segment.place = place
        segment.fail(f"{_KEY_BYTES} bytes as `0x` and hex")
    return key.hex()


def _beginning(script: _Script, story: Story) -> list[ObservedStep]:
    if not script.in_sync:
        return []
    if not script.clients:
        return []
    maker = script.clients[0]
    step: JsonObject = {"client": maker, "edit": IN_SYNC_TEXT}
    if script.named:
        step["file"] = "foo"
    return sharing(script.clients, maker, step, story, seen=True)


def _play(
    script: _Script, story: Story, beginning: list[ObservedStep]
) -> tuple[list[JsonObject], list[JsonObject], bool]:
    """Return the steps, their reports, and whether the text states the reports."""
    reports = [story.take(*each) for each in beginning]
    steps = [step for step, _ in beginning]
    silent: Segment | None = None
    stated = script.nothing_happens
    for statement in script.steps:
        shared = _shared(script, story, statement)
        if shared is None:
            step = parse_step(statement[0], named=script.named)
            observation, found = script.reader.read(step, statement[1:])
            shared = [(step, observation)]
            if is_poll(step):
                silent = silent if found or silent is not None else statement[0]
            stated |= found or len(statement) > 1
        for each in shared:
            reports.append(story.take(*each))
            steps.append(each[0])
    if stated and silent is not None:
        silent.fail("the finding of this poll too, after two spaces: other steps state theirs")
    return steps, reports, stated


def _shared(script: _Script, story: Story, statement: Statement) -> list[ObservedStep] | None:
    """Return the steps of `A shares foo=X`; None for any other statement."""
    segment = statement[0]
    if len(segment.tokens) < 2 or segment.tokens[1].text != "shares":
        return None
    client = segment.word("a client")
    segment.need("shares")
    file, text = file_and_text(segment)
    segment.end()
    for more in statement[1:]:
        more.fail("the next step: `shares` implies its observations")
    step: JsonObject = {"client": client, "edit": text}
    if script.named or file != "foo":
        step["file"] = file
    return sharing([*story.files], client, step, story, seen=False)


def story_of(value: Any) -> Story:
    """Return the state of a scenario before its first step."""
    return Story(value["design"], value["clients"], value.get("report", ()))


def observed(value: Any, output: Any) -> list[ObservedStep] | None:
    """Return the steps with their observations, or None if the notation cannot express them."""
    steps, reports = value["steps"], output["steps"]
    if len(steps) != len(reports):
        return None
    story = story_of(value)
    above: list[ObservedStep] = []
    for step, report in zip(steps, reports, strict=True):
        observation = story.observe(step, report)
        if observation is None:
            return None
        above.append((step, observation))
    return above


def parse_differing(body: Sequence[Statement], example: Example) -> JsonObject:
    """Return the output in another reading, from the steps with other observations.

    Each line is about the last matching step before the step of the next line.
    """
    above = None if example.output is None else observed(example.input, example.output)
    if above is None:
        body[0][0].fail(
            "the observations of the default reading above, before those of another reading"
        )
    script = _Script(named=any("file" in step and step["file"] == "foo" for step, _ in above))
    _sort_statements(script, body)
    end = len(above)
    for statement in reversed(script.steps):
        step = parse_step(statement[0], named=script.named)
        observation, found = script.reader.read(step, statement[1:])
        if is_poll(step) and not found:
            statement[0].fail("the finding of this poll, after two spaces")
        end = next((at for at in reversed(range(end)) if above[at][0] == step), -1)
        if end < 0:
            statement[0].place = 0
            statement[0].fail("a step of the scenario above, in its order")
        above[end] = (step, observation)
    story = story_of(example.input)
    return {"steps": [story.take(*each) for each in above]}


def parse_mended(body: Sequence[Statement], example: Example) -> Example:
    """Return the scenario above with other steps instead of its last step."""
    value: Any = example.input
    before = value["steps"][:-1]
    script = _Script(
        value["design"], value["clients"], named=any("file" in each for each in before)
    )
    script.named = any(each.get("file") == "foo" for each in value["steps"])
    _sort_statements(script, body)
    story = story_of(value)
    for step in before:
        story.take(step, Observation())
    steps, _, _ = _play(script, story, [])
    return Example(operation=OPERATION, input={**value, "steps": [*before, *steps]})
