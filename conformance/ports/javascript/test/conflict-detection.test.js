import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS } from '../conflict-detection/operations.js';

const run = (name, input, reading = 'repaired') =>
  OPERATIONS.get(`conflict-detection/${name}`)(input, reading);
const A = { client: 'A' };
const B = { client: 'B' };
const C = { client: 'C' };

test('a client links an overwriting version unchanged, without an entry of its own', () => {
  const steps = [
    { ...B, edit: 'y' },
    { ...A, poll: 'B' },
    { ...C, poll: 'B' },
    { ...A, edit: 'x' },
    { ...A, poll: 'C' },
  ];
  const clients = ['A', 'B', 'C'];
  const input = { design: 'version-maps', clients, steps, report: ['conflicts'] };
  const last = run('scenario', input, 'literal').steps.at(-1);
  assert.equal(last.classification, 'conflict');
  assert.deepEqual(last.conflicts, { A: { foo: { C: null } }, B: {}, C: {} });
});

test('a snapshot that is cached is not fetched, even for a first version', () => {
  const snapshots = [{ id: 's', parents: [] }];
  const input = { snapshots, cached: ['s'], local: null, remote: 's' };
  assert.deepEqual(run('walk', input), { downloaded: [], classification: 'overwrite' });
});

test('a client with a name from the prototype of objects is a client', () => {
  const steps = [{ client: '__proto__', edit: 'x' }];
  const input = { design: 'snapshots', clients: ['__proto__'], steps };
  const { files } = run('scenario', input).steps[0];
  assert.deepEqual(Object.entries(files), [['__proto__', { foo: 'x' }]]);
});

test('half of a surrogate pair is kept as a text', () => {
  const steps = [{ ...A, edit: '\ud800' }, { ...B, poll: 'A' }];
  const input = { design: 'snapshots', clients: ['A', 'B'], steps };
  assert.deepEqual(run('scenario', input).steps[1].files.B, { foo: '\ud800' });
});

test('a version number beyond 2^53 - 1 is refused, however it is written', () => {
  for (const number of ['9007199254740992', '9007199254740993', '9'.repeat(400)]) {
    const remote = JSON.parse(`{"A": ${number}}`);
    assert.throws(
      () => run('classify-version-map', { local: null, remote }),
      { name: 'Refusal', code: 'version-number' },
    );
  }
});
