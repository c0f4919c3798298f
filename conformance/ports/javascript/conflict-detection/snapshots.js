/**
 * Snapshots: their encoding, identity and signatures.
 *
 * @typedef {object} Snapshot
 * @property {Uint8Array | null} content  a capability, null in a deletion
 * @property {Uint8Array[]} parents  capabilities
 * @property {Uint8Array} [author]
 * @property {Uint8Array} [signature]
 */
import { ed25519 } from '@noble/curves/ed25519.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { encode } from '../bt.js';
import { toByteText } from '../bytes.js';
import { refuse } from '../refusal.js';

const CAPABILITY_LENGTH = 32;
const KEY_LENGTH = 32;
const SIGNATURE_LENGTH = 64;

const hash32 = (bytes) => blake2b(bytes, { dkLen: CAPABILITY_LENGTH });

/** @param {Uint8Array} content @returns {Uint8Array} its capability */
export const contentCapability = (content) => hash32(encode(content));

/** Refuses a value that is not a snapshot. @param {Snapshot} snapshot */
export function checkSnapshot({ content, parents, author, signature }) {
  const capabilities = content === null ? parents : [content, ...parents];
  if (capabilities.length === 0) refuse('empty-snapshot', 'neither content nor parents');
  if (capabilities.some((it) => it.length !== CAPABILITY_LENGTH)) {
    refuse('bad-capability', 'a capability has 32 bytes');
  }
  if (new Set(parents.map(toByteText)).size < parents.length) {
    refuse('duplicate-parent', 'a parent is named twice');
  }
  if ((author === undefined) !== (signature === undefined)) {
    refuse('half-signed', 'an author without a signature, or a signature without an author');
  }
  if (author !== undefined && author.length !== KEY_LENGTH) {
    refuse('bad-key', 'an author has 32 bytes');
  }
}

/** @param {Snapshot} snapshot @returns {Uint8Array} */
export function encodeSnapshot({ content, parents, author, signature }) {
  const entries = new Map(parents.map((parent, i) => [`parent${i}`, parent]));
  if (content !== null) entries.set('content', content);
  if (author !== undefined) entries.set('author', author);
  if (signature !== undefined) entries.set('signature', signature);
  return encode(entries);
}

/** @param {Snapshot} snapshot @returns {Uint8Array} its identity */
export const snapshotCapability = (snapshot) => hash32(encodeSnapshot(snapshot));

/** @param {Snapshot} snapshot @param {Uint8Array} seed @returns {Snapshot} a signed one */
export function signSnapshot({ content, parents }, seed) {
  if (seed.length !== KEY_LENGTH) refuse('bad-key', 'a signing key has 32 bytes');
  const authored = { content, parents, author: ed25519.getPublicKey(seed) };
  return { ...authored, signature: ed25519.sign(encodeSnapshot(authored), seed) };
}

/** @param {Snapshot} snapshot @returns {boolean} whether its signature is its author's */
export function hasValidSignature({ signature, ...authored }) {
  if (signature === undefined || signature.length !== SIGNATURE_LENGTH) return false;
  return ed25519.verify(signature, encodeSnapshot(authored), authored.author, { zip215: false });
}
