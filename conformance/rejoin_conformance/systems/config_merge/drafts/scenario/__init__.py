"""Clients and a swarm: what each step changes, and what everyone holds in the end."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.systems.config_merge.drafts.scenario import (
    edits,
    foreign,
    late_answers,
    pushes,
    signed,
    worked_example,
)


def topic() -> Topic:
    """Stories of clients and a swarm."""
    return Topic(
        "scenario",
        "Clients and a swarm, step by step. The readings encrypt differently, so what is stored "
        "differs throughout; the heads are the same but for the very first message.",
        (
            *pushes.drafts(),
            *late_answers.drafts(),
            *edits.drafts(),
            *foreign.drafts(),
            *signed.drafts(),
            *worked_example.drafts(),
        ),
    )
