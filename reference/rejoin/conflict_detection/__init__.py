"""Multi-party conflict detection: does a downloaded version overwrite ours, or conflict with it?

This package exports the public names of the system. The ground truth is the follows relation
(`definitions`). Two designs compute it: `SnapshotDesign` (Leif's) and `MapDesign` (Zooko's). A
`Folder` is the whole state at one moment, in either design. An action takes a folder and returns an
`Outcome` with a new folder. The actions are `edit`, `rename`, `delete`, `undelete`, `poll`,
`poll_all`, `resolve`, `go_offline`, `come_back` and `join_folder`. Each module covers one section
of the document; the README of the spec has the table. `examples` shows each exported name in
use. An argument of a wrong type is a TypeError that names it.

>>> from rejoin import conflict_detection as cd
>>> folder = cd.Folder(cd.SnapshotDesign())
>>> folder = cd.add_clients(folder, [("ann", None), ("bob", None)])
>>> folder = cd.edit(folder, "ann", "notes", b"one").folder
>>> folder = cd.edit(folder, "bob", "notes", b"two").folder
>>> looked = cd.poll(folder, "ann", "bob", "notes")
>>> looked.classification.value
'conflict'
>>> sorted(cd.local_files(looked.folder.clients["ann"]))
['notes', 'notes.conflict-bob']
"""

from __future__ import annotations

from rejoin.conflict_detection.backups import (
    back_up,
    set_back,
)
from rejoin.conflict_detection.clients import (
    Client,
    Folder,
    LocalFile,
    Outcome,
    add_client,
    add_clients,
    checked_scenario,
    checked_steps,
    client_named,
    file_of,
    subscribe,
    unsubscribe,
)
from rejoin.conflict_detection.conflict_files import (
    ConflictFile,
    Conflicts,
    conflict_file_name,
    naming,
    split_file_name,
)
from rejoin.conflict_detection.cost_model import (
    NO_OPERATIONS,
    Operations,
    total,
)
from rejoin.conflict_detection.definitions import (
    Classification,
    VersionDag,
    check_known,
    check_nickname,
    check_path,
    desired_classification,
    follows,
    version_dag,
)
from rejoin.conflict_detection.deletion import (
    delete,
    undelete,
)
from rejoin.conflict_detection.designs import (
    Design,
    Maker,
    Uploaded,
)
from rejoin.conflict_detection.directories_and_polling import (
    PollOfAll,
    poll,
    poll_all,
)
from rejoin.conflict_detection.errors import (
    CODES,
    ConflictDetectionError,
)
from rejoin.conflict_detection.four_party_example import (
    Stage,
    simultaneous_update,
)
from rejoin.conflict_detection.garbage_collection import (
    collect_garbage,
    kept,
    renew_leases,
    renewed,
)
from rejoin.conflict_detection.grid import (
    Directory,
    Entry,
    Grid,
    fetch_content,
    fetch_snapshot,
    is_stored,
    read_capability,
    read_directory,
    store_snapshot,
)
from rejoin.conflict_detection.local_cache import (
    Cache,
    examine,
    most_recent_common_ancestors,
    purge,
    remember,
    snapshots_to_keep,
)
from rejoin.conflict_detection.local_changes import (
    change_unnoticed,
    come_back,
    edit,
    go_offline,
    rename,
    upload_changes,
)
from rejoin.conflict_detection.local_merge import (
    join_folder,
)
from rejoin.conflict_detection.local_names import (
    is_blocked,
    local_files,
)
from rejoin.conflict_detection.map_conflict_resolution import (
    is_resolved_by,
    local_map_after_resolution,
)
from rejoin.conflict_detection.map_design import (
    MapDesign,
)
from rejoin.conflict_detection.objects import (
    find,
)
from rejoin.conflict_detection.old_design import (
    OldClient,
    OldFolder,
    OldPoll,
    OldVersion,
    old_classification,
    old_edit,
    old_folder,
    old_poll,
)
from rejoin.conflict_detection.overwrite_and_conflict import (
    Walk,
    classify_by_graph,
    fetch_for_poll,
    is_descendant,
)
from rejoin.conflict_detection.reading import (
    LITERAL,
    READINGS,
    REPAIRED,
    Reading,
)
from rejoin.conflict_detection.resolution import (
    parents_of_upload,
    resolve,
)
from rejoin.conflict_detection.signed_snapshots import (
    is_signature_valid,
    sign_snapshot,
)
from rejoin.conflict_detection.snapshot_design import (
    SnapshotDesign,
)
from rejoin.conflict_detection.snapshots import (
    Snapshot,
    content_capability,
    encode_snapshot,
    new_snapshot,
    snapshot_capability,
)
from rejoin.conflict_detection.three_clients_example import (
    ThreeClients,
    three_clients,
)
from rejoin.conflict_detection.upload_and_download import (
    conflict_map_after_conflict,
    local_map_after_overwrite,
    map_of_upload,
)
from rejoin.conflict_detection.version_maps import (
    VersionMap,
    check_version_map,
    classify_by_maps,
    is_same_version,
    join,
    strictly_follows,
    without_zeros,
)
from rejoin.faces import check_arguments

