"""Random histories of config merge: draw them from profiles, run them, and check the laws.

`events` defines the events, `generate` draws them, and `run` carries them out on the reference. The
`check_` modules check the laws. `leaves` is the independent second implementation with which they
compare the reference.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rejoin.config_merge import Reading
from rejoin_conformance.contract.history import Cost, Histories
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.config_merge import READINGS
from rejoin_conformance.systems.config_merge.histories.calls import calls_of
from rejoin_conformance.systems.config_merge.histories.costs import costs_of
from rejoin_conformance.systems.config_merge.histories.event_json import (
    history_from_json,
    history_to_json,
)
from rejoin_conformance.systems.config_merge.histories.events import History
from rejoin_conformance.systems.config_merge.histories.examine import examine_history
from rejoin_conformance.systems.config_merge.histories.generate import generate_history
from rejoin_conformance.systems.config_merge.histories.outcome import outcome_of
from rejoin_conformance.systems.config_merge.histories.profiles import PROFILES
from rejoin_conformance.systems.config_merge.histories.run import run_history


def _outcome(history: History, reading: Reading) -> JsonObject:
    return outcome_of(run_history(history, reading))


def _costs(history: History, reading: Reading) -> Mapping[str, Cost]:
    return costs_of(run_history(history, reading))


HISTORIES: Final = Histories(
    profiles={name: profile.summary for name, profile in PROFILES.items()},
    large=("long", "large"),
    generate=lambda profile, seed: generate_history(PROFILES[profile], seed),
    examine=under(READINGS, examine_history),
    calls=under(READINGS, calls_of),
    outcome=under(READINGS, _outcome),
    to_json=history_to_json,
    from_json=history_from_json,
    costs=under(READINGS, _costs),
)
"""The random histories of this system."""
