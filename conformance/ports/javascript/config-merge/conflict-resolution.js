/**
 * Resolves a list of messages to one message, and merges several messages.
 *
 * @typedef {import('./messages.js').Message} Message
 * @typedef {import('./outer-metadata.js').Context} Context
 */
import { copyData, prune } from './application-data.js';
import { applyDiff } from './diff-updates.js';
import { setAside } from './ignored-updates.js';
import { compareRank, identityOf, nextSeqno } from './messages.js';
import { writeMessage } from './outer-metadata.js';

const nothing = () => {};

/**
 * @param {Uint8Array[]} messages  plaintexts
 * @param {Context} context
 * @param {(step: string, noted: any) => void} [note]  is told each step
 */
export function resolve(messages, context, note = nothing) {
  const { survivors, ignored } = setAside(messages, context);
  ignored.forEach((each) => note('ignore', each));
  note('survivors', survivors);
  const highest = survivors[survivors.length - 1];
  const cannotSign = context.verifyKey !== null && context.signingKey === null;
  if (survivors.length === 1 || cannotSign) {
    note('result', { message: highest, alone: survivors.length === 1 });
    return { message: highest.encoded, merged: false, ignored };
  }
  const parts = { ...merge(survivors, context, note), diff: new Map() };
  const message = writeMessage(parts, context.signingKey);
  note('message', message);
  return { message, merged: true, ignored };
}

/**
 * The parts of a merge, without its own diff.
 *
 * @param {Message[]} survivors  in ascending rank, at least two
 * @param {Context} context
 * @param {(step: string, noted: any) => void} [note]  is told each step
 */
export function merge(survivors, { window, reading }, note = nothing) {
  const highest = survivors[survivors.length - 1];
  const seqno = nextSeqno(highest.seqno);
  const data = copyData(highest.data);
  note('seqno', seqno);
  note('base', highest);
  const entries = replaySet(survivors, seqno - window, reading);
  for (const entry of entries) {
    applyDiff(data, entry.diff, entry.source.data, reading);
    note('replay', { entry, data });
  }
  prune(data);
  if (!reading.pruneAfterEachEntry) note('prune', data);
  const rows = entries.filter((entry) => entry.seqno > seqno - window);
  note('keep', rows);
  return {
    seqno,
    data,
    rows,
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
