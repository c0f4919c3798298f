"""The mutants of the Rust port: those that cargo-mutants lists, in one build that carries them all.

cargo-mutants builds the port once for each mutant. Here a copy of the port carries all mutants
(`schemata.py`), and the program in `rust/mutants/` asks it the corpus, one mutant at a time.
Mutants that do not compile are left out of the build. The few that are in no function, and those
of `main`, change the sources instead, one at a time.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from kept_answers import KeptAnswers, digest_of
from port_mutants import INVALID, KILLED, SURVIVED, Mutant, mutant_of, numbered, span_of
from rejoin_conformance.corpus.load import load_system
from schemata import Schema, Site, by_file, changed, invalid, schema, sites
from scratch import BUILD, PORTS, SYSTEMS, VECTORS, ScratchError

CARGO_MUTANTS: Final = "27.1.0"
MAIN: Final = "src/main.rs"
RANDOM_KILLS: Final = BUILD / "rust-random-kills.json"
"""Mutant -> the vectors of the tier `random` that kill it, if no other vector does."""

_NO_MUTANT: Final = 0
_FOLDER: Final = BUILD / "rust-mutants"
_PORT: Final = PORTS / "rust"
_PROFILE: Final = ("--profile", "mutants")
_LIBRARY: Final = '[lib]\nname = "rejoin_port"\ndoctest = false\n\n'
"""A part of the manifest. The program with the mutants declares all modules itself."""


@frozen(kw_only=True)
class Judged:
    """What the corpus says of a mutant that compiles.

    reached: whether any vector enters its function. killed_by: the vector of the tiers `core` and
    `sizes` that killed it. random: if there is none, all vectors of the tier `random` that kill it.
    """

    mutant: int
    reached: bool
    killed_by: str | None
    random: tuple[str, ...]

    @property
    def fate(self) -> str:
        """Return whether a vector kills the mutant."""
        return KILLED if self.killed_by or self.random else SURVIVED


def run_rust(files: Sequence[str]) -> tuple[Mutant, ...]:
    """Run the mutants of some files, such as `src/bt.rs`. Raises ScratchError if a tool fails."""
    listed = [each for each in _listed() if each["file"] in files]
    sources = {file: (_PORT / file).read_text(encoding="utf-8") for file in files}
    places = sites(listed, sources)
    carried = by_file(each for each in places if each.file != MAIN)
    schemas = build(sources, carried)
    judged = {each.mutant: each for each in ask(schemas.values())}
    names = {place.number: each["name"] for place, each in zip(places, listed, strict=True)}
    _write_random_kills({names[each.mutant]: each.random for each in judged.values()})
    fates = {number: each.fate for number, each in judged.items()}
    inside = {each.number for group in carried.values() for each in group}
    fates |= alone([each for each in places if each.number not in inside], sources)
    return numbered(
        mutant_of(
            each["file"],
            sources[each["file"]],
            each["genre"],
            span_of(each["span"]),
            each["replacement"],
            fates.get(place.number, INVALID),
        )
        for place, each in zip(places, listed, strict=True)
    )


def files_of_rust() -> tuple[str, ...]:
    """Return the source files of the port, by their paths in it."""
    return tuple(str(path.relative_to(_PORT)) for path in sorted((_PORT / "src").rglob("*.rs")))


def build(sources: Mapping[str, str], mutants: Mapping[str, Sequence[Site]]) -> dict[str, Schema]:
    """Build the program with all mutants that compile; return its sources.

    sources, mutants: by file.
    """
    _copy(_FOLDER)
    for path in sorted((_PORT / "mutants").iterdir()):
        shutil.copy(path, _FOLDER / "src")
    for path in (_PORT / "tests" / "corpus").iterdir():
        if path.name != "main.rs":
            shutil.copy(path, _FOLDER / "src")
    manifest = (_PORT / "Cargo.toml").read_text(encoding="utf-8")
    (_FOLDER / "src" / "lib.rs").unlink()
    for before, after in (("[dev-dependencies]\n", ""), (_LIBRARY, ""), ('"forbid"', '"allow"')):
        manifest = manifest.replace(before, after)
    (_FOLDER / "Cargo.toml").write_text(manifest, encoding="utf-8")
    left_out: frozenset[int] = frozenset()
    for command in ("check", "build"):
        while True:
            schemas = _written(sources, mutants, left_out)
            ran = _cargo(command, "--message-format=json", "--quiet")
            if ran.returncode == 0:
                break
            found = invalid(ran.stdout.splitlines(), schemas)
            if not found:
                raise ScratchError(ran.stderr[-3000:])
            left_out |= found
    return schemas


def _written(
    sources: Mapping[str, str], mutants: Mapping[str, Sequence[Site]], left_out: frozenset[int]
) -> dict[str, Schema]:
    """Write the sources with all mutants except some."""
    schemas: dict[str, Schema] = {}
    for file, inside in mutants.items():
        first = sum(len(each.functions) for each in schemas.values())
        kept = [each for each in inside if each.number not in left_out]
        schemas[file] = schema(sources[file], kept, first)
        (_FOLDER / file).write_text(schemas[file].text, encoding="utf-8")
    return schemas


def ask(schemas: Iterable[Schema]) -> list[Judged]:
    """Ask the program that was built the corpus, with each of its mutants.

    Raises ScratchError if the program fails, or if it is wrong without a mutant.
    """
    functions = {number: inside for each in schemas for number, inside in each.functions.items()}
    pairs = [(mutant, number) for number, inside in functions.items() for mutant in inside]
    kept = KeptAnswers(BUILD / "rust-answers.ndjson", digest_of([_FOLDER / "src", VECTORS]))
    known = {each["mutant"] for each in kept.load()}
    left = [pair for pair in pairs if pair[0] not in known]
    print(f"rust: {len(left):,} of {len(pairs):,} mutants to ask", file=sys.stderr, flush=True)
    random = [
        vector.id for name in SYSTEMS for vector in load_system(name) if vector.tier == "random"
    ]
    work = _FOLDER / "work.json"
    text = json.dumps({"mutants": [(_NO_MUTANT, min(functions)), *left], "random": random})
    work.write_text(text, encoding="utf-8")
    program = BUILD / "target" / "mutants" / "rejoin-rust"
    with kept.path.open("a", encoding="utf-8") as answers:
        asked = subprocess.run(
            [str(program), str(work)],
            cwd=_FOLDER,
            env={**os.environ, "REJOIN_VECTORS": str(VECTORS)},
            stdout=answers,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    if asked.returncode != 0:
        raise ScratchError(asked.stderr[-3000:])
    found = [judged(line) for line in kept.load()]
    if any(each.mutant == _NO_MUTANT and each.fate == KILLED for each in found):
        raise ScratchError("the unchanged port fails under the limits of a mutant")
    return [each for each in found if each.mutant != _NO_MUTANT]


def alone(mutants: Sequence[Site], sources: Mapping[str, str]) -> dict[int, str]:
    """Return the fates of mutants that change the sources, one at a time. sources: by file."""
    digest = digest_of([_PORT / "src", _PORT / "tests", VECTORS], *(str(each) for each in mutants))
    kept = KeptAnswers(BUILD / "rust-alone.ndjson", digest)
    fates = {each["mutant"]: each["fate"] for each in kept.load()}
    for each in mutants:
        if each.number not in fates:
            fates[each.number] = _fate_alone(each, sources[each.file])
            kept.add({"mutant": each.number, "fate": fates[each.number]})
    return fates


def judged(line: Mapping[str, Any]) -> Judged:
    """Return what a line of the program's output says."""
    return Judged(**{**line, "random": tuple(line["random"])})


