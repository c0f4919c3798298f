"""Read input files within bounds. Write files as a whole: a reader never sees a part."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

MOST_BYTES: Final = 64 * 1024**2
"""The maximum size of an input file, if its reader states no other."""


def read_input(path: Path, most: int = MOST_BYTES) -> bytes:
    """Return the content of a file that a user names.

    most: the maximum size in bytes. Raises OSError if the file cannot be read, is larger, or is not
    a regular file: the content of a device or pipe may never end.
    """
    with open_input(path) as file:
        return read_at_most(file, str(path), most)


def open_input(path: Path) -> IO[bytes]:
    """Open a file that a user names. Raises OSError, also for a device or a pipe."""
    file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    return file


def read_at_most(file: IO[bytes], name: str, most: int = MOST_BYTES) -> bytes:
    """Return what an open file holds. Raises OSError with its name if this is more than most."""
    data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"too large; such a file has at most {most:,} bytes", name)
    return data


def read_input_text(path: Path, encoding: str = "utf-8") -> str:
    """Return a text that a user names, with line feeds. Raises OSError and UnicodeDecodeError."""
    text = read_input(path).decode(encoding)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_toml(path: Path) -> dict[str, Any]:
    """Return the TOML in a file that a user names. Raises ValueError with one line on the fault."""
    try:
        return tomllib.loads(read_input_text(path))
    except OSError as error:
        raise ValueError(error.strerror) from None
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8") from None
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except ValueError:
        raise ValueError("an integer has too many digits") from None


def own_tables(path: Path) -> list[dict[str, Any]]:
    """Return the tables in a TOML file of this project, each with its name; none without a file.

    The keys before the first table are those of every table.
    """
    found = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    tables = {name: each for name, each in found.items() if isinstance(each, dict)}
    common = {name: each for name, each in found.items() if name not in tables}
    return [{"name": name, **common, **each} for name, each in tables.items()]


def write_whole(path: Path, text: str) -> None:
    """Write text in UTF-8 to a file, which is replaced when the text is complete.

    If the write fails, for example on a full disk, the old file stays. A path that is not a regular
    file, such as /dev/stdout, is written directly. Raises OSError.
    """
    target = path.resolve()
    if target.exists() and not target.is_file():
        direct = os.open(path, os.O_WRONLY | os.O_NONBLOCK)  # a pipe without a reader is an error
        os.set_blocking(direct, True)
        with os.fdopen(direct, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        return
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        Path(name).chmod(mode)
        Path(name).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    """Return the mask of new files. The system returns it only when it is set."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
