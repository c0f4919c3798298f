"""The text notation of conflict detection: graphs, maps, snapshots, scenarios and histories.

`questions` reads and writes the operations on graphs and maps, `snapshots` the bytes of snapshots.
`scenario` reads scenarios, `scenario_text` writes them, and `scenario_steps` writes their steps.
`history` reads and writes random histories. `words` splits text into words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from rejoin_conformance.contract.notation import Example, Notation
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.phrases import NotationError
from rejoin_conformance.systems.conflict_detection.history import (
    parse_history,
    render_history,
)
from rejoin_conformance.systems.conflict_detection.notation import (
    questions,
    scenario,
    scenario_text,
    snapshots,
)
from rejoin_conformance.systems.conflict_detection.notation.scenario_steps import step_writer
from rejoin_conformance.systems.conflict_detection.notation.words import Statement, statements


def parse(lines: Sequence[str]) -> Example:
    """Return the question on these lines, with its answer if it is stated. Raises NotationError."""
    body = _body(lines)
    asked = [each for each in body if not snapshots.is_definition(each)]
    if asked and scenario.is_header(asked[0]):
        definitions = [each for each in body if snapshots.is_definition(each)]
        return scenario.parse_scenario(asked[0], [*definitions, *asked[1:]])
    return _parse_identity(body) or questions.parse_question(body)


def _body(lines: Sequence[str]) -> list[Statement]:
    body = statements(lines)
    if not body:
        raise NotationError(max(1, len(lines)), questions.QUESTIONS, "")
    return body


def _parse_identity(body: Sequence[Statement]) -> Example | None:
    names: snapshots.Names = {}
    asked = [each for each in body if not snapshots.is_definition(each)]
    if not asked or asked[0][0].tokens[0].text != "identify":
        return None
    for each in body:
        if snapshots.is_definition(each):
            snapshots.define_snapshot(names, each)
    for more in asked[1:]:
        more[0].fail("nothing after the question")
    return snapshots.parse_identity(names, asked[0])


def render(example: Example) -> str | None:
    """Return the text of an example, or None if the notation cannot express it."""
    text = _rendered(example)
    return text if text is not None and _reads(text, parse, example) else None


def _reads(text: str, parse_again: Callable[[list[str]], object], value: object) -> bool:
    """Return whether a text parses back to the value that it was made from."""
    try:
        return parse_again(text.split("\n")) == value
    except NotationError:
        return False


def _rendered(example: Example) -> str | None:
    if example.operation == scenario.OPERATION:
        lines = scenario_text.render_scenario(example)
    elif example.operation == snapshots.OPERATION:
        lines = snapshots.render_identity(example)
    elif example.operation in questions.BY_NAME:
        lines = questions.render_question(example)
    else:
        return None
    return None if lines is None else "\n".join(lines)


def parse_output(lines: Sequence[str], example: Example) -> JsonObject:
    """Return the answer of another reading, from its lines. Raises NotationError."""
    body = _body(lines)
    if example.operation == scenario.OPERATION:
        return scenario.parse_differing(body, example)
    if example.operation == snapshots.OPERATION:
        content = example.input["content"]
        encoded = None if content is None else bytes.fromhex(str(content))
        return snapshots.parse_identified({}, encoded, body[0])
    for more in body[1:]:
        more[0].fail("nothing after the answer")
    return questions.parse_answer(questions.BY_NAME[example.operation], body[0])


def render_output(example: Example, output: JsonObject) -> str | None:
    """Return the text of another reading's answer, or None if the notation cannot express it."""
    if example.operation == scenario.OPERATION:
        text = "\n".join(scenario_text.render_differing(example, output) or [])
    elif example.operation == snapshots.OPERATION:
        text = snapshots.render_identified(example, output)
    else:
        text = questions.render_answer(questions.BY_NAME[example.operation], output)
    return text if _reads(text, lambda lines: parse_output(lines, example), output) else None


def parse_mended(lines: Sequence[str], example: Example) -> Example:
    """Return the question above with another graph, another question or another last step."""
    body = _body(lines)
    if example.operation == scenario.OPERATION and not scenario.is_header(body[0]):
        return scenario.parse_mended(body, example)
    if example.operation in questions.BY_NAME:
        return questions.parse_mended(body, example)
    return parse(lines)


def render_mended(repaired: Example, example: Example) -> str | None:
    """Return the text of the corrected parts only; the inverse of `parse_mended`."""
    lines = None
    if example.operation == scenario.OPERATION:
        lines = scenario_text.render_mended(repaired, example)
    elif example.operation in questions.BY_NAME:
        lines = questions.render_mended(repaired, example)
    return render(repaired) if lines is None else "\n".join(lines)


def variants(lines: Sequence[str]) -> dict[str, list[tuple[int, str]]]:
    """Return the two vectors of a scenario that begins with `both designs: A B`.

    Their names end with `-snapshots` and `-maps`. The vector with version maps is for the reading
    `repaired` only, because the version maps as printed misclassify versions so early that the rest
    of the scenario is different.
    """
    if not lines or not lines[0].startswith(scenario.BOTH_DESIGNS):
        return {}
    rest = lines[0].removeprefix(scenario.BOTH_DESIGNS)
    numbered = [*enumerate(lines)][1:]
    literal = next(
        (place for place, line in numbered if line.startswith("in literal:")), len(lines)
    )
    after = next(
        (place for place, line in numbered if place > literal and not line.startswith(" ")),
        len(lines),
    )
    maps = [(place, line) for place, line in numbered if not literal <= place < after]
    return {
        "snapshots": [(0, f"snapshots{rest}"), *numbered],
        "maps": [(0, f"version maps{rest}"), *maps, (len(lines) - 1, "only in repaired")],
    }


NOTATION: Final = Notation(
    operations=(scenario.OPERATION, snapshots.OPERATION, *questions.BY_NAME),
    parse=parse,
    render=render,
    parse_output=parse_output,
    render_output=render_output,
    parse_history=parse_history,
    render_history=render_history,
    parse_mended=parse_mended,
    render_mended=render_mended,
    variants=variants,
    step_writer=step_writer,
)
"""The notation of conflict detection."""
