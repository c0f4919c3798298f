"""The wheel and the source distribution, built offline by the installed build backend.

The wheel of the oracle is built by maturin, which downloads crates the first time.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).resolve().parents[2]


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


def oracle_wheel(tree: Path, _epoch: int) -> dict[str, bytes]:
    """Return the wheel of the oracle for this kind of machine; no file without cargo.

    tree: a checkout. The wheel carries the digests of its vectors. Raises BuildError.
    """
    target = str(_ROOT / "build" / "oracle-target")  # keeps the crates that the port needs
    with tempfile.TemporaryDirectory(prefix="rejoin-oracle-") as folder:
        run_program(tree, "ports/oracle/build.py", folder, CARGO_TARGET_DIR=target)
        return {path.name: path.read_bytes() for path in Path(folder).glob("*.whl")}


def run_program(tree: Path, program: str, *arguments: str, **variables: str) -> None:
    """Run a program below `conformance` in a checkout, on the modules of this checkout.

    Raises BuildError if the program fails.
    """
    modules = os.pathsep.join(str(tree / each) for each in ("reference", "conformance"))
    done = subprocess.run(
        [sys.executable, str(tree / "conformance" / program), *arguments],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": modules, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        reason = (done.stderr or done.stdout).strip().rpartition("\n")[2]
        raise BuildError(f"{program} fails: {reason}")


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
