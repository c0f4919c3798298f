/**
 * Application data: a dict of scalars (bigint, Uint8Array), sets (sorted arrays of scalars) and
 * dicts (Maps) of the same shape.
 *
 * @typedef {import('./readings.js').Reading} Reading
 * @typedef {bigint | Uint8Array} Scalar
 * @typedef {Map<string, any>} Data
 */
import { decode } from '../bt.js';
import { compareBytes } from '../bytes.js';
import { refuse } from '../refusal.js';

export const DEPTH_LIMIT = 64;
export const KEY_LIMIT = 128;
export const STRING_LIMIT = 4096;

/** @returns {'scalar' | 'set' | 'dict' | 'nothing'} */
export function kindOf(value) {
  if (value === undefined) return 'nothing';
  if (value instanceof Map) return 'dict';
  return Array.isArray(value) ? 'set' : 'scalar';
}

/** The order of set elements: integers by value, then strings by bytes. */
export function compareScalars(a, b) {
  if (typeof a === 'bigint') return typeof b === 'bigint' ? (a < b ? -1 : a > b ? 1 : 0) : -1;
  return typeof b === 'bigint' ? 1 : compareBytes(a, b);
}

/** @returns {boolean} whether two values of data are equal at every depth */
export function equalData(a, b) {
  const kind = kindOf(a);
  if (kind !== kindOf(b)) return false;
  if (kind === 'scalar') return compareScalars(a, b) === 0;
  if (kind === 'set') {
    return a.length === b.length && a.every((element, i) => compareScalars(element, b[i]) === 0);
  }
  return a.size === b.size && [...a].every(([key, value]) => equalData(value, b.get(key)));
}

/** @returns {Data} a copy that shares no dict with the original; sets are never changed in place */
export function copyData(data) {
  const copy = new Map();
  for (const [key, value] of data) copy.set(key, value instanceof Map ? copyData(value) : value);
  return copy;
}

/** @param {Uint8Array} encoded @param {Reading} reading @returns {Data} */
export function parseData(encoded, reading) {
  const data = decode(encoded, reading.strictEncoding);
  checkData(data, reading);
  return data;
}

/**
 * @param {Uint8Array} encoded  the whole new data of an update or an edit
 * @param {Reading} reading
 * @returns {Data} without empty sets and dicts below the outermost dict
 */
export function parseNewData(encoded, reading) {
  const data = decode(encoded, reading.strictEncoding);
  checkData(data, reading, true);
  prune(data);
  return data;
}

/** Removes empty sets and dicts at every depth below the outermost dict, in place. */
export function prune(data) {
  for (const [key, value] of data) {
    if (value instanceof Map) prune(value);
    if (value instanceof Map ? value.size === 0 : Array.isArray(value) && value.length === 0) {
      data.delete(key);
    }
  }
}

/** Refuses a value that is not application data. `emptyAllowed`: below the outermost dict. */
export function checkData(data, reading, emptyAllowed = false) {
  if (!(data instanceof Map)) {
    refuse(data === undefined ? 'data-missing' : 'data-not-dict', 'application data are a dict');
  }
  checkDict(data, reading, 1, emptyAllowed);
}

function checkDict(dict, reading, level, emptyAllowed) {
  if (level > DEPTH_LIMIT) refuse('nesting-too-deep', 'more than 64 levels of data');
  for (const [key, value] of dict) {
    checkKey(key, reading);
    if (value instanceof Map) {
      if (value.size === 0 && !emptyAllowed) refuse('empty-dict', 'an empty dict below the outermost one');
      checkDict(value, reading, level + 1, emptyAllowed);
    } else if (Array.isArray(value)) {
      if (value.length === 0 && !emptyAllowed) refuse('empty-set', 'an empty set');
      if (level + 1 > DEPTH_LIMIT) refuse('nesting-too-deep', 'more than 64 levels of data');
      checkElements(value, reading);
    } else {
      checkString(value, reading);
    }
  }
}

export function checkKey(key, reading) {
  if (reading.enforceLimits && key.length > KEY_LIMIT) refuse('key-too-long', 'over 128 bytes');
}

function checkString(value, reading) {
  if (reading.enforceLimits && value instanceof Uint8Array && value.length > STRING_LIMIT) {
    refuse('string-too-long', 'over 4096 bytes');
  }
}

/** Refuses a list that is not a strictly ascending list of scalars. */
export function checkElements(list, reading) {
  list.forEach((element, i) => {
    if (kindOf(element) !== 'scalar') refuse('set-element-type', 'neither integer nor string');
    checkString(element, reading);
    if (i > 0 && compareScalars(list[i - 1], element) >= 0) {
      refuse('set-not-ascending', 'an element does not come after the one in front of it');
    }
  });
}

/**
 * Walks two ascending lists of scalars at once, in linear time.
 *
 * @param {Scalar[]} left
 * @param {Scalar[]} right
 * @param {(element: Scalar, inLeft: boolean, inRight: boolean) => void} visit
 */
export function walkSets(left, right, visit) {
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    const order =
      i === left.length ? 1 : j === right.length ? -1 : compareScalars(left[i], right[j]);
    visit(order <= 0 ? left[i] : right[j], order <= 0, order >= 0);
    if (order <= 0) i += 1;
    if (order >= 0) j += 1;
  }
}
