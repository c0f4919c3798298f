"""The preparation of a run, for the command and the pytest plugin: adapter, corpus and cases."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from attrs import evolve, frozen

from rejoin_conformance.adapters.conversation import Adapter
from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.protocol import SUITE, Hello
from rejoin_conformance.adapters.results.configuration import (
    Configuration,
    RunCorpus,
    Wanted,
    program_digest,
)
from rejoin_conformance.adapters.run_options import RunOptions, Selection, WrongUsageError
from rejoin_conformance.adapters.runner.cases import Case, cases_of, refuse_unknown_readings
from rejoin_conformance.adapters.runner.declared import compared_codes
from rejoin_conformance.adapters.runner.known_failures import (
    KnownFailures,
    load_known_failures,
    refuse_unknown,
)
from rejoin_conformance.adapters.shipped import located
from rejoin_conformance.contract.registry import all_systems, system_names
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.conformance import every_profile, profiles_of
from rejoin_conformance.corpus.load import load_checked, load_system, meant_by
from rejoin_conformance.kit.json_types import Json, digest_of
from rejoin_conformance.kit.text import did_you_mean


@frozen(kw_only=True)
class RunPlan:
    """A run that is ready to start: the adapter has sent its hello, and the cases are known."""

    adapter: Adapter
    options: RunOptions
    cases: tuple[Case, ...]
    configuration: Configuration

    @property
    def hello(self) -> Hello:
        """Return the hello of the adapter's processes."""
        return self.configuration.adapter


def make_adapter(command: str, limits: Limits) -> Adapter:
    """Return the adapter of a command line, split into words as a shell does. No shell runs it.

    `{shipped}` is the place of the shipped program. Raises WrongUsageError.
    """
    try:
        words = tuple(shlex.split(located(command)))
    except ValueError as error:
        raise WrongUsageError(f"--adapter: {error}") from None
    if not words:
        raise WrongUsageError("--adapter is empty; give the command line of an adapter")
    return Adapter(command=words, limits=limits)


def make_plan(
    command: str,
    chosen: Sequence[System],
    selection: Selection,
    options: RunOptions,
    corpus: Path | None = None,
    *,
    indexed: bool = True,
) -> RunPlan:
    """Load the corpus of some systems, greet the adapter, and list the cases.

    chosen: no system means all. corpus: the folder of the corpus; None for the project's own.
    indexed: whether a folder must agree with its index.

    Raises WrongUsageError if no vector matches, KnownFailuresError, CorpusError, DeclarationError
    and AdapterUnusableError.
    """
    adapter, systems = make_adapter(command, options.limits), chosen or all_systems()
    names = tuple(system.name for system in chosen)
    selection = evolve(selection, systems=names, readings=options.readings)
    refuse_unknown_readings(options.readings, systems)
    _refuse_unknown_profiles(options.conformance)
    program = adapter.command[0]
    if "/" in program and not Path(program).exists():
        adapter.greet()  # raises at once what it would raise after the corpus is loaded
    vectors = load_checked([system.name for system in systems], corpus, indexed=indexed)
    every = [vector for each in vectors.values() for vector in each]
    if not every:
        listed = ", ".join(system.name for system in systems)
        raise WrongUsageError(
            f"{corpus or 'the corpus'} has no vector of {listed}{meant_by(corpus)}"
        )
    found = selection.chosen(every)
    known = known_failures_in(options.known_failures, every)
    codes = compared_codes(options.compared)
    hello = adapter.greet()
    cases = tuple(cases_of(systems, vectors, selection, hello, codes))
    _refuse_unanswered(found, cases, hello)
    whole = Selection(systems=names, readings=options.readings)
    every_case = tuple(cases_of(systems, vectors, whole, hello))
    selected = {vector.system for vector in found}
    of_selected = [case for case in every_case if case.vector.system in selected]
    return RunPlan(
        adapter=adapter,
        options=options,
        cases=cases,
        configuration=Configuration(
            suite=SUITE,
            command=adapter.command,
            program=program_digest(adapter.command),
            adapter=hello,
            selection=selection,
            corpus=RunCorpus(
                cases=len(cases),
                digest=digest_of({"corpus": [_identity(case) for case in cases]}),
                operations=len({case.operation.name for case in of_selected}),
                clauses=len({name for case in of_selected for name in case.vector.clauses}),
                profiles=() if corpus else tuple(_wanted(systems, every_case)),
            ),
            timeout_ms=round(1000 * options.limits.timeout),
            hello_timeout_ms=round(1000 * options.limits.hello),
            max_memory=options.limits.memory,
            known_failures=known.failures,
            allow_restarts=options.allow_restarts,
            conformance=options.conformance,
            strict_codes=codes is not None,
            codes={} if codes is None else codes.names,
        ),
    )


def _refuse_unanswered(vectors: Iterable[Vector], cases: Iterable[Case], hello: Hello) -> None:
    """Raise WrongUsageError if the declared operations have no answer in the readings asked."""
    declared = {name: [v for v in vectors if v.operation == name] for name in hello.operations}
    if any(declared.values()) and not any(case.operation.name in declared for case in cases):
        names = ", ".join(name for name, each in declared.items() if each)
        readings = sorted({name for each in declared.values() for v in each for name in v.readings})
        why = f"no selected vector of {names} has an answer in the readings that were asked"
        raise WrongUsageError(f"{why}; they have answers in {', '.join(readings)}")


def _identity(case: Case) -> Json:
    return [case.vector.id, case.reading, digest_of(case.vector.to_json())]


def _wanted(systems: Sequence[System], cases: Sequence[Case]) -> Iterator[Wanted]:
    """Yield the profiles of some systems. cases: of the whole corpus."""
    counts = Counter(case.operation.name for case in cases)
    for profile in (each for system in systems for each in profiles_of(system.name)):
        number = sum(counts[name] for name in profile.operations)
        yield Wanted(name=profile.name, operations=profile.operations, cases=number)


def _refuse_unknown_profiles(names: Sequence[str]) -> None:
    known = [each.name for each in every_profile()]
    for name in names:
        if name not in known:
            near = did_you_mean(name, known) or f"; choose one of {', '.join(known)}"
            raise WrongUsageError(f"--conformance: there is no profile {name!r}{near}")


def known_failures_in(path: Path | None, vectors: Iterable[Vector] = ()) -> KnownFailures:
    """Return the known failures of a file. Raises KnownFailuresError for one that nothing matches.

    vectors: those that are run, if they are not all of the project's own corpus.
    """
    if path is None:
        return KnownFailures()
    known = load_known_failures(path)
    named = sorted({each.id.partition("/")[0] for each in known.failures} & set(system_names()))
    own = {vector.id: vector for name in named for vector in load_system(name)}
    refuse_unknown(path, known, own | {vector.id: vector for vector in vectors})
    return known
