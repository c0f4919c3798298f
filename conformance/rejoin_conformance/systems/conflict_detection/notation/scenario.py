"""Scenarios as text: who takes part, and step by step what is done and what is observed.

    snapshots: A B; A shares foo=X
    A edits foo=a; B edits foo=b
    A polls B   conflict   A: foo=a foo.conflict-B=b

`A shares foo=X` stands for A's edit and a poll of A by each other client, which overwrites.
`in sync: A B` stands for snapshots, the same with the text X, and a look of A at each of the others
after its poll. A step of which nothing is said changes nothing but its client's own files.
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
    Story,
    Told,
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
    """Whether a statement says who takes part."""
    words = [token.text for token in statement[0].tokens]
    colon = words.index(":") if ":" in words else 0
    return bool(colon) and words[0] in {"snapshots", "version", "in", "both"}


@define
class _Script:
    """The statements of a scenario, sorted by what they say.

    report: the reports that are asked for, None if no statement says so; early: whether it stands
    before the first step. named: whether each step has its file. keys: the signing keys.
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
        """All that is reported: what a statement asks for, and what is said of some step."""
        listed = self.report or []
        said = {report_of(segment) for statement in self.steps for segment in statement[1:]}
        said.discard(None)
        if said <= {*listed}:
            return listed
        return sorted({*listed, *(each for each in said if each)})


def parse_scenario(header: Statement, body: Sequence[Statement]) -> Example:
    """A scenario, and what is observed if it is stated."""
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


def _beginning(script: _Script, story: Story) -> list[Told]:
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
    script: _Script, story: Story, beginning: list[Told]
) -> tuple[list[JsonObject], list[JsonObject], bool]:
    """The steps, their reports, and whether the text states these."""
    reports = [story.take(*told) for told in beginning]
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
        for told in shared:
            reports.append(story.take(*told))
            steps.append(told[0])
    if stated and silent is not None:
        silent.fail("what this poll finds too, after two spaces: the other steps say it")
    return steps, reports, stated


def _shared(script: _Script, story: Story, statement: Statement) -> list[Told] | None:
    """The steps that `A shares foo=X` stands for."""
    segment = statement[0]
    if len(segment.tokens) < 2 or segment.tokens[1].text != "shares":
        return None
    client = segment.word("a client")
    segment.need("shares")
    file, text = file_and_text(segment)
    segment.end()
    for more in statement[1:]:
        more.fail("the next step: `shares` says what is observed")
    step: JsonObject = {"client": client, "edit": text}
    if script.named or file != "foo":
        step["file"] = file
    return sharing([*story.files], client, step, story, seen=False)


def story_of(value: Any) -> Story:
    """A scenario's story before its first step."""
    return Story(value["design"], value["clients"], value.get("report", ()))


def observed(value: Any, output: Any) -> list[Told] | None:
    """The steps of a scenario with what is to be said of them; None if nothing can say it."""
    steps, reports = value["steps"], output["steps"]
    if len(steps) != len(reports):
        return None
    story = story_of(value)
    told: list[Told] = []
    for step, report in zip(steps, reports, strict=True):
        observation = story.observe(step, report)
        if observation is None:
            return None
        told.append((step, observation))
    return told


def parse_differing(body: Sequence[Statement], example: Example) -> JsonObject:
    """The output in another reading: the steps of which something else is observed there.

    Each line is about the last such step that stands before the step of the next line.
    """
    told = None if example.output is None else observed(example.input, example.output)
    if told is None:
        body[0][0].fail("what is observed above, before what another reading differs in")
    script = _Script(named=any("file" in step and step["file"] == "foo" for step, _ in told))
    _sort_statements(script, body)
    end = len(told)
    for statement in reversed(script.steps):
        step = parse_step(statement[0], named=script.named)
        observation, found = script.reader.read(step, statement[1:])
        if is_poll(step) and not found:
            statement[0].fail("what this poll finds, after two spaces")
        end = next((at for at in reversed(range(end)) if told[at][0] == step), -1)
        if end < 0:
            statement[0].place = 0
            statement[0].fail("a step of the scenario above, in its order")
        told[end] = (step, observation)
    story = story_of(example.input)
    return {"steps": [story.take(*each) for each in told]}


def parse_mended(body: Sequence[Statement], example: Example) -> Example:
    """The scenario above with other steps in place of its last one."""
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
