"""What TLC checks: the configurations beside the model, and what shall come of each."""

from __future__ import annotations

from functools import partial
from typing import Final

from rejoin_conformance.contract.model import Configuration

_checks: Final = partial(Configuration, module="Checks")

CONFIGURATIONS: Final = (
    _checks(
        name="scalars",
        summary="every law, scalars",
        bounds="2 clients, 3 edits, 5 messages, N = 2",
    ),
    _checks(
        name="sets",
        summary="every law, a set that is emptied",
        bounds="2 clients, 3 edits, 5 messages, N = 3",
    ),
    _checks(
        name="nested",
        summary="every law, a dict that is pruned",
        bounds="2 clients, 3 edits, 5 messages, N = 2",
    ),
    _checks(
        name="kinds",
        summary="every law, a scalar and a dict in one place",
        bounds="2 clients, 3 edits, 5 messages, N = 3",
    ),
    _checks(
        name="three-clients",
        summary="every law, a third client",
        bounds="3 clients, 2 edits, 4 messages, N = 2",
    ),
    _checks(
        name="delays",
        summary="every law, batches that are late or lost",
        bounds="2 clients, 2 edits, 3 messages, N = 2",
    ),
    _checks(
        name="duplicates",
        summary="every law; messages stored again, late batches, late resolves",
        bounds="2 clients, 2 edits, 3 messages, N = 2",
    ),
    _checks(
        name="quiet",
        summary="what one client pushes reaches everybody, and then nothing is left to do",
        bounds="3 clients, 1 edit, N = 2; batches late or lost, late resolves",
    ),
    _checks(
        name="one-reader",
        summary="every law, a client that cannot sign",
        bounds="2 clients, 3 edits, 5 messages, N = 2",
    ),
    _checks(
        name="libsession",
        summary="the laws that this reading claims",
        bounds="2 clients, 3 edits, 5 messages, N = 2",
    ),
    _checks(
        name="libsession-sets",
        summary="an emptied set takes with it what others added",
        bounds="2 clients, 3 edits, N = 3",
        violates="NoLostUpdate",
    ),
    _checks(
        name="libsession-nested",
        summary="an emptied dict takes with it what others put in",
        bounds="2 clients, 3 edits, N = 3",
        violates="NoLostUpdate",
    ),
    _checks(
        name="libsession-kinds",
        summary="an edit that waits replaces a value of another kind",
        bounds="2 clients, 3 edits, N = 3",
        violates="EditSurvivesResolve",
    ),
    _checks(
        name="races",
        summary="clients that answer each other's merges too late never come to an end",
        bounds="2 clients, 3 edits, 9 messages",
        violates="RacesEnd",
    ),
    _checks(
        name="mishaps",
        summary="every law; deletion refused, batches late or lost, bad messages",
        bounds="2 clients, 3 edits, 3 messages, N = 2",
        size="large",
    ),
    _checks(
        name="dawdling",
        summary="every law; partial fetches, late resolves, edits that change",
        bounds="2 clients, 3 edits, 4 messages, N = 1 to 3",
        size="large",
    ),
    _checks(
        name="cut",
        summary="every law; a network that falls in two, deletion refused",
        bounds="2 clients, 3 edits, 4 messages, N = 2",
        size="large",
    ),
    _checks(
        name="four-edits",
        summary="every law",
        bounds="2 clients, 4 edits, 5 messages, N = 2",
        size="large",
    ),
)
"""The configurations, in the order of the table."""
