import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { encode } from '../../../ports/javascript/bt.js';
import { toHex } from '../../../ports/javascript/bytes.js';
import { Unopened } from '../common/address.js';
import { ask } from '../common/port.js';
import { DATA_127, EXAMPLES } from '../config-merge/examples.js';
import { explained } from '../config-merge/explain.js';
import { Names } from '../config-merge/names.js';
import { dataText, diffText, readData } from '../config-merge/notation.js';
import { played } from '../config-merge/play.js';
import { check, fromVector, inputOf, isScenario } from '../config-merge/state.js';

const example = (name) => EXAMPLES.find((it) => it.name === name).state;
const hex = (text) => toHex(encode(readData(text)));

/** The vectors of a topic and the operation of its name, with their results by reading. */
function vectorsOf(topic) {
  const folder = process.env.REJOIN_VECTORS ?? fileURLToPath(new URL('../../../../vectors', import.meta.url));
  const { vectors } = JSON.parse(readFileSync(`${folder}/config-merge/${topic}.json`, 'utf8'));
  return vectors
    .filter(({ operation, recipe }) => operation === `config-merge/${topic}` && !recipe)
    .map((vector) => {
      const { expected, expected_by_reading: results = { document: expected, libsession: expected } } = vector;
      return [vector.id, { ...vector, results }];
    });
}

test('every example is a state that can be opened and played', () => {
  for (const { state } of EXAMPLES) {
    assert.deepEqual(check(JSON.parse(JSON.stringify(state))), state);
    assert.ok(!('refused' in played(state)));
  }
});

test('the worked example ends with one head and the data of 127 for everybody', () => {
  const state = example('worked-example');
  const game = played(state);
  const { clients, stored } = game.worlds.at(-1);
  const names = new Names(state, game);
  assert.deepEqual(Object.values(clients).map(({ head }) => names.ofPlaintext(head)), ['127', '127', '127', '127']);
  assert.equal(stored.length, 1);
  for (const { data } of Object.values(clients)) assert.equal(toHex(encode(data)), hex(DATA_127));
});

test('the messages of the worked example have the hashes of the deployed library', () => {
  const state = example('worked-example');
  const names = new Names(state, played(state));
  const hashes = Object.fromEntries([...names.names].map(([hash, name]) => [name, hash]));
  assert.equal(hashes['119'], '43094f68c1faa37eff79e1c2f3973ffd5f9d6423b00ccda306fc6e7dac5f0c44');
  assert.equal(hashes['122'], '46560604fe352101bb869435260d7100ccfe007be5f741c7e96303f02f394e8a');
  assert.equal(hashes['123'], 'd9398c597b058ac7e28e3febb76ed68eb8c5b6c369610562ab5f2b596775d73c');
  assert.equal(hashes['124b'], '8b73f316178765b9b3b37168e865c84bb5a78610cbb59b84d0fa4d3b4b3c102b');
});

test('the messages of the worked example follow those of the document', () => {
  const state = example('worked-example');
  const names = new Names(state, played(state));
  const hashes = new Map([...names.names].map(([hash, name]) => [name, hash]));
  const parents = (name) => names.parents(hashes.get(name)).map((it) => names.ofHash(it)).sort();
  assert.deepEqual(parents('126a'), ['125a', '125b']);
  assert.deepEqual(parents('126b'), ['124a', '125a', '125b']);
  assert.deepEqual(parents('127'), ['126a', '126b']);
});

test('a resolution is explained entry by entry', () => {
  const { state, names } = EXAMPLES.find((it) => it.name === 'complex-conflict');
  const game = played(state);
  const number = state.steps.findIndex((step, i) => step.resolve && step.client === 'C' && i > 20);
  const said = explained(state, game, new Names(state, game, names), number).map(({ text }) => text);
  assert.ok(said.includes('Ignore 120b. Its seqno is not within the last N.'), said.join('\n'));
  assert.ok(said.includes('Replay 124a {dictB: {=answer, =foo}}.'), said.join('\n'));
  assert.ok(said.includes('Replay 122 {}, with values from 125b. Nothing changes.'), said.join('\n'));
  assert.ok(said.includes('Begin with the data of 125b, the highest.'), said.join('\n'));
});

