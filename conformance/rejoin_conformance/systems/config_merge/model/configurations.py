"""What TLC checks: the configurations beside the model, and what shall come of each."""

from __future__ import annotations

from typing import Final, Literal

from rejoin_conformance.models.model import Configuration


def _configuration(
    name: str,
    summary: str,
    bounds: str,
    *,
    size: Literal["small", "large"] = "small",
    violates: str | None = None,
) -> Configuration:
    return Configuration(
        name=name,
        file=f"{name}.cfg",
        module="Checks",
        summary=summary,
        bounds=bounds,
        size=size,
        violates=violates,
    )


CONFIGURATIONS: Final = (
    _configuration("scalars", "every law, scalars", "2 clients, 3 edits, 5 messages, N = 2"),
    _configuration(
        "sets", "every law, a set that is emptied", "2 clients, 3 edits, 5 messages, N = 3"
    ),
    _configuration(
        "nested", "every law, a dict that is pruned", "2 clients, 3 edits, 5 messages, N = 2"
    ),
    _configuration(
        "kinds",
        "every law, a scalar and a dict in one place",
        "2 clients, 3 edits, 5 messages, N = 3",
    ),
    _configuration(
        "three-clients", "every law, a third client", "3 clients, 2 edits, 4 messages, N = 2"
    ),
    _configuration(
        "delays", "every law, batches that are late or lost", "2 clients, 2 edits, 3 messages"
    ),
    _configuration(
        "one-reader", "every law, a client that cannot sign", "2 clients, 3 edits, 5 messages"
    ),
    _configuration(
        "libsession", "the laws that this reading claims", "2 clients, 3 edits, 5 messages"
    ),
    _configuration(
        "libsession-sets",
        "an emptied set takes with it what others added",
        "2 clients, 3 edits, N = 3",
        violates="NoLostUpdate",
    ),
    _configuration(
        "libsession-nested",
        "an emptied dict takes with it what others put in",
        "2 clients, 3 edits, N = 3",
        violates="NoLostUpdate",
    ),
    _configuration(
        "libsession-kinds",
        "an edit that waits replaces a value of another kind",
        "2 clients, 3 edits, N = 3",
        violates="EditSurvivesResolve",
    ),
    _configuration(
        "races",
        "clients that answer each other's merges too late never come to an end",
        "2 clients, 3 edits, 9 messages",
        violates="RacesEnd",
    ),
    _configuration(
        "mishaps",
        "every law; deletion refused, batches late or lost, bad messages",
        "2 clients, 3 edits, 4 messages, N = 2",
        size="large",
    ),
    _configuration(
        "dawdling",
        "every law; partial fetches, late resolves, edits that change",
        "2 clients, 3 edits, 4 messages, N = 1 to 3",
        size="large",
    ),
    _configuration(
        "cut",
        "every law; a network that falls in two, deletion refused",
        "2 clients, 3 edits, 4 messages, N = 2",
        size="large",
    ),
    _configuration(
        "four-edits", "every law", "2 clients, 4 edits, 5 messages, N = 2", size="large"
    ),
)
