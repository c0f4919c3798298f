"""Config merge: its entry in the registry of systems."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.system import System
from rejoin_conformance.systems.config_merge import LAWS, READINGS
from rejoin_conformance.systems.config_merge.drafts import topics
from rejoin_conformance.systems.config_merge.histories import HISTORIES
from rejoin_conformance.systems.config_merge.model import MODEL
from rejoin_conformance.systems.config_merge.operations import OPERATIONS
from rejoin_conformance.systems.config_merge.pictures import PICTURES, draw, explain
from rejoin_conformance.systems.config_merge.text import NOTATION

SYSTEM: Final = System(
    name="config-merge",
    prefix="CM",
    title="Config merge",
    summary="Merge competing encrypted config messages",
    readings=tuple(READINGS.named),
    choices=READINGS,
    operations=OPERATIONS,
    topics=topics,
    laws=tuple(LAWS.values()),
    histories=HISTORIES,
    pictures=PICTURES,
    explain=explain,
    model=MODEL,
    notation=NOTATION,
    draw=draw,
)
