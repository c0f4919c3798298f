"""Check the proofs of `spec/*/proof/` with Coq. `make proofs` calls this; it installs nothing.

usage: check.py [--list]

Coq compiles each file. After that, the script asks Coq for the axioms on which the theorems depend.
The check fails if a file does not compile, if a theorem depends on an axiom, or if the text of a
file leaves a proof open or assumes something. The file `_CoqProject` beside the proofs lists them,
each after those that it imports.

Exit codes: 0 all proofs hold, 1 a proof fails, 3 there is no Coq.

The script uses only the standard library, so it runs before `make setup`.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

SPEC: Final = Path(__file__).resolve().parents[2] / "spec"
NO_COQ: Final = 3

_OPEN: Final = re.compile(
    r"\b(Admitted|admit|give_up|Abort|Axioms?|Parameters?|Conjectures?|Declare|bypass_check)\b"
    r"|\b(?:Unset|Set)\s+(?:Guard Checking|Positivity Checking|Universe Checking)"
)
_THEOREM: Final = re.compile(
    r"^(?:Theorem|Lemma|Example|Corollary|Fact|Remark|Proposition)\s+([\w']+)", re.MULTILINE
)
_CLOSED: Final = "Closed under the global context"


class ProofError(Exception):
    """A proof that does not hold, or that Coq does not accept."""


@dataclass(frozen=True)
class Folder:
    """The proofs of one system.

    path: the folder. library: the name under which its files import each other. files: the names of
    the files, each after those that it imports.
    """

    path: Path
    library: str
    files: tuple[str, ...]

    @property
    def system(self) -> str:
        """Return the name of the system."""
        return self.path.parent.name


def folders(spec: Path = SPEC) -> Iterator[Folder]:
    """Yield the proofs of each system that has some.

    Errors: `ProofError` if `_CoqProject` does not list exactly the files of the folder.
    """
    for project in sorted(spec.glob("*/proof/_CoqProject")):
        words = project.read_text(encoding="utf-8").split()
        files = tuple(word for word in words if word.endswith(".v"))
        present = {path.name for path in project.parent.glob("*.v")}
        wrong = sorted(present.symmetric_difference(files))
        if wrong:
            raise ProofError(f"{project}: lists other files than the folder has: {wrong[0]}")
        yield Folder(project.parent, words[words.index("-Q") + 2], files)


def theorems(text: str) -> tuple[str, ...]:
    """Return the names of the theorems, lemmas and examples in the text of a file."""
    return tuple(_THEOREM.findall(without_comments(text)))


def assumed(text: str) -> str | None:
    """Return the first word with which a text leaves a proof open or assumes something."""
    found = _OPEN.search(without_comments(text))
    return found[0] if found else None


def without_comments(text: str) -> str:
    """Return a text of Coq without its comments, which can contain comments."""
    kept, depth = [], 0
    for part in re.split(r"(\(\*|\*\))", text):
        if part == "(*":
            depth += 1
        elif part == "*)":
            depth -= 1
        elif depth == 0:
            kept.append(part)
    return "".join(kept)


def check(folder: Folder, coqc: str, build: Path) -> int:
    """Check the proofs of one system in the folder `build`; return the number of theorems.

    Errors: `ProofError`.
    """
    named: list[str] = []
    for name in folder.files:
        text = (folder.path / name).read_text(encoding="utf-8")
        word = assumed(text)
        if word is not None:
            raise ProofError(f"{folder.path / name}: contains {word}; a proof must assume nothing")
        (build / name).write_text(text, encoding="utf-8")
        started = time.perf_counter()
        compiled(coqc, folder.library, build, name)
        here = theorems(text)
        named += [f"{Path(name).stem}.{theorem}" for theorem in here]
        print(
            f"  {name:<22} {len(here):>3} theorems  {time.perf_counter() - started:4.1f} s",
            flush=True,
        )
    axioms = axioms_of(coqc, folder, build, named)
    if axioms:
        raise ProofError(f"{folder.path}: a theorem depends on an axiom:\n{axioms}")
    return len(named)


def axioms_of(coqc: str, folder: Folder, build: Path, named: Sequence[str]) -> str:
    """Return what Coq prints about the axioms of the named theorems; empty if there are none.

    Coq is asked once, about a value that contains all theorems, because each question takes long.

    Errors: `ProofError` if Coq refuses the question.
    """
    modules = " ".join(Path(name).stem for name in folder.files)
    everything = "\n".join(f"  pose proof @{name}." for name in named)
    (build / "Assumptions.v").write_text(
        f"From {folder.library} Require {modules}.\n"
        f"Definition everything : True.\nProof.\n{everything}\n  exact I.\nDefined.\n"
        "Print Assumptions everything.\n",
        encoding="utf-8",
    )
    answer = compiled(coqc, folder.library, build, "Assumptions.v").strip()
    return "" if answer == _CLOSED else answer or "Coq did not answer"


def compiled(coqc: str, library: str, build: Path, name: str) -> str:
    """Compile one file in the folder `build`; return what Coq prints.

    Errors: `ProofError`, with the message of Coq.
    """
    done = subprocess.run(
        [coqc, "-q", "-Q", ".", library, name],
        cwd=build, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise ProofError(f"{name}: Coq refuses it\n{done.stderr.strip()}")
    return done.stdout


def main(arguments: Sequence[str] | None = None) -> int:
    """Check all proofs, or list their theorems; return the exit code."""
    parser = argparse.ArgumentParser(description="Check the proofs of spec/*/proof/ with Coq.")
    parser.add_argument("--list", action="store_true", help="list the theorems; Coq is not needed")
    options = parser.parse_args(arguments)
    coqc = shutil.which("coqc")
    try:
        for folder in folders():
            if options.list:
                _list(folder)
                continue
            if coqc is None:
                return _without_coq()
            print(folder.system, flush=True)
            with tempfile.TemporaryDirectory(prefix="rejoin-proofs-") as build:
                number = check(folder, coqc, Path(build))
            print(f"{folder.system}: {number} theorems, no axioms")
    except ProofError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _list(folder: Folder) -> None:
    for name in folder.files:
        for theorem in theorems((folder.path / name).read_text(encoding="utf-8")):
            print(f"{folder.system} {name} {theorem}")


def _without_coq() -> int:
    number = sum(
        len(theorems((folder.path / name).read_text(encoding="utf-8")))
        for folder in folders()
        for name in folder.files
    )
    print(
        f"not checked: {number} theorems, because there is no Coq (command coqc).\n"
        "Install Coq 8.16 or newer, for example: apt-get install coq",
        file=sys.stderr,
    )
    return NO_COQ


if __name__ == "__main__":
    sys.exit(main())
