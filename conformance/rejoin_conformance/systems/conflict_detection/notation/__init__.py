"""The text notation of conflict detection: graphs, maps, snapshots, scenarios and histories.

`questions` has the operations on graphs and maps, `snapshots` the bytes of snapshots. `scenario`
and `telling` read and write scenarios, `history` random histories. `words` splits text into words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from rejoin_conformance.contract.notation import Example, Notation, NotationError
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.notation import (
    questions,
    scenario,
    snapshots,
    telling,
)
from rejoin_conformance.systems.conflict_detection.notation.history import (
    parse_history,
    render_history,
)
from rejoin_conformance.systems.conflict_detection.notation.words import Statement, statements


def parse(lines: Sequence[str]) -> Example:
    """The question that the lines ask, and the answer that they state. Raises NotationError."""
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
    """The text of an example; None if the notation cannot say it."""
    text = _rendered(example)
    return text if text is not None and _reads(text, parse, example) else None


def _reads(text: str, parse_again: Callable[[list[str]], object], value: object) -> bool:
    """Whether a text parses back to what it was made from."""
    try:
        return parse_again(text.split("\n")) == value
    except NotationError:
        return False


def _rendered(example: Example) -> str | None:
    if example.operation == scenario.OPERATION:
        lines = telling.render_scenario(example)
    elif example.operation == snapshots.OPERATION:
        lines = snapshots.render_identity(example)
    elif example.operation in questions.BY_NAME:
        lines = questions.render_question(example)
    else:
        return None
    return None if lines is None else "\n".join(lines)


def parse_output(lines: Sequence[str], example: Example) -> JsonObject:
    """What another reading answers. Raises NotationError."""
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
    """The text of what another reading answers; None if the notation cannot say it."""
    if example.operation == scenario.OPERATION:
        text = "\n".join(telling.render_differing(example, output) or [])
    elif example.operation == snapshots.OPERATION:
        text = snapshots.render_identified(example, output)
    else:
        text = questions.render_answer(questions.BY_NAME[example.operation], output)
    return text if _reads(text, lambda lines: parse_output(lines, example), output) else None


def parse_mended(lines: Sequence[str], example: Example) -> Example:
    """The question above with its fault mended: its graph, its question, or its last step."""
    body = _body(lines)
    if example.operation == scenario.OPERATION and not scenario.is_header(body[0]):
        return scenario.parse_mended(body, example)
    if example.operation in questions.BY_NAME:
        return questions.parse_mended(body, example)
    return parse(lines)


def render_mended(repaired: Example, example: Example) -> str | None:
    """The inverse of `parse_mended`: no more than what is mended."""
    lines = None
    if example.operation == scenario.OPERATION:
        lines = telling.render_mended(repaired, example)
    elif example.operation in questions.BY_NAME:
        lines = questions.render_mended(repaired, example)
    return render(repaired) if lines is None else "\n".join(lines)


def tellings(lines: Sequence[str]) -> dict[str, list[tuple[int, str]]]:
    """A scenario that is `both designs: A B`, told in each: as `-snapshots` and as `-maps`.

    With version maps it is told in the reading `repaired` alone: as printed, that design
    misclassifies so early that other things happen.
    """
    if not lines or not lines[0].startswith(scenario.BOTH_DESIGNS):
        return {}
    rest = lines[0].removeprefix(scenario.BOTH_DESIGNS)
    told = [*enumerate(lines)][1:]
    literal = next((place for place, line in told if line.startswith("in literal:")), len(lines))
    after = next(
        (place for place, line in told if place > literal and not line.startswith(" ")), len(lines)
    )
    maps = [(place, line) for place, line in told if not literal <= place < after]
    return {
        "snapshots": [(0, f"snapshots{rest}"), *told],
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
    tellings=tellings,
)
"""The notation of conflict detection."""
