/**
 * The stored form of a message: ciphertext, 16-byte tag, 24-byte nonce.
 *
 * @typedef {import('./readings.js').Reading} Reading
 */
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { refuse } from '../refusal.js';

const NONCE_LENGTH = 24;
const TAG_LENGTH = 16;
const OVERHEAD = NONCE_LENGTH + TAG_LENGTH;
const NONCE_KEY = Buffer.from('libsession-config-nonce-hash-key');
const DOMAIN_PREFIX = Buffer.from('libsessionutil-config-encrypted-');

/**
 * @param {Uint8Array} plaintext
 * @param {Uint8Array} key
 * @param {Uint8Array | null} domain  the kind of config, if the reading needs it
 * @param {Reading} reading
 * @returns {Uint8Array} the stored form
 */
export function encrypt(plaintext, key, domain, reading) {
  const keys = keysFor(plaintext.length, key, domain, reading);
  const nonce = blake2b(plaintext, { dkLen: NONCE_LENGTH, key: keys.nonce });
  return Buffer.concat([xchacha20poly1305(keys.cipher, nonce).encrypt(plaintext), nonce]);
}

/**
 * @param {Uint8Array} stored
 * @param {Uint8Array} key
 * @param {Uint8Array | null} domain
 * @param {Reading} reading
 * @returns {Uint8Array} the plaintext
 */
export function decrypt(stored, key, domain, reading) {
  const keys = keysFor(stored.length - OVERHEAD, key, domain, reading);
  if (stored.length < OVERHEAD) refuse('ciphertext-too-short', 'fewer than 40 bytes');
  const split = stored.length - NONCE_LENGTH;
  const cipher = xchacha20poly1305(keys.cipher, stored.subarray(split));
  try {
    return cipher.decrypt(stored.subarray(0, split));
  } catch {
    return refuse('decryption-failed', 'not authentic under the key');
  }
}

function keysFor(plaintextLength, key, domain, reading) {
  if (key.length !== 32) refuse('bad-key-length', 'a key has 32 bytes');
  if (!reading.nonceDomainSeparated) return { cipher: key, nonce: NONCE_KEY };
  if (domain === null || domain.length < 1 || domain.length > 24) {
    refuse('bad-domain', 'a domain has 1 to 24 bytes');
  }
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(Math.max(plaintextLength, 0)));
  return {
    cipher: blake2b(Buffer.concat([key, size, domain]), { dkLen: 32 }),
    nonce: Buffer.concat([DOMAIN_PREFIX, domain]),
  };
}
