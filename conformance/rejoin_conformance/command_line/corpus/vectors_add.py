"""`rejoin vectors add`: add a written vector to a text file of the corpus."""

from __future__ import annotations

from pathlib import Path

import click

from rejoin_conformance.command_line.console import (
    NOT_CONFORMANT,
    SYSTEM,
    WRONG_USAGE,
    require_checkout,
    stop,
)
from rejoin_conformance.corpus.add_vector import addition
from rejoin_conformance.corpus.load import CorpusError
from rejoin_conformance.corpus.paragraph import NAME


@click.command()
@click.argument("topic", metavar="SYSTEM/TOPIC")
@click.option(
    "--file",
    "path",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    default="-",
    help="File that holds the paragraph.  [default: standard input]",
)
def add(topic: str, path: Path) -> None:
    """Add a written vector to the corpus.

    The vector is one paragraph of text: its name and clauses, a sentence, a question and its
    answer (docs/notation.md). The command appends it to vectors/SYSTEM/TOPIC.txt. If the paragraph
    has no answer, the reference fills it in, and the command marks the vector `not yet checked`.
    Work the answer out by hand, then delete this line.

    \b
    Examples:
      rejoin vectors add history-merge/two-branches < paragraph.txt
      rejoin vectors add history-merge/two-branches --file paragraph.txt

    \b
    Exit codes:
      0  the vector is added      1  the paragraph has a fault      2  wrong usage
    """
    require_checkout("rejoin vectors add")
    system_name, _, topic_name = topic.partition("/")
    system = SYSTEM.convert(system_name, None, None)
    if not NAME.fullmatch(topic_name):
        stop(WRONG_USAGE, f"{topic!r} is not a topic; write SYSTEM/TOPIC")
    source = "standard input" if path == Path("-") else str(path)
    try:
        with click.open_file(str(path), encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        stop(WRONG_USAGE, f"{source}: {error}")
    try:
        added = addition(system, topic_name, text, source)
        added.write()
    except CorpusError as error:
        stop(NOT_CONFORMANT, str(error))
    except (OSError, UnicodeEncodeError) as error:
        stop(WRONG_USAGE, f"{topic}: {error}")
    for name in added.ids:
        click.echo(f"added {name} to {added.path}")
    if not added.checked:
        click.echo(added.paragraph, nl=False)
        click.echo("work the answer out by hand, then delete the line `not yet checked`")
    click.echo(f"next, run: rejoin vectors generate {system.name}")
