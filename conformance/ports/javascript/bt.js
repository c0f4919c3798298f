/**
 * bt-encoding: integers, strings, lists and dicts, each with exactly one encoding.
 *
 * A value is a bigint (integer), a Uint8Array (string), an array (list) or a Map from byte texts
 * (dict). The decoder has its own stack, so no input makes it recurse.
 *
 * @typedef {bigint | Uint8Array | Value[] | Map<string, Value>} Value
 * @typedef {object} Decoded
 * @property {Value} value
 * @property {number} end  the position behind the value
 * @property {Map<string, {start: number, end: number}>} keyPlaces  of the keys of an outermost dict
 */
import { fromByteText, toByteText, view } from './bytes.js';
import { refuse } from './refusal.js';

/** The maximum number of lists and dicts that are open at the same time. */
export const NESTING_LIMIT = 100;
export const INT_MIN = -(2n ** 63n);
export const INT_MAX = 2n ** 63n - 1n;

const [D, E, I, L, MINUS, COLON, ZERO, NINE] = [...'deil-:09'].map((c) => c.charCodeAt(0));
const MOST_DIGITS = 19; // 2^63 has 19 digits
const isDigit = (/** @type {number | undefined} */ byte) => byte >= ZERO && byte <= NINE;

/**
 * Decodes the value at the beginning of the input.
 *
 * @param {Uint8Array} input
 * @param {boolean} strict  refuse leading zeros, minus zero, and bytes after the value
 * @returns {Decoded}
 */
export function decodeFrom(input, strict) {
  const bytes = view(input);
  const keyPlaces = new Map();
  /** @type {{container: any, key: string | null, last: string | null}[]} */
  const open = [];
  let at = 0;
  for (;;) {
    const frame = open.at(-1);
    const byte = bytes[at];
    if (byte === undefined) refuse('truncated', 'the input ends inside a value');
    let value;
    if (frame && byte === E) {
      if (frame.key !== null) refuse('unexpected-byte', 'a key has no value');
      value = frame.container;
      open.pop();
      at += 1;
    } else if (frame && frame.container instanceof Map && frame.key === null) {
      if (!isDigit(byte)) refuse('key-not-string', 'a key is not a string');
      const [key, behind] = readString(bytes, at, strict);
      frame.key = toByteText(key);
      if (frame.last !== null && frame.last >= frame.key) {
        refuse('keys-not-ascending', 'a key does not sort after the one in front of it');
      }
      if (open.length === 1) keyPlaces.set(frame.key, { start: at, end: behind });
      at = behind;
      continue;
    } else if (byte === D || byte === L) {
      if (open.length === NESTING_LIMIT) refuse('nesting-too-deep', 'too many open containers');
      open.push({ container: byte === D ? new Map() : [], key: null, last: null });
      at += 1;
      continue;
    } else if (byte === I) {
      [value, at] = readInteger(bytes, at, strict);
    } else if (isDigit(byte)) {
      [value, at] = readString(bytes, at, strict);
    } else {
      refuse('unexpected-byte', 'no value begins like this');
    }
    const around = open.at(-1);
    if (!around) {
      if (strict && at !== bytes.length) refuse('trailing-bytes', 'something follows the value');
      return { value, end: at, keyPlaces };
    }
    if (around.container instanceof Map) {
      around.container.set(around.key, value);
      around.last = around.key;
      around.key = null;
    } else {
      around.container.push(value);
    }
  }
}

/** @param {Uint8Array} input @param {boolean} strict @returns {Value} */
export const decode = (input, strict) => decodeFrom(input, strict).value;

/**
 * Finds the end of a value whose order, ranges, leading zeros and depth do not matter.
 *
 * @param {Buffer} bytes
 * @param {number} start
 * @returns {number} the position behind the value
 */
