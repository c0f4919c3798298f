/**
 * Selects the messages of a list that count.
 *
 * @typedef {import('./messages.js').Message} Message
 * @typedef {import('./outer-metadata.js').Context} Context
 * @typedef {object} Sifted
 * @property {Message[]} survivors  in ascending rank, at least one
 * @property {{index: number, why: string}[]} ignored  by place in the list
 */
import { toHex } from '../bytes.js';
import { Refusal, refuse } from '../refusal.js';
import { compareRank, identityOf } from './messages.js';
import { parseMessage } from './outer-metadata.js';

/**
 * @param {Uint8Array[]} messages  plaintexts
 * @param {Context} context
 * @returns {Sifted}
 */
export function setAside(messages, context) {
  const ignored = [];
  /** @type {{index: number, message: Message}[]} */
  const valid = [];
  const seen = new Set();
  messages.forEach((encoded, index) => {
    const message = parseOrNull(encoded, context);
    if (message === null) {
      ignored.push({ index, why: 'invalid' });
    } else if (seen.has(toHex(message.hash))) {
      ignored.push({ index, why: 'duplicate' });
    } else {
      seen.add(toHex(message.hash));
      valid.push({ index, message });
    }
  });
  if (valid.length === 0) refuse('no-valid-message', 'no message of those given is valid');

  const max = valid.reduce((most, { message: { seqno } }) => (seqno > most ? seqno : most), 0n);
  const included = new Set(valid.flatMap(({ message }) => message.rows.map(identityOf)));
  const survivors = [];
  for (const { index, message } of valid) {
    if (message.seqno <= max - context.window) ignored.push({ index, why: 'stale' });
    else if (included.has(identityOf(message))) ignored.push({ index, why: 'included' });
    else survivors.push(message);
  }
  ignored.sort((a, b) => a.index - b.index);
  return { survivors: survivors.sort(compareRank), ignored };
}

function parseOrNull(encoded, context) {
  try {
    return parseMessage(encoded, context);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
