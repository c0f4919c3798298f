"""A Rejoin adapter: it answers requests, one JSON object on each line."""

import json
import sys
from collections.abc import Callable
from typing import Any

import bt
from bt import RejectedError

# ---- Fill in here --------------------------------------------------------------------------------
# Write one function for each operation. It takes the input and the requested reading, and returns
# the output. It raises RejectedError for input that the protocol refuses. List it in OPERATIONS.


def classify_version_map(value: dict[str, Any], _reading: str) -> dict[str, Any]:
    """Return the classification. This is an example: replace it with your own code."""
    local, remote = value["local"], value["remote"]
    for version_map in (local or {}, remote):
        for nickname, number in version_map.items():
            if not nickname or any(character in ",/\0" for character in nickname):
                raise RejectedError(f"{nickname!r} is not a nickname")
            if not 0 <= number < 2**53:
                raise RejectedError(f"{number} is not a version number")
    if local is None:
        return {"classification": "overwrite"}
    pairs = [(local.get(name, 0), remote.get(name, 0)) for name in {*local, *remote}]
    ours, theirs = any(a > b for a, b in pairs), any(a < b for a, b in pairs)
    if ours and theirs:
        return {"classification": "conflict"}
    return {"classification": "stale" if ours else "overwrite" if theirs else "same"}


def encode(value: dict[str, Any], _reading: str) -> dict[str, Any]:
    """Return the bt-encoding of a value, by the functions of bt.py. This is an example, too."""
    return {"encoded": bt.to_hex(bt.encode(bt.from_json(value["value"])))}


OPERATIONS: dict[str, Callable[[dict[str, Any], str], dict[str, Any]]] = {
    "config-merge/encode": encode,
    "conflict-detection/classify-version-map": classify_version_map,
}
# --------------------------------------------------------------------------------------------------

HELLO = {
    "type": "hello",
    "protocol": 1,
    "name": "my-port",
    "version": "0.1.0",
    "language": "Python",
    "operations": list(OPERATIONS),
    "readings": {"config-merge": "document", "conflict-detection": "repaired"},
    "max_in_flight": 64,  # requests that wait count as late: declare 1 if some take seconds
    "without": {},  # operation -> features that your code does not have: docs/adapter-protocol.md
}


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Return the reply to a request to run an operation."""
    perform = OPERATIONS.get(request["operation"])
    if perform is None:
        return {"id": request["id"], "error": {"message": "unsupported operation"}}
    try:
        return {
            "id": request["id"],
            "output": perform(request["input"], request.get("reading", "")),
        }
    except RejectedError as error:
        return {"id": request["id"], "rejected": {"reason": str(error)}}
    except Exception as error:  # noqa: BLE001 - a bug is not a rejection
        return {"id": request["id"], "error": {"message": repr(error)}}


def main() -> None:
    """Answer each line as soon as it arrives. End at bye or at the end of the input."""
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if request["type"] == "bye":
            return
        reply = HELLO if request["type"] == "hello" else answer(request)
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
