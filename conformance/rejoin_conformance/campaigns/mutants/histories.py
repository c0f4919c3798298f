"""Examine mutants with random histories, for those that no vector notices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import compress
from typing import Any, Final

from rejoin_conformance.campaigns.block import examine_block
from rejoin_conformance.campaigns.mutants.forked import in_a_fork
from rejoin_conformance.campaigns.mutants.in_force import exchange_code, loaded
from rejoin_conformance.campaigns.mutants.limited_time import TooLongError, limited_time
from rejoin_conformance.campaigns.mutants.mutant import Mutant
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.kit.json_types import Json

_SEED: Final = 13

SECONDS_A_BLOCK: Final = 60
"""Processor time that a block of histories may take; one that takes longer notices the mutant."""


def noticed_by_histories(
    system: str, mutants: Sequence[Mutant], histories: int, spread: Spread
) -> tuple[Mutant, ...]:
    """Return the mutants that change the result of a random history of the default profile.

    A history ends another way if an answer or the verdict of a law changes, or if it raises an
    error. Only mutants inside functions are tried.
    """
    inside = [each for each in mutants if each.function]
    plan = Plan(
        system=system,
        profile="default",
        readings=system_named(system).readings,
        seed=_SEED,
        histories=histories,
    )
    digests: list[Any] = spread.pieces(partial(_digest, plan), plan.blocks, "histories")
    work = partial(_is_noticed, plan, tuple(digests), inside)
    return tuple(compress(inside, spread.pieces(work, len(inside), "mutants")))


def _digest(plan: Plan, block: int) -> Json:
    return examine_block(plan, block).digest


def _is_noticed(plan: Plan, digests: Sequence[str], mutants: Sequence[Mutant], number: int) -> Json:
    system_named(plan.system)
    reference = loaded()

    def differs() -> bool:
        exchange_code(mutants[number], reference)
        try:
            with limited_time(SECONDS_A_BLOCK * len(digests)):
                return any(
                    examine_block(plan, block).digest != digest
                    for block, digest in enumerate(digests)
                )
        except TooLongError:
            return True

    return in_a_fork(differs, died=True)
