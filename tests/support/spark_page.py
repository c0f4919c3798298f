"""The commands of docs/spark.md."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

PAGE: Final = (Path(__file__).parents[2] / "docs" / "spark.md").read_text(encoding="utf-8")
_BLOCK: Final = re.compile(r"(?:```sql\n.+?```\n\n)?```(\w*)\n(.+?)```", re.DOTALL)
_CONTINUED: Final = re.compile(r" *\\\n *")
_REMARK: Final = re.compile(r" +# .*")


def commands_in(
    section: str | None = None, replaced: Mapping[str, str] = MappingProxyType({})
) -> Iterator[str]:
    """Yield the commands of a section, or of the page. replaced: text -> what a test has for it."""
    sections = re.split(r"(?m)^##* (?=[A-Z])", PAGE)
    text = next(each for each in sections if each.startswith(f"{section}\n")) if section else PAGE
    for match in _BLOCK.finditer(text):
        if match[1] or match[0].startswith("```sql"):
            continue  # Python, or a query with its result
        for line in _CONTINUED.sub(" ", match[2]).splitlines():
            command = _REMARK.sub("", line)
            for before, after in replaced.items():
                command = command.replace(before, after)
            yield command


def rejoin_main() -> str:
    """Return the file that the page gives to spark-submit."""
    (file,) = re.findall(r"```python\n# rejoin_main.py\n(.+?)```", PAGE, re.DOTALL)
    return str(file)
