"""Drafts made of stories: one for a design, or one for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rejoin_conformance.contract.vector import Draft, Scenario
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.stories import (
    LITERAL,
    MAPS,
    REPAIRED,
    SNAPSHOTS,
    Story,
)

OPERATION: Final = "conflict-detection/scenario"
BOTH: Final = (REPAIRED, LITERAL)


def of_story(
    name: str,
    summary: str,
    clauses: tuple[str, ...],
    story: Story,
    scenario: Scenario | None = None,
) -> Draft:
    """A draft that states the story in both readings."""
    differ = story.output != story.literal_output
    return Draft(
        name=name,
        operation=OPERATION,
        summary=summary,
        clauses=clauses,
        input=story.input,
        output=story.output,
        output_by_reading={LITERAL: story.literal_output} if differ else {},
        readings_differ=differ,
        scenario=scenario,
    )


def repaired_only(name: str, summary: str, clauses: tuple[str, ...], story: Story) -> Draft:
    """A draft for the reading `repaired` alone.

    As printed, the design of version maps misclassifies so early that another story would be told.
    """
    return Draft(
        name=name,
        operation=OPERATION,
        summary=summary,
        clauses=clauses,
        input=story.input,
        output=story.output,
        readings=(REPAIRED,),
    )


def in_both_designs(
    name: str, summary: str, clauses: tuple[str, ...], tell: Callable[[str], Story]
) -> tuple[Draft, Draft]:
    """The same story in both designs; in that of version maps for the reading `repaired` alone."""
    return (
        of_story(f"{name}-snapshots", summary, clauses, tell(SNAPSHOTS)),
        repaired_only(f"{name}-maps", summary, clauses, tell(MAPS)),
    )


def refused(
    name: str, summary: str, clauses: tuple[str, ...], wrong: Story | JsonObject, mended: Story
) -> Draft:
    """A scenario that is rejected, and what it is when its one fault is mended."""
    return Draft(
        name=name,
        operation=OPERATION,
        summary=summary,
        clauses=clauses,
        input=wrong.input if isinstance(wrong, Story) else wrong,
        mended=mended.input,
        rejected_by=BOTH,
    )


def refusal(
    operation: str, name: str, summary: str, clause: str, wrong: JsonObject, mended: JsonObject
) -> Draft:
    """Input that both readings refuse for its one fault, and the same with that mended."""
    return Draft(
        name=name,
        operation=operation,
        summary=summary,
        clauses=(clause,),
        input=wrong,
        mended=mended,
        rejected_by=BOTH,
    )
