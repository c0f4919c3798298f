"""A rule file: Python source that changes a rule of one system.

It defines `READING`, a reading or an expression that names one. Or it defines `OVERRIDES`, which
maps the dotted name of a function of the reference to its replacement. It can define both. The
suite runs a rule file as Python code with the user's rights.

The suite sends the source text to other processes, never the result of running it.
"""

from __future__ import annotations

import ast
import contextlib
import difflib
import linecache
import os
import sys
import types
from collections.abc import Callable, Mapping
from functools import lru_cache, partial, wraps
from pathlib import Path
from typing import Any, Final, NoReturn

from attrs import evolve, frozen

from rejoin.errors import RejoinError
from rejoin_conformance.contract.choices import NAME, choice_points
from rejoin_conformance.contract.registry import all_systems, system_named
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.unreached import unreached_of
from rejoin_conformance.kit.errors import ExpectedError
from rejoin_conformance.kit.files import read_input
from rejoin_conformance.kit.json_types import digest_of
from rejoin_conformance.kit.text import shown
from rejoin_conformance.readings.expressions import UnknownReadingError, reading_of, spellings
from rejoin_conformance.readings.targets import Target, UnknownTargetError, target_of

MOST_BYTES: Final = 1_000_000


class RuleError(ExpectedError):
    """A rule file that cannot be used. The message is one line: file, place and what to do."""


@frozen
class Rule:
    """A rule file as text. name: its name in results, such as `rule.py`."""

    name: str
    source: str


@frozen
class InForce:
    """What a rule file or a reading changes. overrides: dotted name -> what it changes."""

    reading: Any
    overrides: Mapping[str, Target]


