"""The drawings of a vector: the histories, messages and versions in its question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from markupsafe import Markup

from rejoin_conformance.contract.parting import Question
from rejoin_conformance.contract.parting import drawings_of as drawings_of_question
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.reports.dag_svg import dag_svg

_LARGEST: Final = 120
"""The number of nodes after which a graph is not drawn."""


def drawings_of(vector: Vector) -> Iterator[tuple[str, Markup]]:
    """Yield the drawings of a vector's question: title, SVG.

    If the readings differ, the nodes at which their outputs part are marked.
    """
    outputs = [each["output"] for each in vector.expected.values() if "output" in each]
    differing = [each for each in outputs if each != outputs[0]]
    sides = [*outputs[:1], *differing[:1]] if differing else []
    question = Question(
        operation=vector.operation,
        reading=vector.readings[0],
        input=vector.input,
        outputs=tuple(each for each in sides if isinstance(each, dict)),
    )
    for drawing in drawings_of_question(system_named(vector.system).parting, question):
        if 1 < len(drawing.dag) <= _LARGEST:
            yield drawing.title, dag_svg(drawing)
