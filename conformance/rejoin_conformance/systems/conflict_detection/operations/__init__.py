"""The operations of conflict detection, with their JSON forms."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.field_words import described
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.systems.conflict_detection.operations.graphs import (
    CLASSIFY_SNAPSHOT,
    COLLECT_GARBAGE,
    FOLLOWS,
    PURGE,
    WALK,
)
from rejoin_conformance.systems.conflict_detection.operations.old_design import OLD_DESIGN
from rejoin_conformance.systems.conflict_detection.operations.scenario import SCENARIO
from rejoin_conformance.systems.conflict_detection.operations.scenario_steps import SCENARIO_STEPS
from rejoin_conformance.systems.conflict_detection.operations.snapshots import (
    SIGN_SNAPSHOT,
    SNAPSHOT_ID,
    VERIFY_SNAPSHOT,
)
from rejoin_conformance.systems.conflict_detection.operations.version_maps import (
    CLASSIFY_VERSION_MAP,
    JOIN_VERSION_MAPS,
    UPLOAD_VERSION_MAP,
)
from rejoin_conformance.systems.conflict_detection.operations.words import WORDS

_ALL: Final = (
    FOLLOWS,
    CLASSIFY_SNAPSHOT,
    WALK,
    PURGE,
    COLLECT_GARBAGE,
    SNAPSHOT_ID,
    SIGN_SNAPSHOT,
    VERIFY_SNAPSHOT,
    CLASSIFY_VERSION_MAP,
    JOIN_VERSION_MAPS,
    UPLOAD_VERSION_MAP,
    SCENARIO,
    SCENARIO_STEPS,
    OLD_DESIGN,
)

OPERATIONS: Final[tuple[Operation, ...]] = tuple(described(each, WORDS) for each in _ALL)
