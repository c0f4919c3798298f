"""Run the mutants of the ports, with the corpus as their only test, and check the survivors.

usage: mutants.py run PORT [PART ...]
       mutants.py check [--json]
       mutants.py stubs PORT

`run` makes the mutants of one port: `rust` as cargo-mutants lists them, `javascript` with Stryker.
A part is a system, or `shared` for the files that all systems use; all parts by default. The
result is kept in `build/ports/`. `check` compares all results there with
`PORT/equivalent.toml`: each survivor needs an entry, and no entry may name a mutant that is
killed or does not exist. `--json` prints the fate of every mutant as data. `stubs` prints an entry
without an argument for each survivor that has none.

Exit codes: 0 every survivor is argued, 1 something is wrong, 2 a tool is missing or fails.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from javascript_mutants import files_of_port as files_of_javascript
from javascript_mutants import run_javascript
from port_mutants import (
    INVALID,
    KILLED,
    SURVIVED,
    Change,
    Mutant,
    faults,
    load,
    load_equivalent,
    save,
)
from rust_mutants import files_of_rust, run_rust
from scratch import BUILD, SYSTEMS, ScratchError

SHARED: Final = "shared"
PARTS: Final = (*SYSTEMS, SHARED)
LANGUAGES: Final = ("rust", "javascript")


def main(arguments: Sequence[str]) -> int:
    """Run the chosen command."""
    given = _parser().parse_args(arguments)
    try:
        if given.command == "run":
            run(given.port, given.part or PARTS)
            return 0
        return check(as_json=given.json) if given.command == "check" else stubs(given.port)
    except (ScratchError, FileNotFoundError) as error:
        print(error, file=sys.stderr)
        return 2


def run(port: str, parts: Sequence[str]) -> None:
    """Run the mutants of some parts of a port and keep the results. Raises ScratchError."""
    files = files_of_rust() if port == "rust" else files_of_javascript()
    chosen = [file for file in files if part_of(file) in parts]
    mutants = run_rust(chosen) if port == "rust" else run_javascript(chosen)
    for part in parts:
        keep(port, part, [each for each in mutants if part_of(each.file) == part])


def part_of(file: str) -> str:
    """Return the system to which a source file belongs, or `shared`."""
    return next((each for each in file.replace("_", "-").split("/") if each in SYSTEMS), SHARED)


def keep(port: str, part: str, mutants: Sequence[Mutant]) -> None:
    """Keep the result of a part and print its figures."""
    save(result_path(port, part), mutants)
    killed = sum(each.fate == KILLED for each in mutants)
    survived = sum(each.fate == SURVIVED for each in mutants)
    print(f"{port} {part}: {len(mutants):,} mutants, {killed:,} killed, {survived:,} survive")


def result_path(port: str, part: str) -> Path:
    """Return the file that keeps the result of a part."""
    return BUILD / f"mutants-{port}-{part}.json"


def check(*, as_json: bool) -> int:
    """Print what is wrong with the results that are kept, or their mutants as data."""
    wrong: list[str] = []
    listed: list[dict[str, str]] = []
    for port in LANGUAGES:
        paths = [result_path(port, part) for part in PARTS]
        mutants = [each for path in paths if path.exists() for each in load(path)]
        entries = load_equivalent(port)
        wrong += (f"{port}: {fault}" for fault in faults(mutants, entries))
        arguments = {entry.change: entry.argument for entry in entries}
        listed += (_fate(port, each, arguments) for each in mutants if each.fate != INVALID)
    if as_json:
        print(json.dumps(listed))
    print("\n".join(wrong) or "every survivor is argued", file=sys.stderr if as_json else None)
    return 1 if wrong else 0


def _fate(port: str, mutant: Mutant, arguments: Mapping[Change, str]) -> dict[str, str]:
    fate, argument = mutant.fate, arguments.get(mutant.change, "")
    if fate == SURVIVED:
        fate = "equivalent" if argument else "alive"
    return {"port": port, "part": part_of(mutant.file), "fate": fate, "argument": argument}


def stubs(port: str) -> int:
    """Print an entry for each survivor without one."""
    known = {entry.change for entry in load_equivalent(port)}
    for part in PARTS:
        path = result_path(port, part)
        for mutant in load(path) if path.exists() else ():
            if mutant.fate == SURVIVED and mutant.change not in known:
                print("\n".join(_stub(mutant)) + "\n")
    return 0


def _stub(mutant: Mutant) -> Iterator[str]:
    yield "[[equivalent]]"
    for name in ("file", "line", "kind", "before", "after"):
        yield f"{name} = {json.dumps(getattr(mutant, name))}"
    if mutant.occurrence:
        yield f"occurrence = {mutant.occurrence}"
    yield 'argument = ""'


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Run the mutants of the ports.")
    commands = parser.add_subparsers(dest="command", required=True)
    running = commands.add_parser("run", help="run the mutants of a port")
    running.add_argument("port", choices=LANGUAGES)
    running.add_argument("part", nargs="*", help=f"of {', '.join(PARTS)}; default: all")
    checking = commands.add_parser("check", help="compare the results with the arguments")
    checking.add_argument("--json", action="store_true", help="print all mutants as data")
    stubbing = commands.add_parser("stubs", help="print entries for survivors without one")
    stubbing.add_argument("port", choices=LANGUAGES)
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
