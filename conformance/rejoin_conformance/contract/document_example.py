"""An example of a system's source document, as vectors that play it."""

from __future__ import annotations

from attrs import frozen


@frozen(kw_only=True)
class DocumentExample:
    """One example, picture or worked case of the document.

    name: unique in its system. title: one line. first_line, last_line: its place in the document,
    from 1. vectors: the vectors that play it, as `topic/name`, in the order of the document.
    whole: a vector whose input has everything that the example is about. It is drawn, and the other
    vectors use its names. Without it, each vector is drawn and named by itself. names: the
    document's names for the messages of `whole`, in order; empty if the notation's own are right.
    """

    name: str
    title: str
    first_line: int
    last_line: int
    vectors: tuple[str, ...]
    whole: str = ""
    names: tuple[str, ...] = ()
