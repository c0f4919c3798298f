#!/usr/bin/env node
/**
 * The adapter: one JSON object on each line, from standard input to standard output, until `bye`.
 */
import { writeSync } from 'node:fs';
import { lines } from './lines.js';
import { BrokenConversation, readRequest, replyTo } from './protocol.js';

async function main() {
  for await (const line of lines(process.stdin)) {
    const reply = replyTo(readRequest(line));
    if (reply === null) return;
    send(`${JSON.stringify(reply)}\n`);
  }
}

/** Writes the whole text before it returns, because a reply must not wait in a buffer. */
function send(text) {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

try {
  await main();
  process.exit(0);
} catch (error) {
  if (!(error instanceof BrokenConversation)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
