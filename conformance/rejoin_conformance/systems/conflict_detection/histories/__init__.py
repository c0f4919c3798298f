"""Random histories of conflict detection: drawn, run in both designs, held to the laws.

`events` says what happens, `generate` draws it, `run` carries it out with ground truth beside it
(`truth`), the `_checks` modules hold the outcome to the laws, `settlement` ends some histories.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rejoin_conformance.contract.history import Call, Histories
from rejoin_conformance.contract.law import Examination
from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.histories.calls import calls_of
from rejoin_conformance.systems.conflict_detection.histories.event_json import (
    history_from_json,
    history_to_json,
)
from rejoin_conformance.systems.conflict_detection.histories.events import History
from rejoin_conformance.systems.conflict_detection.histories.examine import examine
from rejoin_conformance.systems.conflict_detection.histories.generate import generate
from rejoin_conformance.systems.conflict_detection.histories.outcome import outcome_of
from rejoin_conformance.systems.conflict_detection.histories.profiles import PROFILES
from rejoin_conformance.systems.conflict_detection.histories.tell import drawings, tell
from rejoin_conformance.systems.conflict_detection.readings import READINGS


class ConflictDetectionHistories:
    """The random histories of conflict detection."""

    @property
    def profiles(self) -> Mapping[str, str]:
        """Profile -> what its histories are like, in one line."""
        return {name: profile.summary for name, profile in PROFILES.items()}

    def generate(self, profile: str, seed: int) -> History:
        """The history of a seed: a pure function of its two arguments."""
        return generate(PROFILES[profile], seed)

    def examine(self, history: History, reading: str) -> Examination:
        """Run the history on the reference under a reading and check every law."""
        return examine(history, reading)

    def calls(self, history: History, reading: str) -> Iterator[Call]:
        """What the history comes to in operations of the corpus."""
        return calls_of(history, reading)

    def outcome(self, history: History, reading: str) -> JsonObject:
        """What everybody holds and decides, whatever the laws say of it."""
        return outcome_of(history, READINGS.of(reading))

    def to_json(self, history: History) -> JsonObject:
        """The history as data, for files."""
        return history_to_json(history)

    def from_json(self, value: JsonObject) -> History:
        """The inverse of `to_json`."""
        return history_from_json(value)

    def tell(self, history: History, reading: str) -> str:
        """The history as lines for a person: a picture of its shape, and what happened."""
        return tell(history, reading)

    def drawings(self, history: History, reading: str) -> Sequence[Drawing]:
        """The DAG of each file's versions."""
        return drawings(history, reading)


HISTORIES: Final[Histories[History]] = ConflictDetectionHistories()
"""The random histories of conflict detection."""
