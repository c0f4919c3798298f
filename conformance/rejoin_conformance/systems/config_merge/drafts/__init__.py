"""The vectors of config merge that are computed: bytes as such, sizes, single faults, signatures.

All others are text: `vectors/config-merge/*.txt`. Inputs are built by `by_hand`, an encoder of its
own; outputs are stated if a person can know them, so that the reference must agree with them and
does not merely repeat itself.
"""

from __future__ import annotations

from rejoin_conformance.contract.vector import Topic


def topics() -> tuple[Topic, ...]:
    """Return every topic that has vectors in Python, by the name of its file."""
    from rejoin_conformance.systems.config_merge.drafts import (  # noqa: PLC0415 (only the generator needs it)
        clients,
        data,
        encryption,
        hostile,
        levels,
        merging,
        parse,
        signatures,
        sizes,
        steps,
    )

    return (
        *merging.topics(),
        clients.topic(),
        data.topic(),
        encryption.topic(),
        hostile.topic(),
        levels.topic(),
        parse.topic(),
        signatures.topic(),
        sizes.topic(),
        steps.topic(),
    )
