import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode as decodeAs, encode } from '../bt.js';

const decode = (input, strict = true) => decodeAs(input, strict);
const bytes = (text) => Buffer.from(text, 'latin1');
const refusedWith = (code) => ({ name: 'Refusal', code });

test('the ends of the 64-bit range are kept exactly', () => {
  assert.equal(decode(bytes('i9223372036854775807e')), 2n ** 63n - 1n);
  assert.equal(decode(bytes('i-9223372036854775808e')), -(2n ** 63n));
  assert.throws(() => decode(bytes('i9223372036854775808e')), refusedWith('integer-out-of-range'));
});

test('keys compare as bytes, not by their encoded length', () => {
  const value = decode(bytes('d2:aai1e1:bi2ee'));
  assert.deepEqual([...value.keys()], ['aa', 'b']);
  assert.throws(() => decode(bytes('d1:bi2e2:aai1ee')), refusedWith('keys-not-ascending'));
});

test('an encoder sorts keys by unsigned bytes', () => {
  const value = new Map([['\xff', 1n], ['a', 2n], ['', 3n]]);
  assert.equal(encode(value).toString('latin1'), 'd0:i3e1:ai2e1:\xffi1ee');
});

test('a hundred containers are open at most', () => {
  const nested = (depth) => bytes('l'.repeat(depth) + 'e'.repeat(depth));
  assert.deepEqual(encode(decode(nested(100))), nested(100));
  assert.throws(() => decode(nested(101)), refusedWith('nesting-too-deep'));
});

test('a million open lists are refused without recursion', () => {
  assert.throws(() => decode(bytes('l'.repeat(1_000_000))), refusedWith('nesting-too-deep'));
});

test('a million digits are refused', () => {
  const digits = '9'.repeat(1_000_000);
  assert.throws(() => decode(bytes(`i${digits}e`)), refusedWith('integer-out-of-range'));
  assert.throws(() => decode(bytes(`${digits}:a`)), refusedWith('truncated'));
});

test('the lenient decoder reads what the strict one refuses', () => {
  for (const text of ['i007e', 'i-0e', '03:abc', 'i1ee']) {
    assert.throws(() => decode(bytes(text)), { name: 'Refusal' });
  }
  assert.equal(decode(bytes('i007e'), false), 7n);
  assert.equal(decode(bytes('i-0e'), false), 0n);
  assert.deepEqual(decode(bytes('03:abc'), false), bytes('abc'));
  assert.equal(decode(bytes('i1ee'), false), 1n);
});
