"""The history merge: its entry in the registry of systems."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.system import System
from rejoin_conformance.systems.history_merge import DEFAULT, LAWS, READINGS
from rejoin_conformance.systems.history_merge.drafts import topics
from rejoin_conformance.systems.history_merge.exhaust.check import EXHAUSTIVE
from rejoin_conformance.systems.history_merge.histories import HISTORIES
from rejoin_conformance.systems.history_merge.model import MODEL
from rejoin_conformance.systems.history_merge.operations import OPERATIONS
from rejoin_conformance.systems.history_merge.pictures import PICTURES, draw, explain
from rejoin_conformance.systems.history_merge.text import NOTATION

SYSTEM: Final = System(
    name="history-merge",
    prefix="HM",
    title="History merge",
    summary="Compute the state of a session after its history forks",
    readings=(DEFAULT,),
    variants=tuple(name for name in READINGS.named if name != DEFAULT),
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
"""The state of a session whose history forks and rejoins."""
