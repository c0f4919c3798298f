"""The project's docstrings as reStructuredText, which Sphinx reads, and plain texts as Markdown.

A docstring opens with a sentence. Paragraphs follow, then a line for each parameter or field
(`name: text`), and lines such as `Clauses:`, `Errors:`, `Source:`, `pre:` and `post:`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from sphinx.application import Sphinx

_LABEL: Final = re.compile(r"(?P<names>[A-Za-z_]\w*(?:, [a-z_]\w*)*):(?: (?P<text>.*))?")
_LABELS: Final = frozenset({"Clauses", "Errors", "Raises", "Source", "Returns"})
_CONTRACTS: Final = frozenset({"pre", "post"})
_CODE: Final = re.compile(r"`[^`]*`")


def in_sphinx(  # the parameters are those of the event autodoc-process-docstring
    _app: Sphinx, _what: str, _name: str, _object: Any, _options: Any, lines: list[str]
) -> None:
    """Replace the lines of a docstring by reStructuredText."""
    lines[:] = _rst(lines)


def shown_signature(  # the parameters are those of the event autodoc-process-signature
    _app: Sphinx, _what: str, _name: str, _object: Any, _options: Any, said: str | None, result: Any
) -> tuple[str | None, Any]:
    """Return a signature in which a default that attrs keeps in its own table is `...`."""
    return said and re.sub(r"attr_dict\['\w+'\]\.default", "...", said), result


def _rst(lines: list[str]) -> Iterator[str]:
    """Yield the lines: those of parameters as a list, those with labels as paragraphs."""
    in_list = in_code = in_session = in_table = False
    for line in lines:
        in_session = bool(line) and (in_session or line.startswith(">>> "))
        if in_session:
            yield line
            continue
        if line.startswith("|"):
            yield from _row(line, first=not in_table)
            in_table = True
            continue
        in_table = False
        if line.startswith("    ") and not in_list:
            if not in_code:
                yield from ("", "::", "")
            in_code = True
            yield line
            continue
        if in_code and line:
            yield ""
        in_code = in_code and not line
        found = _LABEL.fullmatch(line)
        names = found["names"].split(", ") if found else []
        said = (found["text"] or "") if found else ""
        if names and names[0] in _CONTRACTS:
            yield from ("", f"*{names[0]}:* ``{said}``")
        elif names and names[0] in _LABELS:
            yield from ("", f"**{names[0]}:** {_of_rst(said)}")
        elif names:
            shown = ", ".join(f"``{each}``" for each in names)
            yield from ("", f"- {shown}: {_of_rst(said)}")
        elif line.startswith("- "):
            yield from ("", _of_rst(line))
        else:
            yield ("  " if in_list and line else "") + _of_rst(line.strip())
        begins = line.startswith("- ") or (bool(names) and names[0] not in _LABELS | _CONTRACTS)
        in_list = begins or (in_list and bool(line) and not names)


def _row(line: str, *, first: bool) -> Iterator[str]:
    """Yield a row of a table as one of a list-table; nothing for the line below the heading."""
    if first:
        yield from ("", ".. list-table::", "   :header-rows: 1", "")
    cells = [_of_rst(each.strip()) for each in line.strip("|").split("|")]
    if any(each.strip("-") for each in cells):
        yield "   * - " + "\n     - ".join(cells)


def _of_rst(line: str) -> str:
    return _outside_code(line, lambda text: re.sub(r"([*|_\\])", r"\\\1", text), "``")


def escaped(line: str) -> str:
    """Return a line of Markdown in which `<` is not a tag and `*` marks no emphasis."""
    return _outside_code(line, lambda text: re.sub(r"([<*\[\]\\])", r"\\\1", text), "`")


def _outside_code(line: str, change: Callable[[str], str], mark: str) -> str:
    """Return a line with a change of all that is not code. mark: what stands around code."""
    end, parts = 0, []
    for code in _CODE.finditer(line):
        parts += [change(line[end : code.start()]), mark + code[0][1:-1] + mark]
        end = code.end()
    return "".join([*parts, change(line[end:])])
