"""Make a function of the reference call another one, wherever the function is bound.

The code of the function object is exchanged, not a binding of it. So the exchange holds for every
name, table, default, partial, field and decorator that refers to the function.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import Any, Final

Function = Callable[..., Any]

_KEYWORD: Final = "_rejoin_stand_in"
"""The keyword with which a function that is exchanged receives its stand-in."""


def plain_function(value: object) -> FunctionType | None:
    """Return the function under a static method, class method, property or cache, or None."""
    match value:
        case FunctionType():
            return value
        case staticmethod() | classmethod():
            return plain_function(value.__func__)
        case property():
            return plain_function(value.fget)
        case functools.cached_property():
            return plain_function(value.func)
    return plain_function(getattr(value, "__wrapped__", None)) if callable(value) else None


def copy_of(function: FunctionType) -> FunctionType:
    """Return a copy that keeps the code that the function has now."""
    copied = FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    copied.__kwdefaults__ = function.__kwdefaults__ and {**function.__kwdefaults__}
    copied.__qualname__ = function.__qualname__
    copied.__module__ = function.__module__
    return copied


@contextmanager
def exchanged(function: FunctionType, stand_in: Function) -> Iterator[None]:
    """Let every call of the function call the stand-in while the block runs."""
    before = function.__code__, function.__defaults__, function.__kwdefaults__
    function.__code__ = _calling_code(len(before[0].co_freevars))
    function.__defaults__ = None
    function.__kwdefaults__ = {_KEYWORD: stand_in}
    try:
        yield
    finally:
        function.__code__, function.__defaults__, function.__kwdefaults__ = before


@functools.cache
def _calling_code(free: int) -> CodeType:
    """Return code that calls the stand-in. free: the number of variables of its closure."""
    names = [f"free_{number}" for number in range(free)]
    lines = [
        "def outer():",
        *(f"    {name} = None" for name in names),
        f"    def calling(*args, {_KEYWORD}, **kwargs):",
        *(f"        if False: {name}" for name in names),
        f"        return {_KEYWORD}(*args, **kwargs)",
        "    return calling",
    ]
    defined: dict[str, Any] = {}
    exec(compile("\n".join(lines), "<overridden>", "exec"), defined)  # noqa: S102 - the text above
    code: CodeType = defined["outer"]().__code__
    return code
