"""Random histories of config merge: draw them, run them, check the laws, count what they cover.

`drawing` draws histories, and `run` carries out their events on the reference. The `laws_` modules
check the laws. `changes` is the independent second implementation with which they compare the
reference.
"""

from __future__ import annotations

import hashlib
from typing import Final

from attrs import evolve

from rejoin import config_merge as cm
from rejoin_conformance.contract.history import Histories, asks_reference
from rejoin_conformance.contract.law import Examination, Ledger, Violation
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.config_merge import LAWS, PROFILES, READINGS
from rejoin_conformance.systems.config_merge.calls import calls_of, scenario_of
from rejoin_conformance.systems.config_merge.drawing import generate_history
from rejoin_conformance.systems.config_merge.laws_end import check_end, window_misses
from rejoin_conformance.systems.config_merge.laws_merges import check_merges
from rejoin_conformance.systems.config_merge.laws_pushes import check_pushes
from rejoin_conformance.systems.config_merge.laws_resolves import check_resolves
from rejoin_conformance.systems.config_merge.operations import OPERATIONS
from rejoin_conformance.systems.config_merge.outcome import costs_of, cover, outcome_of
from rejoin_conformance.systems.config_merge.records import History, history_from_json
from rejoin_conformance.systems.config_merge.run import Run, run_history


def examine_history(history: History, reading: cm.Reading) -> Examination:
    """Run a history under a reading and return its violations and coverage."""
    run, ledger = run_history(history, reading), Ledger(LAWS)
    merges = check_resolves(run, ledger)
    check_merges(run, ledger, merges)
    check_pushes(run, ledger)
    misses = window_misses(run)
    check_end(run, ledger, misses)
    cover(run, ledger, merges, misses)
    examination = ledger.examination(_digest(run, ledger))
    stated = tuple(_stated(run, each) for each in examination.violations)
    return evolve(examination, violations=stated)


def _stated(run: Run, violation: Violation) -> Violation:
    """Return the violation with an operation that shows it: the law's own, or else a scenario."""
    if "input" in violation.evidence:
        return violation
    scenario = scenario_of(run.history, asks_reference(OPERATIONS, run.reading.name))
    evidence: JsonObject = {"operation": "config-merge/scenario", "input": scenario}
    return evolve(violation, evidence={**violation.evidence, **evidence})


def _digest(run: Run, ledger: Ledger) -> bytes:
    """Return a hash of 32 bytes over every message, resolve, head and violation."""
    parts = [record.message.row.rank[1] for record in run.records]
    for step in run.resolved:
        parts.append(step.resolution.message.row.rank[1])
        parts += [ignored.why.encode() for ignored in step.resolution.ignored]
    heads = [client.head for client in run.clients.values()]
    parts += [b"" if head is None else head.encoded for head in heads]
    parts += [f"{each.law} {each.kind} {each.detail}".encode() for each in ledger.violations]
    text = b"".join([b"%d:%s" % (len(part), part) for part in parts])
    return hashlib.blake2b(text, digest_size=32).digest()


HISTORIES: Final[Histories[History]] = Histories(
    profiles=PROFILES.summaries,
    large=("long", "large"),
    generate=lambda profile, seed: generate_history(PROFILES.weights[profile], seed),
    examine=under(READINGS, examine_history),
    calls=calls_of,
    outcome=under(READINGS, lambda history, reading: outcome_of(run_history(history, reading))),
    from_json=history_from_json,
    costs=under(READINGS, lambda history, reading: costs_of(run_history(history, reading))),
)
"""The random histories of this system."""
