"""What TLC checks of conflict detection, and what shall come of it."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.model import Configuration

CONFIGURATIONS: Final = (
    Configuration(
        name="repaired",
        summary="both designs keep every law",
        bounds="2 clients, 3 uploads, going offline",
    ),
    Configuration(
        name="repaired-three",
        summary="the same with a third client",
        bounds="3 clients, 2 uploads",
    ),
    Configuration(
        name="one-resolver",
        summary="one client that resolves is enough for all to agree in the end",
        bounds="2 clients, an edit each, 2 texts",
    ),
    Configuration(
        name="literal-snapshots",
        summary="as printed, a version that ours follows is taken for a conflict",
        bounds="2 clients, 3 uploads",
        violates="NoFalseConflict",
    ),
    Configuration(
        name="literal-maps",
        summary="as printed, a version that follows ours is taken for a conflict, and so is one "
        "that ours follows",
        bounds="3 clients, 3 uploads",
        violates="NoFalseConflict",
    ),
    Configuration(
        name="literal-clean-up",
        summary="as printed, a conflict stays beside a version that follows it",
        bounds="2 clients, 4 uploads",
        violates="SettledConflictsGo",
    ),
    Configuration(
        name="one-resolver-three",
        summary="the same with a third client, in the design of snapshots",
        bounds="3 clients, an edit each",
        size="large",
    ),
    Configuration(
        name="repaired-large",
        summary="every law, three clients",
        bounds="3 clients, 3 uploads",
        size="large",
    ),
    Configuration(
        name="repaired-deep",
        summary="every law, two clients and many versions",
        bounds="2 clients, 5 uploads",
        size="large",
    ),
    Configuration(
        name="repaired-fickle",
        summary="every law with a client that joins late and one that ends subscriptions",
        bounds="3 clients, 2 uploads",
        size="large",
    ),
    Configuration(
        name="literal-overwrites",
        summary="also as printed, nothing is overwritten that the new version does not follow",
        bounds="3 clients, 2 uploads",
        size="large",
    ),
)
"""The configurations, in the order of the table."""
