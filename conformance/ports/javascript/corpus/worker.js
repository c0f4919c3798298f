/**
 * A thread with an instrumented copy of the port. It answers each message with one message.
 *
 *     {cover: true}             -> {reached: the numbers of the cases that reach each mutant, hits:
 *                                   how often a case reaches it at most, loaded: 1 for each mutant
 *                                   that the code reaches when it is loaded}
 *     {mutant, numbers, limit}  -> {killedBy: IDs of vectors, endless, harmed}
 *
 * `progress[0]` grows with each answer of the port, so that the main thread sees whether it hangs.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { answerOf } from './cases.js';

const { folder, cases, size, progress, active } = workerData;
/** How often the code has reached each mutant. */
const counts = (globalThis.rejoinCounts = new Uint32Array(size));
/** The object through which Stryker switches mutants. */
const switches = (globalThis.__stryker__ = { activeMutant: active });
const port = await import(pathToFileURL(join(folder, 'protocol.js')).href);

function isRight({ request, expected }) {
  progress[0] += 1;
  try {
    return answerOf(port.replyTo(port.readRequest(request))) === expected;
  } catch {
    return false;
  }
}

function cover() {
  const reached = Array.from({ length: size }, () => []);
  const hits = new Uint32Array(size);
  const loaded = counts.map((it) => Math.min(it, 1));
  cases.forEach((it, number) => {
    counts.fill(0);
    if (!isRight(it)) throw new Error(`${it.id}: the port itself is wrong`);
    counts.forEach((count, mutant) => {
      if (count > 0) reached[mutant].push(number);
      hits[mutant] = Math.max(hits[mutant], count);
    });
  });
  return { reached, hits, loaded };
}

/**
 * Stops at the first wrong answer. If it is one to a random vector, all random vectors are asked,
 * because somebody who chooses among them must know all that find the mutant.
 */
function run({ mutant, numbers, limit }) {
  const killedBy = new Set();
  let first = null;
  let endless = false;
  switches.activeMutant = mutant;
  switches.hitLimit = limit;
  for (const number of numbers) {
    switches.hitCount = 0;
    if (isRight(cases[number])) continue;
    endless ||= switches.hitCount > limit;
    first ??= cases[number];
    killedBy.add(cases[number].id);
    if (cases[number].tier !== 'random') break;
  }
  switches.activeMutant = active;
  switches.hitCount = undefined;
  const harmed = first !== null && active === undefined && !isRight(first);
  return { killedBy: [...killedBy], endless, harmed };
}

parentPort.on('message', (message) => {
  parentPort.postMessage(message.cover ? cover() : run(message));
});
