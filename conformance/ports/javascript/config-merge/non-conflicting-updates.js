/**
 * Creates the message that follows other messages and changes the data.
 *
 * @typedef {import('./outer-metadata.js').Context} Context
 */
import { fromHex } from '../bytes.js';
import { refuse } from '../refusal.js';
import { merge } from './conflict-resolution.js';
import { makeDiff } from './diff-updates.js';
import { setAside } from './ignored-updates.js';
import { nextSeqno } from './messages.js';
import { writeMessage } from './outer-metadata.js';

/** The message of seqno 0 from which the deployed library starts, as a row (CM-E37). */
const ROW_OF_ZERO = Object.freeze({
  seqno: 0n,
  hash: fromHex('ea173b57beca8af18c3519a7bbf69c3e7a05d1c049fa9558341d8ebb48b0c965'),
  diff: new Map(),
});

/**
 * @param {Uint8Array[]} messages  plaintexts; none is the start of a history
 * @param {Map<string, any>} data  the whole new data
 * @param {Context} context
 * @returns {Uint8Array} the plaintext of the new message
 */
export function update(messages, data, context) {
  checkCanUpdate(context);
  const before = partsBefore(messages, context);
  const diff = makeDiff(before.data, data);
  return writeMessage({ ...before, data, diff }, context.signingKey);
}

/** Refuses if signatures are required and there is no signing key. */
export function checkCanUpdate({ verifyKey, signingKey }) {
  if (verifyKey !== null && signingKey === null) {
    refuse('signing-key-missing', 'signatures are required and there is no key to sign with');
  }
}

/** Seqno, rows and unknown keys of the new message, and the data that it changes. */
function partsBefore(messages, context) {
  if (messages.length === 0) {
    const zero = context.reading.firstMessageLagsZero ? [ROW_OF_ZERO] : [];
    return { seqno: 1n, data: new Map(), rows: within(zero, 1n, context), unknown: new Map() };
  }
  const { survivors } = setAside(messages, context);
  if (survivors.length > 1) return merge(survivors, context);
  const [current] = survivors;
  const seqno = nextSeqno(current.seqno);
  const rows = within([...current.rows, current], seqno, context);
  return { seqno, data: current.data, rows, unknown: current.unknown };
}

const within = (rows, seqno, { window }) => rows.filter((row) => row.seqno > seqno - window);
