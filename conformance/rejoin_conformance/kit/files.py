"""Write files so that a reader sees the old content or the whole new content, never a part."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Write text in UTF-8 to a file, which is replaced when the text is complete.

    If the write fails, for example on a full disk, the old file stays. A path that is not a regular
    file, such as /dev/stdout, is written directly. Raises OSError.
    """
    target = path.resolve()
    if target.exists() and not target.is_file():
        path.write_text(text, encoding="utf-8", newline="\n")
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
