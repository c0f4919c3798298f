"""The archive that lets Spark start quickly is used when whole and made when missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from rejoin_conformance.campaigns.spark.session import archive_path, start_options


def test_an_archive_is_made_used_when_whole_and_left_out_where_it_cannot_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    java, spark = tmp_path / "java", tmp_path / "spark"
    jar, release = spark / "jars" / "core.jar", java / "release"
    homes = str(java), str(spark)
    jar.parent.mkdir(parents=True)
    java.mkdir()
    names = set()
    for version, content in (("17.0.15", b"one"), ("17.0.15", b"another"), ("21.0.1", b"another")):
        release.write_text(f'JAVA_VERSION="{version}"\n')
        jar.write_bytes(content)
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        archive = archive_path(*homes)
        assert archive is not None
        for begun in (None, b"", b"\0" * 4096, b"\xa8\xba\x0b\xf0 classes"):
            if begun is not None:
                archive.write_bytes(begun)
            whole = begun is not None and begun.startswith(b"\xa8")
            option = "SharedArchiveFile" if whole else "ArchiveClassesAtExit"
            assert f"-XX:{option}={archive}" in start_options(*homes).split()
        names.add(archive)
    assert len(names) == 3
    (tmp_path / "file").write_text("no folder")
    for nowhere in ("file", "with a space"):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / nowhere))
        assert start_options(*homes) == "-XX:TieredStopAtLevel=1"
    assert archive_path(str(tmp_path / "no java"), homes[1]) is None
