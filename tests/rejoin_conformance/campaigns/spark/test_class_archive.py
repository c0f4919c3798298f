"""The archive that lets Spark start quickly is used when whole and made when missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from rejoin_conformance.campaigns.spark.class_archive import archive_path, start_options


@pytest.fixture
def homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    java, spark = tmp_path / "java", tmp_path / "spark"
    (spark / "jars").mkdir(parents=True)
    java.mkdir()
    (java / "release").write_text('JAVA_VERSION="17.0.15"\n')
    (spark / "jars" / "core.jar").write_bytes(b"one")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return str(java), str(spark)


def test_the_first_start_makes_what_later_ones_use(homes: tuple[str, str]) -> None:
    archive = archive_path(*homes)
    assert archive is not None
    assert f"-XX:ArchiveClassesAtExit={archive}" in start_options(*homes).split()
    archive.write_bytes(b"\xa8\xba\x0b\xf0 classes")
    assert f"-XX:SharedArchiveFile={archive}" in start_options(*homes).split()


@pytest.mark.parametrize("begun", [b"", b"\0" * 4096])
def test_an_archive_that_was_not_finished_is_made_again(
    homes: tuple[str, str], begun: bytes
) -> None:
    archive = archive_path(*homes)
    assert archive is not None
    archive.write_bytes(begun)
    assert f"-XX:ArchiveClassesAtExit={archive}" in start_options(*homes).split()


def test_another_java_or_spark_has_another_archive(homes: tuple[str, str]) -> None:
    java, spark = homes
    first = archive_path(java, spark)
    (Path(spark) / "jars" / "core.jar").write_bytes(b"another")
    second = archive_path(java, spark)
    (Path(java) / "release").write_text('JAVA_VERSION="21.0.1"\n')
    assert len({first, second, archive_path(java, spark)}) == 3


def test_where_nothing_can_be_kept_spark_starts_all_the_same(
    homes: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert start_options(*homes) == "-XX:TieredStopAtLevel=1"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "with a space"))
    assert start_options(*homes) == "-XX:TieredStopAtLevel=1"
    assert archive_path(str(tmp_path / "no java"), homes[1]) is None
