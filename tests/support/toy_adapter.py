"""An adapter for the toy system that is correct except for one deliberate fault.

Run it as: toy_adapter.py MODE [FOLDER]. Depending on MODE, it misbehaves in everything or only if
a request asks for the half of 14 (or of TOY_TRIGGER). It creates a file in FOLDER for each of its
processes, named after the process ID. It imports few modules because tests start it often.
"""

from __future__ import annotations

import json
import os
import sys
import time

MODE = sys.argv[1]
FOLDER = sys.argv[2] if len(sys.argv) > 2 else ""
TRIGGER = int(os.environ.get("TOY_TRIGGER", "14"))
HELLO = {
    "type": "hello",
    "protocol": 1,
    "name": "toy",
    "version": "1",
    "language": "Python",
    "operations": ["toy/halve"],
    "readings": {"toy": "strict"},
    "max_in_flight": int(os.environ.get("TOY_IN_FLIGHT", "4")),
}
BOTH_READINGS = {"follows-both-readings", "caches-the-reading"}
if MODE in BOTH_READINGS:
    HELLO["readings"] = {"toy": ["strict", "lenient"]}
WRONG_HELLOS: dict[str, object] = {
    "hello-of-another-protocol": {**HELLO, "protocol": 2},
    "hello-with-a-misspelt-operation": {**HELLO, "operations": ["toy/halve", "toy/halv"]},
    "hello-with-an-unknown-reading": {**HELLO, "readings": {"toy": "creative"}},
    "hello-with-an-unknown-feature": {**HELLO, "without": {"toy/halve": ["huge"]}},
}


def leave_a_trace() -> None:
    if FOLDER:
        with open(os.path.join(FOLDER, str(os.getpid())), "w", encoding="ascii"):  # noqa: PTH118, PTH123 - pathlib is slow to import
            pass


