/**
 * The JSON form of a bt value: `{"int": decimal}`, `{"str": hex}`, `{"list": [...]}` or
 * `{"dict": [[hex, ...], ...]}`.
 */
import { INT_MAX, INT_MIN, NESTING_LIMIT } from '../bt.js';
import { fromHex, fromByteText, toByteText, toHex } from '../bytes.js';
import { refuse } from '../refusal.js';

const DECIMAL = /^(0|-?[1-9][0-9]*)$/;
const HEX = /^([0-9a-f]{2})*$/;
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
  const [[kind, content] = [], ...more] = Object.entries(tree ?? {});
  if (more.length > 0) refuse('not-encodable', 'a node has one field');
  if (kind === 'int') return integerOf(content);
  if (kind === 'str') return bytesOf(content);
  if ((kind !== 'list' && kind !== 'dict') || !Array.isArray(content)) {
    refuse('not-encodable', 'no node of a typed tree');
  }
  if (depth === NESTING_LIMIT) refuse('nesting-too-deep', 'too many containers in one another');
  if (kind === 'list') return content.map((inner) => valueAt(inner, depth + 1));
  const dict = new Map();
  for (const pair of content) {
    if (!Array.isArray(pair) || pair.length !== 2) refuse('not-encodable', 'no pair');
    const key = toByteText(bytesOf(pair[0]));
    if (dict.has(key)) refuse('keys-not-ascending', 'a key occurs twice');
    dict.set(key, valueAt(pair[1], depth + 1));
  }
  return dict;
}

function integerOf(text) {
  if (typeof text !== 'string' || !DECIMAL.test(text)) refuse('not-encodable', 'no decimal');
  if (text.length > LONGEST_DECIMAL) refuse('integer-out-of-range', 'beyond 64 bits');
  const value = BigInt(text);
  if (value < INT_MIN || value > INT_MAX) refuse('integer-out-of-range', 'beyond 64 bits');
  return value;
}

function bytesOf(text) {
  if (typeof text !== 'string' || !HEX.test(text)) refuse('not-encodable', 'no hex');
  return fromHex(text);
}
