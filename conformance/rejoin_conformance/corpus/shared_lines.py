"""Paragraphs that share lines: one paragraph for several vectors, or one that continues another.

change-{snapshots,maps}  CD-CLASSIFY-OVERWRITE
  The lines below hold a vector for each word in the braces; the notation derives their lines.

2-two-changes  CD-FOUR-PARTIES
  The question and the answers of an earlier paragraph of the file come before this one's.
  after 1-in-sync
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rejoin_conformance.contract.system import System
from rejoin_conformance.corpus.paragraph import (
    INDENTATION,
    Line,
    notation_of,
)
from rejoin_conformance.kit.phrases import NotationError

_SEVERAL: Final = re.compile(r"(?P<stem>[a-z0-9-]+)\{(?P<words>[a-z0-9,-]+)\}(?P<rest>.*)")
_AFTER: Final = f"{INDENTATION}after "
_KEYWORD: Final = re.compile(
    r"refused( in .*)?|only in .*|mended:.*|scenario .*, step .*|not yet checked"
)

Bodies = Mapping[str, Sequence[Line]]
"""The name of a vector -> the lines of its paragraph after the summary."""


def body_of(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines of a paragraph after its summary."""
    end = next((at for at, line in enumerate(lines) if at and line.text.endswith(".")), len(lines))
    return lines[end + 1 :]


def vectors_in(system: System, lines: Sequence[Line], earlier: Bodies) -> Iterator[list[Line]]:
    """Yield the complete lines of each vector of a paragraph, including the shared lines.

    earlier: the bodies of the paragraphs above it in the file. Raises NotationError if it continues
    a paragraph that is not among them, and for words in braces that the notation does not define.
    """
    body = body_of(lines)
    head, summary = lines[0], lines[1 : len(lines) - len(body)]
    match = _SEVERAL.fullmatch(head.text)
    if match is None:
        yield [head, *summary, *_with_earlier(system, body, earlier)]
        return
    words = match["words"].split(",")
    lines_of = _variants(system, body)
    if not {*words} <= {*lines_of}:
        raise NotationError(
            head.number, f"some of {', '.join(lines_of) or 'no words'}", match["words"]
        )
    for word in words:
        name = Line(head.number, f"{match['stem']}{word}{match['rest']}")
        yield [name, *summary, *_with_earlier(system, lines_of[word], earlier)]


def _variants(system: System, body: Sequence[Line]) -> dict[str, list[Line]]:
    variants = notation_of(system).variants
    if variants is None or not body:
        return {}
    lines_of = variants([line.text.removeprefix(INDENTATION) for line in body])
    return {
        word: [Line(body[place].number, f"{INDENTATION}{text}") for place, text in lines]
        for word, lines in lines_of.items()
    }


def _with_earlier(system: System, body: Sequence[Line], earlier: Bodies) -> Sequence[Line]:
    """Return the lines after the question and the answers of the paragraph that they continue."""
    if not body or not body[0].text.startswith(_AFTER):
        return body
    name = body[0].text.removeprefix(_AFTER)
    if name not in earlier:
        raise NotationError(body[0].number, "the name of a paragraph above", name)
    question: list[Line] = []
    answers: dict[str, list[Line]] = {}
    others: list[Line] = []
    for block in _blocks(earlier[name]):
        _sort(system, block, question, answers, [])
    for block in _blocks(body[1:]):
        _sort(system, block, question, answers, others)
    return [*question, *(line for lines in answers.values() for line in lines), *others]


def _sort(
    system: System,
    block: Sequence[Line],
    question: list[Line],
    answers: dict[str, list[Line]],
    others: list[Line],
) -> None:
    """Add a block to the question, to the answers of a reading, or to the other keywords."""
    first, *lines = block
    before, colon, rest = first.text.strip().partition(":")
    reading = before.removeprefix("in ")
    if colon and before != reading and reading in system.every_reading:
        keyword = Line(first.number, f"{INDENTATION}{before}:")
        answer = [Line(first.number, f"{INDENTATION * 2}{rest.strip()}")] if rest.strip() else []
        answers.setdefault(reading, [keyword]).extend((*answer, *lines))
    elif _KEYWORD.fullmatch(first.text.strip()):
        others += block
    else:
        question += block


def _blocks(body: Sequence[Line]) -> list[list[Line]]:
    """Return each line together with the lines below it that have a deeper indentation."""
    blocks: list[list[Line]] = []
    for line in body:
        if blocks and line.text.startswith(f"{INDENTATION} "):
            blocks[-1].append(line)
        else:
            blocks.append([line])
    return blocks
