"""`rejoin vectors describe`: describe the operations of a system in words."""

from __future__ import annotations

from pathlib import Path

import click

from rejoin_conformance.command_line.console import CORPUS_OPTION, SYSTEM, write_text
from rejoin_conformance.contract.system import System
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.corpus.operation_page import operation_page


@click.command()
@click.argument("system", type=SYSTEM)
@click.option(
    "--out",
    "path",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("-"),
    show_default=True,
    help="File to write; - is standard output.",
)
@CORPUS_OPTION
def describe(system: System, path: Path, corpus: Path | None) -> None:
    """Describe the operations of a system in words.

    The command writes a page in Markdown: each operation with the fields of its input and output,
    and one vector as an example. docs/operations/ holds these pages.

    \b
    Examples:
      rejoin vectors describe config-merge
      rejoin vectors describe history-merge --out docs/operations/history-merge.md

    \b
    Exit codes:
      0  done      2  wrong usage
    """
    write_text(path, operation_page(system, load_system(system.name, corpus)))
