"""Advice on how to fix an adapter, for an author who has just started to write one."""

from __future__ import annotations

from typing import Final

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

ANSWER_FIRST: Final = (
    "Answer each line as soon as you read it. Do not wait for the end of the input."
)
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
HELLO: Final = (
    "A hello looks like this, on one line:\n"
    '  {"type":"hello","protocol":1,"name":"my-port","version":"0.1","language":"Rust",\n'
    '   "operations":["config-merge/resolve"],"max_in_flight":1}'
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
    'End the program when you read {"type":"bye"} or reach the end of the input, whichever comes '
    "first."
)


def flush(language: str) -> str:
    """Return advice on how to flush standard output in a language."""
    how = _FLUSH.get(language.strip().lower())
    return "Flush standard output after every reply, or the reply waits in a buffer" + (
        f": {how}." if how else "."
    )


def of_line(line: bytes) -> str:
    """Return advice on a line that is not a reply."""
    try:
        message = strict_json(line)
    except NotStrictJsonError as error:
        if "only integers" in str(error):
            return "Write numbers as integers, without fraction or exponent: 7, not 7.0."
        return LOG_ELSEWHERE
    if not isinstance(message, dict):
        return ONE_RESULT
    number = message.get("id")
    if not isinstance(number, int) or isinstance(number, bool):
        return KEEP_ID
    return ONE_RESULT
