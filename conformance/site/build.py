"""Build the static site: the texts, a page for each clause and each vector, and the playgrounds.

    build.py [--output DIR] [--work DIR]

The site needs no server and no network: open DIR/index.html in a browser. The first build takes
about a minute of processor time, half of it for the texts. Later, only texts that have changed
since the last build are read again. The same checkout gives the same bytes.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent))

from rejoin_conformance.contract.registry import system_names
from rejoin_conformance.kit.text import counted
from rejoin_site.clause_pages import clause_pages
from rejoin_site.documents import documents
from rejoin_site.link_check import link_faults
from rejoin_site.places import ROOT
from rejoin_site.playgrounds import Playgrounds, PlaygroundsError, playgrounds
from rejoin_site.search_names import search_names
from rejoin_site.shells import Shells, is_shell, made_small
from rejoin_site.staging import write_changed
from rejoin_site.texts import TextsError, build_texts
from rejoin_site.vector_pages import topic_pages

_BEGAN: Final = time.monotonic()
_SHOWN: Final = 40
"""The number of faults to print."""


def main(arguments: list[str]) -> int:
    """Build the site and return the exit code."""
    parser = argparse.ArgumentParser(prog="build.py")
    parser.add_argument("--output", type=Path, default=ROOT / "dist" / "site")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "site")
    options = parser.parse_args(arguments)
    try:
        files = site_files(options.work)
    except (PlaygroundsError, TextsError, OSError) as error:
        print(f"build.py: {error}", file=sys.stderr)
        return 2
    say("the links")
    faults = [*link_faults(files)]
    small = made_small(files)
    written, size = write_changed(options.output, small), sum(map(len, small.values())) / 1e6
    say(f"{counted(len(small), 'file')}, {size:.1f} MB, {written:,} of them new or changed")
    for fault in faults[:_SHOWN]:
        print(f"build.py: {fault}", file=sys.stderr)
    if faults:
        print(f"build.py: {counted(len(faults), 'link')} to nowhere", file=sys.stderr)
        return 1
    print(f"Open {options.output / 'index.html'} in a browser.")
    return 0


def site_files(work: Path) -> dict[str, str | bytes]:
    """Return every file of the site: path -> content. work: a folder to work in, which stays.

    Raises TextsError, PlaygroundsError or OSError.
    """
    say("the playgrounds")
    played = playgrounds(work / "playground")
    say("the documents")
    sources = documents(played.opens)
    say(f"the texts: {counted(len(sources), 'document')}")
    html = build_texts(sources, work, say)
    shells = Shells(html)
    files: dict[str, str | bytes] = {
        path.relative_to(html).as_posix(): path.read_bytes()
        for path in sorted(html.rglob("*"))
        if path.is_file()
    }
    files = {path: content for path, content in files.items() if not is_shell(path)}
    files |= played.files
    files["_static/names.js"] = search_names()
    for path, text in _pages(shells, played):
        files[path] = text
    return files


def _pages(shells: Shells, played: Playgrounds) -> Iterator[tuple[str, str]]:
    for system in system_names():
        say(f"the clauses of {system}")
        yield from clause_pages(system, shells, played.opens)
        say(f"the vectors of {system}")
        yield from topic_pages(system, shells, played.opens)


def say(what: str) -> None:
    """Print what is being done, with the seconds since the build began."""
    print(f"{time.monotonic() - _BEGAN:6.1f} s  {what}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
