"""The laws of conflict detection, each with its premises.

A version is *news* to a client if the follows relation makes it an overwrite or a conflict.
Every law is checked in both designs unless it says otherwise.
"""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.law import Law

_NUMBERS_ONCE: Final = (
    "in the design of version maps, no client was set back, because it then uses version numbers "
    "twice"
)
_NOTHING_MISSED: Final = (
    "if a client was set back, or was stopped during an overwrite, no garbage was collected"
)

LAWS: Final[list[Law]] = []
"""The laws, in the order of this page."""


def _law(
    name: str,
    *,
    statement: str,
    premises: str,
    clauses: str,
    claimed_by: str = "repaired literal",
) -> Law:
    law = Law(
        name=name,
        statement=statement,
        premises=premises,
        clauses=tuple(clauses.split()),
        claimed_by=tuple(claimed_by.split()),
    )
    LAWS.append(law)
    return law


NO_FALSE_OVERWRITE: Final = _law(
    "no-false-overwrite",
    statement="If a version overwrites a client's file, it follows the client's version. So a "
    "content is discarded only if a later version replaced it knowingly.",
    premises=f"the client has a version of the file; {_NUMBERS_ONCE}; {_NOTHING_MISSED}",
    clauses="CD-CLASSIFY-OVERWRITE CD-OVERWRITE-APPLY CD-MAP-FOLLOWS",
)

NO_FALSE_CONFLICT: Final = _law(
    "no-false-conflict",
    statement="If a poll classifies a version as a conflict, the version is not the client's "
    "version, does not follow it and is not followed by it. A version that follows it is a "
    "conflict if the client has a change that it has not uploaded.",
    premises=f"{_NUMBERS_ONCE}; {_NOTHING_MISSED}",
    clauses="CD-CLASSIFY-CONFLICT CD-CLASSIFY-STALE CD-MAP-CLASSIFY",
    claimed_by="repaired",
)

NO_NEWS_MISSED: Final = _law(
    "no-news-missed",
    statement="A poll does not classify a version that is news to the client as stale or as the "
    "same.",
    premises=f"{_NUMBERS_ONCE}; {_NOTHING_MISSED}",
    clauses="CD-CLASSIFY-STALE CD-CLASSIFY-SAME CD-MAP-SAME",
)

POLLS_ARE_ACTED_ON: Final = _law(
    "polls-are-acted-on",
    statement="After an overwrite, the client has that version and its content. After a conflict, "
    "it holds that version under the other client's name, in place of the version that it held for "
    "that client before. Only an overwrite changes the client's version and content. A client that "
    "stops during an overwrite has the content, and remembers the version.",
    premises=f"{_NUMBERS_ONCE}; {_NOTHING_MISSED}",
    clauses="CD-OVERWRITE-APPLY CD-CONFLICT-APPLY CD-CONFLICT-FILE-UPDATED "
    "CD-CONFLICT-FILE-UNTRACKED",
)

UPLOADS_DIFFER: Final = _law(
    "uploads-differ",
    statement="No two uploads of a file have the same version map.",
    premises="no client was set back to a backup",
    clauses="CD-MAP-UPLOAD CD-MAP-SAME",
)

DESIGNS_AGREE: Final = _law(
    "designs-agree",
    statement="Both designs refuse the same steps, give every poll the same classification, and "
    "show every user the same files.",
    premises="no two uploads so far made the same snapshot, which is one version in the design of "
    "snapshots and two versions in the design of version maps; no client was set back to a backup; "
    "no garbage was collected while a client was stopped during an overwrite",
    clauses="CD-CLASSIFY-OVERWRITE CD-CLASSIFY-CONFLICT CD-MAP-CLASSIFY",
    claimed_by="repaired",
)

SETTLED_CONFLICTS_GO: Final = _law(
    "settled-conflicts-go",
    statement="A client does not hold a conflict with a version that its own version is or "
    "follows. So a client that has the resolution no longer has the conflict file.",
    premises=f"the client holds a conflict and has a version; {_NUMBERS_ONCE}; {_NOTHING_MISSED}",
    clauses="CD-CONFLICT-FILE-GONE CD-RESOLVE-THIRD-PARTY CD-MAP-CLEAN-UP CD-PURGE-HELD "
    "CD-WALK-HELD",
    claimed_by="repaired",
)

ONLY_SETTLED_CONFLICTS_GO: Final = _law(
    "only-settled-conflicts-go",
    statement="After a poll or an upload, a client no longer holds a conflict only if its version "
    "is or follows the version in conflict, or if the poll found another version in conflict "
    "instead.",
    premises=f"the step polled or uploaded, and the client then has a version; {_NUMBERS_ONCE}",
    clauses="CD-CONFLICT-FILE-GONE CD-CONFLICT-FILE-UPDATED CD-MAP-CLEAN-UP",
    claimed_by="repaired",
)

