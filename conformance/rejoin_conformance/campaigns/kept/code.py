"""The digest of the code on which results depend.

Results of different code must not be mixed. The import graph determines the sources, so a change to
a page, a drawing or a command does not affect a campaign.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from rejoin_conformance.kit.import_graph import closure, modules_of

SUITE: Final = "rejoin_conformance"
_GENERAL: Final = ("campaigns.plan", "campaigns.block", "readings.in_force", "campaigns.summary")
_OF_SYSTEM: Final = (
    "operations",
    "actions",
    "histories",
    "drawing",
    "run",
    "examine",
    "calls",
    "laws",
)
"""The modules of a system on which its histories depend; not every system has all of them."""
_AGAINST_ADAPTER: Final = ("campaigns.adapter_block",)


def entries_of(system: str, *, asking: bool = False) -> list[str]:
    """Return the modules from which a campaign's code is found.

    asking: whether the campaign compares an adapter with the reference.
    """
    package = system.replace("-", "_")
    of_system = (f"{SUITE}.systems.{package}.{name}" for name in _OF_SYSTEM)
    known = modules_of(SUITE)
    return [
        f"rejoin.{package}",
        *(f"{SUITE}.{name}" for name in (*_GENERAL, *(_AGAINST_ADAPTER if asking else ()))),
        *(name for name in of_system if name in known),
    ]


def sources(entries: Iterable[str]) -> list[tuple[str, Path]]:
    """Return the modules that some modules need, themselves too: (dotted name, source file).

    The texts beside them follow them; see `text_beside`.
    """
    modules = {**modules_of("rejoin"), **modules_of(SUITE)}
    found = [(name, modules[name]) for name in sorted(closure(entries, modules))]
    texts = [(f"{name}.txt", path.with_suffix(".txt")) for name, path in found]
    return [*found, *(each for each in texts if each[1].is_file())]


def code_digest(entries: Iterable[str]) -> str:
    """Return the digest of the sources that some modules need, as hex."""
    digest = hashlib.blake2b(digest_size=32)
    for name, path in sources(entries):
        source = path.read_bytes()
        digest.update(f"{name}\0{len(source)}\0".encode())
        digest.update(source)
    return digest.hexdigest()
