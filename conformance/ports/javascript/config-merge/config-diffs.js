/**
 * Lagged rows: the changes of the messages on which a message is built.
 *
 * @typedef {import('./messages.js').Row} Row
 */
import { readInteger, readString, skipValue } from '../bt.js';
import { view } from '../bytes.js';
import { refuse } from '../refusal.js';
import { checkDiff } from './diff-updates.js';
import { compareRank } from './messages.js';

/**
 * Checks the rows of a message and removes expired rows. If a reading does not check expired rows,
 * `withoutExpiredRows` has already removed them.
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
    const row = readRow(value, seqno, reading);
    if (previous !== null && compareRank(previous, row) >= 0) {
      refuse('rows-not-ascending', 'a row does not rank above the one in front of it');
    }
    previous = row;
    if (!expired) rows.push(row);
  }
  return rows;
}

const [E, I] = [...'ei'].map((c) => c.charCodeAt(0));

/**
 * The bytes of a message without its expired rows, of which nothing but the seqno is looked at.
 *
 * @param {Uint8Array} encoded  any bytes: malformed ones stay as they are, for the decoder to refuse
 * @param {bigint} window
 * @returns {{bytes: Uint8Array, removed: number}}  removed: how many bytes were left out
 */
export function withoutExpiredRows(encoded, window) {
  const bytes = view(encoded);
  try {
    const left = Buffer.concat(keptParts(bytes, window));
    return { bytes: left, removed: bytes.length - left.length };
  } catch {
    return { bytes, removed: 0 };
  }
}

function keptParts(bytes, window) {
  let seqno = null;
  let at = 1;
  while (bytes[at] !== E) {
    const [key, behind] = readString(bytes, at, false);
    const name = key.toString('latin1');
    if (name === '#') [seqno] = readInteger(bytes, behind, false);
    if (name === '<' && seqno !== null) {
      return keptRows(bytes, behind + 1, seqno - window);
    }
    at = skipValue(bytes, behind);
  }
  return [bytes];
}

function keptRows(bytes, start, latestExpired) {
  const parts = [];
  let keptFrom = 0;
  let at = start;
  while (bytes[at] !== E) {
    const end = skipValue(bytes, at);
    const beginsWithInteger = bytes[at + 1] === I;
    if (beginsWithInteger && readInteger(bytes, at + 1, false)[0] <= latestExpired) {
      parts.push(bytes.subarray(keptFrom, at));
      keptFrom = end;
    }
    at = end;
  }
  return [...parts, bytes.subarray(keptFrom)];
}

function readRow(value, messageSeqno, reading) {
  const [seqno, hash, diff] = value;
  if (value.length !== 3 || !(hash instanceof Uint8Array) || !(diff instanceof Map)) {
    refuse('row-shape', 'a row is not a list of integer, string and dict');
  }
  const negative = seqno < 0n && !reading.negativeRowSeqnosAllowed;
  if (negative || seqno >= messageSeqno) refuse('row-seqno', 'a row is not of the past');
  if (hash.length !== 32) refuse('row-hash-length', 'the hash of a row has not 32 bytes');
  checkDiff(diff, reading);
  return { seqno, hash, diff };
}

/** @param {Row[]} rows @returns {any[]} the list under `<` */
export const rowsAsList = (rows) => rows.map(({ seqno, hash, diff }) => [seqno, hash, diff]);
