"""How to mend what is wrong, in words for somebody who has just begun to write an adapter."""

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
    "Answer each line when it comes. Do not wait for the end of the input: it comes last."
)
LOG_ELSEWHERE: Final = (
    "Standard output carries replies and nothing else, one JSON object a line. Write logs, banners "
    "and debugging output to standard error."
)
KEEP_ID: Final = "Copy the id of the request into its reply, as the integer that it is."
ONE_RESULT: Final = (
    "A reply is one of these, with no other field:\n"
    '  {"id":17,"output":{...}}\n'
    '  {"id":17,"rejected":{"reason":"..."}}\n'
    '  {"id":17,"error":{"message":"..."}}'
)
NO_CRASH: Final = (
    "Catch what goes wrong in an operation and answer it with "
    '{"id":17,"error":{"message":"..."}}, so that the next request finds the program running.'
)
BY_HAND: Final = (
    "Start the program by hand, in this folder. It has to wait for a line, and to answer the hello "
    "above with one line."
)
SHORTER: Final = "A line has at most 8 MiB. Is there a line feed after each reply?"
HELLO: Final = (
    "A hello looks like this, on one line:\n"
    '  {"type":"hello","protocol":1,"name":"my-port","version":"0.1","language":"Rust",\n'
    '   "operations":["config-merge/resolve"],"max_in_flight":1}'
)
REJECT: Final = (
    'Answer input that the protocol refuses with {"id":17,"rejected":{"reason":"..."}}. An error '
    "says that the adapter could not run the operation at all, and counts as a failure."
)
UNKNOWN: Final = (
    "Answer an operation that you do not have with "
    '{"id":17,"error":{"message":"unsupported operation"}}.'
)
STATELESS: Final = (
    "Requests hold no state: the answer to one must not depend on which others came before it or "
    "are under way. If it does, start from nothing for each request, or declare max_in_flight 1."
)
END: Final = (
    'End at {"type":"bye"} and at the end of the input, whichever comes first: leave the loop that '
    "reads lines."
)


def flush(language: str) -> str:
    """How to make a reply leave the program's buffer."""
    how = _FLUSH.get(language.strip().lower())
    return "Flush standard output after every reply; a reply that waits in a buffer is a hang" + (
        f": {how}." if how else "."
    )


def of_line(line: bytes) -> str:
    """What to do about a line that is no reply."""
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
