import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LONGEST, Unopened, addressOf, opened } from '../common/address.js';

const STATE = { nodes: [{ id: 'r', parents: [], state: ['ä', '</script>'] }], order: null };
const encoded = (json) => `#state=${Buffer.from(json).toString('base64url')}`;

test('a state comes back from its address', () => {
  assert.deepEqual(opened(addressOf(STATE)), { kind: 'state', value: STATE });
});

test('an address has only characters that no program changes', () => {
  assert.match(addressOf(STATE), /^#state=[A-Za-z0-9_-]+$/);
});

test('an address names a vector or an example', () => {
  const id = 'history-merge/two-branches/left-added';
  assert.deepEqual(opened(`#vector=${id}`), { kind: 'vector', name: id });
  assert.deepEqual(opened(`#vector=${encodeURIComponent(id)}`), { kind: 'vector', name: id });
  assert.deepEqual(opened('#example=empty'), { kind: 'example', name: 'empty' });
  assert.deepEqual(opened(''), { kind: 'nothing' });
});

for (const [what, hash] of [
  ['an unknown kind', '#script=1'],
  ['no base64', '#state=%%%'],
  ['no UTF-8', `#state=${Buffer.from([0xff, 0xfe]).toString('base64url')}`],
  ['no JSON', encoded('{"nodes":')],
  ['a damaged name', '#vector=%E0%A4%A'],
  ['a text that is too long', `#state=${'A'.repeat(LONGEST)}`],
]) {
  test(`an address with ${what} is refused with a message`, () => {
    assert.throws(() => opened(hash), (error) => error instanceof Unopened && error.message.length > 20);
  });
}
