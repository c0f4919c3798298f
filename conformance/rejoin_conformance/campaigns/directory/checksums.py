"""Kept blocks with a checksum each, which also covers the manifest of their campaign.

Parquet does not notice every flipped bit, and a block of one campaign looks like a block of
another. The checksum is therefore a digest of the manifest's digest and of all fields of the block.
Every read verifies it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from rejoin_conformance.campaigns.directory.rows import FinishedBlock, batch_of, block_of, row_of
from rejoin_conformance.kit.json_types import JsonObject, digest_of

if TYPE_CHECKING:
    import pyarrow as pa

DIGEST: Final = "digest"
"""The field of a manifest with the digest of its other fields."""

_CHECKSUM: Final = "checksum"


def manifest_digest(manifest: JsonObject) -> str:
    """Return the digest of a manifest without its own digest, as hex."""
    return digest_of({name: value for name, value in manifest.items() if name != DIGEST})


def checksum_of(manifest: JsonObject | None, block: FinishedBlock) -> str:
    """Return the checksum of a block in the campaign of a manifest, as hex."""
    row = row_of(block)
    return digest_of({"manifest": manifest_digest(manifest or {}), "block": row})


def table_with_checksums(manifest: JsonObject | None, blocks: Sequence[FinishedBlock]) -> pa.Table:
    """Return blocks as an Arrow table: one row for each block, with its checksum."""
    import pyarrow as pa  # noqa: PLC0415 - optional, and imported by workers

    table = pa.Table.from_batches([batch_of(blocks)])
    checksums = [checksum_of(manifest, block) for block in blocks]
    return table.append_column(_CHECKSUM, pa.array(checksums, pa.string()))


def verified_blocks(
    manifest: JsonObject | None, batches: Iterable[pa.RecordBatch]
) -> Iterator[FinishedBlock]:
    """Yield the blocks of such a table.

    Raises ValueError for a wrong checksum, and ValueError, KeyError or TypeError for other rows.
    """
    for batch in batches:
        for row in batch.to_pylist():
            block = block_of(row)
            if row[_CHECKSUM] != checksum_of(manifest, block):
                raise ValueError(
                    f"block {block.result.block} is corrupt or belongs to another campaign"
                )
            yield block
