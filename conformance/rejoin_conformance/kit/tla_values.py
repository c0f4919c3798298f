"""Parse the values of TLA+ that TLC prints, and write them.

A value is an integer, a string, a truth value, a set (`frozenset`), a sequence (`tuple`), a
function (`Function`; a record is a function of its field names) or a model value. Values that are
equal in TLA+ are one value here: a function on 1..n is a sequence, and so is the empty function.

Compare values with `same`, which compares their text: in Python `True` equals `1`, in TLA+ it does
not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from attrs import frozen

MOST_NESTED: Final = 200
"""The maximum nesting depth of values. Deeper text is refused."""


class TlaValueError(ValueError):
    """Text that is not a value of TLC, or a value that is nested too deeply to write."""


@frozen
class ModelValue:
    """A constant of a model that equals only itself. TLC prints its bare name."""

    name: str


@frozen
class Function:
    """A function that is not a sequence. It is a record if all its arguments are names.

    pairs: (argument, value), ascending by the text of the argument. Made by `function`.
    """

    pairs: tuple[tuple[Value, Value], ...]

    def __getitem__(self, argument: Value) -> Value:
        for each, value in self.pairs:
            if each == argument:
                return value
        raise KeyError(argument)

    def items(self) -> Iterator[tuple[Value, Value]]:
        """Return the pairs (argument, value)."""
        return iter(self.pairs)


Value: TypeAlias = "int | str | bool | frozenset[Value] | tuple[Value, ...] | Function | ModelValue"


def function(pairs: Iterable[tuple[Value, Value]]) -> Value:
    """Return the function of these pairs (argument, value). It is a sequence if it is on 1..n."""
    found = {to_tla(argument): (argument, value) for argument, value in pairs}
    keys = [str(place) for place in range(1, len(found) + 1)]
    if all(key in found for key in keys):
        return tuple(found[key][1] for key in keys)
    return Function(tuple(pair for _, pair in sorted(found.items())))


def record(**fields: Value) -> Function:
    """Return a record with at least one field."""
    made = function(fields.items())
    if not isinstance(made, Function):
        raise TypeError("a record needs at least one field")
    return made


def same(one: Value, other: Value) -> bool:
    """Return whether two values are equal in TLA+."""
    return one is other or to_tla(one) == to_tla(other)


# --- writing ---------------------------------------------------------------------------------

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_ESCAPED: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\f": "\\f"}
_ESCAPES: Final = str.maketrans(_ESCAPED)


def to_tla(value: Value) -> str:
    """Return the value as one line of TLA+ text. Equal values have the same text.

    Raises TlaValueError if values are nested deeper than MOST_NESTED.
    """
    return _text(value, 0)


def _text(value: Value, depth: int) -> str:
    if depth > MOST_NESTED:
        raise TlaValueError(f"values are nested deeper than {MOST_NESTED}")
    match value:
        case bool():
            return "TRUE" if value else "FALSE"
        case int():
            return str(value)
        case str():
            return f'"{value.translate(_ESCAPES)}"'
        case ModelValue():
            return value.name
        case frozenset():
            return "{" + ", ".join(sorted(_text(each, depth + 1) for each in value)) + "}"
        case tuple():
            return "<<" + ", ".join(_text(each, depth + 1) for each in value) + ">>"
        case Function():
            return _function_text(value, depth + 1)


def _function_text(value: Function, depth: int) -> str:
    if all(isinstance(name, str) and _NAME.fullmatch(name) for name, _ in value.pairs):
        fields = (f"{name} |-> {_text(each, depth)}" for name, each in value.pairs)
        return "[" + ", ".join(fields) + "]"
    pairs = (f"{_text(name, depth)} :> {_text(each, depth)}" for name, each in value.pairs)
    return "(" + " @@ ".join(pairs) + ")"


# --- reading ---------------------------------------------------------------------------------

_TOKEN: Final = re.compile(
    r"\s*(?:"
    r"(?P<string>\"(?:[^\"\\]|\\.)*\")"
    r"|(?P<number>-?\d+)"
    r"|(?P<mark><<|>>|\|->|:>|@@|\.\.|[\[\]{}(),])"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r")",
    re.DOTALL,
)
_UNESCAPED: Final = {escaped[1]: letter for letter, escaped in _ESCAPED.items()}
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_OPENING: Final = frozenset({"{", "<<", "[", "("})
_FUNCTIONS: Final = {"[": ("]", "|->", ","), "(": (")", ":>", "@@")}
"""Bracket of a function -> its end, and the marks after an argument and between pairs."""
_TRUTH: Final = {"TRUE": True, "FALSE": False}
_MOST_DIGITS: Final = 19
"""TLC's integers have 32 bits, so a longer token is not a number of TLC."""
_LARGEST_INTERVAL: Final = 1_000_000


