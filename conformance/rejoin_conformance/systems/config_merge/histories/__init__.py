"""Random histories of config merge: drawn from profiles, run on the reference, held to the laws.

`events` says what happens, `generate` draws it, `run` carries it out, the `check_` modules hold the
outcome to the laws, `leaves` is the second account that they hold it against.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rejoin_conformance.contract.history import Call, Histories
from rejoin_conformance.contract.law import Examination
from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.histories.calls import calls_of
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
from rejoin_conformance.systems.config_merge.histories.tell import drawing_of, tell_history
from rejoin_conformance.systems.config_merge.readings import READINGS


class ConfigMergeHistories:
    """The random histories of config merge."""

    @property
    def profiles(self) -> Mapping[str, str]:
        """Profile -> what its histories are like, in one line."""
        return {name: profile.summary for name, profile in PROFILES.items()}

    def generate(self, profile: str, seed: int) -> History:
        """The history of a seed: a pure function of its two arguments."""
        return generate_history(PROFILES[profile], seed)

    def examine(self, history: History, reading: str) -> Examination:
        """Run the history on the reference under a reading and check every law."""
        return examine_history(history, READINGS.of(reading))

    def calls(self, history: History, reading: str) -> Iterator[Call]:
        """What the history comes to in operations of the corpus."""
        return calls_of(history, READINGS.of(reading))

    def outcome(self, history: History, reading: str) -> JsonObject:
        """What everybody holds and decides, whatever the laws say of it."""
        return outcome_of(run_history(history, READINGS.of(reading)))

    def to_json(self, history: History) -> JsonObject:
        """The history as data, for files."""
        return history_to_json(history)

    def from_json(self, value: JsonObject) -> History:
        """The inverse of `to_json`."""
        return history_from_json(value)

    def tell(self, history: History, reading: str) -> str:
        """The history as lines for a person: a picture of its shape, and what happened."""
        return tell_history(history, READINGS.of(reading))

    def drawings(self, history: History, reading: str) -> Sequence[Drawing]:
        """The DAG of its messages."""
        return (drawing_of(history, READINGS.of(reading)),)


HISTORIES: Final[Histories[History]] = ConfigMergeHistories()
