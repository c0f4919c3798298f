"""The random histories of conflict detection: drawn from profiles, run in both designs, checked.

A kept campaign depends on this module and on what it imports (`campaigns/kept/store.py`).
"""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.history import Histories
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.conflict_detection import PROFILES, READINGS
from rejoin_conformance.systems.conflict_detection.calls import calls_of
from rejoin_conformance.systems.conflict_detection.drawing import generate
from rejoin_conformance.systems.conflict_detection.examine import examine, examine_by
from rejoin_conformance.systems.conflict_detection.history import History, history_from_json
from rejoin_conformance.systems.conflict_detection.outcome import outcome_of

HISTORIES: Final[Histories[History]] = Histories(
    profiles=PROFILES.summaries,
    large=("long", "large"),
    generate=generate,
    examine=under(READINGS, examine),
    examine_by=under(READINGS, examine_by),
    oracle_needs="Detection",
    calls=calls_of,
    outcome=under(READINGS, outcome_of),
    from_json=history_from_json,
)
"""The random histories of this system."""
