"""Advice on how to fix an adapter, for an author who has just started to write one."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.adapters.process import NoLineError
from rejoin_conformance.adapters.protocol import HelloError, ReplyError, read_reply
from rejoin_conformance.adapters.runner.cases import UndeclaredReadingError
from rejoin_conformance.adapters.runner.declared import DeclarationError
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.kit.json_types import NotStrictJsonError, strict_json

_FLUSH: Final = {
    "c": "fflush(stdout)",
    "c++": "std::cout << std::flush",
    "go": "Flush() on the bufio.Writer",
    "java": "System.out.flush()",
    "kotlin": "System.out.flush()",
    "python": "print(line, flush=True)",
    "ruby": "$stdout.sync = true",
    "rust": "flush() on the locked stdout",
}

START: Final = (
    "Give the command as you type it in this folder. The suite splits it into words as a shell "
    "does, but runs it without a shell: no pipes, no variables, no cd."
)
ANSWER_FIRST: Final = (
    "Answer each line as soon as you read it. Do not wait for the end of the input."
)
ANSWER_ONCE: Final = "Answer each request once."
LOG_ELSEWHERE: Final = (
    "Write only replies to standard output, one JSON object on each line. Write logs, banners "
    "and debugging output to standard error."
)
KEEP_ID: Final = "Copy the id of the request into its reply, as an integer."
ONE_RESULT: Final = (
    "A reply has one of these forms, with no other field:\n"
    '  {"id":17,"output":{...}}\n'
    '  {"id":17,"rejected":{"reason":"..."}}\n'
    '  {"id":17,"error":{"message":"..."}}'
)
NO_CRASH: Final = (
    "Catch every exception in an operation and answer with "
    '{"id":17,"error":{"message":"..."}}, so that the program can answer the next request.'
)
BY_HAND: Final = (
    "Start the program by hand, in this folder. It must wait for a line, and answer the hello "
    "above with one line."
)
SHORTER: Final = "Keep each line below 8 MiB, and check that a line feed ends each reply."
LINE_FEED: Final = "End each reply with a line feed."
INTEGERS: Final = "Write numbers as integers, without fraction or exponent: 7, not 7.0."
HELLO: Final = (
    "A hello looks like this, on one line:\n"
    '  {"type":"hello","protocol":1,"name":"my-port","version":"0.1","language":"Rust",\n'
    '   "operations":["config-merge/resolve"],"max_in_flight":1}'
)
SAME_HELLO: Final = "Send the same hello in each process, without times or random names."
FEATURES: Final = "docs/operations/SYSTEM.md lists the features of each operation."
READING: Final = 'Name a reading of the system, as in "readings":{"config-merge":"libsession"}.'
UNDECLARE: Final = (
    "Remove the operation from the hello until you have written it. The suite calls only declared "
    "operations."
)
REJECT: Final = (
    'Answer input that the protocol refuses with {"id":17,"rejected":{"reason":"..."}}. An error '
    "means that the adapter could not run the operation, and counts as a failure."
)
UNKNOWN: Final = (
    "Answer an operation that you do not have with "
    '{"id":17,"error":{"message":"unsupported operation"}}.'
)
STATELESS: Final = (
    "The answer to a request must not depend on other requests, before it or at the same time. "
    "Discard all state before each request, or declare max_in_flight 1."
)
END: Final = (
    'End the program, with exit code 0, when you read {"type":"bye"} or reach the end of the '
    "input, whichever comes first."
)


class TroubleError(Exception):
    """A fault of the adapter. The message is a sentence. advice: sentences on how to fix it."""

    def __init__(self, message: str, *advice: str) -> None:
        super().__init__(message)
        self.advice = advice


def advice_on(error: Exception, line: bytes, language: str | None) -> tuple[str, ...]:
    """Return sentences on how to fix a fault.

    line: the last line of the adapter. language: as its hello says; None if it has sent none.
    """
    match error:
        case TroubleError():
            return error.advice
        case NoLineError(verdict="protocol-error"):
            return (SHORTER,)
        case NoLineError(verdict="crash"):
            return (BY_HAND if language is None else NO_CRASH,)
        case NoLineError():
            return (LINE_FEED,) if error.begun else (_flush(language or ""), ANSWER_FIRST)
        case HelloError():
            return (LOG_ELSEWHERE if "not JSON" in str(error) else HELLO,)
        case ReplyError():
            return (_of_line(line),)
        case DeclarationError():
            return (READING if isinstance(error, UndeclaredReadingError) else FEATURES,)
        case AdapterUnusableError():
            return (START,)
    return ()


def sentence(text: str) -> str:
    """Return a text as a sentence."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?")) else ".")


def why_wrong(error: Exception) -> str:
    """Return what is wrong in the doctor's words."""
    if isinstance(error, NoLineError) and error.verdict == "crash":
        return f"no line came: {error}"
    if isinstance(error, NoLineError) and error.verdict == "timeout":
        only = f", only an incomplete one: {error.begun}" if error.begun else ""
        return f"no line came in time{only}"
    text = str(error).replace("the adapter cannot", "it cannot", 1)
    return f"it {text}" if text.startswith(("answered", "wrote")) else text


def _flush(language: str) -> str:
    how = _FLUSH.get(language.strip().lower())
    return "Flush standard output after every reply, or the reply waits in a buffer" + (
        f": {how}." if how else "."
    )


def _of_line(line: bytes) -> str:
    """Return advice on a line that is not the reply to the request."""
    try:
        message = strict_json(line)
        read_reply(line)
    except NotStrictJsonError as error:
        return INTEGERS if "only integers" in str(error) else LOG_ELSEWHERE
    except ReplyError as error:
        return KEEP_ID if isinstance(message, dict) and error.number is None else ONE_RESULT
    return KEEP_ID
