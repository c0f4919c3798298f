"""Write distilled histories: as data that a system keeps, in the form of a file of the corpus."""

from __future__ import annotations

from collections.abc import Iterable

from rejoin_conformance.corpus.distilled import NOTES, TOPIC
from rejoin_conformance.corpus.generate import topic_text
from rejoin_conformance.distilling.distil import Distilled, DistilPlan
from rejoin_conformance.system import System
from rejoin_conformance.vectors import KeptHistory, Lineage, Topic


def kept_histories(
    plan: DistilPlan, distilled: Iterable[Distilled], code: str
) -> tuple[KeptHistory, ...]:
    """Distilled histories with their lineage. code: the version of the suite that found them."""
    return tuple(
        KeptHistory(
            Lineage(
                profile=each.profile,
                seed=plan.seed,
                index=each.index,
                code=code,
                history=f"{each.profile}-{each.index}",
            ),
            each.history,
            _shows(each),
            each.reaches,
        )
        for each in distilled
    )


def distilled_text(system: System, kept: tuple[KeptHistory, ...]) -> str:
    """The file of distilled histories, without vectors."""
    return topic_text(system, Topic(TOPIC, NOTES, (), kept), ())


def _shows(distilled: Distilled) -> str:
    count = len(distilled.reaches)
    return f"Reaches {distilled.reaches[0]}" + (f", and {count - 1} more" if count > 1 else "")
