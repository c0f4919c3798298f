import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from '../bt.js';
import { toHex } from '../bytes.js';
import { OPERATIONS } from '../config-merge/operations.js';
import { READINGS } from '../config-merge/readings.js';
import { hashOf } from '../config-merge/messages.js';
import { update } from '../config-merge/non-conflicting-updates.js';
import { resolve } from '../config-merge/conflict-resolution.js';

const text = (word) => Buffer.from(word);
const set = (...elements) => elements;
const dict = (value) => new Map(Object.entries(value));

const CONTEXT = { window: 5n, reading: READINGS.document, verifyKey: null, signingKey: null };

/** The base of the worked example, seqno 118. */
const BASE_DATA = dict({
  dictB: dict({ changed: -1n, foo: 123n, removed: text('x'), removed2: text('y') }),
  dictC: dict({ x: dict({ y: 1n }) }),
  good: set(99n, 456n, text('bar')),
  great: set(-42n, text('omg')),
  int0: -9999n,
  int1: 100n,
  string1: text('hello'),
  string2: text('goodbye'),
});
const BASE_DIFF = dict({
  dictB: dict({ changed: text(''), foo: text(''), removed: text(''), removed2: text('') }),
  dictC: dict({ x: dict({ y: text('') }) }),
  good: [set(99n, 456n, text('bar')), []],
  great: [set(-42n, text('omg')), []],
  int0: text(''),
  int1: text(''),
  string1: text(''),
  string2: text(''),
});
const BASE = encode(dict({ '#': 118n, '&': BASE_DATA, '<': [], '=': BASE_DIFF }));

const changed = (data, changes) => new Map([...data, ...Object.entries(changes)]);
const without = (data, ...keys) => new Map([...data].filter(([key]) => !keys.includes(key)));

test('the worked example has the hashes that the deployed library gives', () => {
  const chain = [BASE];
  for (let i = 0; i < 4; i += 1) chain.push(update([chain.at(-1)], BASE_DATA, CONTEXT));
  const data123 = without(changed(BASE_DATA, { int1: 1n, int2: 2n }), 'int0');
  chain.push(update([chain.at(-1)], data123, CONTEXT));
  assert.deepEqual(chain.slice(1).map((message) => toHex(hashOf(message))), [
    '43094f68c1faa37eff79e1c2f3973ffd5f9d6423b00ccda306fc6e7dac5f0c44',
    'e3a237f91014d31e4d30569c4a8bfcd72157804f99b8732c611c48bf126432b5',
    '1a7f602055124deaf21175ef3f32983dee7c9de570e5d9c9a0bbc2db71dcb97f',
    '46560604fe352101bb869435260d7100ccfe007be5f741c7e96303f02f394e8a',
    'd9398c597b058ac7e28e3febb76ed68eb8c5b6c369610562ab5f2b596775d73c',
  ]);

  const data124b = without(
    changed(data123, {
      dictA: dict({ goodbye: set(123n, 456n), hello: 123n }),
      dictB: dict({ added: 9999n, changed: 1n, foo: 123n, nested: dict({ a: 1n }) }),
      good: set(99n, 123n, text('Foo'), text('bar')),
      int1: 42n,
      string2: text('hello'),
      string3: text('omg'),
    }),
    'dictC', 'great', 'string1',
  );
  const message124b = update([chain.at(-1)], data124b, CONTEXT);
  const dictB = data124b.get('dictB');
  const data125a = changed(data124b, { dictB: without(dictB, 'foo') });
  const message125a = update([message124b], data125a, CONTEXT);
  const message125b = update([message124b], changed(data124b, { int1: 5n }), CONTEXT);
  const merged = resolve([message125b, message124b, message125a], CONTEXT);
  assert.equal(
    toHex(hashOf(merged.message)),
    '4880a507551dc04b578482b1f4d0872f022c96d04b9cd5f711d5616261e3f649',
  );
  assert.deepEqual(merged.ignored, [{ index: 1, why: 'included' }]);
});

test('a merge does not depend on the order of the messages', () => {
  const first = update([], dict({ a: 1n }), CONTEXT);
  const forks = [2n, 3n, 4n].map((a) => update([first], dict({ a }), CONTEXT));
  const [merged] = new Set([0, 1, 2].map((i) => {
    const rotated = [...forks.slice(i), ...forks.slice(0, i)];
    return toHex(resolve(rotated, CONTEXT).message);
  }));
  assert.equal(toHex(resolve([...forks, Buffer.from(merged, 'hex')], CONTEXT).message), merged);
});

test('a signature with a scalar above the group order does not verify', () => {
  const seed = '00'.repeat(31) + '01';
  const key = '4cb5abf6ad79fbf5abbccafcc269d85cd2651ed4b885b5869f241aedf0a5ba29';
  const run = (name, input) => OPERATIONS.get(`config-merge/${name}`)(input, 'document');
  const smallest = toHex(text('d1:#i1e1:&de1:<le1:=dee'));
  const { message } = run('sign', { message: smallest, signing_key: seed });
  assert.deepEqual(run('verify', { message, verify_key: key }), { valid: true });
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const encoded = Buffer.from(message, 'hex');
  const at = encoded.length - 33; // the second half of the signature, before the last `e`
  const reversed = Buffer.from(encoded.subarray(at, at + 32)).reverse();
  const scalar = BigInt(`0x${reversed.toString('hex')}`);
  Buffer.from((scalar + order).toString(16).padStart(64, '0'), 'hex').reverse().copy(encoded, at);
  assert.deepEqual(run('verify', { message: toHex(encoded), verify_key: key }), { valid: false });
});
