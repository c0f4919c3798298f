"""`rejoin fuzz`: check laws, or an adapter, on random histories."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Final

import click
from attrs import evolve, frozen

from rejoin_conformance.adapters.protocol import Hello
from rejoin_conformance.adapters.results.configuration import said_of_files
from rejoin_conformance.adapters.runner.declared import OwnCodes, compared_codes
from rejoin_conformance.adapters.runner.known_failures import KnownFailures
from rejoin_conformance.adapters.runner.run_plan import known_failures_in
from rejoin_conformance.adapters.shipped import located, shipped_here
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.campaigns.campaign import (
    directory_of,
    local_folder,
    profile_coverage,
    run_campaign,
)
from rejoin_conformance.campaigns.findings.adapter_findings import TRIES
from rejoin_conformance.campaigns.findings.law_findings import refuse_other_files
from rejoin_conformance.campaigns.plan import (
    MOST_HISTORIES,
    Bounds,
    Plan,
    asked_operations,
    checked,
    known_profile,
)
from rejoin_conformance.campaigns.spark.failures import JobFailedError, quiet_start
from rejoin_conformance.campaigns.spark.session import place_of, spark_session
from rejoin_conformance.campaigns.spark.shipping import send_oracle, send_program
from rejoin_conformance.campaigns.spark.spread import OnSpark as SpreadOnSpark
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.campaigns.workplace import InProcess, Workplace
from rejoin_conformance.command_line.choices import Place, chosen_rule, seed_option
from rejoin_conformance.command_line.console import (
    ADAPTER_UNUSABLE,
    Out,
    ended,
    print_document,
    stop,
)
from rejoin_conformance.command_line.fuzz_adapter import (
    Asking,
    print_difference,
    readings_to_ask,
    systems_to_ask,
)
from rejoin_conformance.command_line.fuzz_findings import Ran, written_findings
from rejoin_conformance.command_line.options import command
from rejoin_conformance.command_line.untried import count_untried
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.contract.spread import ReportProgress
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.judged import Judged
from rejoin_conformance.kit.options import arg, opt
from rejoin_conformance.readings.in_force import Side, loaded
from rejoin_conformance.reports.campaign import status_blocks
from rejoin_conformance.reports.profiles import profile_blocks
from rejoin_conformance.shrinking.reduce import DEFAULT_BUDGET

MOST_IN_PROCESS: Final = 2_000
"""The command runs more histories than this on Spark, unless an option chooses the place."""

_HISTORIES: Final = 20_000
_OF_EACH_PROFILE: Final = 1_000


@frozen(kw_only=True)
class Fuzz:
    """The histories to run, what to check on them, and where."""

    systems: tuple[System, ...] = arg("[SYSTEM]...", ())
    histories: int | None = opt(
        "Number of histories of each system.",
        None,
        least=1,
        most=MOST_HISTORIES,
        shown=f"{_HISTORIES:,}; {_OF_EACH_PROFILE:,} of each of several profiles",
    )
    seed: int = seed_option()
    profiles: tuple[str, ...] = opt(
        "Profile of the histories. If there are several, compare their coverage; with --adapter, "
        "run a campaign of each.",
        (),
        name="profile",
        shown="default",
    )
    readings: tuple[str, ...] = opt(
        "Reading to run under; may be repeated.",
        (),
        name="reading",
        shown="the system's default reading",
    )
    all_readings: bool = opt("Run under every reading of the system.", default=False)
    directory: str | None = opt(
        "Keep the campaign in this folder or URL (hdfs://, s3a://), and resume from it.",
        None,
        metavar="DIR",
        shown="keep nothing",
    )
    retry_quarantined: bool = opt(
        "With --directory: examine the blocks again that have histories in quarantine.",
        default=False,
    )
    asking: Asking
    shrink: bool = opt(
        "Also shrink violations of laws that the reading does not claim.", default=False
    )
    tries: int = opt(
        "Maximum number of smaller histories to try for each class of violations; of smaller "
        f"histories and inputs, at most {TRIES:,}, for each kind of difference of an adapter.",
        DEFAULT_BUDGET,
        least=1,
    )
    bounds: Bounds
    place: Place
    spark: bool = opt("Run on Spark, even if there are few histories.", default=False)
    partitions: int | None = opt(
        "Number of Spark tasks; the result does not depend on it.",
        None,
        least=1,
        shown="chosen by speed",
    )
    out: Out

    @property
    def found(self) -> Path:
        """Return the folder for shrunk findings: in the campaign's folder, if it has one here."""
        folder = None if self.directory is None else local_folder(self.directory)
        return (folder or Path()) / "found"

    def runs_here(self, histories: int) -> bool:
        """Return whether the histories run in this process."""
        at_url = self.directory is not None and local_folder(self.directory) is None
        return self.place.is_here(
            few=histories <= MOST_IN_PROCESS,
            spark=self.spark or self.partitions is not None or at_url,
            options="--spark, --master, --remote, --conf, --partitions and a --directory at a URL",
        )


