"""The API of `import rejoin` as documents: one for each module, and one that lists them."""

from __future__ import annotations

import ast
import inspect
import pkgutil
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Final

from sphinx.pycode import ModuleAnalyzer

import rejoin
from rejoin_site.docstrings import escaped
from rejoin_site.places import module_page

_INTRODUCTION: Final = (
    "`import rejoin` is a literal reference: the steps of the documents are the steps of the "
    "functions. These pages are its docstrings. Each function names the clauses that it follows."
)
_MODULE: Final = """\
---
orphan: true
---

# {name}

[All modules](index.md)

```{{eval-rst}}
.. automodule:: {name}
{members}```
{exported}"""
_MEMBERS: Final = "   :members:\n   :ignore-module-all:\n   :member-order: bysource\n"


def api_documents() -> dict[str, str]:
    """Return the documents: path in the site's source -> Markdown."""
    documents = {
        f"api/{name}.md": _MODULE.format(
            name=name,
            members="" if hasattr(module, "__all__") else _MEMBERS,
            exported="\n".join(_exported(module)),
        )
        for name, module in _modules().items()
    }
    return {"api/index.md": _index(), **documents}


def function_place(name: str) -> str | None:
    """Return the place of a function by its dotted name; of its module if it is not public."""
    parts = name.split(".")
    for length in range(len(parts), 1, -1):
        module, rest = ".".join(parts[:length]), parts[length:]
        if module in _modules():
            public = rest and not any(each.startswith("_") for each in rest)
            return module_page(module) + (f"#{name}" if public else "")
    return None


@cache
def _modules() -> dict[str, ModuleType]:
    """Return the public modules of the reference, by name."""
    found = pkgutil.walk_packages(rejoin.__path__, "rejoin.")
    names = (each.name for each in found if not each.name.rpartition(".")[2].startswith("_"))
    return {name: import_module(name) for name in sorted(names)}


def _exported(module: ModuleType) -> Iterator[str]:
    """Yield a table of the names that a package exports, with links to where they are described."""
    if not hasattr(module, "__all__"):
        return
    imports = [
        it
        for it in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(it, ast.ImportFrom)
    ]
    homes = {alias.name: str(it.module) for it in imports for alias in it.names}
    yield "\n## What it exports\n\n| Name | Meaning |\n|---|---|"
    for name in module.__all__:
        value, home = getattr(module, name), homes[name]
        comment = ModuleAnalyzer.for_module(home).find_attr_docs().get(("", name), [])
        is_described = comment or inspect.isfunction(value) or inspect.isclass(value)
        place = f"{home}.html#{home}.{name}" if is_described else f"{home}.html"
        said = _first_words("\n".join(comment) or (inspect.getdoc(value) if is_described else None))
        yield f'| <a href="{place}"><code>{name}</code></a> | {said} |'


def _first_words(docstring: str | None) -> str:
    """Return the first paragraph of a docstring, in a cell of a table."""
    first = escaped(" ".join((docstring or "").split("\n\n")[0].split()))
    return first.replace("|", "\\|")


def _index() -> str:
    lines = [f"# The API of the reference\n\n{_INTRODUCTION}\n"]
    lines += ["| Module | Contents |", "|---|---|"]
    for name, module in _modules().items():
        lines.append(f"| [`{name}`]({name}.md) | {_first_words(inspect.getdoc(module))} |")
    return "\n".join([*lines, ""])
