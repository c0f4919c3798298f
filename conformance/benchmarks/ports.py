"""Build the ports in other languages. The build output is kept between runs."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

SOURCES: Final = Path(__file__).parent.parent / "ports"
BUILT: Final = Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser() / "rejoin-ports"


def built() -> Iterator[tuple[str, str]]:
    """Build the ports. Yield the language and the command line of each whose tools are there."""
    for language, (tools, build, run) in _PORTS.items():
        missing = [tool for tool in tools if shutil.which(tool) is None]
        if missing:
            print(f"{language}: left out, {' and '.join(missing)} not installed")
            continue
        folder = BUILT / language.lower()
        shutil.copytree(SOURCES / language.lower(), folder, dirs_exist_ok=True)
        subprocess.run(build.split(), cwd=folder, check=True, capture_output=True)
        *words, program = run.split()
        yield language, shlex.join([*words, str(folder / program)])


_PORTS: Final[Mapping[str, tuple[Sequence[str], str, str]]] = {
    "Rust": (["cargo"], "cargo build --release", "target/release/rejoin-rust"),
    "JavaScript": (["node", "npm"], "npm install --no-audit --no-fund", "node adapter.js"),
}
"""Language -> the tools that it needs, the command that builds it, and the one that runs it."""
