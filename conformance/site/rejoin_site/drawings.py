"""The drawings of a vector: the histories, messages and versions in its question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from markupsafe import Markup

from rejoin_conformance.contract.operation import Asked
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.system import drawings_of as drawings_of_question
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.reports.rendering import dag_svg

_LARGEST: Final = 120
"""The number of nodes after which a graph is not drawn."""


def drawings_of(vector: Vector) -> Iterator[tuple[str, Markup]]:
    """Yield the drawings of a vector's question: title, SVG.

    If the readings differ, the nodes at which their outputs part are marked.
    """
    answers = [each for each in vector.expected.values() if "output" in each]
    differing = [each for each in answers if each != answers[0]]
    question = Asked(
        operation=vector.operation,
        reading=vector.readings[0],
        input=vector.input,
        expected=answers[0] if differing else None,
        observed=differing[0] if differing else None,
    )
    for drawing in drawings_of_question(system_named(vector.system).draw, question):
        if 1 < len(drawing.dag) <= _LARGEST:
            yield drawing.title, dag_svg(drawing)