test('a play of the page has the heads of the operation', () => {
  let compared = 0;
  for (const [, vector] of vectorsOf('scenario')) {
    const readings = Object.keys(vector.expected_by_reading ?? { document: 1, libsession: 1 });
    if (vector.input.window === 0) continue; // the page does not open it
    const state = check(fromVector(vector.id, { ...vector, readings }));
    for (const reading of readings) {
      const asked = ask(vector.operation, vector.input, reading);
      const game = played({ ...state, reading });
      if ('refused' in asked) {
        if (reading === 'libsession' && vector.input.domain === undefined) continue; // the page has a domain
        assert.ok('refused' in game, vector.id);
        continue;
      }
      const heads = Object.fromEntries(Object.entries(game.worlds.at(-1).clients).map(([name, { head }]) => [name, head]));
      assert.deepEqual(heads, asked.output.heads, vector.id);
      compared += 1;
    }
  }
  assert.ok(compared > 60, String(compared));
});

test('a diff is applied by a merge of two messages', () => {
  const input = { data: hex('{a: 1, s: [2, 7]}'), diff: toHex(encode(new Map([['s', [[2n], [1n]]]]))), source: hex('{s: [2]}') };
  const expected = ask('config-merge/apply-diff', input, 'document').output.data;
  const state = check(fromVector('', { operation: 'config-merge/apply-diff', input }));
  const { data } = played(state).worlds.at(-1).clients.A;
  assert.equal(toHex(encode(data)), expected);
  assert.equal(dataText(data), '{a: 1, s: [2, 7]}');
});

test('every vector that applies a diff has its result in the page', () => {
  for (const [id, vector] of vectorsOf('apply-diff')) {
    for (const [reading, result] of Object.entries(vector.results)) {
      const state = check(fromVector(id, { ...vector, readings: [reading] }));
      if (result.rejected) continue; // the message with the diff is invalid
      const { data } = played(state).worlds.at(-1).clients.A;
      assert.equal(toHex(encode(data)), result.output.data, `${id} ${reading}`);
    }
  }
});

test('data are read back from their text', () => {
  for (const text of ['{}', '{a: 1}', '{a: -5, "b c": "x\\"y", d: {e: [1, 2, "z"]}}', '{a: "\\xff\\x00"}']) {
    assert.equal(dataText(readData(text)), text);
  }
  assert.equal(dataText(readData('{ s : [ "b", 2 , "a",1 ] }')), '{s: [1, 2, "a", "b"]}');
  assert.equal(dataText(readData('{a: "ä"}')), '{a: "\\xc3\\xa4"}');
});

for (const [text, fault] of [
  ['', 'at character 1, expected `{`, found the end'],
  ['{a 1}', 'at character 4, expected `:`, found 1}'],
  ['{a: 1, a: 2}', 'expected each key once, not a twice'],
  ['{a: "x}', 'expected the end of a string'],
  ['{a: 1} b', 'expected nothing more'],
  [`${'{a: '.repeat(70)}`, 'expected at most 60 levels'],
]) {
  test(`the text ${text.slice(0, 20)} is no data`, () => {
    assert.throws(() => readData(text), (error) => error instanceof Unopened && error.message.includes(fault));
  });
}

test('a diff is written as in the documentation', () => {
  const diff = new Map([
    ['int0', new TextEncoder().encode('-')],
    ['int1', new Uint8Array()],
    ['good', [[123n], [456n]]],
  ]);
  assert.equal(diffText(diff), '{good: +[123] -[456], -int0, =int1}');
});

test('a lost message reaches nobody, and a missed one comes later', () => {
  const empty = example('empty');
  const edited = { ...empty, steps: [{ client: 'A', edit: hex('{a: 1}') }, { client: 'A', push: true }] };
  const [{ hash }] = played(edited).worlds.at(-1).stored;
  const sync = (misses) => [{ client: 'B', fetch: true, ...misses }, { client: 'B', resolve: true }];
  const headOf = (steps) => played({ ...edited, steps: [...edited.steps, ...steps] }).worlds.at(-1).clients.B.head;
  assert.equal(headOf([{ lose: hash }, ...sync()]), null);
  assert.equal(headOf(sync({ misses: [hash] })), null);
  assert.notEqual(headOf([...sync({ misses: [hash] }), ...sync()]), null);
});

test('a play with losses is no scenario of the suite', () => {
  assert.ok(isScenario(example('worked-example')));
  assert.ok(!isScenario({ steps: [{ lose: '00' }] }));
  assert.equal('reading' in inputOf(example('empty')), false);
});

for (const [what, change] of [
  ['an unknown action', { steps: [{ client: 'A', dance: true }] }],
  ['bytes that are no hex', { steps: [{ store: 'xyz' }] }],
  ['a client that is not listed', { steps: [{ client: 'Z', push: true }] }],
  ['a window of 0', { window: 0 }],
  ['a key that is too short', { key: '00' }],
  ['an unknown reading', { reading: '__proto__' }],
]) {
  test(`a play with ${what} is refused`, () => {
    assert.throws(() => check({ ...example('empty'), ...change }), Unopened);
  });
}