def parse_value(text: str) -> Value:
    """Return the value of a text. Raises TlaValueError for any other text."""
    reading = _Reading(text)
    value = reading.value(0)
    if reading.kind != "end":
        raise reading.fault()
    return value


class _Reading:
    """The tokens of a text, read in order. kind, token: the next one."""

    def __init__(self, text: str) -> None:
        self.text, self.place, self.end = text, 0, len(text.rstrip())
        self.kind = self.token = ""
        self.take()

    def take(self) -> None:
        """Take the next token."""
        if self.place >= self.end:
            self.kind, self.token = "end", ""
            return
        found = _TOKEN.match(self.text, self.place)
        if found is None or found.lastgroup is None:
            self.token = self.text[self.place : self.place + 12].strip()
            raise self.fault()
        self.place = found.end()
        self.kind, self.token = found.lastgroup, found[found.lastgroup]

    def takes(self, mark: str) -> bool:
        """Take a mark if it comes next."""
        found = self.kind == "mark" and self.token == mark
        if found:
            self.take()
        return found

    def need(self, mark: str) -> None:
        """Take a mark. Raises TlaValueError if something else comes next."""
        if not self.takes(mark):
            raise self.fault()

    def value(self, depth: int) -> Value:
        """Take a value inside as many brackets as `depth`."""
        kind, token = self.kind, self.token
        if kind == "mark" and token in _OPENING and depth == MOST_NESTED:
            raise TlaValueError(f"values are nested deeper than {MOST_NESTED}")
        value: Value
        if self.takes("{"):
            value = frozenset(self._items("}", depth + 1))
        elif self.takes("<<"):
            value = tuple(self._items(">>", depth + 1))
        elif self.takes("[") or self.takes("("):
            value = self._function(token, depth + 1)
        else:
            value = self._simple()
        if not self.takes(".."):
            return value
        high = self._simple()
        if type(value) is not int or type(high) is not int:
            raise self.fault()
        if high - value > _LARGEST_INTERVAL:
            raise TlaValueError("an interval is too large")
        return frozenset(range(value, high + 1))

    def _simple(self) -> Value:
        kind, token = self.kind, self.token
        if kind in ("mark", "end") or (kind == "number" and len(token) > _MOST_DIGITS):
            raise self.fault()
        self.take()
        if kind == "string":
            return _ESCAPE.sub(lambda each: _UNESCAPED.get(each[1], each[1]), token[1:-1])
        if kind == "number":
            return int(token)
        return _TRUTH[token] if token in _TRUTH else ModelValue(token)

    def _items(self, closing: str, depth: int) -> list[Value]:
        """Take values with commas between them, and the bracket that closes them."""
        items: list[Value] = []
        while not self.takes(closing):
            if items:
                self.need(",")
            items.append(self.value(depth))
        return items

    def _function(self, bracket: str, depth: int) -> Value:
        """Take a record, or a function, or one value in parentheses, and the closing bracket."""
        closing, arrow, joint = _FUNCTIONS[bracket]
        pairs: list[tuple[Value, Value]] = []
        while not (pairs and self.takes(closing)):
            if pairs:
                self.need(joint)
            argument = self.value(depth)
            if bracket == "(" and not pairs and self.takes(closing):
                return argument
            if bracket == "[":
                if not isinstance(argument, ModelValue):
                    raise self.fault()
                argument = argument.name
            self.need(arrow)
            pairs.append((argument, self.value(depth)))
        return function(pairs)

    def fault(self) -> TlaValueError:
        """Return the error at the next token."""
        if self.kind == "end":
            return TlaValueError("the text ends inside a value")
        token = self.token[:12]
        return TlaValueError(f"not a value of TLA+: {token!r} at character {self.place}")
