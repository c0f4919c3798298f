"""An adapter that answers requests for steps in one of several ways, for tests of failures.

Run it as: steps_adapter.py MODE [STEPS], where STEPS is a list of steps as JSON.
"""

from __future__ import annotations

import json
import os
import sys
import time

MODE = sys.argv[1]
STEPS = json.loads(sys.argv[2]) if len(sys.argv) > 2 else []
OPERATIONS = ["history-merge/merge", "history-merge/merge-steps"]


def answer(request: dict[str, object]) -> object:
    """Return the reply to a request, without its number; or end in the way of the mode."""
    if MODE == "crashes" or (MODE == "crashes-at-steps" and request["operation"] != OPERATIONS[0]):
        os._exit(3)
    if MODE == "hangs":
        time.sleep(600)
    if MODE == "writes-no-json":
        return None
    return {
        "crashes-at-steps": {"output": {"state": []}},
        "tells": {"output": {"steps": STEPS}},
        "lies": {"output": {"steps": [{"step": "nonsense"}]}},
        "refuses": {"rejected": {"reason": "too many steps\nfor me"}},
        "errs": {"error": {"message": "KeyError: 'p'"}},
    }[MODE]


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "bye":
        break
    if message["type"] == "hello":
        said: object = {
            "type": "hello",
            "protocol": 1,
            "name": "steps",
            "version": "1",
            "language": "Python",
            "operations": OPERATIONS[: 1 if MODE == "says-nothing" else 2],
            "readings": {"history-merge": "document"},
            "max_in_flight": 1,
        }
    else:
        reply = answer(message)
        said = reply if reply is None else {"id": message["id"], **reply}  # type: ignore[dict-item]
    sys.stdout.write("oops\n" if said is None else json.dumps(said) + "\n")
    sys.stdout.flush()
