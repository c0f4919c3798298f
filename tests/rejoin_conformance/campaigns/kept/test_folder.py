"""A campaign's directory keeps blocks of one campaign for one process, or says why not."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from attrs import evolve

from rejoin_conformance.campaigns.campaign import (
    directory_of,
    directory_to_read,
    header_of,
    local_folder,
    summary_in,
)
from rejoin_conformance.campaigns.kept.folder import Folder
from rejoin_conformance.campaigns.kept.store import Block, StoreError, UnusableNowError
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.tables import wide_batch
from support.flips import refused_flips
from support.kept_blocks import PLAN, block_of
from support.kept_campaigns import keep

FLIPS = 120
"""The number of flipped bits to try in each file. They are spread over the whole file."""


def blocks_in(folder: Path) -> list[Block]:
    """Return the blocks that are read, as they were before they were sealed."""
    found: list[Block] = []
    for block, tables in directory_to_read(str(folder)).blocks():
        del tables["blocks"][0]["checksum"]
        found.append((block, tables))
    return sorted(found, key=lambda each: each[0])


def without_empty(block: Block) -> Block:
    return block[0], {name: those for name, those in block[1].items() if those}


def test_kept_blocks_are_read_back(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "campaign \udcff"  # its name is not UTF-8
    keep(folder, PLAN, block_of(2), block_of(3, 5))
    keep(folder, PLAN, block_of(0, 0))
    wanted = [without_empty(each) for each in (block_of(0, 0), block_of(2), block_of(3, 5))]
    assert blocks_in(folder) == wanted
    summary = summary_in(str(folder))
    assert (summary.plan, summary.histories) == (PLAN, 750)
    assert summary.header["campaign"] == header_of(PLAN)["campaign"]
    assert [each.times for each in summary.found()] == [6]


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (evolve(PLAN, seed=2), "seed 1 there, 2 here"),
        (evolve(PLAN, system="config-merge"), "(system history-merge there, config-merge here)"),
        (evolve(PLAN, adapter="./port"), "adapter null there, ./port here"),
        (evolve(PLAN, rule="A = 1\n"), r"rule null there, A = 1\n here"),
        (evolve(PLAN, rule="A = 1\n" * 9), "different rule"),
        (evolve(PLAN, readings=("other",)), 'readings ["document"] there, ["other"] here'),
    ],
)
def test_another_campaign_is_refused_and_the_difference_named(
    other: Plan, says: str, tmp_path: Path
) -> None:
    keep(tmp_path, PLAN)
    with pytest.raises(StoreError) as refused, directory_of(other, str(tmp_path)):
        pass
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("shipped", [False, True])
def test_a_campaign_does_not_go_on_with_a_changed_adapter(
    shipped: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, kept = tmp_path / "adapter.py", tmp_path / "kept"
    program.write_text("1")
    monkeypatch.setenv("REJOIN_SHIPPED", str(tmp_path))
    plan = evolve(PLAN, adapter=f"python {'{shipped}/adapter.py' if shipped else program}")
    keep(kept, plan)
    if shipped:  # and unpacked anew
        (tmp_path / "elsewhere").mkdir()
        program = program.rename(tmp_path / "elsewhere" / "adapter.py")
        monkeypatch.setenv("REJOIN_SHIPPED", str(tmp_path / "elsewhere"))
    keep(kept, plan)
    program.write_text("2")
    with pytest.raises(StoreError, match=r"code .*, adapter \w+ there, .*, adapter \w+ here"):
        keep(kept, plan)


def test_any_flipped_bit_is_an_error_that_names_the_file_or_changes_nothing(
    tmp_path: Path,
) -> None:
    keep(tmp_path, PLAN, block_of(0, 4), block_of(1))

    def read() -> object:
        summary = summary_in(str(tmp_path))
        return summary.to_json(), summary.began, summary.ended, summary.cpu_micros

    assert refused_flips(tmp_path, read, FLIPS) > FLIPS


def test_lost_doubled_and_foreign_rows_are_noticed(tmp_path: Path) -> None:
    keep(tmp_path, PLAN, block_of(0, 4), block_of(1))
    (path,) = (tmp_path / "violations").iterdir()
    rows = pq.read_table(path)
    for changed in (rows.slice(1), pa.concat_tables([rows, rows]), rows.slice(0, 0)):
        pq.write_table(changed, path)
        with pytest.raises(StoreError, match="block 0 do not match its checksum"):
            summary_in(str(tmp_path))
    path.unlink()
    with pytest.raises(StoreError, match="block 0 do not match its checksum"):
        summary_in(str(tmp_path))
    pq.write_table(rows.drop_columns(["law"]), path)
    with pytest.raises(StoreError, match="its columns are not those of the table"):
        summary_in(str(tmp_path))


def test_a_lost_header_is_named_and_no_block_is_blamed(tmp_path: Path) -> None:
    shutil.rmtree(keep(tmp_path, PLAN, block_of(0)) / "campaigns")
    with pytest.raises(StoreError, match=r"campaigns is missing.*restore it"):
        summary_in(str(tmp_path))
    with pytest.raises(StoreError, match=r"campaigns is missing.*restore it"):
        keep(tmp_path, PLAN, block_of(1))


def test_rows_without_their_row_of_blocks_are_ignored(tmp_path: Path) -> None:
    keep(tmp_path, PLAN, block_of(0, 4))
    keep(tmp_path, PLAN, block_of(1))
    (tmp_path / "blocks" / next((tmp_path / "blocks").glob("0000000000-*")).name).unlink()
    assert [block for block, _ in blocks_in(tmp_path)] == [1]
    keep(tmp_path, PLAN, block_of(0, 4), block_of(1))  # done twice, counts once
    assert [block for block, _ in blocks_in(tmp_path)] == [0, 1]


def test_a_block_of_other_work_is_refused(tmp_path: Path) -> None:
    folder, (number, tables) = Folder(keep(tmp_path, PLAN)), block_of(0)
    batch = wide_batch("other", "1", number, tables)
    folder.add_wide(pa.Table.from_batches([batch]))
    with pytest.raises(StoreError, match="block 0 do not match its checksum"):
        summary_in(str(tmp_path))


def test_a_full_disk_is_one_clear_error_and_affects_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(tmp_path, PLAN, block_of(0))

    def full(_handle: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UnusableNowError, match="No space left on device; earlier blocks are saved"):
        keep(tmp_path, PLAN, block_of(1))
    monkeypatch.undo()
    assert [block for block, _ in blocks_in(tmp_path)] == [0]


def test_what_a_kill_left_half_written_is_never_read(tmp_path: Path) -> None:
    keep(tmp_path, PLAN, block_of(0))
    half = tmp_path / "blocks" / "0000000001-1-1234.parquet.unfinished"
    half.write_bytes(next((tmp_path / "blocks").iterdir()).read_bytes()[:100])
    notes = tmp_path / "notes" / "1.unfinished"
    notes.parent.mkdir()
    notes.write_text("mine")
    assert [block for block, _ in blocks_in(tmp_path)] == [0]
    keep(tmp_path, PLAN)
    assert not half.exists()
    assert notes.read_text() == "mine"


def test_a_second_driver_is_refused_while_the_first_runs(tmp_path: Path) -> None:
    for _ in range(2):
        with (
            directory_of(PLAN, str(tmp_path)),
            pytest.raises(UnusableNowError, match="another process runs the campaign"),
        ):
            directory_of(PLAN, str(tmp_path)).__enter__()


@pytest.mark.parametrize("place", ["lock", "blocks/0.parquet", "campaigns/0.parquet"])
def test_a_pipe_in_the_place_of_a_file_is_one_clear_error(place: str, tmp_path: Path) -> None:
    keep(tmp_path, PLAN)
    (tmp_path / place).unlink(missing_ok=True)
    (tmp_path / place).parent.mkdir(exist_ok=True)
    os.mkfifo(tmp_path / place)
    says = f"{tmp_path}.*(No such device|not a regular file)"
    with pytest.raises(StoreError, match=says), directory_of(PLAN, str(tmp_path)) as store:
        [*store.blocks()]


def test_a_file_in_the_place_of_the_folder_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here first")
    for place, how in (
        ("file", "used as a campaign's folder: it is a file"),
        ("file/x", "created"),
    ):
        with pytest.raises(StoreError, match=f"cannot be {how}"):
            directory_of(PLAN, str(tmp_path / place)).__enter__()
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
