"""The command that installs an extra of this suite, from where the suite itself came.

The name of the distribution is on no package index, and somebody else can take it there. A hint
therefore names the file or the checkout that the installed metadata name.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from shlex import quote
from typing import Final
from urllib.parse import unquote, urlsplit

from rejoin_conformance.kit.json_types import strict_json

DISTRIBUTION: Final = "rejoin-conformance"
"""The name of the distribution that holds the suite and the reference."""


def install_hint(extra: str) -> str:
    """Return the command that installs the packages of an extra."""
    source, editable = _source()
    return f"pip install {'-e ' if editable else ''}{quote(f'{source}[{extra}]')}"


def _source() -> tuple[str, bool]:
    """Return the file or folder that was installed, and whether it is an editable checkout."""
    try:
        record = distribution(DISTRIBUTION).read_text("direct_url.json")
    except PackageNotFoundError:  # a checkout that is on the path, but not installed
        return str(Path(__file__).parents[3]), True
    if record is None:
        return f"{DISTRIBUTION}=={distribution(DISTRIBUTION).version}", False
    said = strict_json(record)
    assert isinstance(said, dict), "pip writes an object (PEP 610)"
    folder = said.get("dir_info")
    editable = isinstance(folder, dict) and folder.get("editable") is True
    return unquote(urlsplit(str(said["url"])).path), editable
