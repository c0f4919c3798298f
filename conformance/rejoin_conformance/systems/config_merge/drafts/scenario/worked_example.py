"""The worked example of the document, played by four clients."""

from __future__ import annotations

from collections.abc import Sequence

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Data, Message
from rejoin_conformance.systems.config_merge.drafts.by_hand.stories import (
    Moment,
    do,
    edit,
    store,
    story,
)
from rejoin_conformance.systems.config_merge.drafts.worked_example.messages import (
    M119,
    M120B,
    M122,
    M123,
    M124A,
    M124B,
    M125A,
    M125B,
    M126A,
    M126B,
    M127,
    PURE_127,
)


class _Play:
    """Steps as they are played, with every client's head and what is stored after each."""

    def __init__(self) -> None:
        self.script: list[tuple[JsonObject, Moment]] = []
        self.heads: dict[str, Message | None] = dict.fromkeys("ABCD")
        self.stored: list[Message] = []

    def somebody_stores(self, message: Message) -> None:
        """Another device stores a message."""
        self.stored.append(message)
        self._note(store(message))

    def fetches_and_resolves(self, client: str, head: Message) -> None:
        """A client fetches and resolves, and then has that head."""
        self.does(client, "fetch")
        self.resolves(client, head)

    def does(self, client: str, verb: str) -> None:
        """A client does something that leaves heads and swarm as they are."""
        self._note(do(client, verb))

    def resolves(self, client: str, head: Message) -> None:
        """A client resolves what it knows."""
        self.heads[client] = head
        self._note(do(client, "resolve"))

    def edits(self, client: str, data: Data) -> None:
        """The application of a client changes the data."""
        self._note(edit(client, data))

    def pushes(self, client: str, message: Message, *, leaving: Sequence[Message] = ()) -> None:
        """A client pushes; `leaving` are the stored messages that stay beside the new one."""
        self.heads[client] = message
        self.stored = [*leaving, message]
        self._note(do(client, "push"))

    def _note(self, step: JsonObject) -> None:
        self.script.append((step, (dict(self.heads), list(self.stored))))


def drafts() -> tuple[Draft, ...]:
    """A and B are up to date, C is late, D very late."""
    play = _Play()
    play.somebody_stores(M119)
    play.fetches_and_resolves("D", M119)
    play.somebody_stores(M122)
    for client in "ABC":
        play.fetches_and_resolves(client, M122)
    play.edits("A", M123.data)
    play.pushes("A", M123)
    play.fetches_and_resolves("B", M123)
    play.fetches_and_resolves("C", M123)
    play.edits("A", M124B.data)
    play.pushes("A", M124B)
    play.fetches_and_resolves("B", M124B)
    play.edits("A", M125A.data)
    play.edits("B", M125B.data)
    play.pushes("A", M125A)
    play.pushes("B", M125B, leaving=[M125A])
    play.does("A", "fetch")
    play.edits("C", M124A.data)
    play.pushes("C", M124A, leaving=[M125A, M125B])
    play.edits("D", M120B.data)
    play.pushes("D", M120B, leaving=[M125A, M125B, M124A])
    play.resolves("A", M126A)
    play.fetches_and_resolves("B", M126B)
    play.pushes("A", M126A, leaving=[M124A, M120B])
    play.pushes("B", M126B, leaving=[M126A])
    play.fetches_and_resolves("A", PURE_127)
    play.edits("A", M127.data)
    play.pushes("A", M127)
    for client in "BCD":
        play.fetches_and_resolves(client, M127)
    return (
        story(
            "worked-example",
            "The worked example played by four clients, the third late and the fourth very late",
            "CM-CLIENT-RESOLVE CM-CLIENT-BATCH CM-CLIENT-PUSH-EDIT CM-CLIENT-PUSH-MERGE "
            "CM-CLIENT-CONVERGE CM-RESOLVE-LOCAL-CHANGE",
            play.script,
            dict.fromkeys("ABCD", M127.data),
        ),
    )