def read_rule(path: Path) -> Rule:
    """Return the rule file at a path. Raises RuleError if it cannot be read as text."""
    try:
        data = read_input(path, MOST_BYTES)
    except OSError as error:
        raise RuleError(f"{path}: {error.strerror or error}") from None
    try:
        return Rule(path.name, data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise RuleError(f"{path}: not UTF-8 at byte {error.start}") from None


def load_rule(rule: Rule, system: System) -> InForce:
    """Run a rule file once in this process, check it, and return the code that it defines.

    Raises RuleError.
    """
    try:
        return _loaded(rule, system.name)
    except RuleFaultError as error:
        raise RuleError(str(error)) from None


@lru_cache(maxsize=16)
def _loaded(rule: Rule, name: str) -> InForce:
    system = system_named(name)
    if system.choices is None:
        raise RuleError(f"{rule.name}: {system.name} has no choice points to change")
    said = run_rule(rule)
    if "READING" not in said and "OVERRIDES" not in said:
        raise RuleError(
            f"{rule.name}: defines neither READING nor OVERRIDES; write "
            "READING = evolve(DOCUMENT, ...) or OVERRIDES = {'rejoin....': function}" + _near(said)
        )
    reading = reading_said(rule, system, said)
    overrides = _overrides(rule, said.get("OVERRIDES", {}))
    _check_reached(rule, system, overrides)
    return InForce(reading, overrides)


def _near(said: Mapping[str, Any]) -> str:
    """Return a remark on a misspelt READING or OVERRIDES, or an empty text."""
    for name in said:
        near = difflib.get_close_matches(name, ("READING", "OVERRIDES"), 1, 0.8)
        if near:
            return f"; it defines {name[:40]}: did you mean {near[0]}?"
    return ""


class RuleFaultError(BaseException):
    """A function of a rule file raised what is no error of the protocol. The message says where.

    It passes through code that takes any exception of the reference for an answer, and the end of
    `in_force` makes it a RuleError.
    """


def run_rule(rule: Rule) -> dict[str, Any]:
    """Run the source as a module and return the names that it defines. Raises RuleError."""
    module = types.ModuleType(f"{_MODULE}{digest_of(rule.source)[:16]}")
    module.__file__ = rule.name
    vars(module).update({_GUARD: partial(_guarded, module), "print": _print_aside})
    try:
        tree = ast.fix_missing_locations(_Guards().visit(ast.parse(rule.source, rule.name)))
        code = compile(tree, rule.name, "exec", dont_inherit=True)
    except (MemoryError, RecursionError):  # of the parser
        raise RuleError(f"{rule.name}: the source is nested too deeply") from None
    except (SyntaxError, ValueError) as error:
        line = error.lineno if isinstance(error, SyntaxError) else None
        where = f" line {line}:" if line else ""
        what = error.msg if isinstance(error, SyntaxError) else error
        raise RuleError(f"{rule.name}:{where} not Python: {what}") from None
    lines = rule.source.splitlines(keepends=True)
    os._exit = _exit
    linecache.cache[rule.name] = (len(rule.source), None, lines, rule.name)
    sys.modules[module.__name__] = module
    try:
        with contextlib.redirect_stdout(sys.stderr):  # keep a rule's output apart from results
            exec(code, module.__dict__)  # noqa: S102 - a rule file is its user's own code
    except KeyboardInterrupt:
        raise
    except RuleFaultError as error:
        raise RuleError(str(error)) from None
    except BaseException as error:  # noqa: BLE001 - whatever a rule file raises
        raise RuleError(_fault(error, rule.name)) from None
    return module.__dict__


_EXIT: Final = os._exit


def _exit(status: int) -> NoReturn:
    """End the process at once; a rule file raises SystemExit, so that the command can name it."""
    name = sys._getframe(1).f_globals.get("__name__")  # noqa: SLF001 - the only way
    if str(name).startswith(_MODULE):
        raise SystemExit(status)
    _EXIT(status)


def _print_aside(*values: object, **options: Any) -> None:
    """Print as a rule does: to standard error, apart from results."""
    print(*values, **{"file": sys.stderr, **options})  # noqa: T201 - see above


_MODULE: Final = "rejoin_rule_"
_GUARD: Final = "__rejoin_guard__"


class _Guards(ast.NodeTransformer):
    """Puts the guard on every function of a rule file."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.decorator_list.append(ast.Name(_GUARD, ast.Load()))
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.generic_visit(node)
        return ast.copy_location(ast.Call(ast.Name(_GUARD, ast.Load()), [node], []), node)


def _guarded(module: types.ModuleType, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function; an exception that leaves the rule file is a fault of the file."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        caller = sys._getframe().f_back  # noqa: SLF001 - none when the process ends
        if caller is not None and caller.f_globals is vars(module):  # the rule may catch it
            return function(*args, **kwargs)
        try:
            return function(*args, **kwargs)
        except (MemoryError, SystemExit, KeyboardInterrupt):
            raise
        except BaseException as error:
            of_rule = type(error).__module__ in ("builtins", module.__name__)
            of_suite = not (of_rule or isinstance(error, Exception))  # such as at a limit
            if of_suite or _is_sound(error):
                raise
            raise RuleFaultError(_fault(error, str(module.__file__))) from None

    return call


def _is_sound(error: BaseException) -> bool:
    """Return whether it is an error of the protocol that has a code and can be printed."""
    try:
        of_protocol = isinstance(error, RejoinError) and isinstance(error.code, str)
        return of_protocol and isinstance(str(error), str)
    except Exception:  # noqa: BLE001 - whatever a rule file raises
        return False


def _fault(error: BaseException, name: str) -> str:
    """Return the innermost line of a rule file in a traceback, its text, and the exception."""
    line, step = 0, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == name:
            line = step.tb_lineno
        step = step.tb_next
    said = printed(error, str).strip().partition("\n")[0]
    text = linecache.getline(name, line).strip()
    raised = f"{type(error).__name__}{': ' + said if said else ''}"
    return shown(f"{name}: line {line}{f' ({text})' if text else ''}: {raised}")


def printed(value: object, form: Callable[[object], str] = repr) -> str:
    """Return a value of a rule file as text. Its own `__repr__` or `__str__` can raise anything."""
    try:
        return shown(form(value))
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - whatever a rule file raises
        return f"<{type(value).__name__} that cannot be printed>"


def reading_said(rule: Rule, system: System, said: Mapping[str, Any]) -> Any:
    """Return the reading of a rule file, under the name of the file. Raises RuleError.

    system: of the world in which the rule file ran. said: the names that it defines.
    """
    reading = _reading(rule, system, said.get("READING", system.default_reading))
    return evolve(reading, **{NAME: rule.name})


def _reading(rule: Rule, system: System, said: object) -> Any:
    choices = system.choices
    assert choices is not None
    if isinstance(said, str):
        said = str.__str__(said)  # a subclass can do anything
        try:
            return reading_of(choices, said)
        except UnknownReadingError as error:
            raise RuleError(f"{rule.name}: READING: {error}{_of_another(said)}") from None
    if not isinstance(said, choices.kind):
        kind = choices.kind
        if other := _of_another(said):
            raise RuleError(f"{rule.name}: READING is not a reading of {system.name}{other}")
        raise RuleError(
            f"{rule.name}: READING is a {type(said).__name__}; it must be a "
            f"{kind.__module__}.{kind.__qualname__} of {system.name}, or a string that names one"
        )
    reading: Any = said
    for point in choice_points(choices.kind):
        values = spellings(choices, point)
        value = getattr(reading, point)
        if values and not callable(value) and value not in values.values():
            raise RuleError(
                f"{rule.name}: READING.{point} is {printed(value)}; it must be one of "
                f"{', '.join(map(repr, values.values()))}"
            )
    return reading


def _of_another(said: object) -> str:
    """Return a remark on a reading that other systems have, or an empty text."""
    owners = [
        each.name
        for each in all_systems()
        if said in each.readings
        or (each.choices is not None and isinstance(said, each.choices.kind))
    ]
    names = " or ".join(owners)
    return f"; it is a reading of {names}: name the system {names}" if owners else ""


def _overrides(rule: Rule, said: object) -> Mapping[str, Target]:
    if not isinstance(said, Mapping):
        raise RuleError(f"{rule.name}: OVERRIDES must be a dict of dotted names")
    overrides: dict[str, Target] = {}
    for name, value in said.items():
        if not isinstance(name, str):
            raise RuleError(f"{rule.name}: OVERRIDES[{printed(name)}]: a key must be a dotted name")
        try:
            overrides[name] = target_of(name, value)
        except UnknownTargetError as error:
            raise RuleError(f"{rule.name}: OVERRIDES: {error}") from None
    return overrides


def _check_reached(rule: Rule, system: System, overrides: Mapping[str, Target]) -> None:
    """Raise RuleError if a function is overridden that nothing calls, so that no rule changes."""
    known = unreached_of(system.name)
    unreached = {each.name: each.reason for each in known if not each.histories}
    names = {each.name.replace("-", "_"): each.name for each in all_systems()}
    owners = {name: names.get(name.split(".")[1], system.name) for name in overrides}
    for name, each in overrides.items():
        if owners[name] != system.name:
            alone = system.name not in owners.values()
            raise RuleError(
                f"{rule.name}: OVERRIDES: {name} belongs to {owners[name]}, and {system.name} does "
                "not call it; "
                + (f"name the system {owners[name]}" if alone else "write one file for each system")
            )
        if not each.readers:
            raise RuleError(f"{rule.name}: OVERRIDES: no function of the reference reads {name}")
        reason = unreached.get(each.defined_as)
        if reason is not None:
            raise RuleError(
                f"{rule.name}: OVERRIDES: no operation and no history calls {name}: {reason}"
            )
