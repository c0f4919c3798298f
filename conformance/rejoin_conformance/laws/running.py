"""Hold an adapter to the laws: the same machines, and the same questions in every run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.util import find_spec

from rejoin_conformance.adapters.conversation import Adapter, NoLineError, OneByOne
from rejoin_conformance.adapters.protocol import Hello, ReplyError
from rejoin_conformance.adapters.runner.declared import declared_by
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.errors import IncompleteError
from rejoin_conformance.kit.installing import install_hint
from rejoin_conformance.kit.json_types import JsonObject

if find_spec("hypothesis") is None:
    raise IncompleteError(f"Hypothesis is not installed; run: {install_hint('laws')}")

from hypothesis.errors import Flaky

from rejoin_conformance.laws.asking import Answer, Ask, Asking, LawBrokenError
from rejoin_conformance.laws.machine import hold_to_the_laws


def _asking(questions: OneByOne, reading: str) -> Ask:
    """Return what asks an adapter; if a question breaks it, the answer says how."""

    def ask(operation: str, value: JsonObject) -> Answer:
        try:
            return questions.ask(operation, reading, value).to_json()
        except (NoLineError, ReplyError) as error:
            return {"error": {"message": str(error)}}

    return ask


def held_to_the_laws(adapter: Adapter, hello: Hello, systems: Iterable[System]) -> Iterator[Asking]:
    """Yield what an adapter was asked of each system, and the law that it breaks, if any.

    Nothing is asked of a system of which the hello declares no operation, or another reading than
    the one for which the laws hold. Raises DeclarationError and AdapterUnusableError.
    """
    for system in systems:
        reading = system.default_reading
        with OneByOne(adapter) as one, OneByOne(adapter) as two:
            asks = (_asking(one, reading), _asking(two, reading))
            asking = Asking(system, *asks, declared_by(hello, [system]))
            declared = {each.name for each in system.operations} & {*hello.operations}
            if not declared or reading not in hello.readings.get(system.name, (reading,)):
                asking.left_out[f"{system.name} in the reading {reading}"] += 1
            else:
                try:
                    hold_to_the_laws(asking)
                except (LawBrokenError, Flaky):  # flaky: other answers to the same questions
                    assert asking.broken is not None
            yield asking
