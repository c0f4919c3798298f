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
    _configuration("scalars", "every law, scalars", "2 clients, 3 edits, N = 2"),
    _configuration("sets", "every law, a set that is emptied", "2 clients, 3 edits, N = 3"),
    _configuration("nested", "every law, a dict that is pruned", "2 clients, 3 edits, N = 2"),
    _configuration("kinds", "every law, a scalar and a dict in one place", "2 clients, 3 edits"),
    _configuration("delays", "every law, batches that are late or lost", "2 clients, 2 edits"),
    _configuration("libsession", "the laws that this reading claims", "2 clients, 3 edits"),
    _configuration(
        "libsession-sets",
        "an emptied set takes away what others added to it",
        "2 clients, 3 edits",
        violates="NoLostUpdate",
    ),
    _configuration(
        "libsession-nested",
        "an emptied dict takes away what others put into it",
        "2 clients, 3 edits",
        violates="NoLostUpdate",
    ),
    _configuration(
        "races",
        "clients that answer each other's merges too late never come to an end",
        "2 clients, 3 edits",
        violates="RacesEnd",
    ),
)
