"""The laws of conflict detection, each with its premises.

A version is *news* to a client where the follows relation makes it an overwrite or a conflict.
Every law is checked in both designs unless it says otherwise.
"""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.law import Law

BOTH: Final = ("repaired", "literal")
REPAIRED_ONLY: Final = ("repaired",)

NO_FALSE_OVERWRITE: Final = Law(
    name="no-false-overwrite",
    statement="A version that overwrites a client's file follows the client's version, so that no "
    "content is discarded that nobody has seen replaced.",
    premises="the client has a version of the file",
    clauses=("CD-CLASSIFY-OVERWRITE", "CD-OVERWRITE-APPLY", "CD-MAP-FOLLOWS"),
    claimed_by=BOTH,
)

NO_FALSE_CONFLICT: Final = Law(
    name="no-false-conflict",
    statement="A version that a poll takes for a conflict does not follow the client's version, is "
    "not followed by it, and is another one.",
    premises="none",
    clauses=("CD-CLASSIFY-CONFLICT", "CD-CLASSIFY-STALE", "CD-MAP-CLASSIFY"),
    claimed_by=REPAIRED_ONLY,
)

NO_NEWS_MISSED: Final = Law(
    name="no-news-missed",
    statement="A version that is news to a client is not taken for stale or for the same.",
    premises="none",
    clauses=("CD-CLASSIFY-STALE", "CD-CLASSIFY-SAME", "CD-MAP-SAME"),
    claimed_by=BOTH,
)

POLLS_ARE_ACTED_ON: Final = Law(
    name="polls-are-acted-on",
    statement="After an overwrite the client has that version and its content; after a conflict it "
    "holds that version under the other client's name, in place of what it held for it before; "
    "otherwise its version and content are what they were.",
    premises="none",
    clauses=(
        "CD-OVERWRITE-APPLY",
        "CD-CONFLICT-APPLY",
        "CD-CONFLICT-FILE-UPDATED",
        "CD-CONFLICT-FILE-UNTRACKED",
    ),
    claimed_by=BOTH,
)

UPLOADS_DIFFER: Final = Law(
    name="uploads-differ",
    statement="No two uploads of a file have the same version map.",
    premises="none",
    clauses=("CD-MAP-UPLOAD", "CD-MAP-SAME"),
    claimed_by=BOTH,
)

DESIGNS_AGREE: Final = Law(
    name="designs-agree",
    statement="Both designs refuse the same steps, classify every poll alike, and show every user "
    "the same files.",
    premises="no two uploads so far made the same snapshot: in the design of snapshots they are "
    "one version, in that of version maps two",
    clauses=("CD-CLASSIFY-OVERWRITE", "CD-CLASSIFY-CONFLICT", "CD-MAP-CLASSIFY"),
    claimed_by=REPAIRED_ONLY,
)

SETTLED_CONFLICTS_GO: Final = Law(
    name="settled-conflicts-go",
    statement="Nobody holds a conflict with a version that its own version is or follows: whoever "
    "has the resolution has no conflict file any more.",
    premises="the client holds a conflict",
    clauses=("CD-CONFLICT-FILE-GONE", "CD-RESOLVE-THIRD-PARTY", "CD-MAP-CLEAN-UP"),
    claimed_by=REPAIRED_ONLY,
)

ONE_RESOLVER_IS_ENOUGH: Final = Law(
    name="one-resolver-is-enough",
    statement="Once one client has polled all others and resolved all that it holds, and then all "
    "others have polled it, everybody sees the same files and no conflict file.",
    premises="all are online and poll each other; nobody has removed its link to a deletion",
    clauses=("CD-RESOLVE-SEVERAL", "CD-RESOLVE-THIRD-PARTY", "CD-MAP-RESOLVE"),
    claimed_by=REPAIRED_ONLY,
)

CONTENT_KEPT: Final = Law(
    name="content-kept",
    statement="Every version is some client's own, or is followed by one that is, or is held as a "
    "conflict, with a file unless it is a deletion.",
    premises="none",
    clauses=("CD-CONFLICT-APPLY", "CD-OVERWRITE-APPLY", "CD-RESOLVE-PARENTS"),
    claimed_by=BOTH,
)

