"""The wheel and the source distribution, built offline by the installed build backend."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path


class BuildError(Exception):
    """The packages cannot be built. The message is one line."""


def python_packages(tree: Path, epoch: int) -> dict[str, bytes]:
    """Return the wheel and the source distribution: file name -> bytes.

    tree: a checkout; the files of both packages come from it. epoch: the time of their files, in
    seconds since 1970. Raises BuildError.
    """
    return _built(tree, epoch, "wheel", "sdist")


def wheel(tree: Path, epoch: int) -> dict[str, bytes]:
    """Return the wheel alone: file name -> bytes. Raises BuildError."""
    return _built(tree, epoch, "wheel")


def _built(tree: Path, epoch: int, *targets: str) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory(prefix="rejoin-build-") as folder:
        chosen = [word for target in targets for word in ("--target", target)]
        done = subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "--directory", folder, *chosen],
            cwd=tree,
            env={**os.environ, "SOURCE_DATE_EPOCH": str(epoch)},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            reason = (done.stderr or done.stdout).strip().rpartition("\n")[2]
            raise BuildError(f"hatchling cannot build the packages: {reason}")
        return {path.name: path.read_bytes() for path in Path(folder).iterdir() if path.is_file()}
