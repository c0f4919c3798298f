/**
 * The keys of a message, known and unknown: reading a plaintext, and writing one.
 *
 * @typedef {import('./messages.js').Message} Message
 * @typedef {import('./readings.js').Reading} Reading
 */
import { decodeFrom, encode } from '../bt.js';
import { refuse } from '../refusal.js';
import { checkData } from './application-data.js';
import { readRows, rowsAsList, withoutExpiredRows } from './config-diffs.js';
import { checkDiff } from './diff-updates.js';
import { SEQNO_LIMIT, hashOf } from './messages.js';
import { appendSignature, requireSignature } from './signatures.js';

const SEQNO = '#';
const DATA = '&';
const LAGGED = '<';
const DIFF = '=';
const SIGNATURE = '~';
const KNOWN = new Set([SEQNO, DATA, LAGGED, DIFF, SIGNATURE]);

/**
 * @typedef {object} Context  what all messages of one kind of config share
 * @property {bigint} window
 * @property {Reading} reading
 * @property {Uint8Array | null} verifyKey
 * @property {Uint8Array | null} signingKey
 */

/** @param {Uint8Array} encoded @param {Context} context @returns {Message} */
export function parseMessage(encoded, { window, reading, verifyKey }) {
  const { bytes, removed } = reading.checkExpiredRows
    ? { bytes: encoded, removed: 0 }
    : withoutExpiredRows(encoded, window);
  const { value, end, keyPlaces } = decodeFrom(bytes, reading.strictEncoding);
  if (!(value instanceof Map)) refuse('not-a-dict', 'a message is a dict');
  for (const key of value.keys()) {
    if (key < SEQNO) refuse('major-version-break', 'a key sorts before `#`');
    if (key > SIGNATURE) refuse('key-after-signature', 'a key sorts after `~`');
  }
  const seqno = value.get(SEQNO);
  if (typeof seqno !== 'bigint') {
    refuse(value.has(SEQNO) ? 'seqno-type' : 'seqno-missing', 'no integer under `#`');
  }
  if (seqno < 0n || seqno >= SEQNO_LIMIT) refuse('seqno-out-of-range', 'no seqno');
  const data = value.get(DATA);
  checkData(data, reading);
  const rows = readRows(orDefault(value, LAGGED, () => [], reading), seqno, window, reading);
  const diff = orDefault(value, DIFF, () => new Map(), reading);
  checkDiff(diff, reading);
  const signature = value.get(SIGNATURE) ?? null;
  if (signature !== null && !(signature instanceof Uint8Array && signature.length === 64)) {
    refuse('signature-length', '`~` holds no string of 64 bytes');
  }
  const message = {
    seqno,
    hash: hashOf(encoded),
    encoded,
    data,
    diff,
    rows,
    unknown: new Map([...value].filter(([key]) => !KNOWN.has(key))),
    signature,
    signedLength: removed + signedEnd(keyPlaces.get(SIGNATURE), end, reading),
  };
  if (verifyKey !== null) requireSignature(message, verifyKey);
  return message;
}

/** The end of the signed bytes: before the key `~`, or before the last `e`. */
function signedEnd(place, end, reading) {
  if (place === undefined) return end - 1;
  return reading.signatureKeyPaddingSigned ? place.end - '1:~'.length : place.start;
}

/** The value of a key. If the key is optional and missing, a later key must follow. */
function orDefault(value, key, make, reading) {
  if (value.has(key)) return value.get(key);
  if (reading.requireDiffFields || ![...value.keys()].some((other) => other > key)) {
    refuse(key === LAGGED ? 'lagged-missing' : 'diff-missing', `no \`${key}\``);
  }
  return make();
}

/**
 * Writes a new message, signed if there is a signing key.
 *
 * @param {{seqno: bigint, data: Map<string, any>, rows: import('./messages.js').Row[],
 *          diff: Map<string, any>, unknown: Map<string, any>}} parts
 * @param {Uint8Array | null} signingKey
 * @returns {Uint8Array} the plaintext
 */
export function writeMessage({ seqno, data, rows, diff, unknown }, signingKey) {
  const value = new Map(unknown);
  value.set(SEQNO, seqno);
  value.set(DATA, data);
  value.set(LAGGED, rowsAsList(rows));
  value.set(DIFF, diff);
  const unsigned = encode(value);
  if (signingKey === null) return unsigned;
  return appendSignature(unsigned.subarray(0, unsigned.length - 1), signingKey);
}
