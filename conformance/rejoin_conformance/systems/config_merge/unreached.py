"""The public functions of config merge that no operation calls."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.unreached import Unreached

UNREACHED: Final = (
    Unreached(
        name="rejoin.config_merge.outer_metadata.serialise",
        reason="the laws call it to write a parsed message again; operations write new messages "
        "with `serialise_message`",
        histories=True,
    ),
    Unreached(
        name="rejoin.config_merge.reading.Reading.named",
        reason="it looks up a reading by name, and the suite has its own look-up; define READING "
        "instead",
    ),
)
