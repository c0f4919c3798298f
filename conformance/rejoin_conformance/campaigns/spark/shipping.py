"""The two packages as one zip, for executors without an installation of them.

A cluster thus always runs the driver's version, whatever is installed there.
"""

from __future__ import annotations

import hashlib
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import rejoin

_PACKAGES: Final = (Path(rejoin.__file__).resolve().parent, Path(__file__).resolve().parents[2])
_LEFT_OUT: Final = ("__pycache__", "data")
_EXTENSIONS: Final = (".so", ".pyd")  # a zip cannot contain modules that are compiled
_YEAR_ONE: Final = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip can store. A fixed time makes equal sources give equal bytes."""


@contextmanager
def packages_zip() -> Iterator[Path]:
    """Yield the path of the zip, named after its digest. It exists while the block runs."""
    with tempfile.TemporaryDirectory(prefix="rejoin-") as folder:
        unnamed = Path(folder) / "packages.zip"
        with zipfile.ZipFile(unnamed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, path in sorted(_files()):
                archive.writestr(zipfile.ZipInfo(name, _YEAR_ONE), path.read_bytes())
        digest = hashlib.blake2b(unnamed.read_bytes(), digest_size=8).hexdigest()
        yield unnamed.rename(unnamed.with_name(f"rejoin-{rejoin.__version__}-{digest}.zip"))


def _files() -> Iterator[tuple[str, Path]]:
    for package in _PACKAGES:
        for path in package.rglob("*"):
            name = path.relative_to(package.parent)
            left_out = set(name.parts) & set(_LEFT_OUT) or path.suffix in _EXTENSIONS
            if path.is_file() and not left_out:
                yield name.as_posix(), path
