"""Write scenarios as text; the inverse of `scenario`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, count
from typing import Any, Final

from attrs import define, evolve, field

from rejoin_conformance.contract.notation import Example
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.notation.asking import FOUND
from rejoin_conformance.systems.conflict_detection.notation.encodings import snapshot_id
from rejoin_conformance.systems.conflict_detection.notation.observations import (
    NOTHING,
    report_of,
    spelled_observation,
)
from rejoin_conformance.systems.conflict_detection.notation.scenario import (
    EVERY_FILE_NAMED,
    IN_SYNC_TEXT,
    NOTHING_HAPPENS,
    SIGNING_KEYS,
    observed,
    story_of,
)
from rejoin_conformance.systems.conflict_detection.notation.snapshots import (
    spelled_definition,
    spelled_hex,
)
from rejoin_conformance.systems.conflict_detection.notation.steps import (
    file_of,
    names_every_file,
    spelled_step,
)
from rejoin_conformance.systems.conflict_detection.notation.story import (
    SNAPSHOTS,
    Observation,
    ObservedStep,
    sharing,
)
from rejoin_conformance.systems.conflict_detection.notation.words import (
    GAP,
    in_lines,
    spelled,
    spelled_list,
    statements,
)

_FIELDS: Final = frozenset({"design", "clients", "signing_keys", "steps", "report"})
_MOST_PARENTS: Final = 3
_WIDEST_STEP: Final = 24
_FINDINGS: Final = frozenset({*FOUND, NOTHING})


def render_scenario(example: Example) -> list[str] | None:
    """Return the lines of a scenario, or None if the notation cannot express it."""
    value: Any = example.input
    named = names_every_file(value["steps"])
    if named is None or not value.keys() <= _FIELDS:
        return None
    steps = _observed_steps(value, example.output)
    if steps is None:
        return None
    namer = _Namer()
    namer.look_at(value, example.output)
    start, rest = _beginning(value, steps, stated=example.output is not None)
    listed = [_statement(each, namer.names, stated=example.output is not None) for each in rest]
    if example.output is not None and rest and not any(len(each) > 1 for each in listed):
        listed[-1] = _statement(_with_files(value, steps), namer.names, stated=True)
    if not steps and example.output is not None:
        listed.append([NOTHING_HAPPENS])
    header, quiet = start[0], start[1:]
    header += _keys(value.get("signing_keys", {}))
    if named:
        header += f"; {EVERY_FILE_NAMED}"
    reports = _reports(value, listed)
    early = [*value].index("report") < [*value].index("steps") if "report" in value else False
    if reports and early:
        header += f"; {reports}"
    last = [] if example.output is not None else [each[0] for each in listed[-1:]]
    lines = _in_lines([header], quiet, namer.definitions, listed[: len(listed) - len(last)])
    lines += last
    return [*lines, reports] if reports and not early else lines


def _observed_steps(value: Any, output: JsonObject | None) -> list[ObservedStep] | None:
    if output is None:
        return [(step, Observation()) for step in value["steps"]]
    return observed(value, output)


def _keys(keys: Mapping[str, str]) -> str:
    given = (f"{spelled(client)}={spelled_hex(bytes.fromhex(key))}" for client, key in keys.items())
    return f"; {SIGNING_KEYS} {' '.join(given)}" if keys else ""


def _reports(value: Any, listed: Sequence[Sequence[str]]) -> str:
    """Return the statement that requests reports; empty if the observations imply all of them."""
    if "report" not in value:
        return ""
    asked = value["report"]
    early = [*value].index("report") < [*value].index("steps")
    if early or asked != sorted(asked):
        return f"report {spelled_list(asked)}"
    said = {
        report_of(segment)
        for each in listed
        for statement in statements([GAP.join(each)])
        for segment in statement[1:]
    }
    silent = [each for each in asked if each not in said]
    return f"report {spelled_list(silent)}" if silent or not asked else ""


def _beginning(
    value: Any, steps: list[ObservedStep], *, stated: bool
) -> tuple[list[str], list[ObservedStep]]:
    """Return the header with the sharing at the beginning, and the remaining steps."""
    clients: list[str] = value["clients"]
    design = SNAPSHOTS if value["design"] == SNAPSHOTS else "version maps"
    joined = " ".join(map(spelled, clients)) or "nobody"
    if len({*clients}) > 1 and steps and "edit" in steps[0][0] and "forged" not in steps[0][0]:
        step = steps[0][0]
        maker, text = str(step["client"]), step["edit"]
        for seen in (True, False):
            shared = _expected(value, clients, maker, step, seen=seen, stated=stated)
            rest = steps[len(shared) :]
            if maker not in clients or steps[: len(shared)] != shared or (stated and not rest):
                continue
            if not seen:
                share = f"{spelled(maker)} shares {spelled(file_of(step))}={spelled(str(text))}"
                return [f"{design}: {joined}", share], rest
            if maker == clients[0] and text == IN_SYNC_TEXT and file_of(step) == "foo":
                return [f"{'' if design == SNAPSHOTS else f'{design} '}in sync: {joined}"], rest
    return [f"{design}: {joined}"], steps


def _expected(
    value: Any, clients: list[str], maker: str, step: JsonObject, *, seen: bool, stated: bool
) -> list[ObservedStep]:
    steps = sharing(clients, maker, step, story_of(value), seen=seen)
    return steps if stated else [(each, Observation()) for each, _ in steps]


def _statement(observed_step: ObservedStep, ids: Mapping[bytes, str], *, stated: bool) -> list[str]:
    """Return the segments of a step and of its observations."""
    step, observation = observed_step
    text = spelled_step(step)
    return [text, *spelled_observation(step, observation, ids)] if stated else [text]


def _with_files(value: Any, steps: list[ObservedStep]) -> ObservedStep:
    """Return the last step with the files of its client, even if they are the assumed ones."""
    story = story_of(value)
    for each in steps:
        story.take(*each)
    step, observation = steps[-1]
    client = str(step.get("client", value["clients"][0]))
    return step, evolve(observation, files={client: story.files[client]})


def _in_lines(
    header: list[str], quiet: list[str], definitions: list[str], listed: list[list[str]]
) -> list[str]:
    """Return the lines: steps without observations share lines, the others are in columns."""
    while listed and len(listed[0]) == 1 and not definitions:
        quiet = [*quiet, listed[0][0]]
        listed = listed[1:]
    lines = in_lines([*header, *quiet]) if not definitions else in_lines(header)
    lines += in_lines(definitions)
    if definitions:
        lines += in_lines(quiet)
    widths = [len(each[0]) for each in listed if len(each) > 1 and len(each[0]) <= _WIDEST_STEP]
    width = max(widths, default=0)
    listed = _findings_aligned(listed)
    silent: list[str] = []
    for each in (*listed, None):
        if each is not None and len(each) == 1:
            silent.append(each[0])
            continue
        lines += in_lines(silent)
        silent = []
        if each is not None:
            lines += in_lines([each[0].ljust(width), *each[1:]], GAP, "    ")
    return lines


def _findings_aligned(listed: list[list[str]]) -> list[list[str]]:
    found = [each[1] for each in listed if len(each) > 2 and each[1] in _FINDINGS]
    width = max(map(len, found), default=0)
    return [
        [each[0], each[1].ljust(width), *each[2:]]
        if len(each) > 2 and each[1] in _FINDINGS
        else each
        for each in listed
    ]


@define
class _Namer:
    """Names the snapshots in reports: A1 is the first snapshot that a report shows for A."""

    names: dict[bytes, str] = field(factory=dict)
    definitions: list[str] = field(factory=list)

    def look_at(self, value: Any, output: Any) -> None:
        """Name every snapshot whose content and parents appear in the reports."""
        if (
            output is None
            or value["design"] != SNAPSHOTS
            or "versions" not in value.get("report", ())
        ):
            return
        had: dict[tuple[str, str], bytes] = {}
        for report in output["steps"]:
            for client, versions in report["versions"].items():
                for path, version in versions.items():
                    identity = bytes.fromhex(version)
                    if identity not in self.names:
                        text = report["files"].get(client, {}).get(path)
                        self._name(client, identity, text, had.get((client, path)))
                    had[client, path] = identity

    def _name(self, client: str, identity: bytes, text: str | None, own: bytes | None) -> None:
        content = None if text is None else text.encode("utf-8", "surrogatepass")
        for parents in self._parents(own):
            if snapshot_id(content, parents) == identity:
                break
        else:
            return
        letters = client if client.isascii() and client.isalpha() else "S"
        used = {*self.names.values()}
        name = next(f"{letters}{number}" for number in count(1) if f"{letters}{number}" not in used)
        self.definitions.append(
            spelled_definition(
                name, content, [self.names.get(each, each.hex()) for each in parents]
            )
        )
        self.names[identity] = name

    def _parents(self, own: bytes | None) -> Iterator[tuple[bytes, ...]]:
        """Yield possible parents of a new version: none, or the client's own version and others."""
        first = () if own is None else (own,)
        yield first
        known = sorted({*self.names} - {own})
        if own in self.names:
            for size in range(1, _MOST_PARENTS):
                for others in combinations(known, size):
                    yield (*first, *others)


