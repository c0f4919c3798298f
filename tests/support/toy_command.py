"""The command `rejoin` with only the toy system: toy_command.py FOLDER ARGUMENTS.

The toy corpus is written to FOLDER.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rejoin_conformance import systems
from rejoin_conformance.command_line.main import run
from rejoin_conformance.contract import registry
from rejoin_conformance.corpus import load
from rejoin_conformance.corpus.generate import INDEX_PATH, index_text, system_files
from support.toy_system import TOY


def install_toy(folder: Path, set_attribute: Callable[[object, str, Any], None] = setattr) -> None:
    """Make the toy system the only system, with its package and its corpus in `folder`."""
    package = folder / "systems" / "toy"
    package.mkdir(parents=True, exist_ok=True)
    (package / "__init__.py").touch()
    (package / "system.py").write_text("from support.toy_system import TOY as SYSTEM\n")
    corpus = folder / "vectors"
    files, vectors = system_files(TOY)
    for path, text in {**files, INDEX_PATH: index_text(vectors)}.items():
        target = corpus / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    set_attribute(systems, "__path__", [str(folder / "systems")])
    set_attribute(load, "vectors_directory", lambda: corpus)
    forget_systems()


def forget_systems() -> None:
    """Make the registry search for systems again."""
    registry.forget_systems()
    for name in [name for name in sys.modules if name.startswith(f"{systems.__name__}.toy")]:
        del sys.modules[name]


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
    install_toy(Path(sys.argv[1]))
    sys.exit(run(sys.argv[2:]))
