"""Damage to a campaign's directory is one clear error: nothing damaged is read or resumed."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from attrs import evolve

from rejoin_conformance.campaigns.directory.checksums import manifest_digest, table_with_checksums
from rejoin_conformance.campaigns.directory.kept import plan_kept
from rejoin_conformance.campaigns.directory.local_store import LocalStore
from rejoin_conformance.campaigns.directory.manifest import manifest_of
from rejoin_conformance.campaigns.directory.open_directory import directory_of, directory_to_read
from rejoin_conformance.campaigns.directory.store import FailedWriteError, StoreError
from rejoin_conformance.kit.json_types import JsonObject, canonical_json
from support.kept_blocks import PLAN, block

FLIPS = 250
"""The number of flipped bits to try. They are spread over the whole file."""


@pytest.mark.parametrize("field", [*manifest_of(PLAN)])
def test_a_manifest_that_was_changed_is_refused(field: str, tmp_path: Path) -> None:
    """A changed seed would show the results of one campaign under the name of another."""
    with directory_of(PLAN, str(tmp_path)) as store:
        store.keep([block(0)])
    kept = manifest_of(PLAN)
    others: JsonObject = {
        **manifest_of(evolve(PLAN, seed=2, profile="default", histories=999)),
        "format": 5,
        "block_size": 1,
        "readings": ["other"],
        "system": "config-merge",
        "code": "x",
        "vectors": "x",
    }
    (tmp_path / "manifest.json").write_text(canonical_json({**kept, field: others[field]}))
    with pytest.raises(StoreError) as refused:
        plan_kept(directory_to_read(str(tmp_path)), str(tmp_path))
    assert ("was changed" in str(refused.value)) == (field not in {"format", "block_size"})
    with pytest.raises(StoreError), directory_of(PLAN, str(tmp_path)):
        pass


def test_blocks_belong_to_their_manifest(tmp_path: Path) -> None:
    """The digest of a manifest can be forged; then its blocks have the wrong checksums."""
    with directory_of(PLAN, str(tmp_path)) as store:
        store.keep([block(0)])
    forged = {**manifest_of(PLAN), "seed": 2}
    forged["digest"] = manifest_digest(forged)
    (tmp_path / "manifest.json").write_text(canonical_json(forged))
    kept = directory_to_read(str(tmp_path))
    _, plan = plan_kept(kept, str(tmp_path))
    assert plan.seed == 2
    with pytest.raises(StoreError, match="block 0 is corrupt or belongs to another campaign"):
        list(kept.waves())


def test_no_flipped_bit_of_a_file_of_blocks_changes_what_is_read(tmp_path: Path) -> None:
    with directory_of(PLAN, str(tmp_path)) as store:
        store.keep([block(0), block(1)])
        (path,) = (tmp_path / "blocks").iterdir()
        whole = path.read_bytes()
        noticed = 0
        for place in range(0, 8 * len(whole), max(1, 8 * len(whole) // FLIPS)):
            flipped = bytearray(whole)
            flipped[place // 8] ^= 1 << place % 8
            path.write_bytes(flipped)
            try:
                read = [each for wave in store.waves() for each in wave]
            except StoreError:
                noticed += 1
            else:
                assert read in ([block(0), block(1)], []), place
    assert noticed > FLIPS // 2


@pytest.mark.parametrize("text", ["", "{", "[]", '{"seed": 1.5}'])
def test_a_broken_manifest_is_one_clear_error(text: str, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(StoreError, match="not the manifest of a campaign"):
        directory_of(PLAN, str(tmp_path)).__enter__()


def test_a_full_disk_is_one_clear_error_and_affects_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with directory_of(PLAN, str(tmp_path)) as store:
        store.keep([block(0)])

        def full(_handle: int) -> None:
            raise OSError(28, os.strerror(28))

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(
            FailedWriteError, match="No space left on device; earlier blocks are saved"
        ):
            store.keep([block(1)])
        monkeypatch.undo()
        assert list(store.waves()) == [(block(0),)]
        store.keep([block(1)])
        assert [len(wave) for wave in store.waves()] == [1, 1]


def test_what_a_kill_left_half_written_is_never_read(tmp_path: Path) -> None:
    with directory_of(PLAN, str(tmp_path)) as store:
        store.keep([block(0)])
    whole = next((tmp_path / "blocks").iterdir())
    half = tmp_path / "blocks" / "0000000001-0000000001.parquet.unfinished"
    half.write_bytes(whole.read_bytes()[:100])
    assert list(LocalStore(tmp_path).waves()) == [(block(0),)]
    with directory_of(PLAN, str(tmp_path)):
        assert not half.exists()


def test_a_kill_before_the_manifest_leaves_a_place_to_begin_in(tmp_path: Path) -> None:
    (tmp_path / "lock").touch()
    (tmp_path / "manifest.json.unfinished").write_text('{"for')
    with directory_of(PLAN, str(tmp_path)) as store:
        assert store.manifest() == manifest_of(PLAN)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("block", pa.array(["0"])),
        ("block", pa.array([-1])),
        ("histories", pa.array([None], pa.int64())),
        ("digest", pa.array(["00"])),
        ("digest", pa.array([None], pa.string())),
        ("began", pa.array([2**62])),
        ("worker", pa.array([7])),
        ("readings", pa.array([[1]])),
        ("readings", None),
        ("failures", pa.array([[{"law": "a-law"}]])),
        ("restarts", pa.array([-1])),
        ("checksum", pa.array(["0" * 64])),
        ("checksum", None),
    ],
)
def test_a_file_of_other_columns_is_named_with_what_to_do(
    column: str, value: pa.Array | None, tmp_path: Path
) -> None:
    whole = table_with_checksums(manifest_of(PLAN), [block(0)])
    with directory_of(PLAN, str(tmp_path)) as store:
        rest = whole.drop_columns([column])
        _write(tmp_path, rest if value is None else rest.append_column(column, value))
        with pytest.raises(StoreError) as refused:
            list(store.waves())
    said = str(refused.value)
    path = tmp_path / "blocks" / "0000000000-0000000000.parquet"
    assert said.startswith(f"{path} cannot be read (")
    assert said.endswith("); delete the file, and run the campaign again to redo its blocks")
    assert "\n" not in said


def _write(folder: Path, rows: pa.Table) -> None:
    """Write a file of blocks past the store."""
    (folder / "blocks").mkdir()
    pq.write_table(rows, folder / "blocks" / "0000000000-0000000000.parquet")


def test_evidence_that_is_not_an_object_is_a_damaged_file(tmp_path: Path) -> None:
    whole = table_with_checksums(manifest_of(PLAN), [block(0)])
    (row,) = whole.column("failures").to_pylist()
    failures = pa.array([[{**row[0], "evidence": "[1]"}]])
    with directory_of(PLAN, str(tmp_path)) as store:
        rest = whole.drop_columns(["failures"])
        _write(tmp_path, rest.append_column("failures", failures))
        with pytest.raises(StoreError, match="the evidence of a failure is not an object"):
            list(store.waves())


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    with directory_of(PLAN, str(tmp_path)) as store:
        store.keep([block(0)])
        path = next((tmp_path / "blocks").iterdir())
        path.write_bytes(path.read_bytes()[:-20])
        with pytest.raises(StoreError, match=r"0000000000-0000000000\.parquet cannot be read"):
            list(store.waves())
