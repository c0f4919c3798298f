/**
 * The JSON form of a bt value: `{"int": decimal}`, `{"str": hex}`, `{"list": [...]}` or
 * `{"dict": [[hex, ...], ...]}`.
 */
import { INT_MAX, INT_MIN, NESTING_LIMIT } from '../bt.js';
import { fromByteText, toByteText, toHex } from '../bytes.js';
import { BadRequest, bytesOf, listOf, textOf } from '../fields.js';
import { refuse } from '../refusal.js';

const DECIMAL = /^(0|-?[1-9][0-9]*)$/;
const LONGEST_DECIMAL = 20; // a sign and 19 digits

/** @param {import('../bt.js').Value} value @returns {object} */
export function treeOf(value) {
  if (typeof value === 'bigint') return { int: value.toString() };
  if (value instanceof Uint8Array) return { str: toHex(value) };
  if (Array.isArray(value)) return { list: value.map(treeOf) };
  return { dict: [...value].map(([key, inner]) => [toHex(fromByteText(key)), treeOf(inner)]) };
}

/** @param {any} tree @returns {import('../bt.js').Value} */
export const valueOf = (tree) => valueAt(tree, 0);

function valueAt(tree, depth) {
  const [kind, content] = fieldOf(tree);
  if (kind === 'int') return integerOf(content);
  if (kind === 'str') return bytesOf(content);
  if (kind !== 'list' && kind !== 'dict') throw new BadRequest('no kind of node');
  const parts = listOf(content, (part) => part);
  if (depth === NESTING_LIMIT) refuse('nesting-too-deep', 'too many containers in one another');
  if (kind === 'list') return parts.map((inner) => valueAt(inner, depth + 1));
  const dict = new Map();
  for (const pair of parts) {
    const [name, inner, ...more] = listOf(pair, (part) => part);
    if (more.length > 0) throw new BadRequest('a pair has two parts');
    const key = toByteText(bytesOf(name));
    if (dict.has(key)) refuse('not-encodable', 'a key occurs twice');
    dict.set(key, valueAt(inner, depth + 1));
  }
  return dict;
}

/** @returns {[string, any]} the name and the content of the one field of a node */
function fieldOf(tree) {
  const fields = Object.entries(Object(tree));
  if (fields.length !== 1) throw new BadRequest('a node has one field');
  return fields[0];
}

function integerOf(text) {
  if (!DECIMAL.test(textOf(text))) throw new BadRequest('no decimal');
  if (text.length > LONGEST_DECIMAL) refuse('integer-out-of-range', 'beyond 64 bits');
  const value = BigInt(text);
  if (value < INT_MIN || value > INT_MAX) refuse('integer-out-of-range', 'beyond 64 bits');
  return value;
}
