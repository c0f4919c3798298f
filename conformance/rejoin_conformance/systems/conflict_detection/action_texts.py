"""The steps of scenarios, and the old design: what is told of each action, and its text.

    steps of snapshots: A B
    A edits foo=a   upload A foo=a
    B polls A       look B foo of A = #0   fetch first #0   classify first overwrite   overwrite a

    old design: A B
    A edits a; B edits b
    B polls A   conflict
    B edits c
    A polls B   overwrite instead of conflict

Each action is followed by its steps (`steps.ROWS`), or by what the old design decides, and
what the definitions require if it is something else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from attrs import define

from rejoin_conformance.contract.rows import Action, action_of, read_action
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.fields import CLASSIFICATION
from rejoin_conformance.systems.conflict_detection.kinds import KINDS
from rejoin_conformance.systems.conflict_detection.segments import Statement
from rejoin_conformance.systems.conflict_detection.steps import read_step, write_step
from rejoin_conformance.systems.conflict_detection.story import Seen, Telling


@define
class StepsTold(Telling):
    """The steps of each action. number: that of the next action."""

    number: int = 0
    polls_tell = False

    def see(self, seen: Seen, text: Statement, _step: JsonObject) -> None:
        """Take a step of an action."""
        seen.setdefault("steps", []).append(read_step(text, 0))

    def spelled(self, _step: JsonObject, seen: Seen) -> Iterator[str]:
        """Yield the text of each step."""
        yield from map(write_step, seen.get("steps", ()))

    def take(self, _step: JsonObject, seen: Seen) -> Json:
        """Return the steps of an action, with its number."""
        self.number += 1
        return [{**each, "number": self.number - 1} for each in seen.get("steps", ())]

    def observe(self, _step: JsonObject, report: Any) -> Seen:
        """Return what the text has to state of the steps of an action."""
        return {"steps": report} if report else {}

    def output(self, told: list[Any]) -> JsonObject:
        """Return the steps of all actions."""
        return {"steps": [each for steps in told for each in steps]}

    def reports_in(self, value: Any, output: Any) -> list[Any]:
        """Return the steps of each action."""
        numbers = range(len(value["steps"]))
        return [[each for each in output["steps"] if each["number"] == n] for n in numbers]


_OF_ONE_FILE: Final = (
    Action("edit", "edits {edit}", None, kinds=KINDS),
    Action("poll", "polls {poll}", None, kinds=KINDS),
)


class OldDesign(Telling):
    """What the old design decides after each poll."""

    def read_action(self, text: Statement, *, named: bool) -> JsonObject:  # noqa: ARG002 - of one file
        """Take an edit or a poll of the only file."""
        return read_action(_OF_ONE_FILE, text)

    def written_action(self, step: Any, *, named: bool) -> str:  # noqa: ARG002 - of one file
        """Return the text of an edit or a poll."""
        return action_of(_OF_ONE_FILE, step).write(step)

    def see(self, seen: Seen, text: Statement, step: JsonObject) -> None:
        """Take what is decided after a poll."""
        if "edit" in step or seen:
            text.fail("the end of the statement")
        if text.takes("nothing"):
            seen["found"] = seen["required"] = None
        else:
            seen["found"] = seen["required"] = CLASSIFICATION.read(text)
            if text.takes("instead", "of"):
                seen["required"] = CLASSIFICATION.read(text)

    def spelled(self, step: JsonObject, seen: Seen) -> Iterator[str]:
        """Yield the decision of a poll."""
        if "poll" in step:
            found, required = seen["found"], seen["required"]
            yield (found or "nothing") if found == required else f"{found} instead of {required}"

    def take(self, step: JsonObject, seen: Seen) -> JsonObject:
        """Return the report of an action: an upload costs two operations."""
        found = seen.get("found")
        total = 2 if "edit" in step else int(found is not None)
        return {"classification": found, "required": seen.get("required"), "total": total}

    def observe(self, step: JsonObject, report: Any) -> Seen:
        """Return what the text has to state of a report."""
        told = {"found": report["classification"], "required": report["required"]}
        return told if "poll" in step else {}
