"""`rejoin serve`: run the reference as an adapter."""

from __future__ import annotations

import sys

from attrs import frozen

from rejoin_conformance.adapters.serve import serve as answer_lines
from rejoin_conformance.command_line.options import command


@frozen
class Serve:
    """There are no options: a request names the reading to answer in."""


@command(Serve, "serve")
def serve(_options: Serve) -> None:
    """Run the reference implementation as an adapter.

    The command speaks the adapter protocol on standard input and output: one JSON object on each
    line. A request that names no reading is answered in the default reading of its system.

    \b
    Examples:
      rejoin run --adapter 'rejoin serve'
      echo '{"type":"run","id":1,"operation":"config-merge/decode",
             "input":{"encoded":"693765"}}' | tr -d '\\n' | rejoin serve
    """
    answer_lines(sys.stdin.buffer, sys.stdout.buffer)
