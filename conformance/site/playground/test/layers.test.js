import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placed } from '../common/layers.js';

const graph = (text) =>
  text.split(' ').map((each) => {
    const [id, parents = ''] = each.split('<');
    return { id, parents: parents.split(',').filter(Boolean) };
  });

test('a node stands below all of its parents', () => {
  const { nodes, height } = placed(graph('r p<r q<p a<r,q'));
  assert.deepEqual([...nodes].map(([id, { y }]) => [id, y]), [['r', 0], ['p', 1], ['q', 2], ['a', 3]]);
  assert.equal(height, 4);
});

test('no two nodes of a layer stand at one place', () => {
  const { nodes, width } = placed(graph('r a<r b<r c<r d<r'));
  const xs = ['a', 'b', 'c', 'd'].map((id) => nodes.get(id).x);
  assert.deepEqual(xs, [0, 1, 2, 3]);
  assert.equal(width, 4);
});

test('an edge past a layer goes around the nodes of this layer', () => {
  const { nodes, edges } = placed(graph('r p<r q<p,r'));
  const [long] = edges.filter(({ from, to }) => from === 'q' && to === 'r');
  assert.equal(long.points.length, 3);
  assert.notEqual(long.points[1].x, nodes.get('p').x);
});

test('the crossing of a criss-cross keeps the order of the parents', () => {
  const { nodes } = placed(graph('r p<r q<r a<p b<q'));
  assert.ok(nodes.get('a').x < nodes.get('b').x);
});

test('unknown parents and cycles are drawn without the edges that have no place', () => {
  assert.equal(placed(graph('a<z')).edges.length, 0);
  assert.equal(placed(graph('a<b b<a')).nodes.size, 2);
  assert.deepEqual(placed([]), { nodes: new Map(), edges: [], width: 0, height: 0 });
});
