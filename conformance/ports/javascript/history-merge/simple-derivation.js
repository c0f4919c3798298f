/**
 * The two generalisations from two nodes to many: with temporary nodes, and the wrong one.
 */
import { lcaU } from './lcau.js';
import { Merger, checkAntiChain } from './merger.js';
import { ancestors } from './partial-orders.js';

/** merge-fold-recurse. @param {import('./merger.js').Setting} setting @returns {Merger} */
export const temporaryNodesMerger = (setting) => new Merger(setting, mergeFoldRecurse);

/** @type {import('./merger.js').Algorithm} */
function* mergeFoldRecurse({ history, type, inOrder }, set) {
  const [first, ...others] = inOrder(set);
  if (first === undefined) return type.initial;
  let current = first;
  for (const node of others) {
    const origin = yield lcaU(history, [current], node);
    const state = type.merge(origin, history.states[current], history.states[node]);
    current = history.push([current, node], state);
  }
  const state = history.states[current];
  // The merges that this one waited for have removed their own temporary nodes.
  others.forEach(() => history.pop());
  return state;
}

/**
 * merge-recurse-fold, which is not the merge of a history.
 *
 * @param {import('./merger.js').Setting} setting
 * @param {number[]} set
 * @returns {any}
 */
export function mergeRecurseFold({ history, type, inOrder }, set) {
  checkAntiChain(history, set);
  const levels = [set];
  while (levels[levels.length - 1].length > 1) {
    levels.push([...commonToAll(history, levels[levels.length - 1])]);
  }
  const [only] = levels.pop();
  let origin = only === undefined ? type.initial : history.states[only];
  while (levels.length > 0) {
    const states = inOrder(levels.pop()).map((node) => history.states[node]);
    const above = origin;
    origin = states.reduce((left, right) => type.merge(above, left, right));
  }
  return origin;
}

/**
 * The lowest of the nodes that are <= every node of a set; of the empty set, the heads.
 *
 * @param {import('./partial-orders.js').History} history
 * @param {number[]} set
 * @returns {Set<number>}
 */
export function commonToAll(history, set) {
  if (set.length === 0) return new Set(history.heads);
  const [common, ...others] = [...new Set(set)].map((node) => ancestors(history, [node]));
  for (const other of others) {
    for (const node of common) if (!other.has(node)) common.delete(node);
  }
  // What is <= a common node is common: only a parent of a common node is not maximal.
  const lowest = new Set(common);
  for (const node of common) history.parents[node].forEach((parent) => lowest.delete(parent));
  return lowest;
}
