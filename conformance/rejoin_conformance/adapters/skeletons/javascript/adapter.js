// A Rejoin adapter: it answers requests, one JSON object on each line.

import { Rejected, encode, fromJson, toHex } from "./bt.js";

// ---- Fill in here -------------------------------------------------------------------------------
// Write one function for each operation. It takes the input and the requested reading, and returns
// the output. It throws Rejected for input that the protocol refuses. The functions below are
// examples: replace them with your own code.
const operations = {
  "config-merge/encode": ({ value }, _reading) => ({ encoded: toHex(encode(fromJson(value))) }),
  "conflict-detection/classify-version-map": ({ local, remote }, _reading) => {
    for (const [nickname, number] of [...Object.entries(local ?? {}), ...Object.entries(remote)]) {
      if (nickname === "" || /[,/\0]/.test(nickname)) {
        throw new Rejected(`${JSON.stringify(nickname)} is not a nickname`);
      }
      if (!Number.isSafeInteger(number) || number < 0) {
        throw new Rejected(`${number} is not a version number`);
      }
    }
    if (local === null) {
      return { classification: "overwrite" };
    }
    const entry = (map, name) => (Object.hasOwn(map, name) ? map[name] : 0);
    const names = Object.keys({ ...local, ...remote });
    const ours = names.some((name) => entry(local, name) > entry(remote, name));
    const theirs = names.some((name) => entry(local, name) < entry(remote, name));
    if (ours && theirs) {
      return { classification: "conflict" };
    }
    return { classification: ours ? "stale" : theirs ? "overwrite" : "same" };
  },
};
// -------------------------------------------------------------------------------------------------

const hello = {
  type: "hello",
  protocol: 1,
  name: "my-port",
  version: "0.1.0",
  language: "JavaScript",
  operations: Object.keys(operations),
  readings: { "config-merge": "document", "conflict-detection": "repaired" },
  max_in_flight: 64, // requests that wait count as late: declare 1 if some take seconds
  without: {}, // operation -> features that your code does not have: docs/adapter-protocol.md
};

function answer({ id, operation, reading, input }) {
  if (!Object.hasOwn(operations, operation)) {
    return { id, error: { message: "unsupported operation" } };
  }
  try {
    return { id, output: operations[operation](input, reading) };
  } catch (error) {
    // A bug is not a rejection.
    return error instanceof Rejected
      ? { id, rejected: { reason: error.message } }
      : { id, error: { message: String(error) } };
  }
}

// Answer each line as soon as it arrives. End at bye or at the end of the input. (node:readline would
// also split lines at U+2028.)
let unread = "";
process.stdin.setEncoding("utf8");
conversation: for await (const chunk of process.stdin) {
  const lines = (unread + chunk).split("\n");
  unread = lines.pop();
  for (const line of lines) {
    const request = JSON.parse(line);
    if (request.type === "bye") {
      break conversation;
    }
    const reply = request.type === "hello" ? hello : answer(request);
    process.stdout.write(JSON.stringify(reply) + "\n");
  }
}
