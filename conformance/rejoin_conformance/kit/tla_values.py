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
_PLAIN: Final = re.compile(r'[^"\\\n\t\r\f]*')


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
            return _quoted(value)
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


def _quoted(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return f'"{text}"'
    return '"' + "".join(_ESCAPED.get(letter, letter) for letter in text) + '"'


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
_TO_THE_END: Final = frozenset({".."})
"""Marks between two values that are read together with the second value."""
_CLOSING: Final = {"{": "}", "<<": ">>", "[": "]", "(": ")"}
_TRUTH: Final = {"TRUE": True, "FALSE": False}
_MOST_DIGITS: Final = 19
"""TLC's integers have 32 bits, so a longer token is not a number of TLC."""
_LARGEST_INTERVAL: Final = 1_000_000


@frozen
class _Open:
    """An open bracket, with its values so far and the arguments that wait for a value."""

    bracket: str
    values: list[Value]
    arguments: list[Value]


def parse_value(text: str) -> Value:
    """Return the value of a text. Raises TlaValueError for any other text."""
    return _Reading(text).read()


class _Reading:
    """One pass over the text. The open brackets are in a list, not on the call stack."""

    def __init__(self, text: str) -> None:
        self.text, self.place = text, 0
        self.open = [_Open("", [], [])]

    def read(self) -> Value:
        after_value = False
        end = len(self.text.rstrip())
        while self.place < end:
            kind, token = self._token()
            if kind == "mark" and token in _CLOSING:
                self._expect(not after_value, token)
                if len(self.open) > MOST_NESTED:
                    raise TlaValueError(f"values are nested deeper than {MOST_NESTED}")
                self.open.append(_Open(token, [], []))
            elif kind == "mark" and token in _CLOSING.values():
                self._close(token, after_value=after_value)
                after_value = True
            elif kind == "mark":
                self._expect(after_value, token)
                self._between(token)
                after_value = token in _TO_THE_END
            else:
                self._expect(not after_value, token)
                self.open[-1].values.append(self._simple(kind, token))
                after_value = True
        if len(self.open) > 1 or not after_value or len(self.open[0].values) != 1:
            raise TlaValueError("the text ends inside a value")
        return self.open[0].values[0]

    def _token(self) -> tuple[str, str]:
        found = _TOKEN.match(self.text, self.place)
        if found is None or found.lastgroup is None:
            raise self._fault(self.text[self.place : self.place + 12].strip())
        self.place = found.end()
        return found.lastgroup, found[found.lastgroup]

    def _simple(self, kind: str, token: str) -> Value:
        if kind == "string":
            return _ESCAPE.sub(lambda each: _UNESCAPED.get(each[1], each[1]), token[1:-1])
        if kind == "number":
            if len(token) > _MOST_DIGITS:
                raise self._fault(token[:12])
            return int(token)
        return _TRUTH[token] if token in _TRUTH else ModelValue(token)

    def _between(self, token: str) -> None:
        """Handle a mark after a value: a comma, or a mark that makes it a function's argument."""
        inner = self.open[-1]
        waiting = len(inner.arguments) == len(inner.values)  # the argument has its value
        match inner.bracket, token:
            case (("{" | "<<"), ","):
                pass
            case "[", "|->":
                name = inner.values[-1]
                self._expect(len(inner.arguments) == len(inner.values) - 1, token)
                self._expect(isinstance(name, ModelValue), token)
                inner.arguments.append(name.name if isinstance(name, ModelValue) else name)
                inner.values.pop()
            case "(", ":>":
                self._expect(len(inner.arguments) == len(inner.values) - 1, token)
                inner.arguments.append(inner.values.pop())
            case ("[", ",") | ("(", "@@"):
                self._expect(waiting, token)
            case _, "..":
                self._interval(inner)
            case _:
                raise self._fault(token)

    def _interval(self, inner: _Open) -> None:
        low = inner.values.pop()
        kind, token = self._token()
        high = self._simple(kind, token) if kind == "number" else None
        whole = type(low) is int and type(high) is int
        self._expect(whole, "..")
        if not isinstance(low, int) or not isinstance(high, int):
            raise self._fault("..")
        if high - low > _LARGEST_INTERVAL:
            raise TlaValueError("an interval is too large")
        inner.values.append(frozenset(range(low, high + 1)))

    def _close(self, token: str, *, after_value: bool) -> None:
        inner = self.open.pop()
        self._expect(_CLOSING.get(inner.bracket) == token, token)
        self._expect(after_value or not inner.values, token)
        self._expect(after_value or not inner.arguments, token)
        self.open[-1].values.append(self._made(inner))

    def _made(self, inner: _Open) -> Value:
        match inner.bracket:
            case "{":
                return frozenset(inner.values)
            case "<<":
                return tuple(inner.values)
            case "(" if not inner.arguments and len(inner.values) == 1:
                return inner.values[0]
            case _:
                self._expect(len(inner.arguments) == len(inner.values) > 0, inner.bracket)
                return function(zip(inner.arguments, inner.values, strict=True))

    def _expect(self, fine: bool, token: str) -> None:  # noqa: FBT001 - an assertion
        if not fine:
            raise self._fault(token)

    def _fault(self, token: str) -> TlaValueError:
        return TlaValueError(f"not a value of TLA+: {token!r} at character {self.place}")