ONE_RESOLVER_IS_ENOUGH: Final = _law(
    "one-resolver-is-enough",
    statement="If one client polls all others and resolves all conflicts that it holds, and then "
    "all others poll it, all users see the same files and no conflict file.",
    premises="all clients are online and poll each other; all changes are uploaded; no client has "
    "removed its link to a deletion; no client was set back to a backup",
    clauses="CD-RESOLVE-SEVERAL CD-RESOLVE-THIRD-PARTY CD-MAP-RESOLVE",
    claimed_by="repaired",
)

CONTENT_KEPT: Final = _law(
    "content-kept",
    statement="Every version is the version of some client, or such a version follows it, or some "
    "client holds it as a conflict. The conflict has a file unless the version is a deletion.",
    premises="no client was set back to a backup",
    clauses="CD-CONFLICT-APPLY CD-OVERWRITE-APPLY CD-RESOLVE-PARENTS",
)

NOTHING_UNLEARNED: Final = _law(
    "nothing-unlearned",
    statement="A client's version is or follows every version that the client ever had, and has "
    "not lost by being set back.",
    premises=f"the client has a version of the file; {_NUMBERS_ONCE}",
    clauses="CD-FOLLOWS-DIRECTLY CD-ALREADY-HAD CD-OVERWRITE-APPLY",
)

LINK_SAYS_FILE: Final = _law(
    "link-says-file",
    statement="The version that a client's directory links has the content of the client's local "
    "file, or is a deletion if there is no local file.",
    premises="the client is online, has uploaded its changes and links the file; if any client was "
    f"set back, it links its version; {_NUMBERS_ONCE}",
    clauses="CD-DIRECTORY-LINK CD-LINK-DOWNLOAD",
)

DELETIONS_KNOWN: Final = _law(
    "deletions-known",
    statement="A client removes its link to a deletion only if every client that it polls has had "
    "the deletion. For a client that once ended its subscription to it, any deletion of the file "
    "is enough.",
    premises="a client removes its link to a deletion; no client was set back to a backup",
    clauses="CD-DELETE-DROP-LINK",
)

LINKS_DROPPED_EXACTLY: Final = _law(
    "links-dropped-exactly",
    statement="After a poll, a client has removed its link to a deletion if, and only if, for "
    "every client X that it polls, it last saw X link this deletion, or it once saw X link the "
    "file and found no link when it last looked, which is not because of an earlier deletion. No "
    "other step removes a link.",
    premises=f"the client links the file before the step; it was never set back; {_NUMBERS_ONCE}",
    clauses="CD-DELETE-DROP-LINK",
)

PURGING_HARMLESS: Final = _law(
    "purging-harmless",
    statement="In the design of snapshots, every poll gets the classification that the whole "
    "history would give.",
    premises=_NOTHING_MISSED,
    clauses="CD-PURGE-HARMLESS CD-WALK-COMPLETE",
)

CACHE_AS_DEMANDED: Final = _law(
    "cache-as-demanded",
    statement="A client's cache contains exactly the clients' versions as it last saw them, the "
    "versions that it holds as conflicts, their most recent common ancestors, and the snapshots in "
    "between. If there is no common ancestor, or if the client has no version, it contains all "
    "ancestors of these versions.",
    premises="the step polled or uploaded, and did not stop during an overwrite; the client did "
    "not purge one of the common ancestors "
    "before, because then it does not become one again; the missing snapshots still exist; "
    f"{_NOTHING_MISSED}",
    clauses="CD-PURGE-CURRENT CD-PURGE-SYNCHRONIZED CD-PURGE-COMMON-ANCESTOR "
    "CD-PURGE-INTERMEDIATE CD-PURGE-NO-COMMON CD-PURGE-NO-VERSION CD-PURGE-HELD",
)

WALK_ONCE: Final = _law(
    "walk-once",
    statement="A walk fetches each snapshot at most once. It fetches no cached snapshot, and only "
    "the polled version and ancestors of the polled version or of cached snapshots.",
    premises="the polled version is not cached",
    clauses="CD-WALK-ONCE CD-WALK-STOP CD-WALK-KNOWN",
)

COSTS: Final = _law(
    "costs",
    statement="A change uploads its content, unless it is a deletion, and its snapshot, unless the "
    "design has none, and updates the directory once. An overwrite downloads at most one content "
    "and updates the directory once. A conflict downloads at most one content. Any other step "
    "transfers no content, and updates the directory only to remove a link to a deletion. A poll "
    "that finds a direct child of the client's version downloads at most one snapshot.",
    premises="none",
    clauses="CD-COST-LOCAL CD-COST-DELETION CD-COST-OVERWRITE CD-COST-CONFLICT CD-COST-NOTHING "
    "CD-COST-COMBINED CD-COST-MAPS",
)

GARBAGE_HARMLESS: Final = _law(
    "garbage-harmless",
    statement="No step fails because of a collected object.",
    premises="garbage was collected after every client had renewed its leases; no client was set "
    "back to a backup, and none was stopped during an overwrite at that time",
    clauses="CD-GARBAGE-LEASED CD-LEASE-RECURSIVE",
)
