"""`rejoin mutants`: change the reference in one place at a time, and count who notices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

import click

from rejoin_conformance.campaigns.mutants.equivalent import (
    FILE,
    Equivalent,
    EquivalentError,
    Unreachable,
    load_argued,
    unknown_entries,
)
from rejoin_conformance.campaigns.mutants.mutant import Mutant, mutants_of
from rejoin_conformance.campaigns.mutants.run import MutantRun, run_mutants
from rejoin_conformance.command_line.campaigns.cluster import cluster_of, cluster_options
from rejoin_conformance.command_line.campaigns.spreading import spreading
from rejoin_conformance.command_line.console import (
    NOT_CONFORMANT,
    SYSTEM,
    WRONG_USAGE,
    print_json,
    progress_bar,
    stop,
)
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.locations import mutants_directory

_SHOWN: Final = 50


@click.command()
@click.argument("system", type=SYSTEM)
@click.option("--module", metavar="NAME", help="Only mutants of this module.  [default: all]")
@click.option(
    "--every",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Run every K-th mutant, a fixed sample.",
)
@click.option("--matrix", is_flag=True, help="Run all vectors of a mutant, past the first kill.")
@click.option("--in-process", is_flag=True, help="Run in this process; needs no Spark and no Java.")
@cluster_options
@click.option("--json", "as_json", is_flag=True, help="Print the fate of each mutant as JSON.")
def mutants(
    system: System,
    module: str | None,
    every: int,
    master: str | None,
    remote: str | None,
    settings: tuple[tuple[str, str], ...],
    *,
    matrix: bool,
    in_process: bool,
    as_json: bool,
) -> None:
    """Check that the vectors notice changes of the reference.

    A mutant is the reference with one small change: a comparison, a constant, a dropped argument,
    a deleted branch and about thirty more kinds. A mutant is killed if an answer to a vector
    changes. A mutant that no vector kills is a hole in the corpus, unless
    conformance/mutants/SYSTEM/equivalent.toml names it with an argument.

    Each mutant runs in a process of its own, against the vectors that execute the changed
    statement. A vector that takes far longer than usual kills the mutant.

    \b
    Examples:
      rejoin mutants history-merge
      rejoin mutants config-merge --module rejoin.config_merge.windows --in-process

    \b
    Exit codes:
      0  every mutant is killed or argued   2  wrong usage, or an invalid equivalent.toml
      1  a mutant survives, or an entry of  3  interrupted, no Spark or no Java
         equivalent.toml is refuted
    """
    cluster = cluster_of(master, remote, settings)
    path = mutants_directory() / system.name / FILE
    try:
        argued = load_argued(path)
    except EquivalentError as error:
        stop(WRONG_USAGE, str(error))
    known = mutants_of(system.name)
    unknown = unknown_entries(argued, known)
    if unknown:
        more = f", and {len(unknown) - 1} more entries" if len(unknown) > 1 else ""
        stop(WRONG_USAGE, f"{path}: no mutant is {_shown(unknown[0])}{more}. Remove or correct it")
    chosen = [each for each in known if module in {None, each.module}][::every]
    if not chosen:
        raise click.UsageError(f"no mutant in {module!r}; {_like(module, known)}")
    with (
        progress_bar(f"mutants {system.name}", quiet=as_json) as progress,
        spreading(None if in_process else cluster, progress) as spread,
    ):
        run = run_mutants(system.name, chosen, spread, argued, matrix=matrix)
    if as_json:
        print_json(run.to_json())
    else:
        click.echo(_text(run))
    if run.alive or run.refuted:
        raise click.exceptions.Exit(NOT_CONFORMANT)


def _shown(entry: Equivalent | Unreachable) -> str:
    """Return an entry in a few words."""
    if isinstance(entry, Unreachable):
        return f"in {entry.function}"
    return f"{entry.kind} of {entry.function}: {entry.before!r} -> {entry.after!r}"


def _like(module: str | None, known: Iterable[Mutant]) -> str:
    """Return the hint for an unknown module: the names that are like it, or an example."""
    modules = sorted({each.module for each in known})
    near = get_close_matches(module or "", modules, n=3, cutoff=0.5)
    return f"did you mean {' or '.join(near)}?" if near else f"an example is {modules[0]}"


def _text(run: MutantRun) -> str:
    """The run as text: a table by kind of change, then the mutants that survive."""
    lines = [f"{run.system}: {len(run.mutants):,} mutants, {len(run.vectors):,} vectors"]
    for fate, number in sorted(run.fates().items()):
        lines.append(f"  {fate:<14}{number:>7,}")
    alive = Counter(mutant.kind for mutant, _ in run.alive)
    lines += ["", f"{'kind of change':<24}{'mutants':>9}{'alive':>7}"]
    for kind, number in sorted(Counter(mutant.kind for mutant in run.mutants).items()):
        lines.append(f"{kind:<24}{number:>9,}{alive[kind]:>7,}")
    if run.alive:
        lines += ["", "mutants that no vector notices"]
    for mutant, each in run.alive[:_SHOWN]:
        where = f"{mutant.module}:{mutant.line} {mutant.function}".rstrip()
        lines += [f"  {where}  {mutant.kind} ({each.fate})", f"    - {mutant.before}"]
        lines.append(f"    + {mutant.after}")
    if len(run.alive) > _SHOWN:
        lines.append(f"  and {len(run.alive) - _SHOWN:,} more; --json lists them all")
    for mutant, vector in run.refuted:
        how = f"{vector.id} kills" if vector else "a vector executes"
        lines.append(f"refuted: {how} the mutant {mutant.after!r} of {mutant.place},")
        lines.append(f"    which {FILE} argues not to need a vector. Remove the entry")
    return "\n".join(lines)