@command(Fuzz, "fuzz")
def fuzz(options: Fuzz) -> int:
    """Check laws, or an adapter, on random histories.

    Without SYSTEM, the command needs --adapter or --histories, and then runs random histories of
    all systems. Up to 2,000 histories run in this process, and so does any number if Spark is not
    installed. More histories run on Spark. Any number runs on Spark if you give --spark, --master,
    --remote, --conf, --partitions or a --directory at a URL. The output names the place; the result
    is the same in both.

    The command prints the coverage and the broken laws. If a history breaks a law that its reading
    claims, this is a failure (exit code 1). If the reading does not claim the law, it is a finding.
    At the end, the command shrinks the first history of each class of failures, and with --shrink
    also of findings. It writes them as a corpus into the folder `found`; with --directory DIR, into
    DIR/found. `rejoin show` prints its files, and `rejoin run --corpus` runs them. The digest
    depends only on the system, profile, readings, seed and number of histories, and on the command
    of --adapter with its answers.

    With --directory, the command saves finished blocks of 250 histories every 20 to 30 seconds.
    After Ctrl-C or kill -9, run the same command again: it resumes, and its digest equals the
    digest of an uninterrupted campaign. A different command on the same directory, such as one with
    more histories, is wrong usage. `rejoin report DIR` prints the status of the campaign, even
    while it runs.

    A --reading can be a rule file; see `rejoin compare --help`. Under a rule file, only `no-crash`
    is claimed: an unexpected exception, or the end of the process, is a failure. Any other broken
    law is a finding, with the smallest history that the command finds for it.

    With --adapter, the command turns each history into calls of operations, and compares every
    answer of the adapter with the reference's. Each Spark task runs its own adapter process; --ship
    sends the program to a cluster. For each kind of difference, the command writes one minimal
    vector and prints the command that reproduces it. It omits and counts calls that the adapter
    does not declare. Differences that --known-failures lists are counted, but are not failures.
    With --strict-codes, a rejection with another code than the reference's is a difference. See
    docs/check-your-implementation.md.

    With --laws-by oracle, the oracle runs the histories, and of some systems it checks the laws
    too. The reference checks 1 of 100 and every history that breaks a claimed law. The counts and
    the digest stay the same. The reference runs all other histories; the output says why.

    With several profiles, the command runs the same number of histories of each, and prints their
    coverage side by side; with --adapter, it runs a campaign of each. The profiles are default,
    uniform, tiny, racing, partitioned, adversarial, long and large, and of conflict-detection also
    departing, interrupted and restored. `uniform` draws events of any kind one by one.

    \b
    Examples:
      rejoin fuzz config-merge --histories 200 --in-process
      rejoin fuzz config-merge --all-readings --profile tiny
      rejoin fuzz history-merge --histories 1000000 --directory campaigns/hm
      rejoin fuzz config-merge --adapter './my-port' --histories 500
      rejoin fuzz history-merge --adapter './my-port' --operation merge --leave-out counter
      rejoin fuzz history-merge --profile racing --profile uniform --histories 200
      rejoin fuzz history-merge --master spark://host:7077 --directory hdfs:///campaigns/hm
    """
    if len(options.profiles) > 1 and options.asking.adapter is None:
        return _compare_profiles(options)
    with shipped_here(options.asking.ship):
        return _fuzz(options)


def _fuzz(options: Fuzz) -> int:
    """Run the campaigns. Return the exit code."""
    asking, directory = options.asking, options.directory
    known, codes = known_failures_in(asking.known_failures), compared_codes(asking.compared)
    hello = asking.greeting()
    systems = options.systems or all_systems()
    if hello is not None:
        systems = systems_to_ask(options.systems, hello, asking)
    alone = not options.all_readings and hello is None
    rule = chosen_rule(options.systems, options.readings, alone=alone)
    plans = [
        _plan(options, system, profile, hello, rule, known, codes)
        for system in systems
        for profile in dict.fromkeys(options.profiles or ("default",))
    ]
    here = options.runs_here(plans[0].histories)
    if directory is not None and len(plans) != 1:
        raise click.UsageError("--directory holds one campaign; name one SYSTEM and --profile")
    if options.retry_quarantined and directory is None:
        raise click.UsageError("--retry-quarantined needs --directory")
    overridden = () if rule is None else tuple(loaded(rule, systems[0]).overrides)
    if rule is None:
        refuse_other_files(options.found)
    if not (options.systems or options.histories or asking.adapter):
        every = " ".join(each.name for each in systems)
        raise click.UsageError(f"name a SYSTEM. For all systems, run: rejoin fuzz {every}")
    judged = Judged(asked=0)
    begun: list[Summary] = []
    try:
        with _place(options, plans[0], here=here) as place:
            if asking.adapter is None:
                options.out.say_resuming(place.kept)
            else:
                said = said_of_files(shlex.split(located(asking.adapter)))
                options.out.say_resuming(place.kept, said)
            for plan in plans:
                with options.out.progress(f"fuzz {plan.system}", "histories") as progress:
                    differs = bool if options.out.as_json else partial(print_difference, plan)
                    retry = options.retry_quarantined
                    reporting = _reporting(place, progress)
                    summary = run_campaign(plan, reporting, differs, begun.append, retry=retry)
                written = written_findings(plan, summary, options)
                judged += summary.judged(allow_restarts=asking.allow_restarts)
                ran = Ran(summary, place.place, written, overridden, known, directory)
                options.out.tell(ran.to_json, ran.blocks)
    except JobFailedError as error:
        unusable = AdapterUnusableError.__name__ in str(error)
        stop(str(error), ADAPTER_UNUSABLE if unusable else error.code)
    except KeyboardInterrupt:
        if begun and not options.out.as_json:
            print_document([*status_blocks(begun[-1])])
        raise
    if rule is not None and not summary.quarantined:  # what it calls could end this process too
        untried = count_untried(summary.reached(overridden), rule, systems[0])
        judged += Judged(asked=0, left_out=untried)
    return ended(judged, "the adapter declares none of the selected operations")


