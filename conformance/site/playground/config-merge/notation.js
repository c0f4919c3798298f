/**
 * Application data and diffs as text, as docs/notation.md defines, and data back from text.
 *
 * Values are those of the port: bigints, Uint8Arrays, sorted arrays, and Maps from byte texts.
 */
import { compareScalars } from '../../../ports/javascript/config-merge/application-data.js';
import { Unopened } from '../common/address.js';

const WORD = /^[A-Za-z0-9_]+(-[A-Za-z0-9_]+)*$/;
const DEEPEST = 60;

const latin = (bytes) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
const escaped = (text) =>
  text.replace(/[^ -~]|["\\]/g, (it) =>
    it === '"' || it === '\\' ? `\\${it}` : `\\x${it.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
const keyText = (key) => (WORD.test(key) ? key : `"${escaped(key)}"`);
const scalarText = (value) => (typeof value === 'bigint' ? String(value) : `"${escaped(latin(value))}"`);
const setText = (values) => `[${values.map(scalarText).join(', ')}]`;
const inOrder = (map) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

/** @param {Map<string, any>} data @returns {string} such as `{a: 1, s: ["x", 2]}` */
export function dataText(data) {
  const entries = inOrder(data).map(([key, value]) => `${keyText(key)}: ${valueText(value)}`);
  return `{${entries.join(', ')}}`;
}

function valueText(value) {
  if (value instanceof Map) return dataText(value);
  return Array.isArray(value) ? setText(value) : scalarText(value);
}

/** @param {Map<string, any>} diff @returns {string} such as `{=a, -b, s: +[1] -[2]}` */
export function diffText(diff) {
  const entries = inOrder(diff).map(([key, value]) => {
    const name = keyText(key);
    if (value instanceof Map) return `${name}: ${diffText(value)}`;
    if (Array.isArray(value)) {
      const [added, removed] = value;
      return `${name}: ${[added.length > 0 ? `+${setText(added)}` : '', removed.length > 0 ? `-${setText(removed)}` : ''].filter(Boolean).join(' ')}`;
    }
    return value.length === 0 ? `=${name}` : `-${name}`;
  });
  return `{${entries.join(', ')}}`;
}

/**
 * @param {string} text
 * @returns {Map<string, any>} the data that the text describes; the port still checks it
 * @throws {Unopened} with the place of the fault
 */
export function readData(text) {
  const reader = new Reader(text);
  const data = reader.dict(0);
  reader.end();
  return data;
}

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  dict(depth) {
    this.take('{');
    const found = new Map();
    if (this.sees('}')) return found;
    do {
      const key = this.key();
      if (found.has(key)) this.wrong(`each key once, not ${keyText(key)} twice`);
      this.take(':');
      found.set(key, this.value(depth + 1));
    } while (this.sees(','));
    this.take('}');
    return found;
  }

  set() {
    this.take('[');
    const found = [];
    if (this.sees(']')) return found;
    do found.push(this.scalar());
    while (this.sees(','));
    this.take(']');
    return found.sort(compareScalars);
  }

  value(depth) {
    if (depth > DEEPEST) this.wrong(`at most ${DEEPEST} levels`);
    const next = this.next();
    if (next === '{') return this.dict(depth);
    return next === '[' ? this.set() : this.scalar();
  }

  scalar() {
    if (this.next() === '"') return Uint8Array.from(this.string());
    const [digits] = /^-?[0-9]+/.exec(this.text.slice(this.at)) ?? [];
    if (digits === undefined) this.wrong('an integer, a "string", a [set] or a {dict}');
    this.at += digits.length;
    return BigInt(digits);
  }

  key() {
    if (this.next() === '"') return latin(this.string());
    const [word] = /^[A-Za-z0-9_]+(-[A-Za-z0-9_]+)*/.exec(this.text.slice(this.at)) ?? [];
    if (word === undefined) this.wrong('a key');
    this.at += word.length;
    return word;
  }

  /** @returns {number[]} the bytes of a string: UTF-8, and `\xff` for any byte */
  string() {
    const [whole] = /^"(?:[^"\\]|\\.)*"/s.exec(this.text.slice(this.at)) ?? [];
    if (whole === undefined) this.wrong('the end of a string');
    this.at += whole.length;
    const parts = whole.slice(1, -1).match(/\\x[0-9a-f]{2}|\\.|[^\\]+/gs) ?? [];
    return parts.flatMap((part) => {
      if (/^\\x[0-9a-f]{2}$/.test(part)) return [parseInt(part.slice(2), 16)];
      return [...new TextEncoder().encode(part.startsWith('\\') ? part.slice(1) : part)];
    });
  }

  next() {
    while (/\s/.test(this.text[this.at] ?? '')) this.at += 1;
    return this.text[this.at];
  }

  sees(character) {
    if (this.next() !== character) return false;
    this.at += 1;
    return true;
  }

  take(character) {
    if (!this.sees(character)) this.wrong(`\`${character}\``);
  }

  end() {
    if (this.next() !== undefined) this.wrong('nothing more');
  }

  wrong(wanted) {
    const found = this.text.slice(this.at, this.at + 12) || 'the end';
    throw new Unopened(`at character ${this.at + 1}, expected ${wanted}, found ${found}`);
  }
}
