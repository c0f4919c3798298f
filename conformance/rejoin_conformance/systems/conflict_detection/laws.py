"""The laws of conflict detection, each with its premises.

A version is *news* to a client if the follows relation makes it an overwrite or a conflict.
Every law is checked in both designs unless it says otherwise.
"""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.law import laws_told

_SHORT: Final = {
    "NUMBERS-ONCE": "in the design of version maps, no client was set back, because it then uses "
    "version numbers twice",
    "NOTHING-MISSED": "in the design of snapshots, no poll so far asked for a collected snapshot",
}
_TEXT: Final = """
no-false-overwrite: If a version overwrites a client's file, it follows the client's version. So a
    content is discarded only if a later version replaced it knowingly. Premise: the client has a
    version of the file; NUMBERS-ONCE; NOTHING-MISSED. CD-CLASSIFY-OVERWRITE CD-OVERWRITE-APPLY
    CD-MAP-FOLLOWS
no-false-conflict (repaired only): If a poll classifies a version as a conflict, the version is not
    the client's version, does not follow it and is not followed by it. A version that follows it is
    a conflict if the client has a change that it has not uploaded. Premise: NUMBERS-ONCE;
    NOTHING-MISSED. CD-CLASSIFY-CONFLICT CD-CLASSIFY-STALE CD-MAP-CLASSIFY
no-news-missed: A poll does not classify a version that is news to the client as stale or as the
    same. Premise: NUMBERS-ONCE; NOTHING-MISSED. CD-CLASSIFY-STALE CD-CLASSIFY-SAME CD-MAP-SAME
polls-are-acted-on: After an overwrite, the client has that version and its content. After a
    conflict, it holds that version under the other client's name, in place of the version that it
    held for that client before. Only an overwrite changes the client's version and content. A
    client that stops during an overwrite has the content, and remembers the version. Premise:
    NUMBERS-ONCE; NOTHING-MISSED. CD-OVERWRITE-APPLY CD-CONFLICT-APPLY CD-CONFLICT-FILE-UPDATED
    CD-CONFLICT-FILE-UNTRACKED
uploads-differ: No two uploads of a file have the same version map. Premise: no client was set back
    to a backup. CD-MAP-UPLOAD CD-MAP-SAME
designs-agree (repaired only): Both designs refuse the same steps, give every poll the same
    classification, and show every user the same files. Premise: no two uploads so far made the same
    snapshot, which is one version in the design of snapshots and two versions in the design of
    version maps; no client was set back to a backup; no garbage was collected while a client was
    stopped during an overwrite; NOTHING-MISSED. CD-CLASSIFY-OVERWRITE CD-CLASSIFY-CONFLICT
    CD-MAP-CLASSIFY
settled-conflicts-go (repaired only): A client does not hold a conflict with a version that its own
    version is or follows. So a client that has the resolution no longer has the conflict file.
    Premise: the client holds a conflict and has a version; NUMBERS-ONCE; NOTHING-MISSED.
    CD-CONFLICT-FILE-GONE CD-RESOLVE-THIRD-PARTY CD-MAP-CLEAN-UP CD-PURGE-HELD CD-WALK-HELD
only-settled-conflicts-go (repaired only): After a poll or an upload, a client no longer holds a
    conflict only if its version is or follows the version in conflict, or if the poll found another
    version in conflict instead. Premise: the step polled or uploaded, and the client then has a
    version; NUMBERS-ONCE. CD-CONFLICT-FILE-GONE CD-CONFLICT-FILE-UPDATED CD-MAP-CLEAN-UP
one-resolver-is-enough (repaired only): If one client polls all others and resolves all conflicts
    that it holds, and then all others poll it, all users see the same files and no conflict file.
    Premise: all clients are online and poll each other; all changes are uploaded; no client has
    removed its link to a deletion; no client was set back to a backup; NOTHING-MISSED.
    CD-RESOLVE-SEVERAL CD-RESOLVE-THIRD-PARTY CD-MAP-RESOLVE
content-kept: Every version is the version of some client, or such a version follows it, or some
    client holds it as a conflict. The conflict has a file unless the version is a deletion.
    Premise: no client was set back to a backup. CD-CONFLICT-APPLY CD-OVERWRITE-APPLY
    CD-RESOLVE-PARENTS
nothing-unlearned: A client's version is or follows every version that the client ever had, and has
    not lost by being set back. Premise: the client has a version of the file; NUMBERS-ONCE.
    CD-FOLLOWS-DIRECTLY CD-ALREADY-HAD CD-OVERWRITE-APPLY
link-says-file: The version that a client's directory links has the content of the client's local
    file, or is a deletion if there is no local file. Premise: the client is online, has uploaded
    its changes and links the file; if any client was set back, it links its version; NUMBERS-ONCE.
    CD-DIRECTORY-LINK CD-LINK-DOWNLOAD
deletions-known: A client removes its link to a deletion only if every client that it polls has had
    the deletion. For a client that once ended its subscription to it, any deletion of the file is
    enough. Premise: a client removes its link to a deletion; no client was set back to a backup.
    CD-DELETE-DROP-LINK
links-dropped-exactly: After a poll, a client has removed its link to a deletion if, and only if,
    for every client X that it polls, it last saw X link this deletion, or it once saw X link the
    file and found no link when it last looked, which is not because of an earlier deletion. No
    other step removes a link. Premise: the client links the file before the step; it was never set
    back; NUMBERS-ONCE. CD-DELETE-DROP-LINK
purging-harmless: In the design of snapshots, every poll gets the classification that the whole
    history would give. Premise: NOTHING-MISSED. CD-PURGE-HARMLESS CD-WALK-COMPLETE
cache-as-demanded: A client's cache contains exactly the clients' versions as it last saw them, the
    versions that it holds as conflicts, their most recent common ancestors, and the snapshots in
    between. If there is no common ancestor, or if the client has no version, it contains all
    ancestors of these versions. Premise: the step polled or uploaded, and did not stop during an
    overwrite; the client did not purge one of the common ancestors before, because then it does not
    become one again; NOTHING-MISSED. CD-PURGE-CURRENT CD-PURGE-SYNCHRONIZED
    CD-PURGE-COMMON-ANCESTOR CD-PURGE-INTERMEDIATE CD-PURGE-NO-COMMON CD-PURGE-NO-VERSION
    CD-PURGE-HELD
walk-once: A walk fetches each snapshot at most once. It fetches no cached snapshot, and only the
    polled version and ancestors of the polled version or of cached snapshots. Premise: the polled
    version is not cached. CD-WALK-ONCE CD-WALK-STOP CD-WALK-KNOWN
costs: A change uploads its content, unless it is a deletion, and its snapshot, unless the design
    has none, and updates the directory once. An overwrite downloads at most one content and updates
    the directory once. A conflict downloads at most one content. Any other step transfers no
    content, and updates the directory only to remove a link to a deletion. A poll that finds a
    direct child of the client's version downloads at most one snapshot. CD-COST-LOCAL
    CD-COST-DELETION CD-COST-OVERWRITE CD-COST-CONFLICT CD-COST-NOTHING CD-COST-COMBINED
    CD-COST-MAPS
garbage-harmless: No step fails because of a collected object. Premise: garbage was collected after
    every client had renewed its leases; no client was set back to a backup, and none was stopped
    during an overwrite at that time. CD-GARBAGE-LEASED CD-LEASE-RECURSIVE
"""
LAW: Final = laws_told(_TEXT, ("repaired", "literal"), _SHORT)
"""The laws by name."""

LAWS: Final = tuple(LAW.values())
"""The laws, in the order of this page."""
