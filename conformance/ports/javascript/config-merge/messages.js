/**
 * Hash, rank, seqno and window of messages.
 *
 * @typedef {object} Row  what a message keeps of an earlier one
 * @property {bigint} seqno
 * @property {Uint8Array} hash
 * @property {Map<string, any>} diff
 *
 * @typedef {object} Message
 * @property {bigint} seqno
 * @property {Uint8Array} hash
 * @property {Uint8Array} encoded  the plaintext as it was received
 * @property {Map<string, any>} data
 * @property {Map<string, any>} diff
 * @property {Row[]} rows  without expired ones
 * @property {Map<string, any>} unknown  the unknown keys with their values
 * @property {Uint8Array | null} signature
 * @property {number} signedLength  how many bytes from the first one a signature covers
 */
import { blake2b } from '@noble/hashes/blake2.js';
import { compareBytes, toHex } from '../bytes.js';
import { refuse } from '../refusal.js';

export const DEFAULT_WINDOW = 5n;
export const SEQNO_LIMIT = 2n ** 62n;
const WINDOW_LIMIT = 2n ** 31n;

/** @param {Uint8Array} plaintext @returns {Uint8Array} 32 bytes */
export const hashOf = (plaintext) => blake2b(plaintext, { dkLen: 32 });

/** Messages, rows and replay entries have one order: by seqno, then by hash. */
export function compareRank(a, b) {
  if (a.seqno !== b.seqno) return a.seqno < b.seqno ? -1 : 1;
  return compareBytes(a.hash, b.hash);
}

/** @returns {string} the same for two messages or rows exactly where seqno and hash are the same */
export const identityOf = ({ seqno, hash }) => `${seqno}:${toHex(hash)}`;

/** @param {bigint} window */
export function checkWindow(window) {
  if (window < 1n || window >= WINDOW_LIMIT) refuse('bad-window', 'no window from 1 to 2^31 - 1');
}

/** @param {bigint} seqno of the message on which a new one is made @returns {bigint} */
export function nextSeqno(seqno) {
  if (seqno + 1n >= SEQNO_LIMIT) refuse('seqno-exhausted', 'no seqno is left');
  return seqno + 1n;
}
