"""The examples of all source documents, by name: `config-merge/worked-example`."""

from __future__ import annotations

from attrs import frozen

from rejoin_conformance.contract.document_example import DocumentExample, examples_of
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.load import load_topic_file
from rejoin_conformance.kit.locations import vectors_directory


@frozen
class NamedExample:
    """An example with its system."""

    system: System
    example: DocumentExample

    @property
    def name(self) -> str:
        """Return its full name, such as `config-merge/worked-example`."""
        return f"{self.system.name}/{self.example.name}"

    @property
    def place(self) -> str:
        """Return its place in the document, whose lines `rejoin trace --document` lists."""
        return f"lines {self.example.first_line} to {self.example.last_line} of the document"

    def vectors(self) -> tuple[Vector, ...]:
        """Return the vectors that play it, in the order of the document."""
        return tuple(vector_of(f"{self.system.name}/{each}") for each in self.example.vectors)

    def whole(self) -> Vector | None:
        """Return the vector that has everything that the example is about, if there is one."""
        whole = self.example.whole
        return vector_of(f"{self.system.name}/{whole}") if whole else None


def document_examples() -> tuple[NamedExample, ...]:
    """Return every example of every source document."""
    return tuple(
        NamedExample(system, each) for system in all_systems() for each in examples_of(system.name)
    )


def vector_of(vector_id: str) -> Vector:
    """Return the vector of the corpus with this ID. Raises KeyError if there is none."""
    system, _, rest = vector_id.partition("/")
    path = vectors_directory() / system / f"{rest.partition('/')[0]}.json"
    if not path.is_file():
        raise KeyError(vector_id)
    for vector in load_topic_file(path):
        if vector.id == vector_id:
            return vector
    raise KeyError(vector_id)
