"""The vectors of config merge: one module or package a topic.

Inputs are built by `by_hand`, an encoder of its own; outputs are stated wherever a person can know
them, so that the reference is held to them and does not merely repeat itself.
"""

from __future__ import annotations

from rejoin_conformance.contract.vector import Topic


def topics() -> tuple[Topic, ...]:
    """Every topic, by the name of its file."""
    from rejoin_conformance.systems.config_merge.drafts import (  # noqa: PLC0415 (only those who make the corpus pay for it)
        apply_diff,
        data,
        decode,
        diff,
        encode,
        encryption,
        hostile,
        ignored,
        parse,
        resolve,
        scenario,
        signatures,
        update,
        windows,
        worked_example,
    )

    return (
        apply_diff.topic(),
        data.topic(),
        decode.topic(),
        diff.topic(),
        encode.topic(),
        encryption.topic(),
        hostile.topic(),
        ignored.topic(),
        parse.topic(),
        resolve.topic(),
        scenario.topic(),
        signatures.topic(),
        update.topic(),
        windows.topic(),
        worked_example.topic(),
    )
