"""A small system with a corpus of forty numbers, for tests of the general parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rejoin.errors import RejoinError
from rejoin_conformance.adapters.protocol import Hello
from rejoin_conformance.adapters.run_options import Selection
from rejoin_conformance.adapters.runner.cases import Case, cases_of
from rejoin_conformance.contract.history import Ask, Call, Histories, Pictures
from rejoin_conformance.contract.operation import Feature, Operation
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.corpus.generate import vectors_of
from rejoin_conformance.kit.draw import Draw
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.schemas import integer, record


def _halve(value: JsonObject, reading: str) -> JsonObject:
    number = value["number"]
    assert isinstance(number, int)
    if number % 2 and reading == "strict":
        raise RejoinError("odd", f"{number} is odd")
    return {"half": number // 2}


def _is_large(value: JsonObject) -> bool:
    number = value["number"]
    assert isinstance(number, int)
    return number >= 30


def _made_small(value: JsonObject) -> JsonObject:
    number = value["number"]
    assert isinstance(number, int)
    return {"number": number - 30}


LARGE = Feature(
    name="large", summary="Numbers from 30 on.", needed_by=_is_large, reduced=_made_small
)
VALUE = Feature(
    name="value",
    summary="The half itself, not only that there is one.",
    dropped=lambda output: {name: output[name] for name in output if name != "half"},
)


def _double(value: JsonObject, reading: str) -> JsonObject:
    number = value["number"]
    assert isinstance(number, int)
    return {"double": 2 * number}


def _generate(_profile: str, seed: int) -> tuple[int, ...]:
    draw = Draw(seed)
    return tuple(draw.below(40) for _ in range(8))


def _unused(_history: tuple[int, ...], _reading: str) -> Any:
    raise AssertionError


def _calls(history: tuple[int, ...], _ask: Ask) -> Iterator[Call]:
    for number in history:
        yield Call("toy/halve", {"number": number})
        yield Call("toy/double", {"number": number})


def _from_json(value: JsonObject) -> tuple[int, ...]:
    numbers = value["numbers"]
    assert isinstance(numbers, list)
    return tuple(number for number in numbers if isinstance(number, int))


_HISTORIES = Histories(
    profiles={"default": "numbers below 40"},
    generate=_generate,
    examine=_unused,
    calls=_calls,
    outcome=_unused,
    to_json=lambda history: {"numbers": [*history]},
    from_json=_from_json,
)
"""A history is a few numbers; each is halved and doubled."""

_PICTURES: Pictures[tuple[int, ...]] = Pictures(
    describe=lambda history, _reading: f"the numbers {', '.join(map(str, history))}",
    drawings=lambda _history, _reading: (),
)


def _half_draft(number: int) -> Draft:
    odd = bool(number % 2)
    return Draft(
        name=f"half-of-{number}",
        operation="toy/halve",
        summary=f"{number} is {'refused' if odd else 'halved'}",
        clauses=("TOY-ODD",) if odd else ("TOY-HALF",),
        input={"number": number},
        output={"half": number // 2} if not odd else None,
        rejected_by=("strict",) if odd else (),
        mended={"number": number - 1} if odd else None,
        readings_differ=odd,
    )


def _topics() -> tuple[Topic, ...]:
    double = Draft(
        name="two",
        operation="toy/double",
        summary="two is doubled",
        clauses=("TOY-DOUBLE",),
        level="should",
        input={"number": 2},
        output={"double": 4},
    )
    return (
        Topic("doubles", "", (double,)),
        Topic("halves", "", tuple(_half_draft(number) for number in range(40))),
    )


TOY = System(
    name="toy",
    prefix="TOY",
    title="Toy",
    summary="Test the suite",
    readings=("strict", "lenient"),
    operations=(
        Operation(
            name="toy/halve",
            summary="Half of a number.",
            input_schema=record({"number": integer(0)}),
            output_schema=record({"half": integer(0)}),
            perform=_halve,
            features=(LARGE, VALUE),
        ),
        Operation(
            name="toy/double",
            summary="Twice a number.",
            input_schema=record({"number": integer(0)}),
            output_schema=record({"double": integer(0)}),
            perform=_double,
        ),
    ),
    topics=_topics,
    laws=(),
    histories=_HISTORIES,
    pictures=_PICTURES,
)

VECTORS = {"toy": tuple(vector for topic in _topics() for vector in vectors_of(TOY, topic))}


def toy_cases(hello: Hello, selection: Selection | None = None) -> tuple[Case, ...]:
    """Return the cases of the toy corpus for an adapter that sent this hello."""
    return tuple(cases_of([TOY], VECTORS, selection or Selection(), hello))
