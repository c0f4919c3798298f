"""Output and exit codes that all commands share.

Progress goes to standard error, results go to standard output.
"""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

import click
from click.shell_completion import CompletionItem

from rejoin_conformance.contract.registry import all_systems, system_named, system_names
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit import judged as codes
from rejoin_conformance.kit.document import Block, plain_text
from rejoin_conformance.kit.document_text import coloured, document_text
from rejoin_conformance.kit.files import write_whole
from rejoin_conformance.kit.json_types import Json, canonical_json
from rejoin_conformance.kit.judged import Judged
from rejoin_conformance.kit.locations import in_checkout
from rejoin_conformance.kit.text import did_you_mean
from rejoin_conformance.kit.untrusted import shown

if TYPE_CHECKING:
    from rejoin_conformance.campaigns.kept.store import Store

NOT_CONFORMANT: Final = codes.BROKEN
WRONG_USAGE: Final = 2
INCOMPLETE: Final = codes.INCOMPLETE
ADAPTER_UNUSABLE: Final = codes.UNUSABLE
OWN_FAULT: Final = codes.OWN_FAULT


def say_resuming(
    store: Store | None, compared: str = "compared: the command and the code", *, quiet: bool
) -> None:
    """Say that the results of a store are continued, if so, and what was compared before that."""
    if store is not None and store.resumed and not quiet:
        click.echo(f"resuming from {store.address}; {compared}", err=True)


class SystemName(click.ParamType[System]):
    """A parameter that names a system."""

    name = "system"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:  # noqa: ARG002
        """Return the name of this argument in the help text."""
        return "SYSTEM"

    def convert(
        self,
        value: str | System,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> System:
        """Return the system of this name. Any other name is wrong usage."""
        if isinstance(value, System):
            return value
        if value not in system_names():
            near = _near(value)
            self.fail(
                f"there is no system {value!r}; choose one of {', '.join(system_names())}{near}"
            )
        try:
            return system_named(value)
        except ImportError as error:
            return self.fail(f"the system {value} cannot be loaded: {error}", param, ctx)

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        """Return the systems whose names begin like this."""
        return [CompletionItem(name) for name in system_names() if name.startswith(incomplete)]


def _near(name: str) -> str:
    """Return the operation of this name, the system or the operation of a like one, or nothing."""
    known = [each.name for system in all_systems() for each in system.operations]
    exact = [each for each in known if name in {each, each.partition("/")[2]}]
    system = "" if exact else did_you_mean(name, system_names())
    return system or did_you_mean(name, exact or known).replace("mean ", "mean --operation ")


SYSTEM: Final = SystemName()


def print_json(value: Json) -> None:
    """Print a value as one line of canonical JSON."""
    click.echo(canonical_json(value))


def print_document(blocks: Sequence[Block]) -> None:
    """Print the blocks of a document as text: in colours on a terminal, but for NO_COLOR."""
    paint = plain_text if os.environ.get("NO_COLOR") else coloured
    click.echo(document_text(blocks, paint=paint))


def tell(
    options: Any,
    data: Callable[[], Json],
    blocks: Callable[[], Iterable[Block]],
    written: Collection[Path | None] = (),
) -> None:
    """Print a result: as one line of JSON if the options say so, else as text.

    written: the files that the command writes. If one is standard output, only that is printed.
    """
    if Path("-") in written:
        return
    if options.as_json:
        print_json(data())
    else:
        print_document([*blocks()])


def write_text(path: Path, text: str) -> None:
    """Write text in UTF-8 to a file, or to standard output for `-`.

    A file that cannot be written is wrong usage; a full disk leaves the command incomplete.
    """
    if path == Path("-"):
        click.echo(text.encode("utf-8"), nl=False)
        return
    try:
        write_whole(path, text)
    except OSError as error:
        full = error.errno in {errno.ENOSPC, errno.EDQUOT}
        stop(INCOMPLETE if full else WRONG_USAGE, f"{path}: {error.strerror}")


def stop(code: int, message: str) -> NoReturn:
    """Print one line on standard error and end with an exit code."""
    with suppress(OSError):  # a full disk behind standard error does not change the code
        click.echo(f"rejoin: {shown(message, len(message))}", err=True)
    raise click.exceptions.Exit(code)


def ended(judged: Judged, nothing: str) -> int:
    """Return the exit code of a command that judged. nothing: why nothing was asked, if so."""
    if not judged.asked and judged.exit_code == INCOMPLETE:
        click.echo(f"rejoin: nothing was asked: {nothing}", err=True)
    return judged.exit_code


def require_checkout(command: str) -> None:
    """End with wrong usage if the suite does not run from a checkout."""
    if not in_checkout():
        stop(
            WRONG_USAGE,
            f"{command} works on a checkout of the project; this suite was installed from a wheel",
        )


@contextmanager
def interruptible(*more: signal.Signals) -> Iterator[None]:
    """Within the block, let TERM, and more signals, interrupt as Ctrl-C does."""

    def interrupt(_number: int, _frame: object) -> NoReturn:
        raise KeyboardInterrupt

    before = {each: signal.signal(each, interrupt) for each in (signal.SIGTERM, *more)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
