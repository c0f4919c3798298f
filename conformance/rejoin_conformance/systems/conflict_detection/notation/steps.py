"""The steps of a scenario as sentences: `A edits foo=a`, `B polls bar of A`.

A step has no field `file` if the file is foo, and a sentence need not name foo (`A polls B`). If
the steps of a scenario always have the field, the scenario says `every file named`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.notation.words import Segment, spelled

FOO: Final = "foo"
VERBS: Final = (
    "edits, polls, resolves, deletes, brings back, renames, joins, goes offline, comes back, "
    "changes, uploads, backs up, is set back, forges, subscribes to or unsubscribes from"
)
GARBAGE: Final = "garbage is collected"
_EVENT: Final = f"a client and its action ({VERBS})"


def parse_step(segment: Segment, *, named: bool = False) -> JsonObject:
    """Return one step. named: whether each step has the field `file`."""
    if segment.reads(*GARBAGE.split()):
        segment.end()
        return {"collect_garbage": True}
    client = segment.word(_EVENT)
    action, file = _action(segment)
    segment.end()
    step: JsonObject = {"client": client, **action}
    if file is not None and (named or file != FOO):
        step["file"] = file
    return step


def _action(segment: Segment) -> tuple[JsonObject, str | None]:
    """Return the field of the action, and the file that it is about, or None."""
    for verb, take in _VERBS.items():
        if segment.reads(*verb.split()):
            return take(segment)
    return segment.fail(f"the action of the client: {VERBS}")


def _edits(segment: Segment) -> tuple[JsonObject, str]:
    file, text = file_and_text(segment)
    return {"edit": text}, file


def _brings_back(segment: Segment) -> tuple[JsonObject, str]:
    file, text = file_and_text(segment)
    return {"undelete": text}, file


def _polls(segment: Segment) -> tuple[JsonObject, str | None]:
    if segment.reads("all", "of"):
        return {"poll_all": segment.word("a client")}, None
    first = segment.word("a client, a file and `of`, or `all of`")
    file, other = (first, segment.word("a client")) if segment.reads("of") else (FOO, first)
    action: JsonObject = {"poll": other}
    if segment.reads("and", "stops"):
        action["stops"] = True
    return action, file


def _changes(segment: Segment) -> tuple[JsonObject, str]:
    file = segment.word("a file, and `=` and its text, or `to nothing`")
    return {"change": None if segment.reads("to", "nothing") else _text(segment)}, file


def _forges(segment: Segment) -> tuple[JsonObject, str]:
    file, text = file_and_text(segment)
    return {"edit": text, "forged": True}, file


def _resolves(segment: Segment) -> tuple[JsonObject, str]:
    file = segment.word("a file")
    text = _text(segment) if segment.glued() else None
    segment.need("against", "`against` and clients")
    action: JsonObject = {"resolve": [*segment.words("a client", "nobody")]}
    if text is not None:
        action["text"] = text
    return action, file


def _renames(segment: Segment) -> tuple[JsonObject, str]:
    file = segment.word("a file")
    segment.need("to", "`to` and another name")
    return {"rename": segment.word("another name")}, file


def _joins(segment: Segment) -> tuple[JsonObject, None]:
    files = segment.items("a file", _text_only) if segment.reads("with") else {}
    return {"join": {**files}}, None


def file_and_text(segment: Segment) -> tuple[str, str]:
    """Consume a file and its text, such as `foo=a`."""
    file = segment.word("a file, `=` and its text")
    return file, _text(segment)


def _text(segment: Segment) -> str:
    if not segment.glued() or not segment.reads("=") or not segment.glued():
        segment.fail("`=` and a text right after the file's name")
    return segment.word("a text")


def _text_only(segment: Segment) -> str:
    return segment.word("a text")


def _one(field: str, what: str = "a client") -> Callable[[Segment], tuple[JsonObject, None]]:
    return lambda segment: ({field: segment.word(what)}, None)


_VERBS: Final[Mapping[str, Callable[[Segment], tuple[JsonObject, str | None]]]] = {
    "edits": _edits,
    "polls": _polls,
    "resolves": _resolves,
    "deletes": lambda segment: ({"delete": True}, segment.word("a file")),
    "brings back": _brings_back,
    "renames": _renames,
    "joins": _joins,
    "goes offline": lambda _: ({"offline": True}, None),
    "comes back": lambda _: ({"online": True}, None),
    "changes": _changes,
    "uploads": lambda _: ({"upload": True}, None),
    "backs up": lambda _: ({"back_up": True}, None),
    "is set back": lambda _: ({"set_back": True}, None),
    "forges": _forges,
    "subscribes to": _one("subscribe"),
    "unsubscribes from": _one("unsubscribe"),
}


def file_of(step: JsonObject) -> str:
    """Return the file that a step is about."""
    return str(step.get("file", FOO))


def spelled_step(step: JsonObject, *, named: bool = False) -> str:
    """Return the sentence of a step. named: whether it names the file even if that is foo."""
    if "collect_garbage" in step:
        return GARBAGE
    return f"{spelled(str(step['client']))} {_predicate(step, named=named)}"


def _predicate(step: Any, *, named: bool) -> str:
    file = spelled(file_of(step))
    match step:
        case {"edit": text, "forged": _}:
            return f"forges {file}={spelled(text)}"
        case {"edit": text}:
            return f"edits {file}={spelled(text)}"
        case {"poll": other}:
            end = " and stops" if "stops" in step else ""
            return f"polls {f'{file} of ' if named or file != FOO else ''}{spelled(other)}{end}"
        case {"change": text}:
            return f"changes {file}{' to nothing' if text is None else f'={spelled(text)}'}"
        case {"poll_all": other}:
            return f"polls all of {spelled(other)}"
        case {"resolve": others}:
            text = f"={spelled(step['text'])}" if "text" in step else ""
            return f"resolves {file}{text} against {' '.join(map(spelled, others)) or 'nobody'}"
        case {"delete": _}:
            return f"deletes {file}"
        case {"undelete": text}:
            return f"brings back {file}={spelled(text)}"
        case {"rename": target}:
            return f"renames {file} to {spelled(target)}"
        case {"join": files}:
            return f"joins{spelled_files(files, ' with ')}"
        case {"subscribe": other}:
            return f"subscribes to {spelled(other)}"
        case {"unsubscribe": other}:
            return f"unsubscribes from {spelled(other)}"
        case _:
            return next(said for name, said in _TOLD.items() if name in step)


_TOLD: Final = {
    "offline": "goes offline",
    "online": "comes back",
    "upload": "uploads",
    "back_up": "backs up",
    "set_back": "is set back",
}
"""Field of a step -> what the client does."""


def spelled_files(files: Mapping[str, Json], before: str = "") -> str:
    """Return files with their texts; an empty text if there are no files."""
    items = " ".join(f"{spelled(name)}={spelled(str(text))}" for name, text in files.items())
    return before + items if items else ""


def names_every_file(steps: list[JsonObject]) -> bool | None:
    """Return whether all steps name their file; None if only some of them name foo."""
    about = [step for step in steps if not {*step} & _NO_FILE]
    explicit = any(step.get("file") == FOO for step in about)
    implicit = any("file" not in step for step in about)
    return None if explicit and implicit else explicit


_NO_FILE: Final = frozenset(
    {"poll_all", "join", "subscribe", "unsubscribe", "collect_garbage", *_TOLD}
)
