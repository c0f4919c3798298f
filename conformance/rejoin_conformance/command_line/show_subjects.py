"""The subjects of `rejoin show`: vectors, files, random histories and the documents' examples."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from attrs import frozen

from rejoin_conformance.campaigns.plan import known_profile
from rejoin_conformance.command_line.choices import chosen_reading
from rejoin_conformance.command_line.console import stop
from rejoin_conformance.contract.document_example import examples_of
from rejoin_conformance.contract.history import NotAHistoryError, history_seed
from rejoin_conformance.contract.notation import SharedNames
from rejoin_conformance.contract.registry import all_systems, system_named, system_names
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import OF_EVERY, OF_MODEL, KeptHistory, Lineage, Vector
from rejoin_conformance.corpus.document_examples import NamedExample, document_examples, vector_of
from rejoin_conformance.corpus.load import CorpusError, load_histories, load_index, load_topic_file
from rejoin_conformance.corpus.showing import Question, names_in, question_of
from rejoin_conformance.kit.text import counted, did_you_mean
from rejoin_conformance.readings.in_force import now


@frozen(kw_only=True)
class Subject:
    """Something to show.

    heading: lines about it. reading: the reading to show it in if none is chosen. asked: its
    questions; those of a history are the calls that it makes. history: the history that it is, or
    None. is_kept: whether a file holds the history. names: the names that all questions use. whole:
    a question that is drawn once, for all questions.
    """

    name: str
    system: System
    heading: tuple[str, ...]
    reading: str
    asked: tuple[Question, ...] = ()
    history: Any = None
    is_kept: bool = False
    names: SharedNames | None = None
    whole: Question | None = None

    def questions(self, reading: str) -> tuple[Question, ...]:
        """Return the questions under the reading in force."""
        if self.history is None:
            return self.asked
        system, history = now(self.system, self.history)
        operations = {each.name: each for each in system.operations}
        calls = [*system.calls(history, reading)]
        return tuple(
            Question(
                system=system,
                title=f"call {number} of {counted(len(calls), 'call')}: {call.operation}",
                operation=operations[call.operation],
                input=call.input,
            )
            for number, call in enumerate(calls, start=1)
        )


def subjects_of(
    given: str, seed: int | None, index: int | None, profile: str | None
) -> tuple[Subject, ...]:
    """Return what the arguments of the command name. Anything else is wrong usage."""
    if given in system_names():
        return (_random_history(system_named(given), seed, index, profile),)
    for option, value in {"--seed": seed, "--index": index, "--profile": profile}.items():
        if value is not None:
            near = did_you_mean(given, system_names())
            why = f"{option} is for random histories; give a SYSTEM, not {given!r}{near}"
            stop(why)
    for each in document_examples():
        if each.name == given:
            return (_of_example(each),)
    path = Path(given)
    if path.exists():
        return _of_file(path)
    try:
        vector = vector_of(given)
    except KeyError:
        _refuse(given)
    return (_of_vector(vector),)


def _refuse(given: str) -> NoReturn:
    """End the command with the name that was probably meant."""
    if given.endswith(".json") or given.startswith((".", "/")):
        stop(f"{given}: there is no such file")
    for each in all_systems():
        for one in each.operations:
            if given in {one.name, one.name.partition("/")[2]}:
                why = f"{given} is an operation; list its vectors with: rejoin vectors list"
                stop(f"{why} --operation {one.name}")
    known = [*load_index(), *(each.name for each in document_examples()), *system_names()]
    lists = "list the examples with: rejoin show --list, the vectors with: rejoin vectors list"
    near = did_you_mean(given, known)
    stop(f"there is no vector, example, file or system {given[:200]!r}; {lists}{near}")


def _of_example(named: NamedExample) -> Subject:
    system, vectors, of_whole = named.system, named.vectors(), named.whole()
    whole = None if of_whole is None else question_of(system, of_whole)
    return Subject(
        name=named.name,
        system=system,
        heading=(
            f"{named.name}: {named.example.title}",
            f"({named.place}; to list them: rejoin trace --document {system.name})",
        ),
        reading=_reading_of(system, vectors),
        asked=tuple(question_of(system, each) for each in vectors),
        names=None if whole is None else names_in(whole),
        whole=whole,
    )


def _of_vector(vector: Vector) -> Subject:
    system = system_named(vector.system)
    reading, asked = _reading_of(system, (vector,)), question_of(system, vector)
    return Subject(name=vector.id, system=system, heading=(), reading=reading, asked=(asked,))


def _reading_of(system: System, vectors: Sequence[Vector]) -> str:
    """Return the default reading, or another one if the vectors are not for it."""
    if any(system.default_reading in each.readings for each in vectors):
        return system.default_reading
    return vectors[0].readings[0]


def _of_file(path: Path) -> tuple[Subject, ...]:
    """Return the histories of a file, and its vectors. Raises CorpusError."""
    if path.suffix == ".py":
        stop(f"{path}: a rule file; give it to --against, and name a SUBJECT to show")
    try:
        name, histories = load_histories(path)
        kept = [_of_kept(path, system_named(name), each) for each in histories]
        vectors = [_of_vector(each) for each in load_topic_file(path)]
    except CorpusError as error:
        stop(f"{error}; a SUBJECT is a JSON file of vectors or histories")
    if not kept and not vectors:
        raise CorpusError(f"{path}: the file has neither histories nor vectors")
    return (*kept, *vectors)


def _of_kept(path: Path, system: System, kept: KeptHistory) -> Subject:
    """Return a history of a file, in the first reading in which it broke a law."""
    try:
        history = system.histories.from_json(kept.history)
    except NotAHistoryError as error:
        why = f"{kept.name} is not a history of {system.name}: {error}"
        raise CorpusError(f"{path}: {why}") from None
    reading = chosen_reading(system, next(iter(kept.lineage.readings), None))
    title = [kept.name, *(f"[{each}]" for each in kept.lineage.readings[:1])]
    return Subject(
        name=kept.name,
        system=system,
        heading=(" ".join(title), kept.shows, _origin(system, kept.lineage)),
        reading=reading,
        history=history,
        is_kept=True,
    )


def _origin(system: System, lineage: Lineage) -> str:
    """Return the command that reproduces a history before it was shrunk."""
    if lineage.profile.startswith(OF_MODEL):
        steps = lineage.profile.rpartition("-")[2]
        every = lineage.profile.startswith(OF_EVERY)
        which = f"--every-to-depth {steps}" if every else f"--depth {steps} --seed {lineage.seed}"
        model = f"rejoin model behaviours {system.name} {which}"
        return f"shrunk from behaviour {lineage.index} of: {model}"
    origin = f"--seed {lineage.seed} --index {lineage.index} --profile {lineage.profile}"
    origin += "".join(f" --reading {each}" for each in lineage.readings[:1])
    return f"shrunk from: rejoin show {system.name} {origin}"


def _random_history(
    system: System, seed: int | None, index: int | None, profile: str | None
) -> Subject:
    if seed is None:
        why = "--index needs --seed" if index is not None else f"{system.name} is a system"
        examples = ", ".join(f"{system.name}/{each.name}" for each in examples_of(system.name))
        choose = "give --seed and --index of a random history, or choose one of"
        stop(f"{why}; {choose}: {examples}")
    profile, number = known_profile(system, profile or "default"), index or 0
    of_profile = "" if profile == "default" else f", profile {profile}"
    name = f"{system.name}, seed {seed}, index {number}{of_profile}"
    return Subject(
        name=name,
        system=system,
        heading=(name,),
        reading=system.default_reading,
        history=system.histories.generate(
            profile, history_seed(seed, system.name, profile, number)
        ),
    )
