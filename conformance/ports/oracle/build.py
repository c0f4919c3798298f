"""Build the wheel of the oracle with maturin, if this machine has a Rust toolchain.

    build.py [--install] FOLDER

The module says with which vectors of each operation it was built. The suite lets it answer only
operations whose vectors are still the same.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from rejoin_conformance.adapters.oracle import digests_of_vectors
from rejoin_conformance.contract.registry import system_names
from rejoin_conformance.kit.json_types import canonical_json

CRATE: Final = Path(__file__).resolve().parent
CHECKOUT: Final = CRATE.parents[2]
WHEELS: Final = "rejoin_oracle-*.whl"
WITHOUT: Final = "the oracle is not built, because there is no cargo; campaigns run without it"


class OracleError(Exception):
    """The oracle cannot be built. The message ends with the output of the build."""


def build(crate: Path, folder: Path) -> Path | None:
    """Build the wheel into a folder and return its path; None if there is no Rust toolchain."""
    if shutil.which("cargo") is None:
        return None
    print(
        "Rejoin can be used now. Building the oracle, which makes campaigns against an "
        "implementation faster (some minutes; Ctrl-C leaves it out).",
        flush=True,
    )
    digests: dict[str, str] = {}
    for system in system_names():
        digests |= digests_of_vectors(system)
    for old in folder.glob(WHEELS):
        old.unlink()
    target = os.environ.get("CARGO_TARGET_DIR", str(CHECKOUT / "build" / "oracle-target"))
    vectors = canonical_json(digests)
    into = ("--no-deps", "--no-cache-dir", "--wheel-dir", str(folder))
    _pip("wheel", *into, str(crate), CARGO_TARGET_DIR=target, REJOIN_ORACLE_VECTORS=vectors)
    (built,) = folder.glob(WHEELS)
    return built


def main(arguments: list[str]) -> int:
    """Build the wheel, install it if that is asked, and say so. Return the exit code.

    A machine on which it cannot be built or installed has no oracle; that is no failure.
    """
    parser = argparse.ArgumentParser(prog="build.py")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--install", action="store_true")
    options = parser.parse_args(arguments)
    try:
        wheel = build(CRATE, options.folder)
        if wheel is None:
            print(WITHOUT)
        elif options.install:
            _pip("install", "--force-reinstall", "--no-deps", str(wheel))
    except OracleError as error:
        print(f"the oracle is not installed; campaigns run without it\n{error}", file=sys.stderr)
        return 0 if options.install else 1
    if wheel is not None:
        print(f"{'Installed' if options.install else 'Built'} the oracle: {wheel}")
    return 0


def _pip(command: str, *arguments: str, **variables: str) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            command,
            "--quiet",
            "--disable-pip-version-check",
            *arguments,
        ],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise OracleError(f"{done.stdout}{done.stderr}".strip())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
