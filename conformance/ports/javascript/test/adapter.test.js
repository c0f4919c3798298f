import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { lines } from '../lines.js';

const ADAPTER = fileURLToPath(new URL('../adapter.js', import.meta.url));

/** What the adapter answers to some lines. */
function answers(...requests) {
  const input = requests.map((it) => `${typeof it === 'string' ? it : JSON.stringify(it)}\n`);
  const { stdout, stderr, status } = spawnSync('node', [ADAPTER], { input: input.join('') });
  const replies = stdout.toString().split('\n').filter(Boolean).map((line) => JSON.parse(line));
  return { replies, stderr: stderr.toString(), status };
}

const ask = (input, operation = 'config-merge/decode', reading = 'document') => ({
  type: 'run', id: 7, operation, reading, input,
});

test('hello names every operation and both readings of a system', () => {
  const { replies } = answers({ type: 'hello', protocol: 1, suite: 'rejoin' }, { type: 'bye' });
  assert.equal(replies.length, 1);
  assert.equal(replies[0].max_in_flight, 64);
  assert.deepEqual(replies[0].readings, {
    'config-merge': ['document', 'libsession'],
    'history-merge': ['document', 'additions-cancel', 'removals-cancel', 'symmetric-difference'],
    'conflict-detection': ['repaired', 'literal'],
  });
  assert.ok(replies[0].operations.includes('conflict-detection/scenario'));
});

test('each reading answers in its own way', () => {
  const { replies } = answers(
    ask({ encoded: '69303765' }),
    ask({ encoded: '69303765' }, 'config-merge/decode', 'libsession'),
  );
  assert.deepEqual(replies[0].rejected, {
    code: 'integer-not-canonical',
    reason: 'integer-not-canonical: a leading zero, or minus zero',
  });
  assert.deepEqual(replies[1], { id: 7, output: { value: { int: '7' } } });
});

test('an input that no schema allows is an error, not a refusal', () => {
  const { replies } = answers(
    ask({ encoded: 'zz' }),
    ask({ encoded: '', more: 1 }),
    ask({}, 'config-merge/unheard-of'),
    ask({ encoded: '' }, 'config-merge/decode', 'unheard-of'),
  );
  assert.deepEqual(replies.map((reply) => Object.keys(reply)), Array(4).fill(['id', 'error']));
});

test('a line that is not JSON ends the program with a reason', () => {
  const { status, stderr, replies } = answers('{"type":');
  assert.equal(status, 1);
  assert.equal(stderr, 'a line is not JSON\n');
  assert.deepEqual(replies, []);
});

test('the end of the input ends the program', () => {
  assert.equal(answers().status, 0);
});

test('lines end at line feeds and nowhere else', async () => {
  const chunks = ['a\r', '\nb\u2028', 'c\n\nd'].map((text) => Buffer.from(text));
  const found = [];
  for await (const line of lines(chunks)) found.push(line);
  assert.deepEqual(found, ['a\r', 'b\u2028c', '']);
});
