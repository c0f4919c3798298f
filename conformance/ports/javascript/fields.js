/**
 * Fields of an operation's input. An input that the schema of an operation excludes is not
 * refused by the protocol: the request is invalid, and the reply is an error.
 */
import { fromHex } from './bytes.js';

const HEX = /^[0-9a-f]*$/;

/** A request that no schema allows. */
export class BadRequest extends Error {}

/** @param {object} input @param {string[]} required @param {string[]} optional */
export function checkFields(input, required, optional = []) {
  if (input === null || typeof input !== 'object' || Array.isArray(input)) {
    throw new BadRequest('no object');
  }
  for (const name of required) {
    if (!Object.hasOwn(input, name)) throw new BadRequest(`the field ${name} is missing`);
  }
  for (const name of Object.keys(input)) {
    if (!required.includes(name) && !optional.includes(name)) {
      throw new BadRequest(`unknown field ${name.slice(0, 40)}`);
    }
  }
}

/** @returns {Buffer} the bytes of a text of lower-case hex */
export function bytesOf(text) {
  if (typeof text !== 'string' || text.length % 2 !== 0 || !HEX.test(text)) {
    throw new BadRequest('no lower-case hex');
  }
  return fromHex(text);
}

/** @returns {any[]} */
export function listOf(value, read) {
  if (!Array.isArray(value)) throw new BadRequest('no list');
  return value.map((element) => read(element));
}

/** @returns {string} */
export function textOf(value) {
  if (typeof value !== 'string') throw new BadRequest('no text');
  return value;
}

/** @returns {number} */
export function integerOf(value) {
  if (!Number.isSafeInteger(value)) throw new BadRequest('no integer');
  return value;
}
