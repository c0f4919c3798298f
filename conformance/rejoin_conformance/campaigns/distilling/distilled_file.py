"""Write distilled histories in the form of a file of the corpus."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, count
from typing import Final

from rejoin_conformance.campaigns.distilling.distil import Distilled, DistilPlan
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import KeptHistory, Lineage, Topic
from rejoin_conformance.corpus.generate import topic_text

TOPIC: Final = "distilled"
NOTES: Final = (
    "A small set of histories with the same coverage as all the random histories of the "
    "distilled campaigns. The vectors are the operations that each history calls. No person "
    "wrote them: the expected result is the answer of the reference. `histories` states what "
    "each history is kept for."
)


def kept_histories(
    plan: DistilPlan,
    distilled: Iterable[Distilled],
    code: str,
    before: Iterable[KeptHistory] = (),
    retired: Iterable[str] = (),
) -> tuple[KeptHistory, ...]:
    """Return distilled histories with their lineage, after the ones that were kept before.

    code: the version of the suite that found them. retired: IDs of vectors that must not be used
    again. All names are different, and different from those of histories with retired vectors.
    """
    kept = [*before]
    prefix = f"{plan.system}/{TOPIC}/"
    gone = tuple(each.removeprefix(prefix) for each in retired if each.startswith(prefix))
    for each in distilled:
        lineage = Lineage(
            profile=each.profile,
            seed=plan.seed,
            index=each.index,
            code=code,
            history=_free_name(
                f"{each.profile}-{each.index}", {other.name for other in kept}, gone
            ),
        )
        kept.append(
            KeptHistory(
                shows=_shows(each), lineage=lineage, history=each.history, reaches=each.reaches
            )
        )
    return tuple(kept)


def distilled_text(system: System, kept: tuple[KeptHistory, ...]) -> str:
    """Return the text of the file of distilled histories, without vectors."""
    return topic_text(system, Topic(TOPIC, NOTES, (), kept), ())


def _free_name(name: str, taken: set[str], gone: tuple[str, ...]) -> str:
    """Return the name, or the name with "again" and the first free number from 2 if it is taken.

    gone: names of retired vectors, which begin with the names of their histories.
    """
    others = (f"{name}-again-{number}" for number in count(2))
    return next(
        each
        for each in chain([name], others)
        if each not in taken and not any(name.startswith(f"{each}-") for name in gone)
    )


def _shows(distilled: Distilled) -> str:
    more = len(distilled.reaches) - 1
    return f"Reaches {distilled.reaches[0]}" + (f", and {more} more" if more else "")
