"""The configurations that TLC checks for conflict detection, with their expected results."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rejoin_conformance.contract.model import Configuration

_TOLD: Final = """
repaired; 2 clients, 3 uploads, going offline
    every law, in both designs
repaired-three; 3 clients, 2 uploads
    every law, in both designs, with a third client
one-resolver; 2 clients, an edit each, 2 texts
    if one client resolves, all clients agree in the end
literal-snapshots; 2 clients, 3 uploads; violates NoFalseConflict
    as printed, snapshots classify a version that ours follows as a conflict
literal-maps; 3 clients, 3 uploads; violates NoFalseConflict
    as printed, version maps classify the version that we have as a conflict
literal-entries; 3 clients, 3 uploads; violates NoFalseConflict
    if only an equal map is the same version, version maps as printed classify a version that
    follows ours as a conflict, and a version that ours follows too
literal-clean-up; 2 clients, 4 uploads; violates SettledConflictsGo
    as printed, a client keeps a conflict that its current version follows
unsaved; 2 clients, 3 uploads
    every law, in both designs, with changes that a client notices late and overwrites that
    are interrupted
set-back; 2 clients, 2 uploads
    with snapshots, every law, with a client that is restored from a backup, perhaps of the
    middle of an overwrite
set-back-maps; 2 clients, 3 uploads; violates NoFalseOverwrite
    with version maps, the work of a client that was restored from a backup is overwritten
set-back-numbers; 2 clients, 3 uploads; violates UploadsDiffer
    with version maps, a client that was restored from a backup gives two versions one map
one-resolver-three; 3 clients, an edit each; large
    if one client resolves, all clients agree in the end; snapshots only, with a third client
set-back-large; 2 clients, 3 uploads; large
    the same as set-back, with three uploads
repaired-large; 3 clients, 3 uploads; large
    every law, with three clients
repaired-deep; 2 clients, 5 uploads; large
    every law, with two clients and many versions
repaired-fickle; 3 clients, 2 uploads; large
    every law, with a client that joins late and a client that ends subscriptions
literal-overwrites; 3 clients, 2 uploads; large
    also as printed, a version overwrites ours only if it follows ours
"""
"""The name of each configuration, its bounds, whether it is large, and the invariant that it
violates. The indented lines below a name are the summary."""


def _configurations() -> Iterator[Configuration]:
    for head, summary in re.findall(r"^(\S.*)\n((?: +.*\n)+)", _TOLD, re.MULTILINE):
        name, bounds, *more = head.split("; ")
        violated = [each.removeprefix("violates ") for each in more if each != "large"]
        yield Configuration(
            name=name,
            summary=" ".join(summary.split()),
            bounds=bounds,
            size="large" if "large" in more else "small",
            violates=violated[0] if violated else None,
        )


CONFIGURATIONS: Final = (*_configurations(),)
"""The configurations, in the order of the table."""
