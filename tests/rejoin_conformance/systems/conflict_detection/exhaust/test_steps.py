"""Every step has one byte, and edits come before polls, polls before resolutions."""

from __future__ import annotations

import pytest

from rejoin_conformance.systems.conflict_detection.exhaust.searches import Bounds
from rejoin_conformance.systems.conflict_detection.exhaust.steps import (
    Step,
    edit_code,
    poll_code,
    resolve_code,
    step_of,
    steps_of,
)


def every_step(clients: int) -> list[tuple[int, Step]]:
    """The bytes of all steps that so many clients can take, in order."""
    bounds = Bounds(clients, 1)
    each = range(clients)
    steps = [(edit_code(client), Step("edit", client)) for client in each]
    steps += [
        (poll_code(bounds, client, other), Step("poll", client, (other,)))
        for client in each
        for other in each
        if other != client
    ]
    steps += [
        (
            resolve_code(bounds, client, mask),
            Step("resolve", client, tuple(other for other in each if mask >> other & 1)),
        )
        for client in each
        for mask in range(1, 1 << clients)
    ]
    return steps


@pytest.mark.parametrize("clients", [1, 2, 3, 4, 5])
def test_a_byte_says_which_step_it_is(clients: int) -> None:
    steps = every_step(clients)
    codes = [code for code, _ in steps]
    assert codes == sorted(set(codes))
    assert codes[-1] < 256
    bounds = Bounds(clients, 1)
    assert [step_of(bounds, code) for code in codes] == [step for _, step in steps]


def test_a_trace_is_a_byte_a_step() -> None:
    bounds = Bounds(3, 4)
    trace = bytes((edit_code(0), poll_code(bounds, 2, 0), resolve_code(bounds, 1, 0b101)))
    assert steps_of(bounds, trace) == (
        Step("edit", 0),
        Step("poll", 2, (0,)),
        Step("resolve", 1, (0, 2)),
    )
