"""The vectors of config merge that are computed; all others are `vectors/config-merge/*.txt`.

Inputs are built by `by_hand`, an encoder of its own; outputs are stated if a person can know them,
so that the reference must agree with them and does not merely repeat itself.
"""

from __future__ import annotations

from rejoin_conformance.contract.vector import Topic


def topics() -> tuple[Topic, ...]:
    """Return every topic that has vectors in Python. The notes of the topics are in the text."""
    from rejoin_conformance.systems.config_merge.drafts import (  # noqa: PLC0415 (only the generator needs it)
        sizes,
    )

    return Topic("parse", "", (sizes.three_hundred_rows(),)), Topic("sizes", "", sizes.drafts())
