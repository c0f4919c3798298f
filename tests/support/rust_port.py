"""The Rust port and changed copies of it, built for tests."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

CHECKOUT: Final = Path(__file__).parents[2]
TARGET: Final = CHECKOUT / "build" / "rust"
"""Shared by all builds, so that the dependencies are built once, and kept; git ignores it."""

_CRATE: Final = "rejoin-adapter-rust"
_PROGRAM: Final = "rejoin-rust"


def require_crates(crate: Path) -> None:
    """Skip the test if there is no cargo, or if it cannot fetch the crates."""
    if shutil.which("cargo") is None:
        pytest.skip("cargo is not installed")
    fetched = cargo("fetch", crate)
    if fetched.returncode != 0:
        pytest.skip(f"the crates cannot be fetched: {fetched.stderr.strip()[-300:]}")


def rename(copy: Path) -> None:
    """Name a copy of the crate after its sources, or cargo takes it for another one's build."""
    digest = hashlib.blake2b(digest_size=6)
    for path in sorted(copy.rglob("*.rs")):
        digest.update(path.read_bytes())
    manifest = copy / "Cargo.toml"
    text = manifest.read_text(encoding="utf-8")
    assert text.count(_CRATE) == 1
    manifest.write_text(text.replace(_CRATE, f"rejoin-copy-{digest.hexdigest()}"), "utf-8")
    (copy / "Cargo.lock").unlink(missing_ok=True)  # it names the crate; a fresh checkout has none


def built(crate: Path, folder: Path, profile: str = "dev") -> Path:
    """Build a crate and return its program, as a copy in the folder: builds share the target.

    `dev` builds quickly; `release` answers the largest vectors in less time than a run allows.
    """
    done = cargo("build", crate, "--profile", profile, "--target-dir", str(TARGET))
    assert done.returncode == 0, f"{crate} does not build:\n{done.stderr}"
    output = "debug" if profile == "dev" else profile
    return Path(shutil.copy(TARGET / output / _PROGRAM, folder / "adapter"))


def cargo(command: str, crate: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command of cargo on a crate."""
    return subprocess.run(
        ["cargo", command, "--manifest-path", str(crate / "Cargo.toml"), *arguments],
        env={**os.environ, "CARGO_PROFILE_DEV_DEBUG": "0", "CARGO_INCREMENTAL": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
