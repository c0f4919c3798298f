"""The clauses of the spec, and what names them: functions, laws' checks, models and proofs.

The sources are parsed, not imported, so that all definitions in them are found.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final, TypeAlias

from attrs import frozen

from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.kit.locations import spec_directory

_CLAUSE: Final = re.compile(
    r"^\s*(?:[-*] )?\*\*(?P<id>[A-Z]+(?:-[A-Z0-9]+)+)\*\* \((?P<level>MUST|SHOULD|MAY)\) ?",
    re.MULTILINE,
)
_LINK: Final = re.compile(r"(?P<kept>`[^`]*`|\\.)|\[(?P<text>(?:\\.|[^]\\])+)\]\([^)]*\)")
"""A link with its text; or code or an escaped character, in which no link begins."""


@frozen
class Clause:
    """One normative statement: its ID, its level, its file and its text.

    text: Markdown on one line. A link is replaced by its text, because it leads from one page of
        the spec to another, which the reader of a clause alone does not have.
    """

    id: str
    level: str
    file: str
    text: str


@cache
def clauses_of(system: str) -> tuple[Clause, ...]:
    """Return the clauses of a system, by file. An ID that occurs twice is listed twice."""
    folder = spec_directory() / system
    return tuple(
        clause
        for path in sorted(folder.glob("*.md"))
        for clause in clauses_in(path.read_text(encoding="utf-8"), path.name)
    )


@cache
def clause_named(system: str, name: str) -> Clause | None:
    """Return the clause of a system with that ID; None if the spec has no such clause.

    system: can come from a file that anyone wrote.
    """
    if system not in system_names():
        return None
    return next((clause for clause in clauses_of(system) if clause.id == name), None)


def clauses_in(text: str, file: str) -> tuple[Clause, ...]:
    """Return the clauses in one file's text. The text of each is its paragraph."""
    return tuple(
        Clause(
            match["id"],
            match["level"],
            file,
            _without_links(re.split(r"\n\s*\n", text[match.end() :], maxsplit=1)[0]),
        )
        for match in _CLAUSE.finditer(text)
    )


def _without_links(paragraph: str) -> str:
    """Return a paragraph on one line, with the text of each link in its place."""
    line = " ".join(paragraph.split())
    return _LINK.sub(lambda found: found["kept"] or found["text"], line)


_ID: Final = re.compile(r"[A-Z]+(?:-[A-Z0-9]+)+")
_ID_IN_PROSE: Final = re.compile(r"\b[A-Z]{2}(?:-[A-Z0-9]+)+\b")
_ERRATUM: Final = re.compile(r"[A-Z]{2}-E\d+")
_ERRATUM_TEXT: Final = re.compile(
    r"^### (?P<id>[A-Z]+-E[0-9]+) (?P<body>.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL
)
_VECTOR_ID: Final = re.compile(r"`([a-z0-9-]+/[a-z0-9-]+/[a-z0-9-]+)`")
_CLAUSES_LINE: Final = re.compile(r"^Clauses:\s*(?P<list>.*(?:\n[ \t]+\S.*)*)", re.MULTILINE)
_OF_TLA: Final = re.compile(r"(?P<name>[A-Za-z]\w*)\s*(?:\([^=]*\))?\s*==")
_SECTIONS: Final = ("----", "====", "EXTENDS", "CONSTANT", "VARIABLE")
_OF_COQ: Final = re.compile(
    r"\(\*\s*Clauses:(?P<list>[^*]*)\*\)\s*"
    r"(?P<kind>Theorem|Lemma|Example|Definition|Fixpoint|Inductive|Record|Hypothesis)"
    r"\s+(?P<name>[\w']+)"
)
_THEOREMS: Final = frozenset({"Theorem", "Lemma", "Example"})

_Node: TypeAlias = ast.Module | ast.ClassDef | ast.FunctionDef


@frozen
class Linked:
    """A function, a definition of a model or a statement of a proof, and the clauses that it names.

    name: dotted, with the module, class or file before it. proven: whether it is a theorem of Coq.
    signature: the parameters and the result of a function, as its source has them.
    """

    name: str
    clauses: tuple[str, ...]
    proven: bool = False
    signature: str = ""


# errata


@cache
def errata_of(system: str) -> dict[str, str]:
    """Return the text of each erratum of a system, with its title: ID -> text."""
    path = spec_directory() / system / "errata.md"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return {entry["id"]: entry["body"] for entry in _ERRATUM_TEXT.finditer(text)}


def vectors_named(text: str) -> tuple[str, ...]:
    """Return the IDs of the vectors that a text names, in its order."""
    return tuple(dict.fromkeys(_VECTOR_ID.findall(text)))


# the reference