def write(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


def say(value: object) -> None:
    global begun  # noqa: PLW0603 - the number of bytes of the line that are written already
    write(json.dumps(value).encode()[begun:] + b"\n")
    begun = 0


begun = 0


def say_and_begin_the_next(reply: dict[str, object]) -> None:
    global begun  # noqa: PLW0603 - as above
    write(json.dumps(reply).encode() + b'\n{"id": ')
    begun = len('{"id": ')


def fork_a_child_that_keeps_the_pipes() -> None:
    if os.fork() == 0:
        leave_a_trace()
        time.sleep(600)
        os._exit(0)


def hang() -> None:
    time.sleep(600)


def leave_a_sign_at_bye() -> None:
    with open(os.path.join(FOLDER, f"{os.getpid()}.bye"), "w", encoding="ascii"):  # noqa: PTH118, PTH123 - as above
        pass


def hang_after_a_sign() -> None:
    with open(os.path.join(FOLDER, "asked"), "w", encoding="ascii"):  # noqa: PTH118, PTH123 - as above
        pass
    hang()


def reply_to(request: dict[str, object]) -> dict[str, object]:
    if request["operation"] != "toy/halve":
        return {"id": request["id"], "error": {"message": "unsupported operation"}}
    value = request["input"]
    assert isinstance(value, dict)
    number = value["number"]
    if MODE == "accepts-everything":
        return {"id": request["id"], "output": {"half": number // 2}}
    if MODE in BOTH_READINGS:
        asked.append(request["reading"])
        strict = asked[0 if MODE == "caches-the-reading" else -1] == "strict"
    else:
        strict = True
    if MODE == "rejects-everything" or (number % 2 and strict):
        code = {"code": "E_ODD"} if MODE == "gives-codes" else {}
        return {"id": request["id"], "rejected": {"reason": f"{number} is odd", **code}}
    return {"id": request["id"], "output": {"half": number // 2}}


def misbehave(request: dict[str, object], reply: dict[str, object]) -> None:
    """Answer the trigger with the fault of the mode."""
    number = request["id"]
    assert isinstance(number, int)
    match MODE:
        case "hangs":
            hang()
        case "waits-for-a-sign":
            while not os.path.exists(FOLDER + ".go"):  # noqa: PTH110
                time.sleep(0.01)
            say(reply)
        case "begins-the-next-answer":
            say_and_begin_the_next(reply)
        case "half-a-line":
            write(json.dumps(reply).encode()[:9])
            hang()
        case "a-line-of-100-mb":
            for _ in range(1600):
                write(b"x" * 65536)
            write(b"\n")
        case "noise-without-end":
            while True:
                write(b"\x00\xff" * 4096)
        case "exits-once":
            if not os.path.exists(FOLDER + ".exited"):  # noqa: PTH110
                os.close(os.open(FOLDER + ".exited", os.O_CREAT))
                os._exit(3)
            say(reply)
        case "exits-mid-line":
            write(json.dumps(reply).encode()[:9])
            os._exit(0)
        case "exits":
            os.write(2, b"panic: cannot halve 14\n")
            os._exit(3)
        case "dies-of-a-signal":
            os.kill(os.getpid(), 9)
        case "exits-leaving-a-child":
            fork_a_child_that_keeps_the_pipes()
            os._exit(3)
        case "hangs-leaving-a-child":
            fork_a_child_that_keeps_the_pipes()
            hang()
        case "closes-its-output":
            os.close(1)
            hang()
        case "prints-after-it-answered":
            say(reply)
            write(b"halved 14\n")
        case "no-result":
            say({"id": number})
        case "wrong-output":
            say({"id": number, "output": {"half": 8}})
        case "control-characters":
            say({"id": number, "rejected": {"reason": "\x1b[2J\u202egone"}})
        case "refuses-what-it-declared":
            say({"id": number, "error": {"message": "unsupported operation"}})
        case "floods-stderr":
            for _ in range(160):
                os.write(2, b"trouble " * 8192)
            say(reply)
        case "floods-stderr-without-end":
            while True:
                os.write(2, b"trouble " * 8192)
        case _:
            say(reply)


def lines() -> list[bytes]:
    """Return the requests received so far; an empty list at the end of the input."""
    global unread  # noqa: PLW0603 - a reader without imports
    while b"\n" not in unread:
        chunk = os.read(0, 65536)
        if not chunk:
            return []
        unread += chunk
    *whole, unread = unread.split(b"\n")
    return whole


unread = b""
asked: list[object] = []


def main() -> None:
    leave_a_trace()
    if MODE == "keeps-a-child":
        fork_a_child_that_keeps_the_pipes()
    if MODE == "exits-before-hello":
        os.write(2, b"cannot find a library\n")
        os._exit(5)
    if MODE == "says-no-hello":
        hang()
    if MODE == "prints-a-banner":
        write(b"toy adapter 1.0\n")
    if MODE == "floods-before-hello":
        while True:
            write(b"x" * 65536)
    answered = 0
    while requests := lines():
        for line in requests:
            request = json.loads(line)
            if request["type"] == "hello":
                hello = WRONG_HELLOS.get(MODE, HELLO)
                if MODE == "another-hello-each-time":
                    hello = {**HELLO, "version": str(os.getpid())}
                say(hello)
            elif request["type"] == "bye":
                if MODE == "leaves-a-sign-at-bye":
                    leave_a_sign_at_bye()
                if MODE == "aborts-at-bye":
                    os.abort()
                if MODE == "exits-with-3-at-bye":
                    os._exit(3)
                if MODE == "half-a-line-at-bye":
                    write(b"half a line")
                if MODE == "a-long-line-at-bye":
                    write(b"x" * (9 << 20))
                if MODE == "closes-its-output-at-bye":
                    os.close(1)
                    hang()
                if MODE == "ignores-its-end-of-input":
                    hang()
                return
            elif MODE == "answers-one-and-exits" and answered:
                os._exit(0)
            elif MODE == "hangs-after-a-sign":
                hang_after_a_sign()
            elif MODE == "answers-nothing" or (
                MODE == "answers-small-numbers" and request["input"]["number"] >= 5
            ):
                pass
            else:
                answered += 1
                reply = reply_to(request)
                if MODE == "logs-each-request":
                    os.write(2, b"asked %d\n" % request["input"]["number"])
                    reply = {"id": request["id"], "output": {"half": 1000}}
                if request["input"].get("number") == TRIGGER:
                    misbehave(request, reply)
                else:
                    say(reply)
                if MODE == "exits-after-its-answer":
                    return
    if MODE == "ignores-its-end-of-input":
        hang()


main()
