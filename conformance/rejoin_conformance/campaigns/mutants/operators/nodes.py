"""Functions that all operators share: nodes with other fields, and targets of assignments."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import copy
from typing import Any, TypeAlias

Changes: TypeAlias = Iterator[ast.AST]
"""The nodes that take the place of one node, one at a time."""


def with_(node: ast.AST, **fields: Any) -> Any:
    """Return the node with other fields; the node itself stays as it is."""
    changed = copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def is_target(node: ast.List | ast.Tuple | ast.Set) -> bool:
    """Return whether a list or tuple is assigned to, so that it is not a value."""
    return not isinstance(node, ast.Set) and not isinstance(node.ctx, ast.Load)
