/**
 * Lagged rows: what a message says of those on which it is built.
 *
 * @typedef {import('./messages.js').Row} Row
 */
import { refuse } from '../refusal.js';
import { checkDiff } from './diff-updates.js';
import { compareRank } from './messages.js';

/**
 * Checks the rows of a message and leaves out those that are expired.
 *
 * @param {any} list  the value under `<`
 * @param {bigint} seqno  of the message in which the rows stand
 * @param {bigint} window
 * @param {import('./readings.js').Reading} reading
 * @returns {Row[]}
 */
export function readRows(list, seqno, window, reading) {
  if (!Array.isArray(list)) refuse('lagged-type', '`<` holds no list');
  const rows = [];
  let previous = null;
  for (const value of list) {
    if (!Array.isArray(value) || typeof value[0] !== 'bigint') {
      refuse('row-shape', 'a row does not begin with an integer');
    }
    const expired = value[0] <= seqno - window;
    if (expired && !reading.checkExpiredRows) continue;
    const row = readRow(value, seqno, reading);
    if (previous !== null && compareRank(previous, row) >= 0) {
      refuse('rows-not-ascending', 'a row does not rank above the one in front of it');
    }
    previous = row;
    if (!expired) rows.push(row);
  }
  return rows;
}

function readRow(value, messageSeqno, reading) {
  const [seqno, hash, diff] = value;
  if (value.length !== 3 || !(hash instanceof Uint8Array) || !(diff instanceof Map)) {
    refuse('row-shape', 'a row is no list of integer, string and dict');
  }
  if (seqno < 0n || seqno >= messageSeqno) refuse('row-seqno', 'a row is not of the past');
  if (hash.length !== 32) refuse('row-hash-length', 'the hash of a row has not 32 bytes');
  checkDiff(diff, reading);
  return { seqno, hash, diff };
}

/** @param {Row[]} rows @returns {any[]} the list under `<` */
export const rowsAsList = (rows) => rows.map(({ seqno, hash, diff }) => [seqno, hash, diff]);
