"""The rows of operations on histories, and what their functions are asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import field, frozen

from rejoin import history_merge as hm
from rejoin_conformance.contract.rows import Row
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.phrases import Kind
from rejoin_conformance.kit.schemas import any_of
from rejoin_conformance.systems.history_merge.kinds import KINDS
from rejoin_conformance.systems.history_merge.states import FORMS, SET_FORM, Form


@frozen(slots=False)
class Asked:
    """A question in Python. Its fields are attributes too; `nodes` is a graph.

    fast: whether the fast evaluation answers every input. If not, the literal evaluation answers,
        unless the history exceeds its bound.
    """

    fields: Mapping[str, Any]
    given: hm.Reading
    fast: bool

    def __getattr__(self, name: str) -> Any:
        """Return a field of the question."""
        return self.fields[name]

    @property
    def states(self) -> hm.StateType[Any]:
        """Return the type of the states."""
        form: Form = self.fields.get("state_type", SET_FORM)
        return form.states

    @property
    def reading(self) -> hm.Reading:
        """Return the reading, with the fold order of the question if it has one."""
        if self.fields["order"] is None:
            return self.given
        return hm.folding_by(hm.ranked_in(self.nodes, self.order), self.given)

    @property
    def cache(self) -> hm.MergeCache[Any] | None:
        """Return the cache for the fast evaluation."""
        return hm.MergeCache() if self.fast else None

    def by(self, literal: Callable[..., Any], fast: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function of the evaluation that answers."""
        return fast if self.fast else literal

    def session(self, messages: int) -> hm.Session[Any]:
        """Return a session for that many messages. It merges literally up to the bound."""
        cached = self.fast or messages > hm.LITERAL_NODES
        return hm.Session(self.states, self.given, hm.MergeCache() if cached else None)


@frozen(slots=False)
class HistoryRow(Row):
    """An operation on a history.

    nodes: the kind of the nodes that stand before the question, or nothing. typed: whether the
    field `state_type` says which type of state the question is about.
    """

    nodes: str = field(kw_only=True)
    typed: bool = field(kw_only=True)

    @property
    def takes(self) -> Mapping[str, Kind]:
        """Return the fields of the input: the nodes, the question, the type of the states."""
        nodes = {"nodes": KINDS[self.nodes]} if self.nodes else {}
        return {
            **nodes,
            **self.asks.fields,
            **({"state_type": KINDS["state_type"]} if self.typed else {}),
        }

    def context(self, value: JsonObject, reading: hm.Reading) -> Form:  # noqa: ARG002 - see Row
        """Return the type of the states."""
        return FORMS[str(value.get("state_type", SET_FORM.name))]

    def input_schema(self) -> JsonObject:
        """Return the schema of the input, with an alternative for each type of state."""
        if not self.typed:
            return super().input_schema()
        return any_of(*map(self._schema_for, FORMS.values()))

    def _schema_for(self, form: Form) -> JsonObject:
        """Return the schema of an input with states of one type, which sets need not name."""
        kinds = {**self.takes}
        state_type = kinds.pop("state_type")
        schema: Any = self.schema_of(kinds, self.asks.optional, form)
        schema["properties"]["state_type"] = state_type.described(form)
        schema["required"] += [] if form is SET_FORM else ["state_type"]
        return {**schema}


def size_of(said: Json) -> int:
    """Return the size of a part of an answer: the bytes of its texts in UTF-8, and one for each."""
    if isinstance(said, str):
        return len(said.encode("utf-8", "surrogatepass")) + 1
    if isinstance(said, dict):
        return sum(map(size_of, said.values()))
    return sum(map(size_of, said)) if isinstance(said, list) else 0
