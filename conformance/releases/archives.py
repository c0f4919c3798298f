"""Archives whose bytes depend only on their contents: sorted, without owners, with one time."""

from __future__ import annotations

import gzip
import io
import tarfile
import time
import zipfile
from collections.abc import Mapping
from typing import Final

_FILE_MODE: Final = 0o644
_FIRST_DAY: Final = 315_532_800
"""1 January 1980 in seconds since 1970: the earliest time that a zip can store."""


def zip_of(files: Mapping[str, bytes], epoch: int) -> bytes:
    """Return a zip of the files.

    files: path -> content. epoch: the time of each file, in seconds since 1970.
    """
    moment = time.gmtime(max(epoch, _FIRST_DAY))[:6]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(files):
            entry = zipfile.ZipInfo(path, moment)
            entry.create_system = 3  # Unix: the meaning of the mode below
            entry.external_attr = _FILE_MODE << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, files[path])
    return buffer.getvalue()


def tarball_of(files: Mapping[str, bytes], epoch: int) -> bytes:
    """Return a gzipped tar of the files. files and epoch: as for `zip_of`."""
    buffer = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=buffer, mode="wb", compresslevel=9, filename="", mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive,
    ):
        for path in sorted(files):
            entry = tarfile.TarInfo(path)
            entry.size, entry.mtime, entry.mode = len(files[path]), epoch, _FILE_MODE
            archive.addfile(entry, io.BytesIO(files[path]))
    return buffer.getvalue()
