"""The steps of a search, and traces: the steps from the initial state, one byte each.

Traces of the same length are compared as bytes. So the first of several shortest traces to a state
does not depend on the order in which they were found.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from attrs import frozen

from rejoin_conformance.systems.conflict_detection.exhaust.searches import Bounds

Kind: TypeAlias = Literal["edit", "poll", "resolve"]


@frozen
class Step:
    """One step of one client.

    others: the client that it polls, or the clients whose conflict files it removes; empty for an
    edit.
    """

    kind: Kind
    client: int
    others: tuple[int, ...] = ()


def edit_code(client: int) -> int:
    """Return the byte of an edit."""
    return client


def poll_code(bounds: Bounds, client: int, other: int) -> int:
    """Return the byte of a poll."""
    return bounds.clients * (1 + client) + other


def resolve_code(bounds: Bounds, client: int, others: int) -> int:
    """Return the byte of a resolution. others: the bits of the clients whose files it removes."""
    return bounds.clients * (1 + bounds.clients) + (client << bounds.clients) + others


def step_of(bounds: Bounds, code: int) -> Step:
    """Return the step of a byte."""
    clients = bounds.clients
    if code < clients:
        return Step("edit", code)
    if code < clients * (1 + clients):
        client, other = divmod(code - clients, clients)
        return Step("poll", client, (other,))
    client, mask = divmod(code - clients * (1 + clients), 1 << clients)
    return Step("resolve", client, tuple(each for each in range(clients) if mask >> each & 1))


def steps_of(bounds: Bounds, trace: bytes) -> tuple[Step, ...]:
    """Return the steps of a trace."""
    return tuple(step_of(bounds, code) for code in trace)
