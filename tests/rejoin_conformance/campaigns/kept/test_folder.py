"""A campaign's directory keeps whole waves of one campaign for one process, or says why not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from attrs import evolve

from rejoin_conformance.campaigns.kept.campaign import (
    directory_of,
    directory_to_read,
    header_of,
    local_folder,
    summary_in,
)
from rejoin_conformance.campaigns.kept.folder import locked
from rejoin_conformance.campaigns.kept.store import (
    BusyError,
    FailedWriteError,
    OtherResultsError,
    StoreError,
    every_row,
    table_of,
)
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.kit.json_types import Json, canonical_json
from support.kept_blocks import PLAN, row

TAKE_THE_LOCK = """
import sys
from pathlib import Path
from rejoin_conformance.campaigns.kept.folder import locked
with locked(Path(sys.argv[1])):
    print("locked", flush=True)
    sys.stdin.read()
"""
FLIPS = 250
"""The number of flipped bits to try. They are spread over the whole file."""


def test_what_is_kept_is_read_back_wave_by_wave(tmp_path: Path) -> None:
    with directory_of(PLAN, str(tmp_path / "new" / "campaign")) as store:
        store.add([row(2), row(3)])
    with directory_of(PLAN, str(tmp_path / "new" / "campaign")) as store:
        store.add([row(0)])
    store = directory_to_read(str(tmp_path / "new" / "campaign"))
    assert list(store.rows()) == [(row(0),), (row(2), row(3))]
    assert store.header() == header_of(PLAN)
    summary = summary_in(str(tmp_path / "new" / "campaign"))
    assert (summary.plan, summary.histories) == (PLAN, 750)


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (evolve(PLAN, seed=2), "seed 1 there, 2 here"),
        (evolve(PLAN, system="config-merge"), "system history-merge there, config-merge here"),
        (evolve(PLAN, adapter="./port"), "adapter null there, ./port here"),
        (evolve(PLAN, readings=("other",)), 'readings ["document"] there, ["other"] here'),
    ],
)
def test_another_campaign_is_refused_and_the_difference_named(
    other: Plan, says: str, tmp_path: Path
) -> None:
    with directory_of(PLAN, str(tmp_path)):
        pass
    with pytest.raises(OtherResultsError) as refused, directory_of(other, str(tmp_path)):
        pass
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        ("format", 2, "another version of the suite wrote it"),
        ("plan.block_size", 1, "another version of the suite wrote it"),
        ("plan.seed", 2, "row 0 is corrupt or belongs to other work"),
        ("code", "x", "row 0 is corrupt or belongs to other work"),
        ("plan.seed", "1", '$.seed: expected an integer, found "1"'),
        ("plan.histories", 10**15, "'histories' must be <= 10000000000"),
        ("plan.odd", 1, '$: unknown field "odd"'),
        ("plan.system", "other", "the unknown system other"),
    ],
)
def test_a_manifest_that_was_changed_is_refused(
    place: str, value: Json, said: str, tmp_path: Path
) -> None:
    with directory_of(PLAN, str(tmp_path)) as store:
        store.add([row(0)])
    header = header_of(PLAN)
    outer, _, inner = place.partition(".")
    plan = header["plan"]
    assert isinstance(plan, dict)
    changed = {**header, outer: {**plan, inner: value} if inner else value}
    (tmp_path / "manifest.json").write_text(canonical_json(changed))
    with pytest.raises(StoreError) as refused:
        summary_in(str(tmp_path))
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
    with pytest.raises(OtherResultsError), directory_of(PLAN, str(tmp_path)):
        pass


@pytest.mark.parametrize("text", ["", "{", "[]", '{"seed": 1.5}'])
def test_a_broken_manifest_is_one_clear_error(text: str, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(StoreError, match=r"manifest.json is corrupt"):
        directory_of(PLAN, str(tmp_path)).__enter__()


def test_no_flipped_bit_of_a_file_of_blocks_changes_what_is_read(tmp_path: Path) -> None:
    with directory_of(PLAN, str(tmp_path)) as store:
        store.add([row(0), row(1)])
        (path,) = (tmp_path / "blocks").iterdir()
        whole = path.read_bytes()
        noticed = 0
        for place in range(0, 8 * len(whole), max(1, 8 * len(whole) // FLIPS)):
            flipped = bytearray(whole)
            flipped[place // 8] ^= 1 << place % 8
            path.write_bytes(flipped)
            try:
                read = every_row(store)
            except StoreError:
                noticed += 1
            else:
                assert read in ([row(0), row(1)], []), place
    assert noticed > FLIPS // 4


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("number", pa.array([1])),
        ("row", pa.array(["{}"])),
        ("row", pa.array([7])),
        ("checksum", pa.array(["0" * 64])),
        ("checksum", None),
    ],
)
def test_a_file_of_other_columns_is_named_with_what_to_do(
    column: str, value: pa.Array | None, tmp_path: Path
) -> None:
    rest = table_of(header_of(PLAN), [row(0)]).drop_columns([column])
    path = tmp_path / "blocks" / "0000000000-0000000000.parquet"
    with directory_of(PLAN, str(tmp_path)) as store:
        path.parent.mkdir()
        pq.write_table(rest if value is None else rest.append_column(column, value), path)
        with pytest.raises(StoreError) as refused:
            every_row(store)
    said = str(refused.value)
    assert said.startswith(f"{path} cannot be read (")
    assert said.endswith("); delete the file, and run the command again to redo its blocks")
    assert "\n" not in said


def test_a_full_disk_is_one_clear_error_and_affects_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with directory_of(PLAN, str(tmp_path)) as store:
        store.add([row(0)])

        def full(_handle: int) -> None:
            raise OSError(28, os.strerror(28))

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(
            FailedWriteError, match="No space left on device; earlier blocks are saved"
        ):
            store.add([row(1)])
        monkeypatch.undo()
        assert every_row(store) == [row(0)]


def test_what_a_kill_left_half_written_is_never_read(tmp_path: Path) -> None:
    (tmp_path / "lock").touch()
    (tmp_path / "manifest.json.unfinished").write_text('{"for')
    with directory_of(PLAN, str(tmp_path)) as store:
        store.add([row(0)])
    half = tmp_path / "blocks" / "0000000001-0000000001.parquet.unfinished"
    half.write_bytes(next((tmp_path / "blocks").iterdir()).read_bytes()[:100])
    notes = tmp_path / "notes" / "1.unfinished"
    notes.parent.mkdir()
    notes.write_text("mine")
    assert every_row(directory_to_read(str(tmp_path))) == [row(0)]
    with directory_of(PLAN, str(tmp_path)):
        assert not half.exists()
        assert notes.read_text() == "mine"


def test_a_second_process_is_refused_while_the_first_lives(tmp_path: Path) -> None:
    first = subprocess.Popen(
        [sys.executable, "-c", TAKE_THE_LOCK, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert first.stdout is not None
    assert first.stdin is not None
    with first.stdin, first.stdout:
        assert first.stdout.readline() == b"locked\n"
        with pytest.raises(BusyError, match="another process runs the campaign"), locked(tmp_path):
            pass
        first.kill()
        first.wait()
    with locked(tmp_path) as store:
        assert store.path == tmp_path


def test_a_file_in_the_place_of_the_folder_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here first")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(StoreError, match="cannot be used as a campaign's folder"):
            directory_of(PLAN, str(place)).__enter__()
    assert (tmp_path / "file").read_text() == "here first"


@pytest.mark.parametrize("name", ["thesis.tex", "thesis.unfinished", "chapters/1.unfinished"])
def test_a_folder_with_other_files_is_not_taken_and_left_as_it_is(
    name: str, tmp_path: Path
) -> None:
    mine = tmp_path / name
    mine.parent.mkdir(exist_ok=True)
    mine.write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(StoreError, match="has other files but no campaign"):
        directory_of(PLAN, str(tmp_path)).__enter__()
    assert sorted(tmp_path.rglob("*")) == before


def test_paths_and_file_urls_are_folders_of_this_machine() -> None:
    assert local_folder("file:///campaigns/a%20b") == Path("/campaigns/a b")
    assert local_folder("C:/campaigns") == Path("C:/campaigns")
    assert local_folder("s3a://bucket/a") is None
    assert local_folder("hdfs:///campaigns/a") is None