export function skipValue(bytes, start) {
  /** @type {('list' | 'key' | 'value')[]} what each open container waits for */
  const open = [];
  let at = start;
  for (;;) {
    const byte = bytes[at];
    if (byte === undefined) refuse('truncated', 'the input ends inside a value');
    const due = open.at(-1);
    if (isDigit(byte)) {
      at = readString(bytes, at, false)[1];
    } else if (byte === E && (due === 'list' || due === 'key')) {
      open.pop();
      at += 1;
    } else if (due === 'key') {
      refuse('key-not-string', 'a key is no string');
    } else if (byte === I) {
      at = endOfDigits(bytes, at) + 1;
    } else if (byte === D || byte === L) {
      open.push(byte === D ? 'key' : 'list');
      at += 1;
      continue;
    } else {
      refuse('unexpected-byte', 'no value begins like this');
    }
    if (open.length === 0) return at;
    const around = open.at(-1);
    if (around !== 'list') open[open.length - 1] = around === 'key' ? 'value' : 'key';
  }
}

/** @returns {number} the position of the `e` of an integer */
function endOfDigits(bytes, start) {
  const first = bytes[start + 1] === MINUS ? start + 2 : start + 1;
  let at = first;
  while (isDigit(bytes[at])) at += 1;
  if (at === bytes.length) refuse('truncated', 'the input ends inside an integer');
  if (at === first || bytes[at] !== E) refuse('bad-integer', 'an integer is not all digits');
  return at;
}

/** @returns {[bigint, number]} an integer and the position behind it */
export function readInteger(bytes, start, strict) {
  const at = endOfDigits(bytes, start);
  const negative = bytes[start + 1] === MINUS;
  const first = negative ? start + 2 : start + 1;
  let significant = first;
  while (significant < at - 1 && bytes[significant] === ZERO) significant += 1;
  const zero = bytes[significant] === ZERO;
  if (strict && (significant !== first || (negative && zero))) {
    refuse('integer-not-canonical', 'a leading zero, or minus zero');
  }
  if (at - significant > MOST_DIGITS) refuse('integer-out-of-range', 'beyond 64 bits');
  const magnitude = BigInt(bytes.toString('latin1', significant, at));
  const value = negative ? -magnitude : magnitude;
  if (value < INT_MIN || value > INT_MAX) refuse('integer-out-of-range', 'beyond 64 bits');
  return [value, at + 1];
}

/** @returns {[Buffer, number]} a string and the position behind it */
export function readString(bytes, start, strict) {
  let at = start;
  let length = 0;
  for (; isDigit(bytes[at]); at += 1) {
    length = length * 10 + (bytes[at] - ZERO);
    if (length > bytes.length) refuse('truncated', 'a string goes beyond the end of the input');
  }
  if (at === bytes.length) refuse('truncated', 'the input ends inside a string length');
  if (bytes[at] !== COLON) refuse('bad-string-length', 'a length is not all digits');
  if (strict && bytes[start] === ZERO && at - start > 1) {
    refuse('string-length-not-canonical', 'a length with a leading zero');
  }
  const end = at + 1 + length;
  if (end > bytes.length) refuse('truncated', 'a string goes beyond the end of the input');
  return [bytes.subarray(at + 1, end), end];
}

const LIST_OPENS = Buffer.from('l');
const DICT_OPENS = Buffer.from('d');
const CLOSES = Buffer.from('e');

/**
 * Encodes a value in its canonical form. The keys of a Map need not be in order.
 *
 * @param {Value} value  with integers of 64 bits, and no deeper than the limit
 * @returns {Buffer}
 */
export function encode(value) {
  /** @type {Uint8Array[]} */
  const parts = [];
  encodeInto(parts, value);
  return Buffer.concat(parts);
}

function encodeInto(parts, value) {
  if (typeof value === 'bigint') {
    parts.push(Buffer.from(`i${value}e`));
  } else if (value instanceof Uint8Array) {
    parts.push(Buffer.from(`${value.length}:`), value);
  } else if (value instanceof Map) {
    parts.push(DICT_OPENS);
    for (const key of [...value.keys()].sort()) {
      parts.push(Buffer.from(`${key.length}:`), fromByteText(key));
      encodeInto(parts, value.get(key));
    }
    parts.push(CLOSES);
  } else {
    parts.push(LIST_OPENS);
    for (const element of value) encodeInto(parts, element);
    parts.push(CLOSES);
  }
}
