"""Run the peers, and make docs/implementations.md from their results.

    run.py [NAME ...]     run these peers, or all; write results.json beside each, then the page
    run.py --page         write the page from the results at hand
    run.py --check        exit with code 1 if the page is not what the results say

A peer is a folder with `peer.toml`. If it names an adapter, `known-failures.toml` lists what is
expected to fail, and `requirements.txt`, if there is one, is installed into a virtual environment
of the peer's own. If it names a checkout, `build_program.py` builds a program from the user's
sources in a temporary folder, and the adapter gets its path. Such a peer runs only if the user
names the sources.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill
from typing import Annotated, Final

from attrs import field, frozen

from rejoin_conformance.adapters.results.file import read_results
from rejoin_conformance.adapters.results.summary import summarise
from rejoin_conformance.adapters.runner.known_failures import load_known_failures
from rejoin_conformance.kit.codec import plain, read
from rejoin_conformance.kit.json_forms import NOT_EMPTY, OPTIONAL

PEERS: Final = Path(__file__).parent
ROOT: Final = PEERS.parents[1]
PAGE: Final = ROOT / "docs" / "implementations.md"
_ENVIRONMENTS: Final = ROOT / ".venv" / "peers"
_WIDTH: Final = 128
_COMMAND: Final = "from rejoin_conformance.command_line.main import main; main()"


@frozen(kw_only=True)
class Peer:
    """An implementation that others wrote, as `peer.toml` describes it.

    reading: the reading that it comes closest to. differs: what differs, and whose fault it is.
    adapter: the arguments of the adapter's Python; empty if there is no adapter in this repository.
    checkout: the environment variable with the user's sources of the peer, if it needs them.
    select: the options of `rejoin run` that select vectors. histories: how many random histories
        to compare. version, passed: what to show if there is no adapter.
    """

    name: Annotated[str, NOT_EMPTY]
    home: str
    system: str
    reading: str
    differs: tuple[str, ...]
    adapter: tuple[str, ...] = field(default=(), metadata=OPTIONAL)
    checkout: str = field(default="", metadata=OPTIONAL)
    select: tuple[str, ...] = field(default=(), metadata=OPTIONAL)
    histories: int = field(default=0, metadata=OPTIONAL)
    version: str = field(default="", metadata=OPTIONAL)
    passed: str = field(default="", metadata=OPTIONAL)


@frozen(kw_only=True)
class Results:
    """The results of one peer. verdict: as `rejoin run` prints it.

    known: failures that `known-failures.toml` lists. not_declared: the vectors of the selection
    that need an operation or a feature that the adapter does not declare. answers, differences: of
    the random histories; unknown_differences: the differences of a kind that is not listed.
    """

    version: str
    verdict: str
    passed: int
    known: int
    failed: int
    not_declared: int
    answers: int
    differences: int
    unknown_differences: int = field(default=0, metadata=OPTIONAL)


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
    summary = summarise(results.records.values(), results.configuration)
    readings = json.loads(said.splitlines()[-1])["readings"] if said else {}
    return Results(
        version=results.configuration.adapter.version,
        verdict=summary.verdict,
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


def page() -> str:
    """Return docs/implementations.md."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# Implementations"
    yield ""
    yield _filled(
        "Implementations that others wrote, and what the suite found out about them. `make peers` "
        "runs every implementation that has an adapter in `conformance/peers/` and writes this "
        "page from `conformance/peers/*/peer.toml` and `results.json`. `make peers NAMES=git` runs "
        "one of them. A row counts the vectors that the corpus had when it was measured; for git "
        "and magic-folder, only those of the tiers `core` and `random`."
    )
    yield ""
    titles = ("Implementation", "Version", "System", "Closest reading", "Verdict", "Vectors")
    yield f"| {' | '.join(titles)} | Random answers |"
    yield "|---|---|---|---|---|---|---|"
    every = peers()
    for folder, peer in every.items():
        yield _row(folder, peer)
    for folder, peer in every.items():
        yield ""
        yield f"## {peer.name}"
        yield ""
        if peer.adapter:
            path = f"conformance/peers/{folder}"
            yield f"The adapter is in [{path}](../{path}/README.md)."
        else:
            yield "There is no adapter for it in this repository."
        yield ""
        for each in peer.differs:
            yield _filled(f"- {each}", "  ")
    yield ""
    yield "## Add an implementation"
    yield ""
    yield _filled(
        "Open a pull request with a new folder in `conformance/peers/`: a `peer.toml` like the "
        "ones there, a README, the adapter, its `requirements.txt` if it needs packages, and a "
        "`known-failures.toml` with a reason for each vector that fails. Run `make peers` and "
        "commit the results. An implementation whose adapter lives elsewhere has a `peer.toml` "
        "without `adapter`, with the version and the result in words."
    )


def _filled(text: str, indent: str = "") -> str:
    return fill(
        text,
        _WIDTH,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _row(folder: str, peer: Peer) -> str:
    cells = [f"[{peer.name}]({peer.home})"]
    file = PEERS / folder / "results.json"
    if peer.adapter and file.is_file():
        results = read(json.loads(file.read_text(encoding="utf-8")), Results)
        unknown = f", {results.failed} fail" if results.failed else ""
        vectors = (
            f"{results.passed} pass, {results.known} known to differ{unknown}; "
            f"{results.not_declared} not declared"
        )
        verdict = results.verdict.partition(" (")[0]
        answers = f"{results.answers:,} compared, {results.differences:,} differ"
        if results.unknown_differences:
            answers += f" ({results.unknown_differences:,} in ways that are not listed)"
        cells += [results.version, peer.system, f"`{peer.reading}`", verdict, vectors, answers]
    else:
        cells += [peer.version, peer.system, f"`{peer.reading}`", "none", peer.passed, "none"]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Run what the arguments say."""
    arguments = sys.argv[1:]
    if arguments == ["--check"]:
        sys.exit(None if PAGE.read_text(encoding="utf-8") == page() else f"{PAGE}: run make peers")
    every = peers()
    if arguments != ["--page"]:
        for name in arguments or every:
            if name not in every:
                sys.exit(f"there is no peer {name!r}; choose one of {', '.join(every)}")
            checkout = every[name].checkout
            if checkout and not os.environ.get(checkout):
                needed = f"{name}: name its sources: make peers NAMES={name} {checkout}=FOLDER"
                sys.exit(needed) if arguments else print(needed)
            elif every[name].adapter:
                results = run_peer(PEERS / name, every[name])
                text = json.dumps(plain(results), indent=2) + "\n"
                (PEERS / name / "results.json").write_text(text, encoding="utf-8")
                print(f"{name}: {text}", end="")
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
