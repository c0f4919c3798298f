"""The configurations that TLC checks for conflict detection, with their expected results."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.model import Configuration

CONFIGURATIONS: Final = (
    Configuration(
        name="repaired",
        summary="every law, in both designs",
        bounds="2 clients, 3 uploads, going offline",
    ),
    Configuration(
        name="repaired-three",
        summary="every law, in both designs, with a third client",
        bounds="3 clients, 2 uploads",
    ),
    Configuration(
        name="one-resolver",
        summary="if one client resolves, all clients agree in the end",
        bounds="2 clients, an edit each, 2 texts",
    ),
    Configuration(
        name="literal-snapshots",
        summary="as printed, snapshots classify a version that ours follows as a conflict",
        bounds="2 clients, 3 uploads",
        violates="NoFalseConflict",
    ),
    Configuration(
        name="literal-maps",
        summary="as printed, version maps classify the version that we have as a conflict",
        bounds="3 clients, 3 uploads",
        violates="NoFalseConflict",
    ),
    Configuration(
        name="literal-entries",
        summary="if only an equal map is the same version, version maps as printed classify a "
        "version that follows ours as a conflict, and a version that ours follows too",
        bounds="3 clients, 3 uploads",
        violates="NoFalseConflict",
    ),
    Configuration(
        name="literal-clean-up",
        summary="as printed, a client keeps a conflict that its current version follows",
        bounds="2 clients, 4 uploads",
        violates="SettledConflictsGo",
    ),
    Configuration(
        name="unsaved",
        summary="every law, in both designs, with changes that a client notices late and "
        "overwrites that are interrupted",
        bounds="2 clients, 3 uploads",
    ),
    Configuration(
        name="set-back",
        summary="with snapshots, every law, with a client that is restored from a backup, perhaps "
        "of the middle of an overwrite",
        bounds="2 clients, 2 uploads",
    ),
    Configuration(
        name="set-back-maps",
        summary="with version maps, the work of a client that was restored from a backup is "
        "overwritten",
        bounds="2 clients, 3 uploads",
        violates="NoFalseOverwrite",
    ),
    Configuration(
        name="set-back-numbers",
        summary="with version maps, a client that was restored from a backup gives two versions "
        "one map",
        bounds="2 clients, 3 uploads",
        violates="UploadsDiffer",
    ),
    Configuration(
        name="one-resolver-three",
        summary="if one client resolves, all clients agree in the end; snapshots only, with a "
        "third client",
        bounds="3 clients, an edit each",
        size="large",
    ),
    Configuration(
        name="set-back-large",
        summary="the same as set-back, with three uploads",
        bounds="2 clients, 3 uploads",
        size="large",
    ),
    Configuration(
        name="repaired-large",
        summary="every law, with three clients",
        bounds="3 clients, 3 uploads",
        size="large",
    ),
    Configuration(
        name="repaired-deep",
        summary="every law, with two clients and many versions",
        bounds="2 clients, 5 uploads",
        size="large",
    ),
    Configuration(
        name="repaired-fickle",
        summary="every law, with a client that joins late and a client that ends subscriptions",
        bounds="3 clients, 2 uploads",
        size="large",
    ),
    Configuration(
        name="literal-overwrites",
        summary="also as printed, a version overwrites ours only if it follows ours",
        bounds="3 clients, 2 uploads",
        size="large",
    ),
)
"""The configurations, in the order of the table."""
