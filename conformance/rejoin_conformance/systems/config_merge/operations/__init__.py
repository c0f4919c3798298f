"""The operations of config merge, with their JSON forms."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.field_words import described
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.systems.config_merge.operations.diffs import APPLY_DIFF, DIFF
from rejoin_conformance.systems.config_merge.operations.encoding import DECODE, ENCODE
from rejoin_conformance.systems.config_merge.operations.encryption import DECRYPT, ENCRYPT
from rejoin_conformance.systems.config_merge.operations.merges import (
    RESOLVE,
    RESOLVE_STEPS,
    UPDATE,
)
from rejoin_conformance.systems.config_merge.operations.messages import PARSE, SIGN, VERIFY
from rejoin_conformance.systems.config_merge.operations.scenario import SCENARIO
from rejoin_conformance.systems.config_merge.operations.words import WORDS

_ALL: Final = (
    DECODE,
    ENCODE,
    PARSE,
    DIFF,
    APPLY_DIFF,
    RESOLVE,
    RESOLVE_STEPS,
    UPDATE,
    SIGN,
    VERIFY,
    ENCRYPT,
    DECRYPT,
    SCENARIO,
)

OPERATIONS: Final[tuple[Operation, ...]] = tuple(described(each, WORDS) for each in _ALL)