def _plan(
    options: Fuzz,
    system: System,
    profile: str,
    hello: Hello | None,
    rule: Side | None,
    known: KnownFailures,
    codes: OwnCodes | None,
) -> Plan:
    """Return the plan of one campaign. Unknown profiles and readings are wrong usage."""
    asking = options.asking
    if rule is not None:
        readings: tuple[str, ...] = (rule.name,)
    elif options.all_readings:
        readings = system.readings
    else:
        readings = tuple(dict.fromkeys(options.readings))
        if hello is not None:
            readings = readings_to_ask(system, hello, readings)
    plan = Plan(
        system=system.name,
        profile=profile,
        readings=readings or (system.default_reading,),
        seed=options.seed,
        histories=options.histories
        or (_OF_EACH_PROFILE if len(options.profiles) > 1 else _HISTORIES),
        adapter=asking.adapter,
        timeout=asking.timeout,
        rule=None if rule is None or rule.rule is None else rule.rule.source,
        rule_path="" if rule is None else rule.path,
        operations=asked_operations(system, asking.operations),
        leave_out=tuple(sorted({*asking.leave_out})),
        known=tuple(sorted({each.kind for each in known.differences})),
        strict_codes=codes is not None,
        codes={} if codes is None else codes.names,
        codes_path=str(asking.compared.codes or ""),
        bounds=options.bounds,
    )
    return checked(plan)


def _said_start() -> AbstractContextManager[None]:
    """Say that Spark starts, which takes seconds, and start it quietly."""
    click.echo("starting Spark", err=True)
    return quiet_start()


@contextmanager
def _place(options: Fuzz, plan: Plan | None, *, here: bool) -> Iterator[Workplace]:
    """Yield where the work runs, without its progress. It keeps the blocks of a plan, if any.

    The directory is opened before Spark, so that an unusable folder is found before Spark starts.
    """
    address, store = options.directory, None
    with ExitStack() as stack:
        if plan is not None and address is not None and local_folder(address) is not None:
            store = stack.enter_context(directory_of(plan, address))
        if here:
            yield InProcess(lambda *_: None, store)
            return
        ship, cluster = options.asking.ship, options.place.spark.cluster()
        starting = quiet_start if options.out.as_json else _said_start
        session = stack.enter_context(spark_session(cluster, starting))
        if plan is not None and address is not None and store is None:
            store = stack.enter_context(directory_of(plan, address, session))
        asks_oracle = options.asking.adapter and not options.bounds.no_oracle
        asks_oracle = asks_oracle or options.bounds.laws_by == "oracle"
        yield SpreadOnSpark(
            session,
            lambda *_: None,
            options.partitions,
            place=place_of(cluster, session),
            kept=store,
            shipped=None if ship is None else send_program(session, ship),
            oracle=send_oracle(session) if asks_oracle else None,
        )


def _reporting(place: Workplace, progress: ReportProgress) -> Workplace:
    return evolve(place, progress=progress)  # type: ignore[misc]  # every place is a class of attrs


def _compare_profiles(options: Fuzz) -> int:
    """Print the coverage of several profiles."""
    if options.directory or options.all_readings or len(options.readings) > 1:
        raise click.UsageError(
            "several profiles are compared under one --reading, without --directory"
        )
    for system in options.systems or all_systems():
        profiles = tuple(dict.fromkeys(known_profile(system, p) for p in options.profiles))
        plan = _plan(options, system, profiles[0], None, None, KnownFailures(), None)
        here = options.runs_here(plan.histories * len(profiles))
        with (
            options.out.progress(f"profiles {system.name}") as progress,
            _place(options, None, here=here) as place,
        ):
            report = profile_coverage(plan, profiles, _reporting(place, progress))
        options.out.tell(partial(dict, report), partial(profile_blocks, report))
    return 0
