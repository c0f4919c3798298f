"""Sources that carry all their mutants at once: one build, in which a number chooses the mutant.

The body of each function with mutants becomes a `match` with one arm for each mutant, which holds
the body with that change, and a last arm with the body as it is:

    fn next(seqno: i64) -> i64 { match crate::mutant::at(3) {
    17 => {
        seqno - 1
    }
    _ => {
        seqno + 1
    }
    } }

`crate::mutant::at` notes that the function was entered and returns the number of the chosen mutant.
`return` and `?` leave the function from an arm as they do from its body.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from attrs import frozen

FUNCTION: Final = "crate::mutant::at"


@frozen(kw_only=True)
class Site:
    """A mutant and its place.

    number: chooses the mutant; the unchanged program is 0. file: a path in the port. start, end:
    the offsets of the changed text in the file. replacement: the text in its place. function: the
    offsets of the function around it, from `fn` or `pub` to the last brace; none for a constant,
    and for a function whose result is any type of a trait: its arms would have different types.
    """

    number: int
    file: str
    start: int
    end: int
    replacement: str
    function: tuple[int, int] | None


@frozen
class Schema:
    """A source with its mutants.

    arms: the number of each mutant, with the first and last line of its arm, from 1. functions: the
    numbers of the mutants of each function, by the number of the function.
    """

    text: str
    arms: tuple[tuple[int, int, int], ...]
    functions: Mapping[int, tuple[int, ...]]


def sites(listed: Iterable[Mapping[str, Any]], sources: Mapping[str, str]) -> tuple[Site, ...]:
    """Return the mutants of `cargo mutants --list --json`. sources: the texts, by path."""
    return tuple(
        Site(
            number=number,
            file=each["file"],
            start=_offset(sources[each["file"]], each["span"]["start"]),
            end=_offset(sources[each["file"]], each["span"]["end"]),
            replacement=each["replacement"],
            function=_function(sources[each["file"]], each["function"]),
        )
        for number, each in enumerate(listed, start=1)
    )


def _function(source: str, function: Mapping[str, Any] | None) -> tuple[int, int] | None:
    if function is None:
        return None
    if function["return_type"].startswith("-> impl "):
        return None
    span = function["span"]
    return _offset(source, span["start"]), _offset(source, span["end"])


def _offset(source: str, place: Mapping[str, int]) -> int:
    lines = source.splitlines(keepends=True)
    return sum(map(len, lines[: place["line"] - 1])) + place["column"] - 1


def schema(source: str, mutants: Sequence[Site], first_function: int) -> Schema:
    """Return a source that carries mutants of its functions.

    mutants: in functions of this source, none of which is inside another. first_function: the
    number of the first function; the others follow in the order of the source.
    """
    text, end = "", 0
    arms: list[tuple[int, int, int]] = []
    functions: dict[int, tuple[int, ...]] = {}
    ordered = sorted(mutants, key=lambda each: (_span(each), each.number))
    for place, (span, group) in enumerate(groupby(ordered, key=_span)):
        inside = tuple(group)
        body = source.index("{", span[0])
        number = first_function + place
        text += source[end:body] + f"{{ match {FUNCTION}({number}) {{\n"
        for each in inside:
            first = text.count("\n") + 1
            text += f"{each.number} => {changed(source, (body, span[1]), each)}\n"
            arms.append((each.number, first, text.count("\n")))
        text += f"_ => {source[body : span[1]]}\n}} }}"
        end = span[1]
        functions[number] = tuple(each.number for each in inside)
    return Schema(text + source[end:], tuple(arms), functions)


def _span(site: Site) -> tuple[int, int]:
    if site.function is None:
        raise ValueError(f"mutant {site.number} of {site.file} is not in a function")
    return site.function


def changed(source: str, body: tuple[int, int], site: Site) -> str:
    """Return a part of a source with the change of a mutant in it."""
    start, end = body
    return source[start : site.start] + site.replacement + source[site.end : end]


def invalid(messages: Iterable[str], schemas: Mapping[str, Schema]) -> frozenset[int]:
    """Return the mutants that do not compile.

    messages: the lines that `cargo check --message-format=json` prints. Raises ValueError with the
    message of an error that is in no arm.
    """
    found: set[int] = set()
    for message in _errors(messages):
        numbers = {number for span in message["spans"] for number in _arm(span, schemas)}
        if message["spans"] and not numbers:
            raise ValueError(message["rendered"])
        found |= numbers
    return frozenset(found)


def _errors(lines: Iterable[str]) -> Iterator[Mapping[str, Any]]:
    for line in lines:
        about = json.loads(line)
        if about["reason"] == "compiler-message" and about["message"]["level"] == "error":
            yield about["message"]


def _arm(span: Mapping[str, Any], schemas: Mapping[str, Schema]) -> Iterator[int]:
    outermost = span
    while outermost.get("expansion"):
        outermost = outermost["expansion"]["span"]
    if not span["is_primary"] or outermost["file_name"] not in schemas:
        return
    for number, first, last in schemas[outermost["file_name"]].arms:
        if first <= outermost["line_start"] <= last:
            yield number


def by_file(mutants: Iterable[Site]) -> dict[str, tuple[Site, ...]]:
    """Return the mutants that are in functions, by their files."""
    found: defaultdict[str, list[Site]] = defaultdict(list)
    for each in mutants:
        if each.function:
            found[each.file].append(each)
    return {file: tuple(group) for file, group in sorted(found.items())}
