"""The public definitions of the reference's modules, read from their source."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, Literal, TypeAlias

from attrs import frozen

from rejoin_conformance.kit.import_graph import modules_of

PACKAGE: Final = "rejoin"

Kind: TypeAlias = Literal["function", "method", "property", "class", "exception", "data"]


@frozen(kw_only=True)
class Definition:
    """A public name of a module or class.

    signature: parameters and result of a function, the fields of a class, or the type of a value.
    names: the parameters or fields. docstring: empty if there is none. inside: of a class.
    """

    kind: Kind
    name: str
    signature: str
    names: tuple[str, ...]
    docstring: str
    inside: tuple[Definition, ...] = ()


@frozen(kw_only=True)
class ModuleSource:
    """A module of the reference: its dotted name, its docstring and its public definitions."""

    name: str
    docstring: str
    definitions: tuple[Definition, ...]

    @property
    def places(self) -> Iterator[str]:
        """Yield the dotted names of all definitions, with those inside classes."""
        for each in self.definitions:
            yield f"{self.name}.{each.name}"
            for inner in each.inside:
                yield f"{self.name}.{each.name}.{inner.name}"


@cache
def modules() -> tuple[ModuleSource, ...]:
    """Return every module of the reference, by name."""
    return tuple(
        module_in(name, path.read_text(encoding="utf-8"))
        for name, path in sorted(modules_of(PACKAGE).items())
    )


def module_in(name: str, source: str) -> ModuleSource:
    """Return the module that a source text defines."""
    tree = _Qualified(_full_names(name, ast.parse(source))).visit(ast.parse(source))
    return ModuleSource(
        name=name,
        docstring=ast.get_docstring(tree) or "",
        definitions=tuple(_definitions(tree.body, within_class=False)),
    )


def _full_names(module: str, tree: ast.Module) -> dict[str, str]:
    """Return the dotted name of each name of the reference that a module defines or imports."""
    full: dict[str, str] = {}
    for node in tree.body:
        match node:
            case ast.ImportFrom(module=str() as source) if source.startswith(PACKAGE):
                full |= {each.asname or each.name: f"{source}.{each.name}" for each in node.names}
            case ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                full[name] = f"{module}.{name}"
            case _:
                pass
    return full


class _Qualified(ast.NodeTransformer):
    """Write the names in annotations in full, so that the generator finds what they mean."""

    def __init__(self, full: Mapping[str, str]) -> None:
        self._full = full

    def visit_arg(self, node: ast.arg) -> ast.arg:
        if node.annotation is not None:
            node.annotation = self._named(node.annotation)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        node.annotation = self._named(node.annotation)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if node.returns is not None:
            node.returns = self._named(node.returns)
        return self.generic_visit(node)

    def _named(self, annotation: ast.expr) -> ast.expr:
        for node in ast.walk(annotation):
            if isinstance(node, ast.Name):
                node.id = self._full.get(node.id, node.id)
        return annotation


def _definitions(body: list[ast.stmt], *, within_class: bool) -> Iterator[Definition]:
    for place, node in enumerate(body):
        match node:
            case ast.FunctionDef(name=name) if not name.startswith("_"):
                yield _function(node, within_class=within_class)
            case ast.ClassDef(name=name) if not name.startswith("_"):
                yield _class(node)
            case ast.AnnAssign(target=ast.Name(id=name)) if not (
                name.startswith("_") or within_class
            ):
                yield _value(node, name, _text_after(body, place))
            case _:
                pass


def _function(node: ast.FunctionDef, *, within_class: bool) -> Definition:
    every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    marks = {ast.unparse(each) for each in node.decorator_list}
    is_property = bool(marks & {"property", "cached_property"})
    kind: Kind = "property" if is_property else "method" if within_class else "function"
    result = "" if node.returns is None else ast.unparse(node.returns)
    arguments = "" if is_property else f"({_without_self(ast.unparse(node.args))})"
    return Definition(
        kind=kind,
        name=node.name,
        signature=result if is_property else f"{arguments} -> {result}",
        names=tuple(each.arg for each in every),
        docstring=ast.get_docstring(node) or "",
    )


def _class(node: ast.ClassDef) -> Definition:
    bases = {ast.unparse(each) for each in node.bases}
    fields = [
        each
        for each in node.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    ]
    shown = ", ".join(
        f"{ast.unparse(each.target)}: {ast.unparse(each.annotation)}" for each in fields
    )
    return Definition(
        kind="exception" if any(each.endswith("Error") for each in bases) else "class",
        name=node.name,
        signature=f"({shown})" if shown else "",
        names=tuple(ast.unparse(each.target) for each in fields),
        docstring=ast.get_docstring(node) or "",
        inside=tuple(_definitions(node.body, within_class=True)),
    )


def _value(node: ast.AnnAssign, name: str, text: str) -> Definition:
    written = ast.unparse(node.annotation)
    value = "" if node.value is None else ast.unparse(node.value)
    return Definition(
        kind="data",
        name=name,
        signature=f"{written} = {value}" if len(value) <= 80 else written,
        names=(),
        docstring=text,
    )


def _text_after(body: list[ast.stmt], place: int) -> str:
    """Return the text that follows a value as its docstring; empty if none does."""
    following = body[place + 1] if place + 1 < len(body) else None
    match following:
        case ast.Expr(value=ast.Constant(value=str() as text)):
            return text
    return ""


def _without_self(arguments: str) -> str:
    for first in ("self, ", "cls, "):
        arguments = arguments.removeprefix(first)
    return "" if arguments in {"self", "cls"} else arguments
