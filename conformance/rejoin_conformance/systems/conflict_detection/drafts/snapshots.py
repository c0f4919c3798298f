"""Topic `snapshots`: encoding and identity, with encodings put together by hand."""

from __future__ import annotations

from functools import partial
from typing import Final

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import refusal
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.encodings import (
    snapshot_id,
    snapshot_input,
    snapshot_output,
)

OPERATION: Final = "conflict-detection/snapshot-id"
_refused: Final = partial(refusal, OPERATION)

ROOT: Final = snapshot_id(b"first")
LEFT: Final = snapshot_id(b"left", [ROOT])
RIGHT: Final = snapshot_id(b"right", [ROOT])


def _draft(
    name: str, summary: str, content: bytes | None, parents: list[bytes], *clauses: str
) -> Draft:
    return Draft(
        name=name,
        operation=OPERATION,
        summary=summary,
        clauses=("CD-SNAPSHOT-ID", *clauses),
        input=snapshot_input(content, parents),
        output=snapshot_output(content, parents),
    )


def topic() -> Topic:
    """The vectors of `snapshot-id`."""
    encoding, order = "CD-SNAPSHOT-ENCODING", "CD-SNAPSHOT-PARENT-ORDER"
    content_id = "CD-SNAPSHOT-CONTENT-ID"
    eleven = [snapshot_id(b"%d" % number) for number in range(11)]
    good = snapshot_input(b"text", [ROOT])
    return Topic(
        "snapshots",
        "Snapshots as canonical bt-encoded dicts, and the BLAKE2b-32 hashes that are their "
        "identities. `content` is what the file holds; the snapshot has its capability.",
        (
            _draft(
                "first",
                "A first snapshot has no parents",
                b"first",
                [],
                encoding,
                "CD-SNAPSHOT-FIELDS",
                "CD-SNAPSHOT-EDIT",
            ),
            _draft("empty-content", "An empty file has a content", b"", [], content_id),
            _draft("binary-content", "Any bytes are a content", bytes(range(256)), [], content_id),
            _draft(
                "content-that-is-a-snapshot",
                "A file that holds the bytes of a snapshot has another capability than it",
                b"d7:parent032:" + ROOT + b"e",
                [],
                content_id,
                "CD-GRID-IMMUTABLE",
            ),
            _draft(
                "edit", "A change has one parent", b"left", [ROOT], encoding, "CD-SNAPSHOT-EDIT"
            ),
            _draft(
                "same-content-other-parent",
                "Changing back to an old content is a new version",
                b"first",
                [LEFT],
                "CD-SNAPSHOT-FIELDS",
            ),
            _draft(
                "deletion",
                "A deletion has no content",
                None,
                [ROOT],
                encoding,
                "CD-DELETE-SNAPSHOT",
                "CD-SNAPSHOT-FIELDS",
            ),
            _draft(
                "two-parents",
                "A resolution",
                b"both",
                [LEFT, RIGHT],
                encoding,
                order,
                "CD-RESOLVE-PARENTS",
            ),
            _draft(
                "two-parents-the-other-way",
                "The same resolution, made at the other client",
                b"both",
                [RIGHT, LEFT],
                order,
                "CD-RESOLVE-CONCURRENT",
            ),
            _draft(
                "deletion-of-two",
                "A resolution that deletes",
                None,
                [LEFT, RIGHT],
                encoding,
                "CD-RESOLVE-KEEPS-CONTENT",
            ),
            _draft(
                "eleven-parents",
                "parent10 is encoded before parent2",
                b"all",
                eleven,
                encoding,
                order,
            ),
            _refused(
                "neither-content-nor-parents",
                "A deletion of nothing",
                "CD-SNAPSHOT-NOT-EMPTY",
                snapshot_input(None),
                snapshot_input(b""),
            ),
            _refused(
                "parent-twice",
                "A parent that is named twice",
                "CD-SNAPSHOT-PARENTS-DISTINCT",
                snapshot_input(b"text", [ROOT, ROOT]),
                good,
            ),
            _refused(
                "parent-twice-apart",
                "A parent that is named again later on",
                "CD-SNAPSHOT-PARENTS-DISTINCT",
                snapshot_input(b"text", [LEFT, RIGHT, LEFT]),
                snapshot_input(b"text", [LEFT, RIGHT]),
            ),
            _refused(
                "parent-too-short",
                "A parent of 31 bytes",
                "CD-SNAPSHOT-FIELDS",
                snapshot_input(b"text", [ROOT[:31]]),
                good,
            ),
            _refused(
                "parent-too-long",
                "A parent of 33 bytes",
                "CD-SNAPSHOT-FIELDS",
                snapshot_input(b"text", [ROOT + b"\0"]),
                good,
            ),
        ),
    )
