import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matching } from '../history-merge/lines.js';
import { OPERATIONS } from '../history-merge/operations.js';

const run = (name, input) => OPERATIONS.get(`history-merge/${name}`)(input, 'document');

/** Nodes from `id < parents : state`, one a line. */
const nodes = (...lines) =>
  lines.map((line) => {
    const [head, state] = line.split(':').map((it) => it.trim().split(/\s+/).filter(Boolean));
    const [id, , ...parents] = head;
    return { id, parents, state };
  });

const FIVE = nodes('r :', 'p < r : x', 'q < r : x', 's < p :', 't < p : x');

test('the result depends on the fold order', () => {
  const merge = ['s', 'q', 't'];
  assert.deepEqual(run('merge', { nodes: FIVE, merge }), { state: ['x'] });
  assert.deepEqual(run('merge', { nodes: FIVE, merge, order: ['q', 't', 's'] }), { state: [] });
  assert.deepEqual(run('merge', { nodes: FIVE, merge, order: ['s', 'q', 't'] }), { state: ['x'] });
});

test('merge-recurse-fold loses what was added again', () => {
  const history = nodes('o : a b', 'u < o : a b u', 'a < o : a', 'b < a : a b', 'v < a : a v');
  const input = { nodes: history, merge: ['b', 'u', 'v'] };
  assert.deepEqual(run('merge', input), { state: ['a', 'b', 'u', 'v'] });
  assert.deepEqual(run('merge-temporary-nodes', input), { state: ['a', 'b', 'u', 'v'] });
  assert.deepEqual(run('merge-recurse-fold', input), { state: ['a', 'u', 'v'] });
});

test('ten thousand rows of a criss-cross merge without overflowing the stack', () => {
  const history = [{ id: 'r', parents: [], state: ['a'] }];
  for (let i = 0; i < 10_000; i += 1) {
    const parents = i === 0 ? ['r'] : [`p${i - 1}`, `q${i - 1}`];
    history.push({ id: `p${i}`, parents, state: ['a'] }, { id: `q${i}`, parents, state: ['a'] });
  }
  assert.deepEqual(run('merge', { nodes: history, merge: ['p9999', 'q9999'] }), { state: ['a'] });
});

test('a node and its ancestor are refused by name', () => {
  assert.throws(
    () => run('merge', { nodes: FIVE, merge: ['t', 'r'] }),
    { name: 'Refusal', code: 'not-an-anti-chain', message: /r is before t/ },
  );
});

test('a cycle is refused wherever it is', () => {
  const history = [...FIVE, ...nodes('y < z :', 'z < y :')];
  assert.throws(() => run('members', { nodes: history }), { name: 'Refusal', code: 'cycle' });
});

test('of the longest matchings of lines, the one with the earliest pairs counts', () => {
  assert.deepEqual([...matching([...'cab'], [...'abc'])], [[1, 0], [2, 1]]);
  assert.deepEqual([...matching([...'ab'], [...'ba'])], [[0, 1]]);
  assert.deepEqual([...matching([...'xx'], ['x'])], [[0, 0]]);
  assert.deepEqual([...matching(['x'], [...'xyx'])], [[0, 0]]);
});
