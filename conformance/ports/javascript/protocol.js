/**
 * The adapter protocol: from one request to one reply.
 */
import { Refusal } from './refusal.js';
import { SYSTEMS } from './systems.js';

const PROTOCOL = 1;
const MAX_IN_FLIGHT = 64;
const BY_OPERATION = new Map(
  SYSTEMS.flatMap((system) => [...system.operations].map(([name, run]) => [name, { system, run }])),
);

/** A line after which the rest of the conversation cannot be trusted. */
export class BrokenConversation extends Error {}

/** @param {string} line @returns {any} the request */
export function readRequest(line) {
  let request;
  try {
    request = JSON.parse(line);
  } catch {
    throw new BrokenConversation('a line is not JSON');
  }
  if (request === null || typeof request !== 'object' || Array.isArray(request)) {
    throw new BrokenConversation('a line is not a JSON object');
  }
  return request;
}

/** @param {any} request @returns {object | null} the reply; null if the conversation is over */
export function replyTo(request) {
  if (request.type === 'bye') return null;
  if (request.type === 'run') return { id: request.id, ...run(request) };
  if (request.type !== 'hello') throw new BrokenConversation('a request of an unknown type');
  if (request.protocol !== PROTOCOL) throw new BrokenConversation('another protocol');
  return {
    type: 'hello',
    protocol: PROTOCOL,
    name: 'rejoin-javascript',
    version: '0.1.0',
    language: 'JavaScript',
    operations: [...BY_OPERATION.keys()].sort(),
    readings: Object.fromEntries(SYSTEMS.map(({ name, readings }) => [name, readings])),
    max_in_flight: MAX_IN_FLIGHT,
  };
}

function run({ operation, reading, input }) {
  const found = BY_OPERATION.get(operation);
  if (found === undefined) return { error: { message: 'an operation that was not declared' } };
  const { readings } = found.system;
  if (reading !== undefined && !readings.includes(reading)) {
    return { error: { message: 'a reading that was not declared' } };
  }
  try {
    return { output: found.run(input, reading ?? readings[0]) };
  } catch (error) {
    if (error instanceof Refusal) return { rejected: { code: error.code, reason: error.message } };
    return { error: { message: String(error?.stack ?? error) } };
  }
}
