/**
 * The corpus over the adapter protocol, in a process of the port: for the files that only an adapter
 * executes.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { answerOf } from './cases.js';

/** The files of which a conversation shows more than a reply to one request. */
export const PROGRAM = ['adapter.js', 'lines.js', 'protocol.js', 'systems.js'];
const PROTOCOL = 1;
/** Instrumented code counts in this array, which nobody looks at here. */
const COUNTS = 'data:text/javascript,globalThis.rejoinCounts=new Uint32Array(65536)';

/** How many vectors of each way are asked, and how many of the largest of all. */
const FEW = 2;

/**
 * The part of the corpus that executes the files of the program in each way: of a request they see
 * the operation, the reading and the length, and of an answer its length and whether it is a refusal.
 *
 * @param {import('./cases.js').Case[]} cases @returns {import('./cases.js').Case[]}
 */
export function inEachWay(cases) {
  const ways = new Map();
  for (const each of cases) {
    const way = `${each.operation} ${each.reading} ${each.expected === 'rejected'}`;
    ways.set(way, [...(ways.get(way) ?? []), each].slice(0, FEW));
  }
  const largest = (field) =>
    [...cases].sort((left, right) => right[field].length - left[field].length).slice(0, FEW);
  return [...new Set([...ways.values(), largest('request'), largest('expected')].flat())];
}

/**
 * Asks some vectors, as `rejoin run` does.
 *
 * @param {string} adapter  a script
 * @param {import('./cases.js').Case[]} cases
 * @param {string} [mutant]  to switch on
 * @param {number} seconds  without a line, after which the program counts as hanging
 * @returns {Promise<{killedBy: string[], endless: boolean}>} the first vector that gets a wrong answer
 *   or none; `protocol/hello` or `protocol/bye` if it does not begin or end as the protocol demands
 */
export function converse(adapter, cases, mutant, seconds) {
  const child = spawn(process.execPath, ['--import', COUNTS, adapter], {
    env: { ...process.env, __STRYKER_ACTIVE_MUTANT__: mutant ?? '' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return new Promise((resolve) => {
    let answered = -1;
    const next = () => cases[answered]?.id ?? (answered < 0 ? 'protocol/hello' : 'protocol/bye');
    const judged = (killedBy, endless = false) => {
      clearTimeout(limit);
      child.kill('SIGKILL');
      resolve({ killedBy, endless });
    };
    const limit = setTimeout(() => judged([next()], true), seconds * 1000);
    createInterface({ input: child.stdout }).on('line', (line) => {
      limit.refresh();
      const right = answered < 0 ? isGreeting(line, cases) : isReply(line, cases, answered);
      if (!right) judged([next()]);
      answered += 1;
    });
    child.on('close', (code) => {
      if (answered < cases.length) judged([next()]);
      else judged(code === 0 ? [] : [next()]);
    });
    child.stdin.on('error', () => {}); // the process has ended, which `close` judges
    child.stdin.end(linesOf(cases));
  });
}

function linesOf(cases) {
  const requests = cases.map(({ request }, id) => request.replace('"id":0', `"id":${id}`));
  const hello = JSON.stringify({ type: 'hello', protocol: PROTOCOL, suite: 'corpus' });
  return `${[hello, ...requests, '{"type":"bye"}'].join('\n')}\n`;
}

/**
 * Whether the adapter names itself as docs/adapter-protocol.md demands, and declares all operations
 * and readings of the corpus.
 */
function isGreeting(line, cases) {
  const { type, protocol, name, operations, readings } = parsed(line);
  return (
    type === 'hello' &&
    protocol === PROTOCOL &&
    typeof name === 'string' &&
    name !== '' &&
    cases.every(
      ({ operation, reading }) =>
        operations?.includes(operation) && readings?.[operation.split('/')[0]]?.includes(reading),
    )
  );
}

function isReply(line, cases, number) {
  const reply = parsed(line);
  return number < cases.length && reply.id === number && answerOf(reply) === cases[number].expected;
}

function parsed(line) {
  try {
    return JSON.parse(line) ?? {};
  } catch {
    return {};
  }
}