NOTHING_UNLEARNED: Final = Law(
    name="nothing-unlearned",
    statement="A client's version is, or follows, every version that the client ever had.",
    premises="the client has a version of the file",
    clauses=("CD-FOLLOWS-DIRECTLY", "CD-ALREADY-HAD", "CD-OVERWRITE-APPLY"),
    claimed_by=BOTH,
)

LINK_SAYS_FILE: Final = Law(
    name="link-says-file",
    statement="What a client's directory links is what its local file holds, and a deletion where "
    "there is none.",
    premises="the client is online and links the file",
    clauses=("CD-DIRECTORY-LINK", "CD-LINK-DOWNLOAD"),
    claimed_by=BOTH,
)

DELETIONS_KNOWN: Final = Law(
    name="deletions-known",
    statement="A client removes its link to a deletion only where all whom it polls have had the "
    "deletion; of those who once ended their subscription to it, some deletion of the file.",
    premises="a client removes its link to a deletion",
    clauses=("CD-DELETE-DROP-LINK",),
    claimed_by=BOTH,
)

PURGING_HARMLESS: Final = Law(
    name="purging-harmless",
    statement="A poll in the design of snapshots is classified as it would be with the whole "
    "history at hand.",
    premises="none",
    clauses=("CD-PURGE-HARMLESS", "CD-WALK-COMPLETE"),
    claimed_by=BOTH,
)

CACHE_AS_DEMANDED: Final = Law(
    name="cache-as-demanded",
    statement="The cache of snapshots holds what lies between the clients' versions, as they were "
    "last seen, and their most recent common ancestors, and nothing else.",
    premises="the step polled or uploaded; the client never purged one of those ancestors before, "
    "for it is not taken for common again; and what is due still exists",
    clauses=(
        "CD-PURGE-CURRENT",
        "CD-PURGE-SYNCHRONIZED",
        "CD-PURGE-COMMON-ANCESTOR",
        "CD-PURGE-INTERMEDIATE",
        "CD-PURGE-NO-COMMON",
    ),
    claimed_by=BOTH,
)

WALK_ONCE: Final = Law(
    name="walk-once",
    statement="A walk fetches each snapshot at most once, none that is cached, and none but the "
    "version that is polled and those behind it or behind what is cached.",
    premises="the snapshot that is found is not cached",
    clauses=("CD-WALK-ONCE", "CD-WALK-STOP", "CD-WALK-KNOWN"),
    claimed_by=BOTH,
)

COSTS: Final = Law(
    name="costs",
    statement="A change takes the upload of its content and of its snapshot and one update of the "
    "directory; an overwrite at most one download of content and one update of the directory; a "
    "conflict at most one download of content; anything else none. A direct child of our version "
    "takes at most one download of a snapshot.",
    premises="none",
    clauses=(
        "CD-COST-LOCAL",
        "CD-COST-DELETION",
        "CD-COST-OVERWRITE",
        "CD-COST-CONFLICT",
        "CD-COST-NOTHING",
        "CD-COST-COMBINED",
        "CD-COST-MAPS",
    ),
    claimed_by=BOTH,
)

GARBAGE_HARMLESS: Final = Law(
    name="garbage-harmless",
    statement="No step fails for an object that was collected.",
    premises="garbage was collected, and before that every client had renewed its leases",
    clauses=("CD-GARBAGE-LEASED", "CD-LEASE-RECURSIVE"),
    claimed_by=BOTH,
)

LAWS: Final = (
    NO_FALSE_OVERWRITE,
    NO_FALSE_CONFLICT,
    NO_NEWS_MISSED,
    POLLS_ARE_ACTED_ON,
    UPLOADS_DIFFER,
    DESIGNS_AGREE,
    SETTLED_CONFLICTS_GO,
    ONE_RESOLVER_IS_ENOUGH,
    CONTENT_KEPT,
    NOTHING_UNLEARNED,
    LINK_SAYS_FILE,
    DELETIONS_KNOWN,
    PURGING_HARMLESS,
    CACHE_AS_DEMANDED,
    WALK_ONCE,
    COSTS,
    GARBAGE_HARMLESS,
)
