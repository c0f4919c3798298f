/**
 * Lowest common ancestors of a set of merged nodes and one more node.
 *
 * The search goes down from both sides at once, always at the node with the largest number. When a
 * node is taken, all of its descendants have been taken before it. So the search knows from which
 * sides the node can be reached, and whether a common ancestor is above it.
 */
import { refuse } from '../refusal.js';
import { LargestFirst } from './largest-first.js';

const LEFT = 1;
const RIGHT = 2;
const COMMON = LEFT | RIGHT;
const BELOW = 4;

/**
 * @param {import('./partial-orders.js').History} history
 * @param {number[]} set  the nodes A
 * @param {number} node  b
 * @returns {number[]} max of the nodes that are <= b and <= some node of A
 */
export function lcaU(history, set, node) {
  if (set.length === 0) refuse('empty-set', 'lcaU of no nodes');
  const reached = new Map();
  const waiting = new LargestFirst();
  /** The number of waiting nodes that are reached from these sides. */
  const counts = new Array(BELOW * 2).fill(0);
  const mark = (number, sides) => {
    const before = reached.get(number);
    const after = (before ?? 0) | sides;
    if (before === undefined) waiting.push(number);
    else counts[before] -= 1;
    counts[after] += 1;
    reached.set(number, after);
  };
  for (const number of set) mark(number, LEFT);
  mark(node, RIGHT);

  const lowest = [];
  while (counts[COMMON] > 0 || (counts[LEFT] > 0 && counts[RIGHT] > 0)) {
    const number = waiting.pop();
    const sides = reached.get(number);
    counts[sides] -= 1;
    if (sides === COMMON) lowest.push(number);
    const handedOn = (sides & COMMON) === COMMON ? COMMON | BELOW : sides;
    for (const parent of history.parents[number]) mark(parent, handedOn);
  }
  return lowest;
}
