"""The project's docstrings as Markdown.

A docstring opens with a sentence. Paragraphs follow, then a line for each parameter or field
(`name: text`), and lines such as `Clauses:`, `Errors:`, `Source:`, `pre:` and `post:`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Collection, Iterator
from typing import Final

_LABEL: Final = re.compile(r"(?P<names>[A-Za-z_]\w*(?:, [a-z_]\w*)*):(?: (?P<text>.*))?")
_LABELS: Final = frozenset({"Clauses", "Errors", "Raises", "Source", "Returns"})
_CONTRACTS: Final = frozenset({"pre", "post"})
_CODE: Final = re.compile(r"`[^`]*`")


def as_markdown(docstring: str, names: Collection[str]) -> str:
    """Return a docstring as Markdown. names: those of the parameters or fields."""
    return "\n".join(_lines(inspect.cleandoc(docstring), names)).strip()


def _lines(text: str, names: Collection[str]) -> Iterator[str]:
    """Yield the lines: those of parameters as a list, those with labels as paragraphs."""
    in_list = fenced = False
    for line in text.split("\n"):
        if line.startswith("    ") and not in_list and not fenced:
            yield line  # an example, which Markdown shows as code
            continue
        found = _LABEL.fullmatch(line)
        labels = found["names"].split(", ") if found else []
        said = (found["text"] or "") if found else ""
        if found and set(labels) <= {*names}:
            if not in_list:
                yield ""
            yield f"- {', '.join(f'`{each}`' for each in labels)}: {escaped(said)}"
            in_list = True
        elif found and labels[0] in _CONTRACTS:
            yield from ("", f"*{labels[0]}:* `{said}`")
            in_list = False
        elif found and labels[0] in _LABELS:
            yield from ("", f"**{labels[0]}:** {escaped(said)}")
            in_list = False
        elif not line:
            yield ""
            in_list = False
        else:
            yield ("  " if in_list else "") + escaped(line.strip())


def escaped(line: str) -> str:
    """Return a line in which `<` is not a tag, `*` marks no emphasis and `_` is an underscore."""
    end, parts = 0, []
    for code in _CODE.finditer(line):
        parts += [_escaped(line[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*parts, _escaped(line[end:])])


def _escaped(text: str) -> str:
    return re.sub(r"([<*\[\]\\])", r"\\\1", text)
