/**
 * Checks of a state that somebody else wrote. Each returns the value, or throws Unopened with the
 * name of the field.
 */
import { Unopened } from './address.js';

/** A value for a message. Nothing nested is written out, however deep it is. */
function shown(value) {
  if (Array.isArray(value)) return 'a list';
  if (value !== null && typeof value === 'object') return 'an object';
  return (JSON.stringify(value) ?? 'nothing').slice(0, 40);
}

/** @param {any} value @param {string[]} required @param {string[]} [optional] @returns {object} */
export function record(value, what, required, optional = []) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new Unopened(`${what} is not an object: ${shown(value)}`);
  }
  for (const name of required) {
    if (!Object.hasOwn(value, name)) throw new Unopened(`${what} has no field \`${name}\``);
  }
  for (const name of Object.keys(value)) {
    if (!required.includes(name) && !optional.includes(name)) {
      throw new Unopened(`${what} has the unknown field \`${name.slice(0, 40)}\``);
    }
  }
  return value;
}

/** @template T @param {any} value @param {(each: any, place: string) => T} check @returns {T[]} */
export function list(value, what, most, check) {
  if (!Array.isArray(value)) throw new Unopened(`${what} is not a list: ${shown(value)}`);
  if (value.length > most) throw new Unopened(`${what} has more than ${most} entries`);
  return value.map((each, i) => check(each, `${what}[${i}]`));
}

/** @returns {string} */
export function text(value, what, most = 200, pattern = null) {
  if (typeof value !== 'string') throw new Unopened(`${what} is not a text: ${shown(value)}`);
  if (value.length > most) throw new Unopened(`${what} has more than ${most} characters`);
  if (pattern !== null && !pattern.test(value)) {
    throw new Unopened(`${what} is not of the expected form: ${shown(value)}`);
  }
  return value;
}

/** @param {string[]} allowed @returns {string} */
export function oneOf(value, what, allowed) {
  if (allowed.includes(value)) return value;
  throw new Unopened(`${what} is none of ${allowed.join(', ')}: ${shown(value)}`);
}

/** @returns {number} */
export function integer(value, what, least, most) {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw new Unopened(`${what} is not an integer from ${least} to ${most}: ${shown(value)}`);
}
