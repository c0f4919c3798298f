import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unopened } from '../common/address.js';
import { EXAMPLES } from '../conflict-detection/examples.js';
import { compared } from '../conflict-detection/compare.js';
import { explained } from '../conflict-detection/explain.js';
import { canWrite, paragraph } from '../conflict-detection/notation.js';
import { follows, mapOf, played, truth } from '../conflict-detection/play.js';
import { check } from '../conflict-detection/state.js';

const example = (name) => EXAMPLES.find((it) => it.name === name).state;
const UPLOADS = [
  { number: 0, follows: [] },
  { number: 1, follows: [0] },
  { number: 2, follows: [0] },
  { number: 3, follows: [1, 2] },
];

test('every example is a state that can be opened and played', () => {
  for (const { state } of EXAMPLES) {
    assert.deepEqual(check(JSON.parse(JSON.stringify(state))), state);
    assert.ok(!('refused' in played(state)));
  }
});

test('the four parties end with one text and no conflict file', () => {
  for (const name of ['four-parties', 'four-parties-with-version-maps']) {
    const { files } = played(example(name)).worlds.at(-1);
    assert.deepEqual(files, Object.fromEntries([...'ABCD'].map((it) => [it, { foo: 'merged' }])));
  }
});

test('the three clients begin with the map of the document', () => {
  const game = played(example('three-clients'));
  const [a, b, resolved] = game.uploads.slice(-3);
  assert.deepEqual(mapOf(game, 'foo', a.number), { A: 11, B: 20, C: 30 });
  assert.deepEqual(mapOf(game, 'foo', b.number), { A: 10, B: 21, C: 30 });
  assert.deepEqual(mapOf(game, 'foo', resolved.number), { A: 11, B: 21, C: 31 });
  assert.deepEqual(
    game.worlds.slice(66).map((it) => it.classification),
    ['overwrite', 'conflict', null, 'overwrite', 'overwrite'],
  );
});

test('the ticket ends with an overwrite, because C answers what answers A', () => {
  const { classification, files } = played(example('ticket')).worlds.at(-1);
  assert.equal(classification, 'overwrite');
  assert.deepEqual(files.A, { foo: 'c' });
});

test('the relation follows decides what a poll should find', () => {
  assert.ok(follows(UPLOADS, 3, 0));
  assert.ok(!follows(UPLOADS, 1, 2));
  assert.deepEqual(
    [[1, 1], [0, 3], [3, 0], [1, 2]].map(([ours, theirs]) => truth(UPLOADS, ours, theirs)),
    ['same', 'overwrite', 'stale', 'conflict'],
  );
});

test('a classification is explained with both maps', () => {
  const state = example('three-clients');
  const said = explained(state, played(state), 67).map(({ text }) => text);
  assert.ok(said.some((text) => text.endsWith('It is larger for B and smaller for A: conflict.')), said.join('\n'));
});

test('a misclassification is named', () => {
  const state = example('lagging-client');
  const said = explained(state, played(state), 3).map(({ text }) => text);
  assert.ok(said.includes('By what the authors had seen, the right answer is stale. So this is a misclassification.'));
});

test('the designs are compared at every poll', () => {
  const [first, last] = compared(example('lagging-client'));
  assert.deepEqual(first.found, ['overwrite', 'overwrite', 'overwrite', 'overwrite']);
  assert.deepEqual(last.found, ['stale', 'conflict', 'stale', 'conflict']);
});

test('a paragraph has what each poll finds and every folder that it changes', () => {
  const state = { ...example('empty'), steps: [{ client: 'A', edit: 'x' }, { client: 'B', poll: 'A' }] };
  assert.ok(canWrite(state));
  assert.deepEqual(paragraph(state, played(state)).split('\n').slice(2), [
    '  snapshots: A B', '  A edits foo=x', '  B polls A   overwrite   B: foo=x', '  only in repaired', '',
  ]);
  assert.ok(!canWrite({ ...state, steps: [{ client: 'A', edit: 'two words' }] }));
});

for (const [what, change] of [
  ['an unknown action', { steps: [{ client: 'A', explode: true }] }],
  ['two actions', { steps: [{ client: 'A', edit: 'x', poll: 'B' }] }],
  ['a step that is no object', { steps: ['edit'] }],
  ['a step without a client', { steps: [{ edit: 'x' }] }],
  ['a poll of nobody', { steps: [{ client: 'A', poll: null }] }],
  ['too many steps', { steps: Array.from({ length: 151 }, () => ({ client: 'A', edit: 'x' })) }],
  ['one nickname twice', { clients: ['A', 'A'] }],
  ['an unknown design', { design: 'toString' }],
  ['a key that is no key', { signing_keys: { A: 'no' } }],
]) {
  test(`a scenario with ${what} is refused`, () => {
    assert.throws(() => check({ ...example('empty'), ...change }), Unopened);
  });
}

test('every form of a step of the corpus can be opened', () => {
  const steps = [
    { client: 'A', edit: 'x', file: 'bar', forged: true },
    { client: 'A', change: null },
    { client: 'A', poll: 'B', stops: true },
    { client: 'A', resolve: ['B'], text: 'x', file: 'bar' },
    { client: 'D', join: { foo: 'x', __proto__: null } },
    { collect_garbage: true },
    { client: 'A', rename: 'bar' },
  ];
  assert.deepEqual(check({ ...example('empty'), steps: JSON.parse(JSON.stringify(steps)) }).steps, JSON.parse(JSON.stringify(steps)));
});
