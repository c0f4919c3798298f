"""Steps of a search, and traces: step after step from the initial state, one byte each.

Traces of one length are compared as bytes. So of several shortest traces to one state there is a
first one, whatever the order in which they were found.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from attrs import frozen

from rejoin_conformance.systems.conflict_detection.exhaust.searches import Bounds

Kind: TypeAlias = Literal["edit", "poll", "resolve"]


@frozen
class Step:
    """One step of one client.

    others: whom it polls, or the clients whose conflict files it removes; nobody for an edit.
    """

    kind: Kind
    client: int
    others: tuple[int, ...] = ()


def edit_code(client: int) -> int:
    """The byte of an edit."""
    return client


def poll_code(bounds: Bounds, client: int, other: int) -> int:
    """The byte of a poll."""
    return bounds.clients * (1 + client) + other


def resolve_code(bounds: Bounds, client: int, others: int) -> int:
    """The byte of a resolution; the bits of `others` are the clients whose conflict files go."""
    return bounds.clients * (1 + bounds.clients) + (client << bounds.clients) + others


def step_of(bounds: Bounds, code: int) -> Step:
    """The step that a byte stands for."""
    clients = bounds.clients
    if code < clients:
        return Step("edit", code)
    if code < clients * (1 + clients):
        client, other = divmod(code - clients, clients)
        return Step("poll", client, (other,))
    client, mask = divmod(code - clients * (1 + clients), 1 << clients)
    return Step("resolve", client, tuple(each for each in range(clients) if mask >> each & 1))


def steps_of(bounds: Bounds, trace: bytes) -> tuple[Step, ...]:
    """The steps of a trace."""
    return tuple(step_of(bounds, code) for code in trace)
