"""`rejoin serve`: the reference as an adapter."""

from __future__ import annotations

import sys

import click

from rejoin_conformance.adapters.serve import serve as answer_lines


@click.command()
def serve() -> None:
    """Speak the adapter protocol on standard input and output, with the reference behind it.

    One JSON object a line. Try it:

    \b
      echo '{"type":"run","id":1,"operation":"config-merge/decode",
             "input":{"encoded":"693765"}}' | tr -d '\\n' | rejoin serve
    """
    answer_lines(sys.stdin.buffer, sys.stdout.buffer)
