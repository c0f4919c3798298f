"""The profiles of conformance: the operations that an implementation must have as a whole.

`spec/<system>/conformance.md` defines those of a system. A heading names a profile, and a table
below it lists its operations, each with the features that may be left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from attrs import frozen

from rejoin_conformance.contract.registry import system_names
from rejoin_conformance.kit.locations import spec_directory

_PROFILE: Final = re.compile(
    r"^## (?P<name>\S+ \S+)$(?P<body>.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL
)
_ROW: Final = re.compile(r"^\| `([^`]+)` \| (.*) \|$", re.MULTILINE)


@frozen(kw_only=True)
class Profile:
    """A named part of a system. operations: name -> the features of it that may be left out."""

    name: str
    operations: Mapping[str, tuple[str, ...]]


@cache
def profiles_of(system: str) -> tuple[Profile, ...]:
    """Return the profiles of a system; none if its spec has no page of them."""
    page = spec_directory() / system / "conformance.md"
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    return tuple(
        Profile(
            name=found["name"],
            operations={
                operation: tuple(re.findall(r"`([^`]+)`", features))
                for operation, features in _ROW.findall(found["body"])
            },
        )
        for found in _PROFILE.finditer(text)
    )


def every_profile() -> tuple[Profile, ...]:
    """Return the profiles of all systems."""
    return tuple(profile for name in system_names() for profile in profiles_of(name))
