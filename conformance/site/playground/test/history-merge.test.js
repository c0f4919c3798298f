import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unopened } from '../common/address.js';
import { ask } from '../common/port.js';
import { EXAMPLES } from '../history-merge/examples.js';
import { linesIn, paragraph, stateText } from '../history-merge/notation.js';
import { permutations, resultsByOrder } from '../history-merge/orders.js';
import { check, inOrder, inputOf, moved, toggled, withDescendants, without } from '../history-merge/state.js';

const example = (name) => EXAMPLES.find((it) => it.name === name).state;
const merged = (state) => ask('history-merge/merge', inputOf(state), state.reading).output.state;

test('every example is a state that can be opened', () => {
  for (const { state } of EXAMPLES) assert.deepEqual(check(JSON.parse(JSON.stringify(state))), state);
});

test('the pictures of the document have the results that it states', () => {
  assert.deepEqual(merged(example('second-picture')), ['a', 'b', 'u', 'v']);
  assert.deepEqual(merged(example('first-picture')), ['b']);
  assert.deepEqual(merged(example('first-picture-from-b')), ['a', 'b', 'c']);
});

test('the smallest history with two results has the empty set in two of six orders', () => {
  const results = resultsByOrder(example('order-dependence'));
  assert.deepEqual(results.map(({ answer, orders }) => [answer.output.state, orders.length]), [[['x'], 4], [[], 2]]);
  assert.deepEqual(results[1].orders, [['q', 't', 's'], ['t', 'q', 's']]);
});

test('there are 120 orders of five messages', () => {
  assert.equal(new Set(permutations([...'abcde']).map(String)).size, 120);
});

test('a message moves in the order, and the order goes with the choice', () => {
  const state = { ...example('order-dependence'), order: null };
  const later = moved(state, 'q', 1);
  assert.deepEqual(inOrder(later), ['s', 'q', 't']);
  assert.deepEqual(inOrder(toggled(later, 's')), ['q', 't']);
  assert.equal(toggled(toggled(later, 's'), 'q').order, null);
});

test('a deleted message takes the messages after it along', () => {
  const state = example('order-dependence');
  const gone = withDescendants(state.nodes, ['p']);
  assert.deepEqual(gone.sort(), ['p', 's', 't']);
  assert.deepEqual(without(state, gone).merge, ['q']);
});

test('a paragraph states the history, the question and the answer', () => {
  const state = example('order-dependence');
  assert.equal(
    paragraph(state, { output: { state: [] } }).split('\n').slice(2).join('\n'),
    '  r: {};  p < r: {x};  q < r: {x};  s < p: {};  t < p: {x}\n  merge q s t in order q t s = {}\n',
  );
});

test('lists of lines merge, and are written with quotes where they need them', () => {
  const node = (id, parents, state) => ({ id, parents, state });
  const nodes = [node('r', [], ['title', 'one']), node('p', ['r'], ['Title', 'one']), node('q', ['r'], ['title', 'one', 'a b'])];
  const state = check({ nodes, merge: ['p', 'q'], order: null, type: 'lines', reading: 'document' });
  assert.deepEqual(merged(state), ['Title', 'one', 'a b']);
  assert.equal(stateText(merged(state), 'lines'), '[Title one "a b"]');
});

test('each row of a field is a line, and an empty field has none', () => {
  assert.deepEqual(linesIn('a\n\nb'), ['a', '', 'b']);
  assert.deepEqual(linesIn(''), []);
});

for (const [what, change] of [
  ['an unknown field', { more: 1 }],
  ['a node without an ID', { nodes: [{ parents: [], state: [] }] }],
  ['an ID with a space', { nodes: [{ id: 'a b', parents: [], state: [] }] }],
  ['a state of another type', { nodes: [{ id: 'a', parents: [], state: '5' }] }],
  ['too many messages', { nodes: Array.from({ length: 61 }, (_, i) => ({ id: `n${i}`, parents: [], state: [] })) }],
  ['one ID twice', { nodes: [1, 2].map(() => ({ id: 'a', parents: [], state: [] })) }],
  ['an unknown reading', { reading: 'constructor' }],
  ['an unknown type', { type: '__proto__' }],
]) {
  test(`a state with ${what} is refused`, () => {
    assert.throws(() => check({ ...example('empty'), ...change }), Unopened);
  });
}

test('a value that is no state is refused', () => {
  const deep = JSON.parse(`${'['.repeat(30_000)}${']'.repeat(30_000)}`);
  for (const value of [null, [], 'text', 7, deep, { ...example('empty'), nodes: [deep] }, { ...example('empty'), type: deep }]) assert.throws(() => check(value), Unopened);
});
