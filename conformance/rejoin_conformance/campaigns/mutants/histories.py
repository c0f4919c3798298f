"""Ask mutants the calls of random histories: those mutants that no vector kills.

The histories come in blocks. The reference answers each call of a block once. Then many mutants
are in force at once, and answer the calls that execute one of them. If an answer differs, halving
the group finds the mutant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from rejoin_conformance.campaigns.mutants.asking import ask
from rejoin_conformance.campaigns.mutants.coverage import Coverage, coverage_of, executed_by
from rejoin_conformance.campaigns.mutants.examine import PATIENCE, SECONDS
from rejoin_conformance.campaigns.mutants.mutant import Mutant
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.corpus.verify import Question
from rejoin_conformance.kit.draw import Draw, seed_of
from rejoin_conformance.kit.json_types import Json, canonical_json

_SEED: Final = 13
_PROFILE: Final = "default"

BLOCK: Final = 250

_REGROUPED: Final = 2000
"""The number of histories after which mutants are grouped anew, so that none hides another."""

_LIMIT: Final = PATIENCE * SECONDS
"""Processor time, in seconds, that one question may take. Mutants that only cost more are slow."""


Noticed: TypeAlias = tuple[Mutant, Mapping[str, Any]]
"""A mutant and a call that it answers in another way: `operation`, `reading`, `input`, and the
wrong answer `observed`."""


def noticed_by_histories(
    system: str, mutants: Sequence[Mutant], histories: int, spread: Spread
) -> tuple[Noticed, ...]:
    """Return the mutants that answer a call of a random history of the default profile wrongly."""
    work = partial(_noticed_in, system, mutants, histories)
    pieces: list[Any] = spread.pieces(work, -(-histories // BLOCK), "blocks of histories")
    found = {name: each for piece in reversed(pieces) for name, each in piece.items()}
    return tuple((each, found[each.name]) for each in mutants if each.name in found)


def _noticed_in(system: str, mutants: Sequence[Mutant], histories: int, block: int) -> Json:
    """Return name of a mutant -> the call that notices it, in one block of the histories."""
    some = range(histories)[block * BLOCK :][:BLOCK]
    questions = tuple(_questions(system, some))
    modules = sorted({each.module for each in mutants})
    executed = executed_by(system, modules, enumerate(questions), afresh=True)
    wrong = wrong_under(
        system,
        questions,
        coverage_of(executed),
        Draw(seed_of(_SEED, system, some.start // _REGROUPED)).shuffled(mutants),
    )
    return {
        name: {
            "operation": questions[place].vector.operation,
            "reading": questions[place].expected[0][0],
            "input": questions[place].vector.input,
            "observed": observed,
        }
        for name, (place, observed) in sorted(wrong.items())
    }


def wrong_under(
    system: str, questions: Sequence[Question], coverage: Coverage, mutants: Sequence[Mutant]
) -> Mapping[str, tuple[int, str]]:
    """Return name of a mutant -> the place of a question and the wrong answer to it.

    Many mutants are in force at once. If an answer of a group is wrong, both halves are asked. So a
    wrong answer counts only if it was seen with one mutant alone.
    """
    wrong: dict[str, tuple[int, str]] = {}
    groups = groups_of(mutants)
    while groups:
        group = groups.pop()
        asked = [(place, questions[place], _LIMIT) for place in _places(group, questions, coverage)]
        answers = ask(system, group, asked, most=1, hangs=1)
        if len(group) > 1 and (answers.wrong or (asked and not answers.asked)):
            half = len(group) // 2
            groups += [group[:half], group[half:]]
        elif answers.wrong or (asked and not answers.asked):
            wrong[group[0].name] = ((*answers.wrong, asked[0][0])[0], answers.how)
    return wrong


def groups_of(mutants: Iterable[Mutant]) -> list[Sequence[Mutant]]:
    """Return all mutants in groups, each of which can be in force at once.

    The mutants of a group are all inside functions, each of another one, or all outside functions,
    each of another module.
    """
    groups: dict[tuple[bool, int], list[Mutant]] = {}
    often: Counter[str] = Counter()
    for each in mutants:
        groups.setdefault((bool(each.function), often[each.place]), []).append(each)
        often[each.place] += 1
    return [*groups.values()]


def _places(
    group: Sequence[Mutant], questions: Sequence[Question], coverage: Coverage
) -> Sequence[int]:
    """Return the questions whose answer could change: all if the mutants are outside functions."""
    if not group[0].function:
        return range(len(questions))
    lines = ((each.module, range(each.line, each.last_line + 1)) for each in group)
    return sorted({place for each in lines for place in coverage.executing(*each)})


def _questions(system: str, histories: Iterable[int]) -> Iterator[Question]:
    """Yield the calls of histories under each reading, each once."""
    owner = system_named(system)
    operations = {operation.name: operation for operation in owner.operations}
    seen: set[tuple[str, str, str]] = set()
    for index in histories:
        history = owner.history(_PROFILE, _SEED, index)
        for reading in owner.readings:
            for call in owner.calls(history, reading):
                key = (call.operation, reading, canonical_json(call.input))
                if key not in seen:
                    seen.add(key)
                    answer = operations[call.operation].answer(call.input, reading)
                    yield Question.of(call.as_vector({reading: answer.to_json()}))
