"""Read the files of a corpus from a folder, a zip (also a wheel) or a tarball.

Archives come from elsewhere. They are read in memory and never unpacked, and their number of files
and their size are limited before they are read.
"""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath
from typing import Final

from rejoin_conformance.corpus.load import CorpusError
from rejoin_conformance.kit.untrusted import shown_line

MOST_FILES: Final = 20_000
MOST_BYTES: Final = 128 * 1024 * 1024
"""The limits of an archive. The size is that of the files that are read, or of a whole tarball."""

INDEX: Final = "index.json"
RETIRED: Final = "retired.json"
_SCHEMAS: Final = "schema"
_GZIP: Final = b"\x1f\x8b"
_UNREADABLE: Final = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    EOFError,
    NotImplementedError,  # a method of compression that Python lacks
    RuntimeError,  # an encrypted zip
    ValueError,
)


def corpus_files(path: Path) -> dict[str, bytes]:
    """Return the JSON files of a corpus without its schemas: path below the corpus -> content.

    path: a folder, a zip or a tarball. The corpus is the folder with `index.json`. In a folder, it
    can also be in the folder `vectors`; in an archive, it can be anywhere. Raises CorpusError.
    """
    try:
        if path.is_dir():
            return _of_folder(path)
        if not path.exists():
            raise CorpusError(f"{path}: there is no such file or folder")
        if not path.is_file():
            raise CorpusError(f"{path}: not a folder and not a regular file")
        return _of_zip(path) if zipfile.is_zipfile(path) else _of_tarball(path)
    except OSError as error:
        raise CorpusError(f"{path}: {error.strerror or error}") from None
    except _UNREADABLE as error:
        reason = shown_line(str(error)) or type(error).__name__
        raise CorpusError(f"{path}: the archive is corrupt: {reason}") from None


def _of_folder(folder: Path) -> dict[str, bytes]:
    for root in (folder, folder / "vectors"):
        if (root / INDEX).is_file():
            paths = [*root.glob("*.json"), *root.glob("*/*.json")]
            named = {path.relative_to(root).as_posix(): path for path in paths if path.is_file()}
            return {name: path.read_bytes() for name, path in named.items() if _is_part(name)}
    raise CorpusError(f"{folder}: not a corpus: there is no {INDEX}")


def _of_zip(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        entries = {each.filename: each for each in archive.infolist()}
        if len(entries) < len(archive.infolist()):
            raise CorpusError(f"{path}: two files of the archive have the same name")
        left = MOST_BYTES

        def content(name: str) -> bytes:
            nonlocal left
            with archive.open(entries[name]) as file:
                data = file.read(left + 1)
            left -= len(data)
            if left < 0:
                raise _too_large(path)
            return data

        return _parts(path, entries, content)


def _of_tarball(path: Path) -> dict[str, bytes]:
    data = _unzipped(path)
    if not tarfile.is_tarfile(io.BytesIO(data)):
        raise CorpusError(f"{path}: not a folder, a zip or a tarball")
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        entries: dict[str, tarfile.TarInfo] = {}
        for each in archive:
            if each.name in entries:
                raise CorpusError(f"{path}: two files of the archive have the same name")
            entries[each.name] = each
        regular = {name: each for name, each in entries.items() if each.isreg()}

        def content(name: str) -> bytes:
            taken = archive.extractfile(regular[name])
            assert taken is not None, "it is a regular file"
            return taken.read()

        return _parts(path, regular, content)


def _unzipped(path: Path) -> bytes:
    """Return a file's bytes, without the compression of gzip if it has one."""
    with path.open("rb") as file:
        if file.read(len(_GZIP)) == _GZIP:
            file.seek(0)
            with gzip.GzipFile(fileobj=file) as unzipped:
                data = unzipped.read(MOST_BYTES + 1)
        else:
            file.seek(0)
            data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise _too_large(path)
    return data


def _parts(path: Path, names: Iterable[str], content: Callable[[str], bytes]) -> dict[str, bytes]:
    """Return the files of the corpus in an archive. content: returns the bytes of a name."""
    listed = tuple(names)
    if len(listed) > MOST_FILES:
        raise CorpusError(f"{path}: more than {MOST_FILES:,} files; this is not a corpus")
    for name in listed:
        if name.startswith("/") or "\\" in name or ".." in PurePosixPath(name).parts:
            raise CorpusError(f"{path}: the name {shown_line(name)!r} leads out of the archive")
    root = _root(path, listed)
    below = {name.removeprefix(root): name for name in listed if name.startswith(root)}
    return {part: content(name) for part, name in below.items() if _is_part(part)}


def _root(path: Path, names: tuple[str, ...]) -> str:
    """Return the folder of the corpus in an archive: empty, or a path that ends with `/`."""
    roots = [
        name.removesuffix(INDEX)
        for name in names
        if PurePosixPath(name).name == INDEX and PurePosixPath(name).parent.name != _SCHEMAS
    ]
    if not roots:
        raise CorpusError(f"{path}: not a corpus: there is no {INDEX}")
    highest = min(root.count("/") for root in roots)
    first, *others = (root for root in roots if root.count("/") == highest)
    if others:
        raise CorpusError(f"{path}: there are {len(others) + 1} corpora; unpack one of them")
    return first


def _is_part(name: str) -> bool:
    """Return whether a path below a corpus is the index, the retired IDs or a topic."""
    folder, _, file = name.rpartition("/")
    if not folder:
        return name in {INDEX, RETIRED}
    return "/" not in folder and folder != _SCHEMAS and file.endswith(".json")


def _too_large(path: Path) -> CorpusError:
    return CorpusError(f"{path}: more than {MOST_BYTES // 1024**2} MiB when it is unpacked")
