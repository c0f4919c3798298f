"""An adapter that merges wrongly and, asked for its steps, lists the given ones or crashes.

Run it as: steps_adapter.py [STEPS], where STEPS is a list of steps as JSON.
"""

from __future__ import annotations

import json
import os
import sys

OPERATIONS = ["history-merge/merge", "history-merge/merge-steps"]
HELLO = {
    "type": "hello",
    "protocol": 1,
    "name": "steps",
    "version": "1",
    "language": "Python",
    "operations": OPERATIONS,
    "readings": {"history-merge": "document"},
    "max_in_flight": 1,
}

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "bye":
        break
    reply: object = HELLO
    if message["type"] == "run":
        output = {"steps": json.loads(sys.argv[1])} if len(sys.argv) > 1 else {"state": []}
        if message["operation"] == OPERATIONS[1] and len(sys.argv) == 1:
            os._exit(3)
        reply = {"id": message["id"], "output": output}
    sys.stdout.write(json.dumps(reply) + "\n")
    sys.stdout.flush()
