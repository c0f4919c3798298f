"""Why a program cannot be started, in the user's words instead of those of the system."""

from __future__ import annotations

import errno
from pathlib import Path


def why_not_started(program: str, error: OSError | ValueError) -> str:
    """Return the reason on one line, and what to do if that is known.

    program: the first word of the command line. error: what starting it raised.
    """
    if not isinstance(error, OSError) or "\0" in program:
        return str(error)
    path = Path(program)
    if isinstance(error, FileNotFoundError):
        if "/" in program:
            return (
                "the interpreter in its first line does not exist"
                if path.exists()
                else _plain(error)
            )
        here = f"; for the file in this folder, write ./{program}" if path.is_file() else ""
        return f"there is no program of this name{here or '; the suite starts CMD without a shell'}"
    if path.is_dir():
        return "it is a folder, not a program"
    if isinstance(error, PermissionError) and path.is_file():
        return "the file is not executable; name its interpreter first, or run chmod +x on it"
    if error.errno == errno.ENOEXEC:
        return "the file is not a program; name its interpreter first, such as python3 or node"
    return _plain(error)


def _plain(error: OSError) -> str:
    return error.strerror or str(error)