__all__ = [
    "CODES",
    "LITERAL",
    "NO_OPERATIONS",
    "READINGS",
    "REPAIRED",
    "Cache",
    "Classification",
    "Client",
    "ConflictDetectionError",
    "ConflictFile",
    "Conflicts",
    "Design",
    "Directory",
    "Entry",
    "Folder",
    "Grid",
    "LocalFile",
    "Maker",
    "MapDesign",
    "OldClient",
    "OldFolder",
    "OldPoll",
    "OldVersion",
    "Operations",
    "Outcome",
    "PollOfAll",
    "Reading",
    "Snapshot",
    "SnapshotDesign",
    "Stage",
    "ThreeClients",
    "Uploaded",
    "VersionDag",
    "VersionMap",
    "Walk",
    "add_client",
    "add_clients",
    "back_up",
    "change_unnoticed",
    "check_known",
    "check_nickname",
    "check_path",
    "check_version_map",
    "checked_scenario",
    "checked_steps",
    "classify_by_graph",
    "classify_by_maps",
    "client_named",
    "collect_garbage",
    "come_back",
    "conflict_file_name",
    "conflict_map_after_conflict",
    "content_capability",
    "delete",
    "desired_classification",
    "edit",
    "encode_snapshot",
    "examine",
    "fetch_content",
    "fetch_for_poll",
    "fetch_snapshot",
    "file_of",
    "find",
    "follows",
    "go_offline",
    "is_blocked",
    "is_descendant",
    "is_resolved_by",
    "is_same_version",
    "is_signature_valid",
    "is_stored",
    "join",
    "join_folder",
    "kept",
    "local_files",
    "local_map_after_overwrite",
    "local_map_after_resolution",
    "map_of_upload",
    "most_recent_common_ancestors",
    "naming",
    "new_snapshot",
    "old_classification",
    "old_edit",
    "old_folder",
    "old_poll",
    "parents_of_upload",
    "poll",
    "poll_all",
    "purge",
    "read_capability",
    "read_directory",
    "remember",
    "rename",
    "renew_leases",
    "renewed",
    "resolve",
    "set_back",
    "sign_snapshot",
    "simultaneous_update",
    "snapshot_capability",
    "snapshots_to_keep",
    "split_file_name",
    "store_snapshot",
    "strictly_follows",
    "subscribe",
    "three_clients",
    "total",
    "undelete",
    "unsubscribe",
    "upload_changes",
    "version_dag",
    "without_zeros",
]

check_arguments(globals(), made={"Folder", "MapDesign", "Reading", "SnapshotDesign"})
