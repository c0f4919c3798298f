/**
 * Signatures: Ed25519 over a message without its pair `~` and without its last byte.
 */
import { ed25519 } from '@noble/curves/ed25519.js';
import { refuse } from '../refusal.js';

const PAIR_OPENS = Buffer.from('1:~64:');
const CLOSES = Buffer.from('e');

/**
 * Plain Ed25519 by RFC 8032: a scalar that is not below the group order does not verify.
 *
 * @param {import('./messages.js').Message} message
 * @param {Uint8Array} verifyKey
 * @returns {boolean}
 */
export function hasSignatureBy(message, verifyKey) {
  if (message.signature === null) return false;
  const signed = message.encoded.subarray(0, message.signedLength);
  return ed25519.verify(message.signature, signed, verifyKey, { zip215: false });
}

/** Refuses a message without a valid signature. */
export function requireSignature(message, verifyKey) {
  if (message.signature === null) refuse('signature-missing', 'no `~`');
  if (!hasSignatureBy(message, verifyKey)) refuse('signature-invalid', 'it does not verify');
}

/** @param {Uint8Array} signed  what is signed @param {Uint8Array} seed @returns {Uint8Array} */
export function appendSignature(signed, seed) {
  return Buffer.concat([signed, PAIR_OPENS, ed25519.sign(signed, seed), CLOSES]);
}

/** @returns {Uint8Array} the message with a signature by this key and no other */
export function signMessage(message, seed) {
  return appendSignature(message.encoded.subarray(0, message.signedLength), seed);
}
