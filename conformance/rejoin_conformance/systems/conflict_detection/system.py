"""Conflict detection: its entry in the registry of systems."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.system import System
from rejoin_conformance.systems.conflict_detection import LAWS, READINGS
from rejoin_conformance.systems.conflict_detection.drafts import topics
from rejoin_conformance.systems.conflict_detection.exhaust.report import EXHAUSTIVE
from rejoin_conformance.systems.conflict_detection.histories import HISTORIES
from rejoin_conformance.systems.conflict_detection.model import MODEL
from rejoin_conformance.systems.conflict_detection.operations import OPERATIONS
from rejoin_conformance.systems.conflict_detection.pictures import PICTURES, draw, explain
from rejoin_conformance.systems.conflict_detection.text import NOTATION

SYSTEM: Final = System(
    name="conflict-detection",
    prefix="CD",
    title="Conflict detection",
    summary="Decide whether a file version overwrites or conflicts",
    readings=tuple(READINGS.named),
    choices=READINGS,
    operations=OPERATIONS,
    topics=topics,
    laws=tuple(LAWS.values()),
    histories=HISTORIES,
    pictures=PICTURES,
    exhaustive=EXHAUSTIVE,
    explain=explain,
    model=MODEL,
    notation=NOTATION,
    draw=draw,
)
"""Conflict detection in the suite: its operations, laws, histories, model and texts."""
