"""The folders of the spec and the corpus, and texts beside modules.

The folders are beside the packages in a checkout, inside in a wheel. A text can be a table. Each
row has a name, a text, and further fields with names of their own:

    walk: ours {local}   cached {cached}
        summary: Return the snapshots that a client fetches,
            and the classification.
        graph: snapshots

A line that fits nowhere is an error, so that a misspelt row does not vanish.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from rejoin_conformance.kit.phrases import Kind

_PACKAGE: Final = Path(__file__).resolve().parent.parent
_CHECKOUT: Final = _PACKAGE.parent.parent
_DATA: Final = _PACKAGE / "data"


def _data_directory(name: str) -> Path:
    installed = _DATA / name
    return installed if installed.is_dir() else _CHECKOUT / name


def spec_directory() -> Path:
    """Return the folder of the spec, which has one folder for each system."""
    return _data_directory("spec")


def vectors_directory() -> Path:
    """Return the folder of the committed corpus."""
    return _data_directory("vectors")


def mutants_directory() -> Path:
    """Return the folder with one folder of argued mutants and knock-outs for each system."""
    installed = _DATA / "mutants"
    return installed if installed.is_dir() else _CHECKOUT / "conformance" / "mutants"


def in_checkout() -> bool:
    """Return whether the suite runs from a checkout, which the user may change."""
    return not _DATA.is_dir()


def text_beside(module: str) -> str:
    """Return the text beside a module that has its name: that of `actions.txt` beside `actions.py`.

    module: its `__name__`. It can be in a zip, as for the executors of Spark. The text belongs to
    the code on which kept results depend.
    """
    package, _, name = module.rpartition(".")
    return files(package).joinpath(f"{name}.txt").read_text(encoding="utf-8")


_ROW: Final = re.compile(r"^(\S+):(.*)((?:\n {4}.*)*)", re.MULTILINE)
_FIELD: Final = re.compile(r"^ {4}(\S+): (.*(?:\n {8}.*)*)", re.MULTILINE)
_WORDS: Final = re.compile(r"^(\S+): (.*(?:\n .*)*)", re.MULTILINE)


def table(text: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the rows of a table: the name, the text, and the fields by their names.

    Raises ValueError with the first line that belongs to no row.
    """
    for name, told, fields in whole(_ROW, text):
        yield name, told.strip(), {each: " ".join(v.split()) for each, v in whole(_FIELD, fields)}


def saying(text: str, kinds: Mapping[str, Kind]) -> dict[str, Kind]:
    """Return kinds with their words from a text: a name, a colon, and lines of words for each.

    Raises ValueError with the first line that belongs to no kind.
    """
    told = {name: " ".join(words.split()) for name, words in whole(_WORDS, text)}
    return {name: kind.saying(told.get(name, kind.words)) for name, kind in kinds.items()}


def whole(pattern: re.Pattern[str], text: str) -> list[tuple[str, ...]]:
    """Return the groups of each match of a pattern, which together are the whole text.

    Raises ValueError with the first line that is in no match.
    """
    rest = pattern.sub("", text).strip()
    if rest:
        raise ValueError(f"a table of text has a line of no row: {rest.partition(chr(10))[0]!r}")
    return pattern.findall(text)
