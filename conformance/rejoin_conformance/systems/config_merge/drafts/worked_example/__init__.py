"""The worked example of the document, from 118 to 127."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.systems.config_merge.drafts.worked_example import orders, steps


def topic() -> Topic:
    """The steps one by one, then every merge with its inputs in other orders."""
    return Topic(
        "worked-example",
        "The worked example of the document: 118 has the data that the document shows for 122, 119 "
        "to 122 change nothing, and from 123 on things happen as it tells, with the slips in its "
        "listings repaired. The hashes of 119 to 123, 124b, 125a and 125b are those of the "
        "deployed library.",
        (*steps.drafts(), *orders.drafts()),
    )
