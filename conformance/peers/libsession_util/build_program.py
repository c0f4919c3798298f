"""Build the program that asks libsession-util, from sources that the user has.

    build_program.py CHECKOUT PROGRAM

CHECKOUT is a checkout of libsession-util with its submodules; oxen-encoding may also be a folder
beside it. PROGRAM is the file to write. Nothing is downloaded. It needs a C++20 compiler, libsodium
and zstd with their headers.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
SOURCES: Final = ("src/config.cpp", "src/config/internal.cpp", "src/config/encrypt.cpp")
HEADERS: Final = ("src/config/internal.hpp", "include/session/config.hpp")
MEASURED: Final = ("8762e9d", "35f195f27e5a4ce4")
"""The commit whose behaviour the reading `libsession` copies, and the digest of its sources."""


def encoding_of(checkout: Path) -> Path:
    """Return the folder of oxen-encoding: in the checkout, or beside it."""
    header = "oxenc/bt_serialize.h"
    found = [
        *sorted(checkout.glob(f"external/**/{header}")),
        checkout.parent / "oxen-encoding" / header,
    ]
    for each in found:
        if each.is_file():
            return each.parents[1]
    sys.exit(
        f"{checkout}: no {header} in external/ and none in ../oxen-encoding. Get the submodules."
    )


def version_of(checkout: Path) -> str:
    """Return the commit of a checkout. Sources without git are known by their digest."""
    if (checkout / ".git").exists():
        command = ["git", "-C", str(checkout), "describe", "--always", "--dirty", "--exclude", "*"]
        return "commit " + subprocess.check_output(command, text=True).strip()
    commit, digest = MEASURED
    return (
        f"commit {commit}" if digest_of(checkout) == digest else f"unknown, {digest_of(checkout)}"
    )


def digest_of(checkout: Path) -> str:
    """Return the digest of the sources that are built."""
    texts = [(checkout / each).read_bytes() for each in (*SOURCES, *HEADERS)]
    return hashlib.blake2b(b"\0".join(texts), digest_size=8).hexdigest()


def build(checkout: Path, program: Path) -> None:
    """Compile the program."""
    for each in SOURCES:
        if not (checkout / each).is_file():
            sys.exit(f"{checkout}: not a checkout of libsession-util: it has no {each}")
    includes = [checkout / "include", checkout / "src", encoding_of(checkout)]
    subprocess.run(
        [
            *(os.environ.get("CXX", "c++"), "-std=c++20", "-O1"),
            *("-ffunction-sections", "-Wl,--gc-sections"),  # internal.cpp needs more to link whole
            *(f"-I{each}" for each in includes),
            f'-DLIBSESSION_VERSION="{version_of(checkout)}"',
            str(HERE / "worker.cpp"),
            *(str(checkout / each) for each in SOURCES),
            *("-lsodium", "-lzstd", "-o", str(program)),
        ],
        check=True,
    )


if __name__ == "__main__":
    build(Path(sys.argv[1]), Path(sys.argv[2]))
