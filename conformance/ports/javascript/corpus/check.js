#!/usr/bin/env node
/**
 * Asks the port every vector of the corpus and prints the wrong answers, one vector on each line.
 *
 *     node corpus/check.js [SYSTEM] [--all]
 *
 * It stops at the first wrong answer unless `--all` is given. Exit code 0: every answer is right; 1:
 * an answer is wrong.
 */
import { readRequest, replyTo } from '../protocol.js';
import { answerOf, readCases } from './cases.js';

const given = process.argv.slice(2);
const all = given.includes('--all');
const [system] = given.filter((it) => !it.startsWith('--'));
const wrong = new Set();
for (const { id, request, expected } of readCases(system)) {
  if (wrong.has(id) || answerOf(replyTo(readRequest(request))) === expected) continue;
  wrong.add(id);
  console.log(id);
  if (!all) break;
}
process.exit(wrong.size === 0 ? 0 : 1);