def render_differing(example: Example, output: JsonObject) -> list[str] | None:
    """Return the lines of the steps with another observation in another reading."""
    steps = None if example.output is None else observed(example.input, example.output)
    other = observed(example.input, output)
    if steps is None or other is None:
        return None
    namer = _Namer()
    namer.look_at(example.input, output)
    differing = [other[at] for at in _differing(steps, other)]
    listed = [_statement(each, namer.names, stated=True) for each in differing]
    used = " ".join(segment for each in listed for segment in each)
    definitions = namer.definitions if "#" in used else []
    return _in_lines([], [], definitions, listed)


def _differing(steps: list[ObservedStep], other: list[ObservedStep]) -> list[int]:
    """Return the indices of the steps to write: the different ones, and later equal steps."""
    named: list[int] = []
    end = len(steps)
    for at in reversed(range(len(steps))):
        if steps[at] != other[at]:
            named += [
                later for later in reversed(range(at, end)) if steps[later][0] == steps[at][0]
            ]
            end = at
    return named[::-1]


def render_mended(repaired: Example, example: Example) -> list[str] | None:
    """Return the lines of the steps that replace the last one; None if other steps differ too."""
    wrong: Any = example.input
    right: Any = repaired.input
    last = len(wrong["steps"]) - 1
    if last < 0 or {**right, "steps": wrong["steps"]} != wrong:
        return None
    if right["steps"][:last] != wrong["steps"][:last]:
        return None
    if names_every_file(wrong["steps"]) != names_every_file(right["steps"]):
        return None
    steps = [spelled_step(step) for step in right["steps"][last:]]
    return in_lines(steps or [NOTHING_HAPPENS])
