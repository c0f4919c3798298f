"""Hold an adapter to the laws: the same machines, and the same questions in every run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.util import find_spec

from attrs import define

from rejoin_conformance.adapters.conversation import Adapter, Conversation, NoLineError
from rejoin_conformance.adapters.protocol import Hello, ReplyError, run_line
from rejoin_conformance.adapters.runner.declared import declared_by
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.errors import IncompleteError
from rejoin_conformance.kit.installing import install_hint
from rejoin_conformance.kit.json_types import JsonObject

if find_spec("hypothesis") is None:
    raise IncompleteError(f"Hypothesis is not installed; run: {install_hint('laws')}")

from hypothesis.errors import Flaky

from rejoin_conformance.laws.asking import Answer, Asking, LawBrokenError
from rejoin_conformance.laws.machine import hold_to_the_laws


@define
class AskedAdapter:
    """An adapter that is asked one question after the other. A context manager that ends it.

    If a question breaks the process, the answer says how, and the next one starts another process.
    """

    adapter: Adapter
    reading: str
    _conversation: Conversation | None = None
    _number: int = 0

    def __call__(self, operation: str, value: JsonObject) -> Answer:
        """Return the answer to a question. Raises AdapterUnusableError if it sends no hello."""
        if self._conversation is None:
            self._conversation = Conversation(self.adapter)
            self._conversation.greet()
        self._number += 1
        request = run_line(self._number, operation, self.reading, value)
        try:
            return self._conversation.ask(self._number, request).to_json()
        except (NoLineError, ReplyError) as error:
            self._conversation.kill()
            self._conversation = None
            return {"error": {"message": str(error)}}

    def __enter__(self) -> AskedAdapter:
        return self

    def __exit__(self, *_: object) -> None:
        if self._conversation is not None:
            self._conversation.kill()


def held_to_the_laws(adapter: Adapter, hello: Hello, systems: Iterable[System]) -> Iterator[Asking]:
    """Yield what an adapter was asked of each system, and the law that it breaks, if any.

    Nothing is asked of a system of which the hello declares no operation, or another reading than
    the one for which the laws hold. Raises DeclarationError and AdapterUnusableError.
    """
    for system in systems:
        reading = system.default_reading
        with AskedAdapter(adapter, reading) as ask, AskedAdapter(adapter, reading) as again:
            asking = Asking(system, ask, again, declared_by(hello, [system]))
            declared = {each.name for each in system.operations} & {*hello.operations}
            if not declared or reading not in hello.readings.get(system.name, (reading,)):
                asking.left_out[f"{system.name} in the reading {reading}"] += 1
            else:
                try:
                    hold_to_the_laws(asking)
                except (LawBrokenError, Flaky):  # flaky: other answers to the same questions
                    assert asking.broken is not None
            yield asking
