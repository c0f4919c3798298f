/**
 * Resolves a list of messages to one message, and merges several messages.
 *
 * @typedef {import('./messages.js').Message} Message
 * @typedef {import('./outer-metadata.js').Context} Context
 */
import { copyData } from './application-data.js';
import { applyDiff, prune } from './diff-updates.js';
import { setAside } from './ignored-updates.js';
import { compareRank, identityOf, nextSeqno } from './messages.js';
import { writeMessage } from './outer-metadata.js';

/**
 * @param {Uint8Array[]} messages  plaintexts
 * @param {Context} context
 */
export function resolve(messages, context) {
  const { survivors, ignored } = setAside(messages, context);
  const highest = survivors[survivors.length - 1];
  const cannotSign = context.verifyKey !== null && context.signingKey === null;
  if (survivors.length === 1 || cannotSign) {
    return { message: highest.encoded, merged: false, ignored };
  }
  const parts = { ...merge(survivors, context), diff: new Map() };
  const message = writeMessage(parts, context.signingKey);
  return { message, merged: true, ignored };
}

/**
 * The parts of a merge, without its own diff.
 *
 * @param {Message[]} survivors  in ascending rank, at least two
 * @param {Context} context
 */
export function merge(survivors, { window, reading }) {
  const highest = survivors[survivors.length - 1];
  const seqno = nextSeqno(highest.seqno);
  const data = copyData(highest.data);
  const entries = replaySet(survivors, seqno - window, reading);
  for (const { diff, source } of entries) applyDiff(data, diff, source.data, reading);
  prune(data);
  return {
    seqno,
    data,
    rows: entries.filter((entry) => entry.seqno > seqno - window),
    unknown: reading.mergeKeepsUnknownKeys ? highest.unknown : new Map(),
  };
}

/** @returns the entries in the order in which they are applied */
function replaySet(survivors, cutoff, reading) {
  const entries = new Map();
  for (const source of [...survivors].reverse()) {
    const { seqno, hash, diff } = source;
    entries.set(identityOf(source), { seqno, hash, diff, source });
  }
  for (const source of [...survivors].reverse()) {
    for (const row of source.rows) {
      if (reading.replayCutoff && row.seqno < cutoff) continue;
      const identity = identityOf(row);
      if (!entries.has(identity)) entries.set(identity, { ...row, source });
    }
  }
  return [...entries.values()].sort(compareRank);
}
