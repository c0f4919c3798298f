"""`rejoin mutants`: change the reference in one place at a time, and count who notices."""

from __future__ import annotations

import hashlib
from functools import partial
from pathlib import Path

import click
from attrs import frozen

from rejoin_conformance.campaigns.kept.store import MUTANTS
from rejoin_conformance.campaigns.mutants.asking import corpus_of
from rejoin_conformance.campaigns.mutants.changed import changed_lines, mutants_of_changes
from rejoin_conformance.campaigns.mutants.equivalent import (
    FILE,
    Argued,
    Equivalent,
    Unreachable,
    load_argued,
    unknown_entries,
)
from rejoin_conformance.campaigns.mutants.knockout import check_knockouts, holes, load_knockouts
from rejoin_conformance.campaigns.mutants.mutant import (
    Mutant,
    mutants_of,
)
from rejoin_conformance.campaigns.mutants.run import MutantRun, run_mutants
from rejoin_conformance.command_line.choices import Keeping, Place
from rejoin_conformance.command_line.console import Out, ended, require_checkout, stop
from rejoin_conformance.command_line.options import FOLDER, command
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.document import Fold, Items
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.judged import Judged
from rejoin_conformance.kit.locations import mutants_directory
from rejoin_conformance.kit.options import arg, opt
from rejoin_conformance.kit.text import counted, did_you_mean
from rejoin_conformance.reports.mutants import run_blocks


@frozen(kw_only=True)
class Mutants:
    """The mutants to run, and the way to run them."""

    systems: tuple[System, ...] = arg("[SYSTEM]...", ())
    every_system: bool = opt("Run the mutants of all systems.", default=False, name="all")
    module: str | None = opt(
        "Run only the mutants of this module.", None, metavar="NAME", shown="all"
    )
    changed: bool = opt(
        "Run only the mutants of functions that changed since the branch left main. Without "
        "changes or without git, run every K-th mutant.",
        default=False,
    )
    every: int = opt("Run every K-th mutant, a fixed sample.", 1, metavar="K", least=1)
    directory: Path | None = opt(
        "Keep the results in this folder, and continue an interrupted run.", None, form=FOLDER
    )
    knockouts: bool = opt(
        "Run the knock-outs instead: changes that each remove one clause.", default=False
    )
    place: Place
    out: Out


@command(Mutants, "mutants")
def mutants(options: Mutants) -> int:
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
      rejoin mutants --all --directory mutants
      rejoin mutants --all --knockouts --in-process
    """
    chosen = all_systems() if options.every_system else options.systems
    if not chosen or (options.every_system and options.systems):
        raise click.UsageError("name one system or more, or use --all")
    if options.knockouts:
        judged = sum((_knockouts(system, options) for system in chosen), Judged(asked=0))
        return ended(judged, "there is no knock-out")
    if options.changed:
        require_checkout("rejoin mutants --changed")
    lines = changed_lines(mutants_directory()) if options.changed else None
    chosen_mutants = [_picked(system, options, lines or None) for system in chosen]
    if lines and not any(picked for picked, _ in chosen_mutants):  # such as changed comments
        lines, chosen_mutants = None, [_picked(system, options, None) for system in chosen]
    runs: list[MutantRun] = []
    for system, (picked, argued) in zip(chosen, chosen_mutants, strict=True):
        title, kept = f"mutants {system.name}", _kept(system, picked, options)
        with options.place.working(options.out, title, kept) as spread:
            run = run_mutants(system.name, picked, spread, argued)
        runs.append(run)
        options.out.tell(run.to_json, partial(run_blocks, run))
    faults = sum(len(run.alive) + len(run.refuted) for run in runs)
    judged = Judged(asked=sum(len(run.mutants) for run in runs), broken=faults)
    return ended(judged, "no mutant was chosen")


def _picked(
    system: System, options: Mutants, changed: dict[Path, set[int]] | None
) -> tuple[tuple[Mutant, ...], Argued]:
    """Return the mutants to run, and the argued ones. Wrong input is wrong usage.

    changed: the lines of the reference that changed; None for all.
    """
    path = mutants_directory() / system.name / FILE
    argued = load_argued(path)
    known = mutants_of(system.name)
    unknown = unknown_entries(argued, known)
    if unknown:
        more = f", and {len(unknown) - 1} more entries" if len(unknown) > 1 else ""
        stop(f"{path}: no mutant is {_shown(unknown[0])}{more}. Remove or correct it")
    if changed is not None:
        return mutants_of_changes(known, changed), argued
    picked = tuple(each for each in known if options.module in {None, each.module})
    if not picked:
        modules = dict.fromkeys(each.module.replace(".", "/") for each in known)
        near = did_you_mean(f"{options.module}".replace(".", "/"), modules).replace("/", ".")
        raise click.UsageError(f"no mutant in {options.module!r}{near}")
    return picked[:: options.every], argued


def _kept(system: System, picked: tuple[Mutant, ...], options: Mutants) -> Keeping | None:
    """Return where the results of these mutants are kept, if anywhere."""
    if options.directory is None:
        return None
    plan: JsonObject = {
        "system": system.name,
        "corpus": corpus_of(system.name).digest,
        "mutants": hashlib.sha256("".join(each.name for each in picked).encode()).hexdigest(),
    }
    return options.directory / system.name, MUTANTS, plan


def _shown(entry: Equivalent | Unreachable) -> str:
    """Return an entry in a few words."""
    if isinstance(entry, Unreachable):
        return f"in {entry.function}"
    return f"{entry.kind} of {entry.function}: {entry.before!r} -> {entry.after!r}"


def _knockouts(system: System, options: Mutants) -> Judged:
    """Print a line for each clause that its vectors do not decide."""
    known = load_knockouts(mutants_directory() / system.name, system.name)
    with options.place.working(options.out, f"knock-outs {system.name}") as spread:
        noticed = check_knockouts(system.name, known, spread)
    faults = [*holes(system.name, known, noticed)]
    found: JsonObject = {
        "system": system.name,
        "knockouts": [*noticed],
        "none": {each.clause: each.reason for each in known.none},
        "faults": [*faults],
    }
    seen = sum(bool(each["by"]) for each in noticed)
    why = counted(len(known.none), "clause has none", "clauses have none")
    line = f"{seen} noticed by a vector of their clause; {why}, with a reason"
    title = f"{system.name}: {counted(len(noticed), 'knock-out')}, {line}"
    options.out.tell(lambda: found, lambda: [Fold(title, [Items(faults)] if faults else [])])
    return Judged(asked=len(noticed), broken=len(faults))
