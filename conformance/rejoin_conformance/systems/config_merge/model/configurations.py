"""The model's configurations for TLC, and the expected result of each."""

from __future__ import annotations

from functools import partial
from typing import Final

from rejoin_conformance.contract.model import Configuration

_checks: Final = partial(Configuration, module="Checks")

CONFIGURATIONS: Final = (
    _checks(
        name="scalars",
        summary="every law, with scalars",
        bounds="2 clients, 3 edits, 5 messages, N = 2",
    ),
    _checks(
        name="sets",
        summary="every law, with a set that a client empties",
        bounds="2 clients, 3 edits, 5 messages, N = 3",
    ),
    _checks(
        name="nested",
        summary="every law, with a dict that is pruned",
        bounds="2 clients, 3 edits, 5 messages, N = 2",
    ),
    _checks(
        name="kinds",
        summary="every law, with a scalar and a dict under one key",
        bounds="2 clients, 3 edits, 5 messages, N = 3",
    ),
    _checks(
        name="three-clients",
        summary="every law, with a third client",
        bounds="3 clients, 2 edits, 4 messages, N = 2",
    ),
    _checks(
        name="delays",
        summary="every law, with late and lost batches",
        bounds="2 clients, 2 edits, 3 messages, N = 2",
    ),
    _checks(
        name="duplicates",
        summary="every law, with messages stored twice, late batches and late resolves",
        bounds="2 clients, 2 edits, 3 messages, N = 2",
    ),
    _checks(
        name="quiet",
        summary="the push of one client reaches all clients, and then no client has anything left "
        "to do",
        bounds="3 clients, 1 edit, N = 2; batches late or lost, late resolves",
    ),
    _checks(
        name="one-reader",
        summary="every law, with a client that cannot sign",
        bounds="2 clients, 3 edits, 5 messages, N = 2",
    ),
    _checks(
        name="libsession",
        summary="the laws that the reading `libsession` claims",
        bounds="2 clients, 3 edits, 5 messages, N = 2",
    ),
    _checks(
        name="libsession-sets",
        summary="in `libsession`, emptying a set removes the elements that others added",
        bounds="2 clients, 3 edits, N = 3",
        violates="NoLostUpdate",
    ),
    _checks(
        name="libsession-nested",
        summary="in `libsession`, emptying a dict removes the values that others added",
        bounds="2 clients, 3 edits, N = 3",
        violates="NoLostUpdate",
    ),
    _checks(
        name="libsession-kinds",
        summary="in `libsession`, a pending edit replaces a value of another kind",
        bounds="2 clients, 3 edits, N = 3",
        violates="EditSurvivesResolve",
    ),
    _checks(
        name="races",
        summary="clients that resolve each other's merges too late never stop merging",
        bounds="2 clients, 3 edits, 9 messages",
        violates="RacesEnd",
    ),
    _checks(
        name="mishaps",
        summary="every law, with refused deletions, late and lost batches, and bad messages",
        bounds="2 clients, 3 edits, 3 messages, N = 2",
        size="large",
    ),
    _checks(
        name="dawdling",
        summary="every law, with partial fetches, late resolves, and edits that change before the "
        "push",
        bounds="2 clients, 3 edits, 4 messages, N = 1 to 3",
        size="large",
    ),
    _checks(
        name="cut",
        summary="every law, with a partitioned network and refused deletions",
        bounds="2 clients, 3 edits, 4 messages, N = 2",
        size="large",
    ),
    _checks(
        name="four-edits",
        summary="every law, with four edits",
        bounds="2 clients, 4 edits, 5 messages, N = 2",
        size="large",
    ),
)
"""The configurations, in the order of the table."""
