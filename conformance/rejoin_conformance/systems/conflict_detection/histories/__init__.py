"""Random histories of conflict detection: drawn from profiles, run in both designs, checked.

`events` defines the events and `generate` draws them. `run` carries them out and keeps the ground
truth (`ground_truth`). The `check_` modules check the laws on the result. `settlement` ends some
histories with a resolution of all conflicts.
"""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.history import Histories
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.conflict_detection import READINGS
from rejoin_conformance.systems.conflict_detection.histories.calls import calls_of
from rejoin_conformance.systems.conflict_detection.histories.event_json import (
    history_from_json,
    history_to_json,
)
from rejoin_conformance.systems.conflict_detection.histories.examine import examine
from rejoin_conformance.systems.conflict_detection.histories.generate import generate
from rejoin_conformance.systems.conflict_detection.histories.outcome import outcome_of
from rejoin_conformance.systems.conflict_detection.histories.profiles import PROFILES

HISTORIES: Final = Histories(
    profiles={name: profile.summary for name, profile in PROFILES.items()},
    large=("long", "large"),
    generate=lambda profile, seed: generate(PROFILES[profile], seed),
    examine=under(READINGS, examine),
    calls=under(READINGS, calls_of),
    outcome=under(READINGS, outcome_of),
    to_json=history_to_json,
    from_json=history_from_json,
)
"""The random histories of this system."""
