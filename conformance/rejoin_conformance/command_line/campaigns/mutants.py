"""`rejoin mutants`: change the reference in one place at a time, and count who notices."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

import click
from attrs import frozen

from rejoin_conformance.campaigns.mutants.changed import changed_lines, mutants_of_changes
from rejoin_conformance.campaigns.mutants.corpus import corpus_of
from rejoin_conformance.campaigns.mutants.entries import EntriesError
from rejoin_conformance.campaigns.mutants.equivalent import (
    FILE,
    Argued,
    Equivalent,
    Unreachable,
    load_argued,
    unknown_entries,
)
from rejoin_conformance.campaigns.mutants.histories import Noticed, noticed_by_histories
from rejoin_conformance.campaigns.mutants.kept import Kept, kept_histories, kept_in
from rejoin_conformance.campaigns.mutants.mutant import Mutant, mutants_of
from rejoin_conformance.campaigns.mutants.run import MutantRun, run_mutants
from rejoin_conformance.command_line.campaigns.cluster import cluster_of, cluster_options
from rejoin_conformance.command_line.campaigns.knockouts import check_all_knockouts
from rejoin_conformance.command_line.campaigns.mutants_text import as_text
from rejoin_conformance.command_line.campaigns.spreading import spreading
from rejoin_conformance.command_line.console import (
    NOT_CONFORMANT,
    SYSTEM,
    WRONG_USAGE,
    print_json,
    require_checkout,
    stop,
    write_text,
)
from rejoin_conformance.command_line.progress import progress_bar
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.locations import mutants_directory
from rejoin_conformance.reports.mutants_page import mutants_page
from rejoin_conformance.reports.strength import strength

_FILE: click.Path = click.Path(dir_okay=False, path_type=Path)


@frozen(kw_only=True)
class _Choice:
    """The mutants to run, and the way to run them.

    changed: lines of the reference that changed; None for all. argued: only the mutants that
    equivalent.toml lists. directory: where results are kept.
    """

    module: str | None
    only_argued: bool
    every: int
    changed: dict[Path, set[int]] | None
    directory: Path | None
    matrix: bool
    histories: int


@click.command()
@click.argument("systems", metavar="[SYSTEM]...", nargs=-1, type=SYSTEM)
@click.option("--all", "every_system", is_flag=True, help="Run the mutants of all systems.")
@click.option(
    "--module", metavar="NAME", help="Run only the mutants of this module.  [default: all]"
)
@click.option(
    "--changed",
    is_flag=True,
    help="Run only the mutants of functions that changed since the branch left main. Without "
    "changes or without git, run every K-th mutant.",
)
@click.option(
    "--every",
    metavar="K",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Run every K-th mutant, a fixed sample.",
)
@click.option(
    "--argued",
    "only_argued",
    is_flag=True,
    help="Run only the mutants that equivalent.toml argues to be equivalent.",
)
@click.option("--matrix", is_flag=True, help="Run all vectors of a mutant, past the first kill.")
@click.option(
    "--histories",
    metavar="N",
    type=click.IntRange(min=1),
    help="Also ask each mutant that no vector kills the calls of N random histories.  "
    "[default: none]",
)
@click.option(
    "--directory",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep the results in this folder, and continue an interrupted run.",
)
@click.option(
    "--knockouts",
    is_flag=True,
    help="Run the knock-outs instead: changes that each remove one clause.",
)
@click.option("--html", type=_FILE, help="Write clauses, mutants and vectors as a page.")
@click.option("--table", type=_FILE, help="Write the figures as Markdown, for docs/strength.md.")
@click.option("--in-process", is_flag=True, help="Run in this process; needs no Spark and no Java.")
@cluster_options
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON for each system.")
def mutants(
    systems: tuple[System, ...],
    module: str | None,
    every: int,
    histories: int | None,
    directory: Path | None,
    html: Path | None,
    table: Path | None,
    master: str | None,
    remote: str | None,
    settings: tuple[tuple[str, str], ...],
    *,
    every_system: bool,
    changed: bool,
    only_argued: bool,
    matrix: bool,
    knockouts: bool,
    in_process: bool,
    as_json: bool,
) -> None:
    """Check that the vectors notice changes of the reference.

    A mutant is the reference with one small change: a comparison, a constant, a dropped argument,
    a deleted branch and about thirty more kinds. A mutant is killed if an answer to a vector
    changes. A mutant that no vector kills is a hole in the corpus, unless
    conformance/mutants/SYSTEM/equivalent.toml names it with an argument.

    A knock-out is a change written for one clause. A vector that is tagged with the clause must
    notice it. conformance/mutants/SYSTEM/knockouts/ has the knock-outs.

    Each mutant runs in a process of its own, against the vectors that execute the changed
    statement. A vector that takes far longer than usual kills the mutant.

    \b
    Examples:
      rejoin mutants history-merge
      rejoin mutants config-merge --module rejoin.config_merge.windows --in-process
      rejoin mutants --all --directory mutants --table docs/strength.md
      rejoin mutants config-merge --argued --histories 10000 --directory mutants
      rejoin mutants --all --knockouts --in-process

    \b
    Exit codes:
      0  every mutant is killed or argued   2  wrong usage, or an invalid equivalent.toml
      1  a mutant or a knock-out survives,  3  interrupted, no Spark or no Java
         or an entry is refuted
    """
    cluster = cluster_of(master, remote, settings)
    chosen = all_systems() if every_system else systems
    if not chosen or (every_system and systems):
        raise click.UsageError("name one system or more, or use --all")
    if knockouts:
        check_all_knockouts(chosen, None if in_process else cluster, as_json=as_json)
        return
    if changed:
        require_checkout("rejoin mutants --changed")
    lines = changed_lines(mutants_directory()) if changed else None
    choice = _Choice(
        module=module,
        only_argued=only_argued,
        every=1 if lines else every,
        changed=lines or None,
        directory=directory,
        matrix=matrix,
        histories=histories or 0,
    )
    runs: list[MutantRun] = []
    noticed: list[tuple[Noticed, ...]] = []
    for system in chosen:
        picked, argued = _picked(system, choice)
        with (
            progress_bar(f"mutants {system.name}", quiet=as_json) as progress,
            spreading(None if in_process else cluster, progress) as spread,
        ):
            run = _run(system, picked, argued, choice, spread)
            runs.append(run)
            noticed.append(_noticed(run, choice, spread))
        if as_json:
            print_json(run.to_json() | {"noticed": [each.to_json() for each in noticed[-1]]})
        else:
            click.echo(as_text(run, noticed[-1]))
    if html is not None:
        write_text(html, mutants_page(runs))
    if table is not None:
        write_text(table, strength(runs, choice.every))
    if any(run.alive or run.refuted for run in runs) or any(noticed):
        raise click.exceptions.Exit(NOT_CONFORMANT)


def _picked(system: System, choice: _Choice) -> tuple[tuple[Mutant, ...], Argued]:
    """Return the mutants to run, and the argued ones. Wrong input is wrong usage."""
    path = mutants_directory() / system.name / FILE
    try:
        argued = load_argued(path)
    except EntriesError as error:
        stop(WRONG_USAGE, str(error))
    known = mutants_of(system.name)
    unknown = unknown_entries(argued, known)
    if unknown:
        more = f", and {len(unknown) - 1} more entries" if len(unknown) > 1 else ""
        stop(WRONG_USAGE, f"{path}: no mutant is {_shown(unknown[0])}{more}. Remove or correct it")
    if choice.only_argued:
        known = tuple(each for each in known if argued.argument(each) is not None)
    if choice.changed is not None:
        return mutants_of_changes(known, choice.changed), argued
    picked = tuple(each for each in known if choice.module in {None, each.module})
    if not picked:
        raise click.UsageError(f"no mutant in {choice.module!r}; {_like(choice.module, known)}")
    return picked[:: choice.every], argued


def _run(
    system: System, picked: tuple[Mutant, ...], argued: Argued, choice: _Choice, spread: Spread
) -> MutantRun:
    kept: Kept | None = None
    if choice.directory is not None:
        corpus = corpus_of(system.name)
        kept = kept_in(choice.directory, system.name, corpus, matrix=choice.matrix)
    return run_mutants(system.name, picked, spread, argued, kept=kept, matrix=choice.matrix)


def _noticed(run: MutantRun, choice: _Choice, spread: Spread) -> tuple[Noticed, ...]:
    """Return the mutants that no vector kills, argued or not, and that histories notice.

    Calls that run no function of a mutant are not asked. So the mutants of functions that are
    argued to be unreachable cost nothing. The other code of unreachable modules is left out.
    """
    if not choice.histories:
        return ()
    left = [
        each
        for each, examined in zip(run.mutants, run.examined, strict=True)
        if examined.fate in {"survived", "not-executed"}
        and (each.function or not run.argued.is_unreachable(each))
    ]
    folder = choice.directory
    kept = None if folder is None else kept_histories(folder, run.system, left)
    return noticed_by_histories(run.system, left, choice.histories, spread, kept=kept)


def _shown(entry: Equivalent | Unreachable) -> str:
    """Return an entry in a few words."""
    if isinstance(entry, Unreachable):
        return f"in {entry.function}"
    return f"{entry.kind} of {entry.function}: {entry.before!r} -> {entry.after!r}"


def _like(module: str | None, known: Iterable[Mutant]) -> str:
    """Return the hint for an unknown module: the names that are like it, or an example."""
    modules = sorted({each.module for each in known})
    part = f".{module}"
    near = [each for each in modules if part in each] or get_close_matches(module or "", modules)
    return f"did you mean {' or '.join(near[:3])}?" if near else f"an example is {modules[0]}"
