"""Run the peers, and print the results of each as a line of JSON.

usage: run.py [NAME ...]

A peer is a folder with `peer.toml` and `known-failures.toml`, which lists what is expected to fail.
If it has a `requirements.txt`, this is installed into a virtual environment of the peer's own. If
it names a checkout, `build_program.py` builds a program from the user's sources in a temporary
folder, and the adapter gets its path. Such a peer runs only if the user names the sources.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Annotated, Final

from attrs import asdict, field, frozen

from rejoin_conformance.adapters.results.file import read_results
from rejoin_conformance.adapters.runner.known_failures import load_known_failures
from rejoin_conformance.kit.codec import read
from rejoin_conformance.kit.json_forms import NOT_EMPTY, OPTIONAL

PEERS: Final = Path(__file__).parent
ROOT: Final = PEERS.parents[1]
_ENVIRONMENTS: Final = ROOT / ".venv" / "peers"
_COMMAND: Final = "from rejoin_conformance.command_line.main import main; main()"


@frozen(kw_only=True)
class Peer:
    """An implementation that others wrote, as `peer.toml` describes it.

    adapter: the arguments of the adapter's Python. checkout: the environment variable with the
    user's sources of the peer, if it needs them. select: the options of `rejoin run` that select
    vectors. histories: how many random histories to compare.
    """

    name: Annotated[str, NOT_EMPTY]
    system: str
    adapter: tuple[str, ...]
    checkout: str = field(default="", metadata=OPTIONAL)
    select: tuple[str, ...] = field(default=(), metadata=OPTIONAL)
    histories: int = field(default=0, metadata=OPTIONAL)


@frozen(kw_only=True)
class Results:
    """The results of one peer.

    known: failures that `known-failures.toml` lists. not_declared: the vectors of the selection
    that need an operation or a feature that the adapter does not declare. answers, differences: of
    the random histories; unknown_differences: the differences of a kind that is not listed.
    """

    name: str
    version: str
    passed: int
    known: int
    failed: int
    not_declared: int
    answers: int
    differences: int
    unknown_differences: int


def peers() -> dict[str, Peer]:
    """Return folder -> peer, by name of the folder."""
    files = sorted(PEERS.glob("*/peer.toml"))
    return {
        path.parent.name: read(tomllib.loads(path.read_text(encoding="utf-8")), Peer)
        for path in files
    }


def python_of(folder: Path) -> str:
    """Return the Python of a peer, in an environment with its requirements if it has any."""
    requirements = folder / "requirements.txt"
    if not requirements.is_file():
        return sys.executable
    environment = _ENVIRONMENTS / folder.name
    python = environment / "bin" / "python"
    if not (environment / ".ready").is_file():
        subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
        install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"]
        subprocess.run([str(python), *install, str(requirements)], check=True)
        (environment / ".ready").touch()
    return str(python)


def program_of(folder: Path, peer: Peer, into: Path) -> list[str]:
    """Build the program of a peer from the user's sources, and return its path as an argument."""
    if not peer.checkout:
        return []
    program = str(into / "program")
    sources = str(Path(os.environ[peer.checkout]).resolve())
    subprocess.run([sys.executable, str(folder / "build_program.py"), sources, program], check=True)
    return [program]


def run_peer(folder: Path, peer: Peer) -> Results:
    """Run the corpus and some random histories against a peer's adapter."""
    known = folder / "known-failures.toml"
    with tempfile.TemporaryDirectory() as scratch:
        built = program_of(folder, peer, Path(scratch))
        adapter = shlex.join([python_of(folder), *peer.adapter, *built])
        file = Path(scratch) / "results.ndjson"
        options = ["--known-failures", str(known), *peer.select, "--output", str(file)]
        _rejoin("run", peer.system, "--adapter", adapter, *options)
        results = read_results(file)
        fuzz = ["--histories", str(peer.histories), "--in-process", "--json"]
        fuzz += ["--adapter", adapter, "--known-failures", str(known)]
        said = _rejoin("fuzz", peer.system, *fuzz) if peer.histories else ""
    records = [*results.records.values()]
    listed = load_known_failures(known)
    expected = {each.id for each in listed.failures}
    failed = [each for each in records if each.failed]
    readings = json.loads(said.splitlines()[-1])["readings"] if said else {}
    return Results(
        name=peer.name,
        version=results.configuration.adapter.version,
        passed=sum(each.verdict == "pass" for each in records),
        known=sum(each.id in expected for each in failed),
        failed=sum(each.id not in expected for each in failed),
        not_declared=sum(each.verdict == "not-declared" for each in records),
        answers=sum(each["checked"].get("agrees-with-reference", 0) for each in readings.values()),
        differences=sum(sum(each["violated"].values()) for each in readings.values()),
        unknown_differences=sum(
            times
            for reading, each in readings.items()
            for kind, times in each["violated"].items()
            if listed.of_kind(kind.partition(" ")[2], reading) is None
        ),
    )


def _rejoin(command: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", _COMMAND, command, *arguments],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        check=False,
    )
    if done.returncode not in {0, 1}:
        sys.exit(f"rejoin {command} ended with exit code {done.returncode}")
    return done.stdout.decode()


def main() -> None:
    """Run the named peers, or all that can run here."""
    arguments, every = sys.argv[1:], peers()
    for name in arguments or every:
        if name not in every:
            sys.exit(f"there is no peer {name!r}; choose one of {', '.join(every)}")
        checkout = every[name].checkout
        if checkout and not os.environ.get(checkout):
            command = f"make figures NAMES='peers {name}' {checkout}=FOLDER"
            needed = f"{name}: name its sources: {command}"
            sys.exit(needed) if arguments else print(needed, file=sys.stderr)
        else:
            print(json.dumps(asdict(run_peer(PEERS / name, every[name]))), flush=True)


if __name__ == "__main__":
    main()
