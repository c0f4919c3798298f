"""Random histories of the history merge: drawn from profiles, run on the reference, checked.

`events` defines the events, `generate` draws them and `run` carries them out. The `check_` modules
check the laws on the result. `premises` computes the merge of the elements that meet the premise.
"""

from __future__ import annotations

from typing import Final

from rejoin.history_merge import Reading
from rejoin_conformance.contract.history import Histories
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.history_merge import READINGS
from rejoin_conformance.systems.history_merge.histories.calls import calls_of
from rejoin_conformance.systems.history_merge.histories.events import (
    History,
    history_from_json,
    history_to_json,
)
from rejoin_conformance.systems.history_merge.histories.examine import examine_history
from rejoin_conformance.systems.history_merge.histories.generate import generate_history
from rejoin_conformance.systems.history_merge.histories.outcome import outcome_of
from rejoin_conformance.systems.history_merge.histories.profiles import PROFILES
from rejoin_conformance.systems.history_merge.histories.run import run_history


def _outcome(history: History, reading: Reading) -> JsonObject:
    return outcome_of(run_history(history, reading))


HISTORIES: Final = Histories(
    profiles={name: profile.summary for name, profile in PROFILES.items()},
    large=("long", "large"),
    generate=lambda profile, seed: generate_history(PROFILES[profile], seed),
    examine=under(READINGS, examine_history),
    calls=under(READINGS, calls_of),
    outcome=under(READINGS, _outcome),
    to_json=history_to_json,
    from_json=history_from_json,
)
"""The random histories of this system."""
