"""Examine a history: run it, check every law, count its coverage."""

from __future__ import annotations

import hashlib

from attrs import evolve

from rejoin import config_merge as cm
from rejoin_conformance.contract.law import Examination, Violation
from rejoin_conformance.contract.ledger import Ledger
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.histories.check_end import check_end, window_misses
from rejoin_conformance.systems.config_merge.histories.check_merges import check_merges
from rejoin_conformance.systems.config_merge.histories.check_pushes import check_pushes
from rejoin_conformance.systems.config_merge.histories.check_resolves import check_resolves
from rejoin_conformance.systems.config_merge.histories.coverage import cover
from rejoin_conformance.systems.config_merge.histories.events import History
from rejoin_conformance.systems.config_merge.histories.run import Run, run_history
from rejoin_conformance.systems.config_merge.histories.scenario_input import scenario_of


def examine_history(history: History, reading: cm.Reading) -> Examination:
    """Run a history under a reading and return its violations and coverage."""
    return examine_run(run_history(history, reading))


def examine_run(run: Run) -> Examination:
    """Return the violations and coverage of a history that has run to its end."""
    ledger = Ledger()
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
    scenario = scenario_of(run.history, run.clients[0].settings.reading)
    evidence: JsonObject = {"operation": "config-merge/scenario", "input": scenario}
    return evolve(violation, evidence={**violation.evidence, **evidence})


def _digest(run: Run, ledger: Ledger) -> bytes:
    """Return a hash of 32 bytes over every message, resolve, head and violation."""
    parts = [record.message.row.rank[1] for record in run.records]
    for step in run.resolved:
        parts.append(step.resolution.message.row.rank[1])
        parts += [ignored.why.encode() for ignored in step.resolution.ignored]
    parts += [b"" if client.head is None else client.head.encoded for client in run.clients]
    parts += [f"{each.law} {each.kind} {each.detail}".encode() for each in ledger.violations]
    text = b"".join([b"%d:%s" % (len(part), part) for part in parts])
    return hashlib.blake2b(text, digest_size=32).digest()
