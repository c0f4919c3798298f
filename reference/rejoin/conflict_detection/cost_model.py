"""The cost model: counts of remote operations on the grid.

Source: "Performance Considerations"
"""

from __future__ import annotations

from typing import Final

from attrs import frozen


@frozen(kw_only=True)
class Operations:
    """The number of remote operations that an action took, by kind.

    directory_reads: reads of other clients' directories. The document leaves them out of its sums,
        and so does `total`.
    """

    content_uploads: int = 0
    snapshot_uploads: int = 0
    directory_updates: int = 0
    snapshot_downloads: int = 0
    content_downloads: int = 0
    directory_reads: int = 0


NO_OPERATIONS: Final = Operations()


def total(operations: Operations) -> int:
    """Return the number of remote operations, without the reads of directories.

    Clauses: CD-COST-TOTAL
    Source: "remote changes", the polling is not counted

    post: total(Operations(directory_reads=__return__)) == 0
    post: __return__ == total(plus(operations, Operations(directory_reads=1)))
    post: __return__ + 1 == total(plus(operations, Operations(content_downloads=1)))
    """
    return (
        operations.content_uploads
        + operations.snapshot_uploads
        + operations.directory_updates
        + operations.snapshot_downloads
        + operations.content_downloads
    )


def plus(left: Operations, right: Operations) -> Operations:
    """Return the sum of two counts, kind by kind.

    post: total(__return__) == total(left) + total(right)
    post: __return__ == plus(right, left)
    """
    if left is NO_OPERATIONS:
        return right
    return Operations(
        content_uploads=left.content_uploads + right.content_uploads,
        snapshot_uploads=left.snapshot_uploads + right.snapshot_uploads,
        directory_updates=left.directory_updates + right.directory_updates,
        snapshot_downloads=left.snapshot_downloads + right.snapshot_downloads,
        content_downloads=left.content_downloads + right.content_downloads,
        directory_reads=left.directory_reads + right.directory_reads,
    )


def local_change(*, has_content: bool, has_snapshot: bool) -> Operations:
    """Return the cost of an upload without the update of the directory.

    has_content: false for a deletion. has_snapshot: false in the design with version maps, whose
    metadata is in the directory.

    Clauses: CD-COST-LOCAL, CD-COST-DELETION, CD-COST-MAPS
    Source: "local changes"

    post: __return__.content_uploads == has_content
    post: total(__return__) == has_content + has_snapshot
    """
    return Operations(content_uploads=int(has_content), snapshot_uploads=int(has_snapshot))
