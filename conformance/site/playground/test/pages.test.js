import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAGES, pageText } from '../pages.js';

const TEMPLATE = '<body{{data}}>{{links}}|{{title}}|{{purpose}}|{{scripts}}';

test('a page alone links the other pages and nothing outside its folder', () => {
  const text = pageText(TEMPLATE, PAGES[0]);
  assert.ok(text.startsWith('<body>'));
  assert.deepEqual(text.match(/(?:href|src)="[^"]*"/g).filter((it) => /\.\.|:/.test(it)), []);
});

test('a page of the site links its home and knows its root', () => {
  const text = pageText(TEMPLATE, PAGES[0], '../index.html');
  assert.ok(text.startsWith('<body data-system="history-merge" data-root="../">'));
  assert.ok(text.includes('<a href="../index.html">Rejoin</a>'));
});
