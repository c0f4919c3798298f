import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Store } from '../common/store.js';

test('what was done can be undone and done again', () => {
  const store = new Store(1);
  store.to(2, 'two');
  store.to(3, 'three');
  assert.equal(store.undo(), 'three');
  assert.equal(store.state, 2);
  assert.equal(store.undo(), 'two');
  assert.equal(store.undo(), null);
  assert.equal(store.state, 1);
  assert.equal(store.redo(), 'two');
  assert.equal(store.state, 2);
});

test('a new action forgets what was undone', () => {
  const store = new Store(1);
  store.to(2, 'two');
  store.undo();
  store.to(5, 'five');
  assert.equal(store.redo(), null);
  assert.equal(store.state, 5);
});
