"""`rejoin verify`: check the reference against the corpus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from typing import Any

import click
from attrs import frozen

from rejoin_conformance.campaigns.plan import known_side
from rejoin_conformance.command_line.choices import Chosen, Shown, chosen_reading
from rejoin_conformance.command_line.console import Out
from rejoin_conformance.command_line.options import command
from rejoin_conformance.command_line.untried import count_untried, reach_block, reach_json
from rejoin_conformance.command_line.vectors_on_spark import MaybeSpark, mismatches_on_spark
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.verify import Mismatch, MovedVectors, moves, verify_in_forks
from rejoin_conformance.kit.document import Block, Fold, Span, Text
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.judged import Judged
from rejoin_conformance.kit.options import opt
from rejoin_conformance.kit.text import counted
from rejoin_conformance.readings.in_force import Side
from rejoin_conformance.reports.comparison import moved_clauses, moved_vectors


@frozen(kw_only=True)
class Verify:
    """The vectors to check, and the readings to compare."""

    chosen: Chosen
    reading: str | None = opt(
        "List the vectors whose result changes under this reading or rule file.",
        None,
        metavar="READING",
        shown="check every reading",
    )
    against: str | None = opt(
        "With --reading: compare with the expected results of this reading.",
        None,
        metavar="READING",
        shown="the system's default reading",
    )
    place: MaybeSpark
    shown: Shown
    out: Out


@command(Verify, "verify")
def verify(options: Verify) -> int:
    """Check the reference against the test vectors.

    The command runs every vector in every reading that has an expected result: in this process, or
    on Spark with --spark, --master or --remote.
    Without SYSTEM, it checks all systems. If the reference has two evaluations of an operation, as
    for the history merge, both run and must agree.

    With --reading, it answers another question: which vectors of one SYSTEM have a different result
    under this reading? The results are compared with the expected results under the reading
    --against. READING can be a rule file; see `rejoin compare --help`. Changed vectors that a
    person wrote come first. Changed clauses are listed by the share of their vectors that changed,
    the clauses of the changed code first. If a vector changes, the exit code is 1. If nothing
    called a function of the rule file, it is 3.

    \b
    Examples:
      rejoin verify
      rejoin verify config-merge --id '*/resolve/*'
      rejoin verify config-merge --reading document+replay_cutoff=false
      rejoin verify conflict-detection --reading my_rule.py
    """
    if options.reading is not None:
        if options.place.wanted:
            raise click.UsageError("--reading compares in this process; leave out Spark")
        return _moved(options, options.reading)
    if options.against is not None:
        raise click.UsageError("--against needs --reading")
    vectors = options.chosen.vectors()
    answers = sum(len(vector.readings) for vector in vectors)
    faults: dict[int, list[Mismatch]] = {}
    answering: Any = verify_in_forks(vectors)
    if options.place.wanted:
        answering = nullcontext(mismatches_on_spark(options.place, vectors))
    with (
        answering as results,  # before the bar, which starts a thread
        options.out.progress("verify") as progress,
    ):
        for place, mismatches_of in results:
            faults[place] = mismatches_of
            progress(len(faults), len(vectors), "")
    wrong = [each for place in sorted(faults) for each in faults[place]]
    listed: list[Json] = [
        {"id": each.vector.id, "reading": each.reading, "observed": each.observed} for each in wrong
    ]
    options.out.tell(
        lambda: {"vectors": len(vectors), "answers": answers, "mismatches": listed},
        lambda: _verified(options, vectors, answers, wrong),
    )
    return Judged(asked=answers, broken=len(wrong)).exit_code


def _verified(
    options: Verify, vectors: Sequence[Vector], answers: int, wrong: Sequence[Mismatch]
) -> Iterator[Block]:
    good = Span("as expected", "fail" if wrong else "pass")
    yield Text((f"{answers - len(wrong):,} of {answers:,} results of the reference are ", good))
    failed = [
        Fold((Span("FAIL", "fail"), f" {each.vector.id} [{each.reading}]"), [Text(each.observed)])
        for each in wrong
    ]
    yield from options.shown.of(failed, "failure")
    yield Text(f"results: one for each reading of {counted(len(vectors), 'vector')}")
    for system in options.chosen.systems or all_systems():
        count = sum(vector.system == system.name for vector in vectors)
        if count:
            readings = ", ".join(system.every_reading)
            yield Text(f"{system.name}: {counted(count, 'vector')}, readings {readings}")


def _moved(options: Verify, reading: str) -> int:
    """Print the vectors whose result changes under a reading or a rule file."""
    if len(options.chosen.systems) != 1:
        raise click.UsageError("--reading applies to one system; name one SYSTEM")
    (system,) = options.chosen.systems
    side = known_side(system, reading)
    base = chosen_reading(system, options.against)
    if base not in system.readings:
        known = f"choose one of {', '.join(system.readings)}"
        raise click.UsageError(f"--against: the corpus has no results for {base}; {known}")
    vectors = options.chosen.vectors()
    with options.out.progress("verify") as progress:
        found = moves(vectors, side, Side(base), system, progress)
    options.out.tell(lambda: _moved_json(found), lambda: _moved_blocks(found, side, base, options))
    untried = count_untried(found.reached, side, system)
    judged = Judged(asked=len(found.asked), left_out=untried, broken=len(found.moved))
    return judged.exit_code


def _moved_json(found: MovedVectors) -> JsonObject:
    return {
        "vectors": len(found.asked),
        "moved": [
            {"id": each.vector.id, "clauses": [*each.vector.clauses], "observed": each.observed}
            for each in found.moved
        ],
        "clauses": {
            each.clause: {"moved": each.moved, "vectors": each.asked} for each in found.clauses
        },
        "overridden": reach_json(found.reached),
    }


def _moved_blocks(found: MovedVectors, side: Side, base: str, options: Verify) -> Iterator[Block]:
    if found.reached and not any(each.counts["called"] for each in found.reached.values()):
        yield Text(f"0 of {len(found.asked):,} vectors call an overridden function")
    else:
        moved = f"{len(found.moved):,} of {len(found.asked):,} vectors"
        crashes = sum(each.observed.startswith("crashed: ") for each in found.moved)
        more = f"; {crashes:,} of them crash" if crashes else ""
        yield Text(f"{moved} change from {base} to {side.name}{more}")
    if options.shown.summary:
        own = [each.clause for each in found.clauses if each.is_changed]
        left_out = ", ".join(sorted(found.own.difference(own)))
        none = f"none of {left_out} has a selected vector" if left_out else "none"
        yield Text(f"{counted(len(found.clauses), 'clause')} of these vectors or the changed code")
        yield Text(f"clauses of the changed code: {', '.join(own) or none}")
    else:
        yield from options.shown.of([*moved_vectors(found)], "vector")
        yield from moved_clauses(found)
    if found.reached:
        yield reach_block(found.reached, "vector")
