"""What things cost: remote operations on the grid, counted one by one.

Source: "Performance Considerations"
"""

from __future__ import annotations

from typing import Final

from attrs import frozen


@frozen(kw_only=True)
class Operations:
    """How many remote operations an action took, by kind.

    directory_reads: looking at another client's directory, which the document leaves out of its
        sums and `total` does too.
    """

    content_uploads: int = 0
    snapshot_uploads: int = 0
    directory_updates: int = 0
    snapshot_downloads: int = 0
    content_downloads: int = 0
    directory_reads: int = 0


NO_OPERATIONS: Final = Operations()


def total(operations: Operations) -> int:
    """All remote operations but the reading of directories.

    Clauses: CD-COST-TOTAL
    Source: "remote changes", the polling is not counted
    """
    return (
        operations.content_uploads
        + operations.snapshot_uploads
        + operations.directory_updates
        + operations.snapshot_downloads
        + operations.content_downloads
    )


def plus(left: Operations, right: Operations) -> Operations:
    """Both together."""
    if right is NO_OPERATIONS:
        return left
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
    """An upload, before the directory is updated: the content if any, and the snapshot if any.

    has_content: false for a deletion. has_snapshot: false in the design of version maps, whose
    metadata stands in the directory.

    Clauses: CD-COST-LOCAL, CD-COST-DELETION, CD-COST-MAPS
    Source: "local changes"
    """
    return Operations(content_uploads=int(has_content), snapshot_uploads=int(has_snapshot))
