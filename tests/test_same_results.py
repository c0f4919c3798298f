"""Default histories have the digests that the commit before the work on speed gave them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import pytest

import same_results
from same_results import (
    FIRST,
    KEPT,
    PART,
    NotRecordedError,
    Recorded,
    all_readings,
    check,
    digest_of,
    read,
    record,
    write,
)
from speed_measures import DoesNotRunError
from speed_trees import BASELINE, Tree, full_name, this_checkout

READING = ("history-merge", "document")
BLOCKS = [f"{number:064x}" for number in range(40)]


def test_the_first_block_of_each_reading_has_the_recorded_digest() -> None:
    said: list[str] = []
    assert check(this_checkout(), 250, say=said.append), said
    assert len(said) == len(all_readings()) == 8


@pytest.mark.long
def test_the_first_part_of_each_reading_has_the_recorded_digest() -> None:
    said: list[str] = []
    assert check(this_checkout(), PART, say=said.append), said


def test_the_file_has_every_reading_of_one_commit() -> None:
    recorded = read()
    assert recorded.commit == BASELINE
    assert recorded.digests.keys() == {*all_readings()}
    for digests in recorded.digests.values():
        assert len(digests.blocks) == FIRST // 250
        assert [*digests.parts] == [*range(0, len(digests.parts) * PART, PART)]


def test_a_written_file_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    write(read(), path)
    assert path.read_bytes() == KEPT.read_bytes()


def test_the_recording_goes_on_after_an_interruption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept.json"
    asked: list[tuple[tuple[str, str], int]] = []

    def digests(_tree: Tree, sought: tuple[str, str], histories: range) -> list[str]:
        if len(asked) == 1:
            raise DoesNotRunError("interrupted")
        asked.append((sought, histories.start))
        return BLOCKS

    monkeypatch.setattr(same_results, "all_readings", lambda: (READING,))
    monkeypatch.setattr(same_results, "earlier", lambda _commit: nullcontext(this_checkout()))
    monkeypatch.setattr(same_results, "block_digests", digests)
    with pytest.raises(DoesNotRunError):
        record("HEAD", 2 * PART, path, _silent)
    assert len(read(path).of(READING).parts) == 1
    asked.append(asked[0])
    record("HEAD", 2 * PART, path, _silent)
    assert {start for _, start in asked} == {0, PART}
    kept = read(path).of(READING)
    assert kept.blocks == (*BLOCKS[:2],)
    assert kept.parts == {0: digest_of(BLOCKS), PART: digest_of(BLOCKS)}
    assert read(path).commit == full_name("HEAD")


@pytest.mark.parametrize(
    ("histories", "changed", "said"),
    [
        (500, 1, "history-merge document: histories 250 to 499 DIFFERENT"),
        (10_000, 39, "history-merge document: histories 0 to 9,999 DIFFERENT"),
    ],
)
def test_a_difference_is_named_by_its_part(
    histories: int, changed: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept.json"
    write(Recorded("commit", {}).having(READING, 0, BLOCKS), path)
    now = BLOCKS

    def digests(_tree: Tree, _sought: tuple[str, str], histories: range) -> Sequence[str]:
        return now[histories.start // 250 : histories.stop // 250]

    monkeypatch.setattr(same_results, "all_readings", lambda _systems: (READING,))
    monkeypatch.setattr(same_results, "block_digests", digests)
    assert check(this_checkout(), histories, path=path, say=_silent)
    now = [*BLOCKS[:changed], "another digest", *BLOCKS[changed + 1 :]]
    lines: list[str] = []
    assert not check(this_checkout(), histories, path=path, say=lines.append)
    assert [line for line in lines if "DIFFERENT" in line] == [said]


def test_a_check_of_more_than_the_file_has_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    with pytest.raises(NotRecordedError, match=r"run: same_results\.py record"):
        check(this_checkout(), 250, path=path)
    write(Recorded("commit", {}), path)
    with pytest.raises(NotRecordedError, match="no digest of the histories 0 to 249 of config-"):
        check(this_checkout(), 250, path=path)
    write(Recorded("commit", {}).having(READING, 0, BLOCKS), path)
    with pytest.raises(NotRecordedError, match="record --histories 20000"):
        check(this_checkout(), 2 * PART, ["history-merge"], path)


def _silent(_line: str) -> None:
    return
