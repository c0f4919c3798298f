"""A file is replaced as a whole, or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rejoin_conformance.kit.files import read_input, write_whole


def test_a_file_is_written_with_the_mode_of_any_new_file(tmp_path: Path) -> None:
    write_whole(tmp_path / "new", "text é\n")
    (tmp_path / "other").touch()
    assert (tmp_path / "new").read_bytes() == "text é\n".encode()
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_an_existing_file_keeps_its_mode_and_its_links(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")
    (tmp_path / "file").chmod(0o600)
    (tmp_path / "link").symlink_to("file")
    write_whole(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text() == "new"
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o600


def test_a_failed_write_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(tmp_path / "file", "new")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"file": "old"}


def test_an_input_has_a_bound_and_is_a_regular_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("1234")
    assert read_input(tmp_path / "file", 4) == b"1234"
    with pytest.raises(OSError, match="too large; such a file has at most 3 bytes"):
        read_input(tmp_path / "file", 3)
    with pytest.raises(OSError, match="not a regular file"):
        read_input(Path("/dev/zero"))


def test_a_device_is_written_directly() -> None:
    write_whole(Path(os.devnull), "text")
    with pytest.raises(OSError, match="No space"):
        write_whole(Path("/dev/full"), "text")


def test_a_pipe_without_a_reader_is_an_error(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="No such device"):
        write_whole(tmp_path / "pipe", "text")
