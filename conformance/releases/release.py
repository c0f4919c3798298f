"""Build everything that a release consists of, and the list of its digests.

    release.py [--output DIR] [--signing-key FILE]

The files come from the last commit, so changes that are not committed are left out. The same commit
gives the same bytes on every machine with the same versions of Python, zlib and hatchling, except
for the wheel of the oracle. Every other file has the time of the commit, or SOURCE_DATE_EPOCH if it
is set. docs/releases.md has the steps of a release.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from corpus_packages import corpus_packages
from digests import LIST, SigningError, digest_list, sign
from python_packages import BuildError, oracle_wheel, python_packages
from site_archive import site_archive

ROOT: Final = Path(__file__).resolve().parents[2]
Builder: TypeAlias = Callable[[Path, int], dict[str, bytes]]

BUILDERS: Final[tuple[Builder, ...]] = (
    python_packages,
    oracle_wheel,
    corpus_packages,
    site_archive,
)
"""Each returns files of the release, name -> bytes, from a checkout and the time of its files."""

_VERSION: Final = re.compile(r'^__version__ = "(.*)"$', re.MULTILINE)


class NoCheckoutError(Exception):
    """The folder is not a checkout of git. The message is one line."""


def main(arguments: list[str]) -> int:
    """Build a release and return the exit code."""
    parser = argparse.ArgumentParser(prog="release.py")
    parser.add_argument("--output", type=Path, default=ROOT / "dist")
    parser.add_argument("--signing-key", type=Path)
    options = parser.parse_args(arguments)
    try:
        with tempfile.TemporaryDirectory(prefix="rejoin-release-") as folder:
            tree = Path(folder)
            export(ROOT, tree)
            notes = notes_on(ROOT, tree)
            files = release_files(tree, epoch_of(ROOT))
        signature = write_release(files, options.output, options.signing_key)
    except (NoCheckoutError, BuildError, SigningError, OSError) as error:
        print(f"release.py: {error}", file=sys.stderr)
        return 2
    for name in sorted(files):
        print(f"{len(files[name]):>12,} bytes  {options.output / name}")
    print(f"digests: {options.output / LIST}")
    if signature is None:
        notes.append("the list of digests is not signed; to sign it: make release SIGNING_KEY=FILE")
    else:
        print(f"signature: {signature}")
    if not any(name.startswith("rejoin_oracle-") for name in files):
        notes.append("cargo is not installed, so the release has no wheel of the oracle")
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
    return 0


def release_files(
    tree: Path, epoch: int, builders: Sequence[Builder] = BUILDERS
) -> dict[str, bytes]:
    """Return every file of the release except the list of digests: name -> bytes."""
    return {name: data for build in builders for name, data in build(tree, epoch).items()}


def write_release(files: dict[str, bytes], folder: Path, key: Path | None) -> Path | None:
    """Write the files and the list of digests, and sign the list if there is a key.

    Returns the path of the signature. Raises SigningError or OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    listed = folder / LIST
    listed.write_text(digest_list(files), encoding="ascii", newline="\n")
    listed.with_name(f"{LIST}.sig").unlink(missing_ok=True)  # it signs an earlier list
    return None if key is None else sign(listed, key)


def export(checkout: Path, folder: Path) -> None:
    """Write the files of the last commit to a folder. Raises NoCheckoutError."""
    with tarfile.open(fileobj=io.BytesIO(_git(checkout, "archive", "HEAD"))) as archive:
        archive.extractall(folder, filter="data")


def epoch_of(checkout: Path) -> int:
    """Return SOURCE_DATE_EPOCH, or the time of the last commit, in seconds since 1970."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    return int(given or _git(checkout, "log", "-1", "--format=%ct"))


def notes_on(checkout: Path, tree: Path) -> list[str]:
    """Return one line for each reason why this is not yet a release."""
    notes = []
    if _git(checkout, "status", "--porcelain"):
        notes.append("changes that are not committed are left out")
    source = (tree / "reference" / "rejoin" / "__init__.py").read_text(encoding="utf-8")
    found = _VERSION.search(source)
    version = found[1] if found else "?"
    if f"\n## [{version}]" not in (tree / "CHANGELOG.md").read_text(encoding="utf-8"):
        notes.append(f"CHANGELOG.md has no section for version {version}")
    return notes


def _git(checkout: Path, *arguments: str) -> bytes:
    try:
        done = subprocess.run(
            ["git", "-C", str(checkout), *arguments], capture_output=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        raise NoCheckoutError(f"{checkout} is not a checkout of git") from None
    return done.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
