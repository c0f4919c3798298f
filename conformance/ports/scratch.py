"""Copies of the ports outside the checkout's sources, and what the corpus says of them.

Each port reads the corpus in its own language: `rust/tests/corpus.rs` and `javascript/corpus/`. No
Python runs between a request and its answer.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Final

from attrs import define

PORTS: Final = Path(__file__).resolve().parent
CHECKOUT: Final = PORTS.parents[1]
VECTORS: Final = CHECKOUT / "vectors"
BUILD: Final = CHECKOUT / "build" / "ports"
"""What the scripts write; git ignores it."""

SYSTEMS: Final = ("config-merge", "conflict-detection", "history-merge")
SECONDS: Final = 600
"""After which a copy that gives no answer counts as wrong."""

_WRONG: Final = "WRONG "


class ScratchError(Exception):
    """A copy that cannot be made or built, with the output of the tool."""


@define
class Scratch(ABC):
    """A copy of a port. folder: where it is."""

    folder: Path

    @classmethod
    @abstractmethod
    def of_port(cls) -> Scratch:
        """Copy the port. Raises ScratchError if its packages are not available."""

    @abstractmethod
    def wrong_vectors(self, system: str) -> tuple[str, ...] | None:
        """Return the IDs of the vectors that the copy answers wrong; None if it hangs.

        Raises ScratchError if the copy cannot be built.
        """


class RustScratch(Scratch):
    """A copy of the Rust port. All copies share the build of the crates."""

    @classmethod
    def of_port(cls) -> RustScratch:
        """Copy the sources."""
        return cls(_copied("rust", "target"))

    def wrong_vectors(self, system: str) -> tuple[str, ...] | None:
        """Build the copy and run its test of the corpus."""
        self._cargo("--no-run")
        try:
            tested = self._test("--", "--nocapture", system=system)
        except subprocess.TimeoutExpired:
            return None
        return tuple(
            line.removeprefix(_WRONG)
            for line in tested.stdout.splitlines()
            if line.startswith(_WRONG)
        )

    def _cargo(self, *arguments: str) -> None:
        built = self._test(*arguments)
        if built.returncode != 0:
            raise ScratchError(built.stderr[-3000:])

    def _test(self, *arguments: str, system: str = "") -> subprocess.CompletedProcess[str]:
        variables = {
            "CARGO_TARGET_DIR": str(BUILD / "target"),
            "REJOIN_VECTORS": str(VECTORS),
            "REJOIN_SYSTEM": system,
            "REJOIN_ALL": "1",
        }
        command = ["cargo", "test", "--profile", "mutants", "--test", "corpus", *arguments]
        return _ran(command, self.folder, variables)


class JavaScriptScratch(Scratch):
    """A copy of the JavaScript port, with its packages."""

    @classmethod
    def of_port(cls) -> JavaScriptScratch:
        """Copy the sources, and the packages if they are installed beside them."""
        scratch = cls(_copied("javascript"))
        if not (scratch.folder / "node_modules").is_dir():
            command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"]
            installed = _ran([*command, "--omit=dev"], scratch.folder, {})
            if installed.returncode != 0:
                raise ScratchError(installed.stderr[-3000:])
        return scratch

    def wrong_vectors(self, system: str) -> tuple[str, ...] | None:
        """Run the script that asks the corpus."""
        command = ["node", "corpus/check.js", system, "--all"]
        try:
            asked = _ran(command, self.folder, {"REJOIN_VECTORS": str(VECTORS)})
        except subprocess.TimeoutExpired:
            return None
        wrong = tuple(asked.stdout.splitlines())
        if asked.returncode != 0 and not wrong:
            raise ScratchError(asked.stderr[-3000:])
        return wrong


def scratch_of(port: str) -> Scratch:
    """Return a copy of a port: `rust` or `javascript`. Raises ScratchError."""
    return RustScratch.of_port() if port == "rust" else JavaScriptScratch.of_port()


def _copied(port: str, *left_out: str) -> Path:
    folder = BUILD / port
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(PORTS / port, folder, ignore=shutil.ignore_patterns(*left_out))
    return folder


def _ran(
    command: list[str], folder: Path, variables: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **{name: value for name, value in variables.items() if value}},
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
