/**
 * The worked example of the document "Config merge", played by clients, and smaller plays.
 *
 * In the document, the messages 118 to 122 are there from the beginning. 118 assigns all the data,
 * and 119 to 122 change nothing.
 */
import { encode } from '../../../ports/javascript/bt.js';
import { fromHex, toHex } from '../../../ports/javascript/bytes.js';
import { hashOf } from '../../../ports/javascript/config-merge/messages.js';
import { makeDiff } from '../../../ports/javascript/config-merge/diff-updates.js';
import { update } from '../../../ports/javascript/config-merge/non-conflicting-updates.js';
import { writeMessage } from '../../../ports/javascript/config-merge/outer-metadata.js';
import { READINGS } from '../../../ports/javascript/config-merge/readings.js';
import { readData } from './notation.js';
import { begun } from './state.js';

const CONTEXT = { reading: READINGS.document, window: 5n, verifyKey: null, signingKey: null };

const DATA_118 = `{dictB: {changed: -1, foo: 123, removed: "x", removed2: "y"}, dictC: {x: {y: 1}},
  good: [99, 456, "bar"], great: [-42, "omg"], int0: -9999, int1: 100, string1: "hello", string2: "goodbye"}`;
const DATA_123 = `{dictB: {changed: -1, foo: 123, removed: "x", removed2: "y"}, dictC: {x: {y: 1}},
  good: [99, 456, "bar"], great: [-42, "omg"], int1: 1, int2: 2, string1: "hello", string2: "goodbye"}`;
const DATA_124A = DATA_123.replace('foo: 123', 'foo: 66, answer: 42');
const DATA_124B = `{dictA: {goodbye: [123, 456], hello: 123}, dictB: {added: 9999, changed: 1, foo: 123, nested: {a: 1}},
  good: [99, 123, "Foo", "bar"], int1: 42, int2: 2, string2: "hello", string3: "omg"}`;
const DATA_125A = DATA_124B.replace('foo: 123, ', '');
const DATA_125B = DATA_124B.replace('int1: 42', 'int1: 5');
export const DATA_127 = `{dictA: {goodbye: [123, 456, 789], hello: 123}, dictB: {added: 9999, answer: 42, changed: 1, nested: {a: 1}},
  good: [99, 123, "Foo", "bar"], int1: 5, int2: 2, string2: "hello", string3: "omg"}`;

const hex = (text) => toHex(encode(readData(text)));
const edit = (client, text) => ({ client, edit: hex(text) });
const push = (client) => ({ client, push: true });
const fetch = (client) => ({ client, fetch: true });
const sync = (client) => [fetch(client), { client, resolve: true }];

/**
 * The messages 122, and a late message that follows 119: the document's 120b, though its hash is the
 * smaller one of both messages 120.
 */
function before() {
  const [data, late] = [readData(DATA_118), readData(DATA_118).set('too old', new TextEncoder().encode("won't see"))];
  const parts = { seqno: 118n, data, rows: [], diff: makeDiff(new Map(), data), unknown: new Map() };
  const chain = [writeMessage(parts, null)];
  while (chain.length < 5) chain.push(update([chain.at(-1)], data, CONTEXT));
  const messageLate = update([chain[1]], late, CONTEXT);
  const names = { [toHex(hashOf(chain[2]))]: '120', [toHex(hashOf(messageLate))]: '120b' };
  return { message122: toHex(chain[4]), messageLate: toHex(messageLate), names };
}

function workedExample() {
  const { message122, messageLate } = before();
  return [
    { store: message122 },
    ...sync('A'), edit('A', DATA_123), push('A'),
    ...sync('D'), edit('D', DATA_124A),
    edit('A', DATA_124B), push('A'),
    ...sync('B'), ...sync('C'),
    edit('B', DATA_125A), edit('C', DATA_125B), push('B'), push('C'),
    ...sync('A'),
    push('D'), { store: messageLate },
    ...sync('C'), push('A'), push('C'),
    ...sync('B'), edit('B', DATA_127), push('B'),
    ...sync('A'), ...sync('C'), ...sync('D'),
  ];
}

const NAMES = before().names;
const named = (name, title, about, steps, clients = 'ABCD') => ({ name, title, about, names: NAMES, state: begun([...clients], steps) });

const WORKED = workedExample();
/** The steps of the worked example up to the first push after some edits. */
const until = (pushes) => {
  let left = pushes;
  const end = WORKED.findIndex((step) => 'push' in step && --left === 0);
  return WORKED.slice(0, end + 1);
};

export const EXAMPLES = [
  named('worked-example', 'The document: messages 122 to 127',
    'D makes 124a but pushes it late. B and C race with 125a and 125b. A merges them to 126a, and C, who has seen 124a, to 126b. B merges both and adds 789: 127.', WORKED),
  named('ordinary-update', 'The document: an ordinary update', '123 changes int1, adds int2 and removes int0.', until(1)),
  named('large-update', 'The document: a large update', '124 changes almost everything. D has made an edit of 123 and has not pushed it yet.', until(2)),
  named('simple-conflict', 'The document: a simple conflict', 'B removes dictB.foo and C sets int1 to 5, both in seqno 125. A merges them.', [...until(4), ...sync('A'), push('A')]),
  named('stale-message', 'The document: a stale message', 'A very late message of seqno 120 comes when the others are at 126. It is not within the last 5 seqnos, so it is ignored.',
    [...until(4), ...sync('A'), push('A'), { store: before().messageLate }, ...sync('C')]),
  named('complex-conflict', 'The document: a complex conflict', '126a lacks 124a, and 126b has it. B merges both and adds 789: 127.', WORKED),
  named('race', 'Two clients race', 'A and B edit the same data at once. Both edits survive, whoever merges.',
    [edit('A', '{name: "Ann", tags: ["x"]}'), push('A'), ...sync('B'), edit('A', '{name: "Anne", tags: ["x", "y"]}'), edit('B', '{name: "Ann", tags: ["z"], age: 7}'), push('A'), push('B'), ...sync('A'), push('A'), ...sync('B')], 'AB'),
  named('empty', 'Two clients: begin here', 'Write data for A, click Edit and Push. Then let B fetch and resolve.', [], 'AB'),
];
