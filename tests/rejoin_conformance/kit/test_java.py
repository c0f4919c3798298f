"""Java is found without asking: the configured one, the system's, or the packaged one."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from rejoin_conformance.kit import java


def _fake_java(folder: Path, version: str) -> Path:
    binary = folder / "bin" / "java"
    binary.parent.mkdir(parents=True)
    binary.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n")
    binary.chmod(0o755)
    return folder


def test_a_recent_java_home_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = _fake_java(tmp_path / "configured", "21.0.1")
    monkeypatch.setenv("JAVA_HOME", str(home))
    assert java.java_home() == str(home)


def test_an_old_java_home_gives_way_to_the_one_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(_fake_java(tmp_path / "old", "11.0.2")))
    found = _fake_java(tmp_path / "found", "17.0.15")
    monkeypatch.setenv("PATH", str(found / "bin"))
    assert java.java_home() == str(found)


def test_without_java_the_packaged_one_runs_and_drops_the_missing_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "the user's cache"))
    with monkeypatch.context() as bare:
        bare.setenv("PATH", str(tmp_path / "empty"))
        home = java.java_home()
    assert home.startswith(str(tmp_path))
    answer = subprocess.run(
        [f"{home}/bin/java", "--add-modules=jdk.incubator.vector", "-version"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    assert "incubator" not in answer.stderr
    assert java.packaged_java_home() == home


def test_what_is_not_a_java_is_not_recent(tmp_path: Path) -> None:
    assert not java.is_recent(tmp_path / "absent")
    broken = tmp_path / "java"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    assert not java.is_recent(broken)
