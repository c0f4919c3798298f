"""The text notation of conflict detection: which module reads and writes what.

Both modules have `OPERATIONS`, `read`, `read_answer`, `read_mended`, `written`, `written_answer`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, Final, cast

from rejoin_conformance.contract.drafting import RECIPE, read_recipe
from rejoin_conformance.contract.notation import Example, Notation, WriteStep, WrittenStep
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.phrases import END_OF_TEXT, NotationError
from rejoin_conformance.systems.conflict_detection import question_text, scenario_text
from rejoin_conformance.systems.conflict_detection.actions import spelled_action
from rejoin_conformance.systems.conflict_detection.history import parse_history, render_history
from rejoin_conformance.systems.conflict_detection.segments import Statement, statements
from rejoin_conformance.systems.conflict_detection.snapshots import define_snapshot
from rejoin_conformance.systems.conflict_detection.steps import write_step

_FORMS: Final[dict[str, ModuleType]] = {
    operation: form for form in (scenario_text, question_text) for operation in form.OPERATIONS
}
"""Operation -> the module of its text."""


def parse(lines: Sequence[str]) -> Example:
    """Return the question on these lines, with its answer if it is stated. Raises NotationError."""
    if lines[:1] and lines[0].startswith(RECIPE):
        return read_recipe("conflict-detection", lines)
    body = _body(lines)
    read = scenario_text.read if scenario_text.begins(body[0]) else question_text.read
    return read(body)


def _body(lines: Sequence[str]) -> list[Statement]:
    """Return the statements that define no snapshot, at least one."""
    body = [each for each in statements(lines) if not define_snapshot(each)]
    if not body:
        raise NotationError(max(1, len(lines)), question_text.EXPECTED, END_OF_TEXT)
    return body


def parse_output(lines: Sequence[str], example: Example) -> JsonObject:
    """Return the answer of another reading, from its lines. Raises NotationError."""
    return cast("JsonObject", _FORMS[example.operation].read_answer(_body(lines), example))


def parse_mended(lines: Sequence[str], example: Example) -> Example:
    """Return the question above with another graph, another question or another last step."""
    if lines[:1] and lines[0].startswith(RECIPE):
        return parse(lines)
    form, body = _FORMS[example.operation], _body(lines)
    begins = form is scenario_text and scenario_text.begins(body[0])
    return parse(lines) if begins else cast("Example", form.read_mended(body, example))


def render(example: Example) -> str | None:
    """Return the text of an example, or None if the notation cannot express it."""
    return _checked(lambda: _FORMS[example.operation].written(example), parse, example)


def render_output(example: Example, output: JsonObject) -> str | None:
    """Return the text of another reading's answer, or None if the notation cannot express it."""
    form = _FORMS[example.operation]
    return _checked(
        lambda: form.written_answer(example, output),
        lambda lines: parse_output(lines, example),
        output,
    )


def _checked(
    write: Callable[[], str], read: Callable[[Sequence[str]], object], value: object
) -> str | None:
    """Return a text if it is read as the value that it was made from."""
    try:
        text = write()
        return text if read(text.split("\n")) == value else None
    except (AttributeError, KeyError, TypeError, ValueError, AssertionError, NotationError):
        return None


def variants(lines: Sequence[str]) -> dict[str, list[tuple[int, str]]]:
    """Return the two vectors of a scenario that begins with `both designs: A B`.

    Their names end with `-snapshots` and `-maps`. The vector with version maps is for the reading
    `repaired` only, because the version maps as printed misclassify versions so early that the rest
    of the scenario is different.
    """
    if not lines or not lines[0].startswith(scenario_text.BOTH_DESIGNS):
        return {}
    rest = lines[0].removeprefix(scenario_text.BOTH_DESIGNS)
    numbered = [*enumerate(lines)][1:]
    starts = [place for place, line in numbered if line.startswith("in literal:")] or [len(lines)]
    stops = [place for place, line in numbered if place > starts[0] and not line.startswith(" ")]
    literal = range(starts[0], stops[0] if stops else len(lines))
    maps = [(place, line) for place, line in numbered if place not in literal]
    return {
        "snapshots": [(0, f"snapshots{rest}"), *numbered],
        "maps": [(0, f"version maps{rest}"), *maps, (len(lines) - 1, "only in repaired")],
    }


def step_writer(example: Example) -> WriteStep:
    """Return the function that writes the steps of a scenario, under the action of each."""
    actions: Any = example.input["steps"]
    named = scenario_text.every_file_named(actions)

    def write(step: JsonObject) -> WrittenStep:
        number: Any = step["number"]
        under = f"#{number} {spelled_action(actions[number], named=named)}"
        return WrittenStep(write_step(step), under)

    return write


NOTATION: Final = Notation(
    operations=tuple(_FORMS),
    parse=parse,
    render=render,
    parse_output=parse_output,
    render_output=render_output,
    parse_history=parse_history,
    render_history=render_history,
    parse_mended=parse_mended,
    variants=variants,
    step_writer=step_writer,
)
"""The notation of conflict detection."""
