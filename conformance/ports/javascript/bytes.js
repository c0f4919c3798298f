/**
 * Bytes. A string of bytes is a Uint8Array if it is a value. If it is the key of a Map, it is a
 * *byte text*, with one character from U+0000 to U+00FF for each byte. Byte texts compare and sort
 * as their bytes do.
 */

/** @param {Uint8Array} a @param {Uint8Array} b @returns {number} below, at or above 0 */
export const compareBytes = (a, b) => Buffer.compare(a, b);

/** @param {Uint8Array} bytes @returns {string} lower-case hex */
export const toHex = (bytes) => view(bytes).toString('hex');

/** @param {string} hex  an even number of lower-case digits @returns {Buffer} */
export const fromHex = (hex) => Buffer.from(hex, 'hex');

/** @param {Uint8Array} bytes @returns {string} a byte text */
export const toByteText = (bytes) => view(bytes).toString('latin1');

/** @param {string} text  a byte text @returns {Buffer} */
export const fromByteText = (text) => Buffer.from(text, 'latin1');

/** @param {Uint8Array} bytes @returns {Buffer} the same memory */
export const view = (bytes) =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
