"""The drawings of a vector: the histories, messages and versions in its question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from markupsafe import Markup

from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.showing import Answer, drawings_for, question_of
from rejoin_conformance.reports.rendering import dag_svg

LEGEND: Final = (
    "In a drawing, a thick blue box is a head, and a box with two lines is a merge. A merge begins "
    "at a green box with cut corners: an origin, which is a lowest common ancestor, or in config "
    "merge the base, which is the highest-ranked message that it merges. A dotted grey box is a "
    "message that is too old to count, and a dashed orange box a node at which answers part."
)


def drawings_of(vector: Vector) -> Iterator[tuple[str, Markup]]:
    """Yield the drawings of a vector's question: title, SVG.

    If the readings differ, the nodes at which their outputs part are marked, and the results have
    the names of the readings.
    """
    answers = [
        Answer(reading=reading, result=each, text="", steps=None)
        for reading, each in vector.expected.items()
        if "output" in each
    ]
    differing = [each for each in answers if each.result != answers[0].result]
    question = question_of(system_named(vector.system), vector)
    sides = [answers[0], differing[0]] if differing else []
    for drawing in drawings_for(question, vector.readings[0], sides):
        if len(drawing.dag) > 1:
            yield drawing.title, dag_svg(drawing)
