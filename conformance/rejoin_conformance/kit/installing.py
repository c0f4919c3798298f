"""The command that installs an extra of this suite, from where the suite itself came.

The name of the distribution is on no package index, and somebody else can take it there. A hint
therefore names what the installed metadata name: a file, a checkout or an address (PEP 610).
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from shlex import quote
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from rejoin_conformance.kit.json_types import strict_json

DISTRIBUTION: Final = "rejoin-conformance"
"""The name of the distribution that holds the suite and the reference."""


def install_hint(extra: str) -> str:
    """Return the command that installs the packages of an extra."""
    try:
        installed = distribution(DISTRIBUTION)
    except PackageNotFoundError:  # a checkout that is on the path, but not installed
        return f"pip install -e {quote(f'{Path(__file__).parents[3]}[{extra}]')}"
    record = installed.read_text("direct_url.json")
    if record is None:
        return f"pip install {quote(f'{DISTRIBUTION}[{extra}]=={installed.version}')}"
    said: Any = strict_json(record)
    address = urlsplit(said["url"])
    if address.scheme == "file":
        option = "-e " if said.get("dir_info", {}).get("editable") else ""
        return f"pip install {option}{quote(f'{unquote(address.path)}[{extra}]')}"
    vcs = said.get("vcs_info")
    source = said["url"] if vcs is None else f"{vcs['vcs']}+{said['url']}@{vcs['commit_id']}"
    return f"pip install {quote(f'{DISTRIBUTION}[{extra}] @ {source}')}"