@cache
def implementers(package: str) -> tuple[Linked, ...]:
    """Return the modules, classes and functions of a package whose docstrings list clauses."""
    found = (
        Linked(
            name,
            clauses_listed(ast.get_docstring(node) or ""),
            signature=f"({ast.unparse(node.args)}) -> {ast.unparse(node.returns)}"
            if isinstance(node, ast.FunctionDef) and node.returns is not None
            else "",
        )
        for path, module in _modules(package)
        for name, node in _definitions(module, _parsed(path))
    )
    return tuple(each for each in found if each.clauses)


def clauses_listed(docstring: str) -> tuple[str, ...]:
    """Return the IDs in the `Clauses:` lines of a docstring."""
    return tuple(
        name for match in _CLAUSES_LINE.finditer(docstring) for name in _ID.findall(match["list"])
    )


def _modules(package: str) -> Iterator[tuple[Path, str]]:
    root = Path(str(files(package)))
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        yield path, ".".join((package, *(part for part in parts if part != "__init__")))


def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _definitions(name: str, node: _Node) -> Iterator[tuple[str, _Node]]:
    """Yield a module or definition and everything defined in it, each with its dotted name."""
    yield name, node
    for child in node.body:
        if isinstance(child, ast.ClassDef | ast.FunctionDef):
            yield from _definitions(f"{name}.{child.name}", child)


# laws


@cache
def law_checks(system: str) -> dict[str, tuple[str, ...]]:
    """Return the functions that decide each law: name of the law -> dotted names in the system.

    A function decides a law if it is in a module `laws...` and has the law's name as a string, or
    the end of it after a hyphen, as in f"{name}-always".
    """
    package = f"rejoin_conformance.systems.{system.replace('-', '_')}"
    modules = ((name.removeprefix(f"{package}."), path) for path, name in _modules(package))
    found: dict[str, list[str]] = {law.name: [] for law in system_named(system).laws}
    for module, path in modules:
        for function, node in _definitions(module, _parsed(path)):
            if isinstance(node, ast.FunctionDef) and module.startswith("laws"):
                texts = _texts_in(node)
                ends = tuple(each for each in texts if each.startswith("-") and len(each) > 1)
                for law, deciding in found.items():
                    if law in texts or law.endswith(ends):
                        deciding.append(function)
    return {name: tuple(checks) for name, checks in found.items()}


def _texts_in(node: ast.FunctionDef) -> set[str]:
    """Return the strings in a function."""
    constants = (each.value for each in ast.walk(node) if isinstance(each, ast.Constant))
    return {each for each in constants if isinstance(each, str)}


# formal models and proofs


def modelled_clauses(system: str) -> tuple[Linked, ...]:
    """Return the definitions of a system's formal model that name clauses, as `Module.Name`."""
    return tuple(
        Linked(f"{path.stem}.{each.name}", each.clauses)
        for path in sorted((spec_directory() / system / "model").glob("*.tla"))
        for each in definitions_in(path.read_text(encoding="utf-8"))
    )


def definitions_in(text: str) -> Iterator[Linked]:
    """Yield the definitions in the text of a module of TLA+ that name clauses.

    A clause in a comment before a definition belongs to that definition. A clause in a comment
    inside a definition belongs to the definition around it.
    """
    found: dict[str, dict[str, None]] = {}
    current, waiting = "", dict[str, None]()
    for line in text.splitlines():
        if line.startswith(_SECTIONS):
            current, waiting = "", {}
            continue
        names = dict.fromkeys(
            each for each in _ID_IN_PROSE.findall(line) if not _ERRATUM.fullmatch(each)
        )
        start = _OF_TLA.match(line)
        if start is not None:
            current = start["name"]
            found.setdefault(current, {}).update(waiting | names)
            waiting = {}
        elif current and line.startswith(" "):
            found[current].update(names)
        else:
            waiting |= names
    for name, clauses in found.items():
        if clauses:
            yield Linked(name, tuple(clauses))


def proven_clauses(system: str) -> tuple[Linked, ...]:
    """Return the statements about clauses in the proofs of a system, as `File.name`.

    In `spec/<system>/proof/*.v`, the comment `(* Clauses: ... *)` names the clauses of the
    definition or theorem of Coq that follows.
    """
    return tuple(
        each
        for path in sorted((spec_directory() / system / "proof").glob("*.v"))
        for each in statements_in(path.read_text(encoding="utf-8"), path.stem)
    )


def statements_in(text: str, file: str) -> Iterator[Linked]:
    """Yield the statements about clauses in the text of a file of Coq; `file` is its name."""
    for match in _OF_COQ.finditer(text):
        clauses, proven = tuple(match["list"].split()), match["kind"] in _THEOREMS
        yield Linked(f"{file}.{match['name']}", clauses, proven)
