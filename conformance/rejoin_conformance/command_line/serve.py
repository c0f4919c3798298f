"""`rejoin serve`: run the reference, or the oracle, as an adapter."""

from __future__ import annotations

import sys

from attrs import frozen

from rejoin_conformance.adapters.oracle import serve as serve_oracle
from rejoin_conformance.adapters.serve import SECONDS
from rejoin_conformance.adapters.serve import serve as serve_reference
from rejoin_conformance.command_line.options import command
from rejoin_conformance.kit.options import opt


@frozen(kw_only=True)
class Serve:
    """Who answers, and what a request may take."""

    oracle: bool = opt(
        "Let the oracle answer, to compare it with the reference. An input that breaks the schema "
        "of its operation is an error then.",
        default=False,
    )
    seconds: int = opt(
        "CPU time that the reference may take for a request; 0 for no limit.",
        SECONDS,
        metavar="N",
        least=0,
        most=10**9,
    )


@command(Serve, "serve")
def serve(options: Serve) -> None:
    """Run the reference implementation as an adapter.

    The command speaks the adapter protocol on standard input and output: one JSON object on each
    line. A request that names no reading is answered in the default reading of its system. A
    request that needs too much time or memory gets an error, and the next one is answered.

    \b
    Examples:
      rejoin run --adapter 'rejoin serve'
      rejoin fuzz history-merge --adapter 'rejoin serve --oracle' --no-oracle
      echo '{"type":"run","id":1,"operation":"config-merge/decode",
             "input":{"encoded":"693765"}}' | tr -d '\\n' | rejoin serve
    """
    if options.oracle:
        serve_oracle(sys.stdin.buffer, sys.stdout.buffer)
    else:
        serve_reference(sys.stdin.buffer, sys.stdout.buffer, options.seconds)
