"""What several commands take: options, readings, profiles, and the place where work runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, TypeAlias

import click
from attrs import field, frozen

from rejoin_conformance.adapters.limits import LONGEST, Limits
from rejoin_conformance.adapters.run_options import Selection
from rejoin_conformance.campaigns.kept.folder import kept_work
from rejoin_conformance.campaigns.kept.store import new_header, version
from rejoin_conformance.campaigns.plan import (
    DEFAULT_SEED,
    LEAST_SEED,
    MOST_SEED,
    known_reading,
    known_side,
)
from rejoin_conformance.campaigns.spark.failures import quiet_start
from rejoin_conformance.campaigns.spark.session import Cluster, place_of, spark_session
from rejoin_conformance.campaigns.spark.spread import OnSpark as SessionPlace
from rejoin_conformance.campaigns.workplace import InProcess, Workplace
from rejoin_conformance.command_line.console import Out, stop
from rejoin_conformance.contract.registry import system_names
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.load import load_checked, meant_by
from rejoin_conformance.kit.document import Block, Text
from rejoin_conformance.kit.installing import install_hint
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.options import arg, opt
from rejoin_conformance.kit.text import counted
from rejoin_conformance.readings.in_force import Side, is_rule_file

_MASTER: Final = re.compile(
    r"local(\[(\*|[1-9][0-9]*)(,[1-9][0-9]*)?\])?|local-cluster\[.*\]|yarn|spark://.+|k8s://.+"
)
"""The masters that Spark knows. It takes some seconds to refuse another one."""


def corpus_option() -> Any:
    """Return the option --corpus."""
    shown = "the project's vectors/"
    path = click.Path(path_type=Path)
    return opt("Folder of the corpus to use, or one of its files.", None, form=path, shown=shown)


def seed_option() -> Any:
    """Return the option --seed."""
    return opt("Seed of the campaign.", DEFAULT_SEED, metavar="N", least=LEAST_SEED, most=MOST_SEED)


def reading_option(text: str = "Reading of the reference.") -> Any:
    """Return the option --reading."""
    return opt(text, None, metavar="READING", shown="the system's default reading")


def timeout_option() -> Any:
    """Return --timeout in whole seconds, because the plan of a campaign keeps it."""
    said = "Seconds that the adapter has to answer a request."
    return opt(said, int(Limits().timeout), least=1, most=LONGEST)


@frozen(kw_only=True)
class Chosen:
    """The vectors of a command."""

    systems: tuple[System, ...] = arg("[SYSTEM]...", ())
    selection: Selection = field(factory=Selection)
    corpus: Path | None = corpus_option()
    no_index: bool = opt(
        "Take a folder --corpus without an index.json, or with a wrong one.", default=False
    )

    def vectors(self) -> list[Vector]:
        """Return the vectors that are chosen. It is wrong usage to choose none."""
        corpus = self.corpus
        names = [system.name for system in self.systems] or [*system_names()]
        loaded = load_checked(names, corpus, indexed=not self.no_index)
        known = [vector for name in names for vector in loaded[name]]
        if not known and corpus is not None:
            stop(f"{corpus} has no vectors of the chosen systems{meant_by(corpus)}")
        return self.selection.chosen(known)


@frozen(kw_only=True)
class Shown:
    """How much of a result is printed."""

    summary: bool = opt("Print only the verdict, where to begin and the counts.", default=False)
    limit: int = opt("Print at most N failures or examples.", 20, metavar="N", least=0)

    @property
    def most(self) -> int | None:
        """Return the most failures to print; None for the summary alone."""
        return None if self.summary else self.limit

    def of(self, blocks: Sequence[Block], what: str) -> Iterator[Block]:
        """Yield the first blocks, and how many more there are. what: the name of one."""
        if not self.summary:
            yield from blocks[: self.limit]
            if len(blocks) > self.limit:
                more = counted(len(blocks) - self.limit, f"more {what}")
                yield Text(f"... and {more}; --limit {len(blocks)} prints all")


def ship_option() -> Any:
    """Return the option for the program of an adapter that the executors do not have."""
    return opt(
        "Send this file, folder or tar archive to the machines that run the adapter; {shipped} in "
        "--adapter names it there.",
        None,
        metavar="PATH",
        form=click.Path(exists=True, path_type=Path),
        shown="send nothing",
    )


@frozen(kw_only=True)
class OnSpark:
    """Where Spark runs."""

    master: str | None = opt(
        "Spark master: spark://host, yarn, k8s://...", None, metavar="URL", shown="this machine"
    )
    remote: str | None = opt(
        "Spark Connect server, such as sc://host:15002.", None, metavar="URL", shown="none"
    )
    settings: tuple[str, ...] = opt(
        "Spark setting, such as spark.executor.memory=2g; may be repeated.",
        (),
        name="conf",
        metavar="NAME=VALUE",
        shown="none",
    )

    def cluster(self) -> Cluster:
        """Return where Spark runs. It is wrong usage to give two places."""
        master, remote = self.master, self.remote
        if master is not None and remote is not None:
            raise click.UsageError("give --master or --remote, not both")
        if remote is not None and not remote.startswith("sc://"):
            said = "expected an address like sc://host:15002"
            raise click.UsageError(f"--remote: {said}, not {remote!r}")
        if master is not None and not _MASTER.fullmatch(master):
            raise click.UsageError(
                "--master: expected local, local[N], local[*], yarn, spark://host:port or "
                f"k8s://..., not {master!r}"
            )
        settings: dict[str, str] = {}
        for each in self.settings:
            name, equals, settings[name.strip()] = each.partition("=")
            if not equals or not name.strip():
                raise click.UsageError(f"--conf: {each!r} is not NAME=VALUE")
        return Cluster(master, remote, settings)


Keeping: TypeAlias = tuple[Path, str, JsonObject]
"""The folder that keeps work, the kind of the work, and what its values depend on."""


@frozen(kw_only=True)
class Place:
    """Where the work of a command runs."""

    in_process: bool = opt("Run in this process; needs no Spark and no Java.", default=False)
    spark: OnSpark

    def is_here(
        self,
        *,
        few: bool = False,
        spark: bool = False,
        options: str = "--master, --remote and --conf",
    ) -> bool:
        """Return whether the work runs in this process.

        few: whether there is so little of it that Spark does not pay. spark: whether an option
        other than --master, --remote and --conf asks for Spark. options: their names.
        """
        spark = spark or self.spark.cluster() != Cluster()
        if self.in_process and spark:
            raise click.UsageError(f"--in-process does not use Spark: leave out {options}")
        return self.in_process or (not spark and (few or without_spark()))

    @contextmanager
    def working(
        self, out: Out, title: str, keeping: Keeping | None = None, *, few: bool = False
    ) -> Iterator[Workplace]:
        """Yield the place while the block runs. keeping: a folder that keeps its values."""
        is_here = self.is_here(few=few)
        with ExitStack() as stack:
            progress, store = stack.enter_context(out.progress(title)), None
            if keeping is not None:
                folder, kind, plan = keeping
                store = stack.enter_context(kept_work(folder, new_header(kind, plan, version())))
            if is_here:
                place: Workplace = InProcess(progress, store)
            else:
                cluster = self.spark.cluster()
                session = stack.enter_context(spark_session(cluster, quiet_start))
                named = place_of(cluster, session)
                place = SessionPlace(session, progress, place=named, kept=store)
            out.say_resuming(store)
            yield place


def without_spark() -> bool:
    """Return whether Spark is not installed. Then say that this process does the work."""
    missing = find_spec("pyspark") is None
    if missing:
        how = "to use all cores, run: " + install_hint("spark")
        click.echo(f"Spark is not installed; this process does the work ({how})", err=True)
    return missing


def chosen_reading(system: System, reading: str | None) -> str:
    """Return the reading or expression, or the default for None. Any other name is wrong usage."""
    return system.default_reading if reading is None else known_reading(system, reading)


def chosen_rule(systems: Sequence[System], readings: Sequence[str], *, alone: bool) -> Side | None:
    """Return the rule file that a campaign runs under; None if no reading is a rule file.

    alone: whether the command has no option that excludes a rule file.
    """
    if not any(map(is_rule_file, readings)):
        return None
    if len(readings) != 1 or len(systems) != 1 or not alone:
        raise click.UsageError(
            "a campaign under a rule file needs one SYSTEM and one --reading, without --adapter"
        )
    return known_side(systems[0], readings[0])
