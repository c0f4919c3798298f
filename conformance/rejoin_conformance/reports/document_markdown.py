"""Documents as Markdown.

Text that is not marked as Markdown (`prose`) or as code is escaped: it can come from anywhere.
Remarks (`says`) are left out.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from typing import Final

from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.kit.document import (
    Bars,
    Block,
    Code,
    Facts,
    Fold,
    Heading,
    Items,
    Line,
    Table,
    Text,
    bars_text,
    spans,
)
from rejoin_conformance.kit.text import shown, shown_line

_SIGNS: Final = {"pass": "✅ ", "fail": "❌ ", "known": "🟡 "}
_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>&|])")


def document_markdown(blocks: Sequence[Block]) -> str:
    """Return the blocks of a document as Markdown, with an empty line between them."""
    return "\n".join("\n".join([*_block(each), ""]) for each in blocks)


def code(text: str, *, in_table: bool = False) -> str:
    """Return untrusted text as inline code."""
    line = shown_line(text)
    if in_table:
        line = line.replace("|", "\\|")
    fence = "`" * (1 + _longest_run(line))
    space = " " if line.startswith("`") or line.endswith("`") or not line else ""
    return f"{fence}{space}{line}{space}{fence}"


def code_block(text: str) -> list[str]:
    """Return untrusted text as a block of code."""
    fence = "`" * max(3, 1 + _longest_run(text))
    return [f"{fence}text", text, fence]


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


def _line(line: Line, *, in_table: bool = False) -> str:
    parts = []
    for each in spans(line):
        if isinstance(each, str):
            parts.append(_SPECIAL.sub(r"\\\1", shown_line(each, 1000)))
        elif each.kind == "code":
            parts.append(code(each.text, in_table=in_table))
        elif each.kind != "prose":
            text = _SPECIAL.sub(r"\\\1", shown_line(each.text, 1000))
            parts.append("" if each.kind == "says" else f"{_SIGNS.get(each.kind, '')}{text}")
        else:
            parts.append(each.text.replace("|", "\\|") if in_table else each.text)
    return "".join(parts)


def _html(line: Line) -> str:
    """Return a line as HTML; a mention in it is code."""
    parts = (
        (each, "") if isinstance(each, str) else (each.text, each.kind) for each in spans(line)
    )
    return "".join(
        f"<code>{html.escape(shown_line(text))}</code>" if kind == "code"
        else html.escape(shown_line(text))
        for text, kind in parts
    )  # fmt: skip


def _block(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            yield f"{'#' * block.level} {_line(block.line)}"
        case Text():
            yield _line(block.line)
        case Items():
            yield from (f"- {_line(each)}" for each in block.lines)
        case Facts():
            yield from (f"- {name}: {_line(line)}" for name, line in block.pairs)
        case Table():
            yield f"| {' | '.join(_line(each, in_table=True) for each in block.columns)} |"
            marks = ("--:|" if n in block.numbers else "---|" for n in range(len(block.columns)))
            yield f"|{''.join(marks)}"
            for row in block.rows:
                yield f"| {' | '.join(_line(cell, in_table=True) for cell in row)} |"
        case Code():
            yield from code_block(shown(block.text, 8000))
        case Drawing():
            yield from code_block(block.text())
        case Bars():
            yield _line(bars_text(block))
        case Fold() if not block.blocks:
            yield _line(block.summary)
        case Fold():  # its text up to the empty line is HTML, the text after it is Markdown
            yield f"<details><summary>{_html(block.summary)}</summary>"
            yield ""
            yield document_markdown(block.blocks)
            yield "</details>"
