"""An example of a system's source document, as vectors that play it."""

from __future__ import annotations

from attrs import field, frozen

from rejoin_conformance.kit.files import own_tables
from rejoin_conformance.kit.locations import spec_directory


@frozen(kw_only=True)
class DocumentExample:
    """One example, picture or worked case of the document.

    name: unique in its system. title: one line. first_line, last_line: its place in the document,
    from 1. vectors: the vectors that play it, as `topic/name`, in the order of the document.
    whole: a vector whose input has everything that the example is about. It is drawn, and the other
    vectors use its names. Without it, each vector is drawn and named by itself.
    """

    name: str
    title: str
    first_line: int
    last_line: int
    vectors: tuple[str, ...] = field(converter=tuple)
    whole: str = ""


def examples_of(system: str) -> tuple[DocumentExample, ...]:
    """Return the examples of a system's document, which `examples.toml` in its spec lists."""
    tables = own_tables(spec_directory() / system / "examples.toml")
    return tuple(DocumentExample(**each) for each in tables)