def _fate_alone(mutant: Site, source: str) -> str:
    """Change the sources as one mutant does, and run the test of the corpus."""
    folder = BUILD / "rust-mutant"
    _copy(folder)
    text = changed(source, (0, len(source)), mutant)
    (folder / mutant.file).write_text(text, encoding="utf-8")
    test = ["cargo", "test", *_PROFILE, "--test", "corpus"]
    if _ran([*test, "--no-run"], folder).returncode != 0:
        return INVALID
    return SURVIVED if _ran(test, folder).returncode == 0 else KILLED


def _listed() -> list[dict[str, Any]]:
    version = _ran(["cargo", "mutants", "--version"], _PORT)
    if CARGO_MUTANTS not in version.stdout:
        raise ScratchError(f"run: cargo install cargo-mutants --version {CARGO_MUTANTS} --locked")
    _copy(_FOLDER)
    for path in (_FOLDER / "src").rglob("*.rs"):
        path.write_text(with_known_names(path.read_text(encoding="utf-8")), encoding="utf-8")
    listing = _ran(["cargo", "mutants", "--list", "--json"], _FOLDER)
    if listing.returncode != 0:
        raise ScratchError(listing.stderr[-3000:])
    mutants: list[dict[str, Any]] = json.loads(listing.stdout)
    return mutants


def with_known_names(source: str) -> str:
    """Return a source of the same length, in which the port's own names of `Result` are replaced.

    cargo-mutants chooses the values that a function may return by the name of their type.
    """
    return source.replace("Outcome<", "Result <").replace("Parsed<", "Result<")


def _copy(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(_PORT, folder, ignore=shutil.ignore_patterns("target", "mutants"))


def _write_random_kills(kills: Mapping[str, tuple[str, ...]]) -> None:
    only = {name: ids for name, ids in kills.items() if ids}
    RANDOM_KILLS.write_text(json.dumps(only, indent=1) + "\n", encoding="utf-8")


def _cargo(command: str, *options: str) -> subprocess.CompletedProcess[str]:
    return _ran(["cargo", command, *_PROFILE, *options], _FOLDER)


def _ran(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {
        "CARGO_TARGET_DIR": str(BUILD / "target"),
        "CARGO_PROFILE_MUTANTS_OPT_LEVEL": "1",
        "REJOIN_VECTORS": str(VECTORS),
    }
    return subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
