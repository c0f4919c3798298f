"""The steps of scenarios, and the old design, as text.

    steps of snapshots: A B
    A edits foo=a   upload A foo=a
    B polls A       look B foo of A = #0   fetch first #0   classify first overwrite   overwrite a

    old design: A B
    A edits a; B edits b
    B polls A   conflict
    B edits c
    A polls B   overwrite instead of conflict

Each action is followed by its steps (`steps.STEP_ROWS`), or by what the old design decides, and
what the definitions require if it is something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rejoin_conformance.contract.notation import Example
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.phrases import Scanner, filled
from rejoin_conformance.systems.conflict_detection.actions import read_action, spelled_action
from rejoin_conformance.systems.conflict_detection.fields import CLASSIFICATION
from rejoin_conformance.systems.conflict_detection.segments import (
    GAP,
    WORDS,
    Segment,
    Statement,
    flat,
    spelled_list,
    word,
    words_left,
)
from rejoin_conformance.systems.conflict_detection.steps import read_step, write_step

STEPS: Final = "conflict-detection/scenario-steps"
OLD_DESIGN: Final = "conflict-detection/old-design"
OPERATIONS: Final = (STEPS, OLD_DESIGN)

Told = list[JsonObject]
"""What is told of one action."""


def begins(statement: Statement) -> bool:
    """Return whether a statement begins the steps of a scenario, or the old design."""
    text = statement[0]
    return text.would_take("steps", "of") or text.would_take("old", "design")


def read(asked: Sequence[Statement]) -> Example:
    """Return the question, and its answer if something is told of an action."""
    header, *body = asked
    text = header[0]
    operation, value = OLD_DESIGN, JsonObject()
    if text.takes("steps", "of"):
        operation = STEPS
        value["design"] = "version-maps" if text.takes("version", "maps") else "snapshots"
        text.takes("snapshots")
    else:
        text.takes("old", "design")
    text.need(":")
    value["clients"] = words_left(text, "a client", "nobody")
    text.end()
    quiet = bool(body) and body[-1][0].takes("nothing", "happens")
    read = [_read(operation, each, at) for at, each in enumerate(body[:-1] if quiet else body)]
    value["steps"] = [action for action, _ in read]
    stated = quiet or any(told and told != [_UPLOAD] for _, told in read)
    listed: list[Json] = [each for _, told in read for each in told]
    output: JsonObject | None = {"steps": listed} if stated else None
    return Example(operation=operation, input=value, output=output)


def _read(operation: str, statement: Statement, number: int) -> tuple[JsonObject, Told]:
    """Return an action, and what is told of it."""
    text = flat([statement])
    if operation == OLD_DESIGN:
        action = _read_old_action(text)
        told = [_UPLOAD] if "edit" in action else [] if text.at_end else [_read_decision(text)]
    else:
        action, told = read_action(text), []
        while not text.at_end:
            told.append(read_step(text, number))
    text.end()
    return action, told


_UPLOAD: Final[JsonObject] = {"classification": None, "required": None, "total": 2}
_NOTHING: Final[JsonObject] = {"classification": None, "required": None, "total": 0}


def _read_old_action(text: Segment) -> JsonObject:
    client = word(text, "a client")
    for verb, key in (("edits", "edit"), ("polls", "poll")):
        if text.takes(verb):
            return {"client": client, key: word(text, "a text" if key == "edit" else "a client")}
    return text.fail("`edits` or `polls`")


def _read_decision(text: Scanner) -> JsonObject:
    if text.takes("nothing"):
        return _NOTHING
    found = CLASSIFICATION.read(text)
    required = CLASSIFICATION.read(text) if text.takes("instead", "of") else found
    return {"classification": found, "required": required, "total": 1}


def read_answer(body: Sequence[Statement], example: Example) -> JsonObject:
    """Return the answer of another reading, from the actions of which something else is told.

    Each line is about the last such action before the one of the next line.
    """
    actions: Any = example.input["steps"]
    output: Any = example.output
    if output is None:
        body[0][0].fail("the steps of the default reading above, before those of another reading")
    told = [_told_of(example.operation, output["steps"], at) for at in range(len(actions))]
    end = len(actions)
    for statement in reversed(body):
        action, _ = _read(example.operation, statement, 0)
        end = next((at for at in reversed(range(end)) if actions[at] == action), -1)
        if end < 0:
            statement[0].place = 0
            statement[0].fail("an action of the question above, in its order")
        told[end] = _read(example.operation, statement, end)[1]
    return {"steps": [each for listed in told for each in listed]}


def _told_of(operation: str, steps: Any, number: int) -> Told:
    if operation == OLD_DESIGN:
        return [steps[number]]
    return [each for each in steps if each["number"] == number]


# Writing.


def written(example: Example) -> str:
    """Return the text of a question, and of its answer if it has one."""
    value: Any = example.input
    head = f"steps of {value['design'].replace('-', ' ')}" if "design" in value else "old design"
    clients = spelled_list(value["clients"], "nobody")
    return "\n".join([f"{head}: {clients}", *_lines(example, example.output)])


def written_answer(example: Example, output: JsonObject) -> str:
    """Return the text of an answer."""
    return "\n".join(_lines(example, output))


def _lines(example: Example, output: JsonObject | None) -> list[str]:
    """Return the lines of the actions, each with what an answer tells of it."""
    actions: Any = example.input["steps"]
    spelled = [_spelled_action(example.operation, each) for each in actions]
    if output is None:
        return filled(spelled, "; ")
    lines: list[str] = []
    for at, (action, said) in enumerate(zip(actions, spelled, strict=True)):
        told = _told_of(example.operation, output["steps"], at)
        if example.operation == STEPS:
            lines.append("\n    ".join(filled([said, *map(write_step, told)], GAP)))
        else:
            parts = [said, *(map(_spelled_decision, told) if "poll" in action else ())]
            lines.append(GAP.join(parts))
    return lines if any(GAP in line for line in lines) else [*lines, "nothing happens"]


def _spelled_action(operation: str, action: JsonObject) -> str:
    if operation == STEPS:
        return spelled_action(action)
    key = "edit" if "edit" in action else "poll"
    return f"{WORDS.spelled(str(action['client']))} {key}s {WORDS.spelled(str(action[key]))}"


def _spelled_decision(told: Any) -> str:
    found, required = told["classification"], told["required"]
    if found is None:
        return "nothing"
    return found if found == required else f"{found} instead of {required}"
