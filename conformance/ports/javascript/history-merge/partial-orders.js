/**
 * History graphs and the order of their nodes.
 *
 * @typedef {object} Node
 * @property {string} id
 * @property {string[]} parents
 * @property {any} [state]
 */
import { refuse } from '../refusal.js';

/**
 * A growing history. Nodes are numbers, and every node has a larger number than its parents: the
 * numbers are a topological order.
 */
export class History {
  constructor() {
    /** @type {string[]} */
    this.ids = [];
    /** @type {number[][]} */
    this.parents = [];
    /** @type {any[]} */
    this.states = [];
    /** @type {Map<string, number>} */
    this.numbers = new Map();
    /** @type {Set<number>} */
    this.heads = new Set();
  }

  /** @param {Node[]} nodes  in any order @returns {History} */
  static of(nodes) {
    const history = new History();
    for (const node of inTopologicalOrder(nodes)) history.add(node);
    return history;
  }

  /** @param {Node} node  whose parents are there already @returns {number} */
  add({ id, parents, state }) {
    if (this.numbers.has(id)) refuse('duplicate-node', `two nodes with the ID ${id}`);
    const number = this.push(this.numbersOf(parents, 'unknown-parent'), state, id);
    this.numbers.set(id, number);
    for (const parent of this.parents[number]) this.heads.delete(parent);
    this.heads.add(number);
    return number;
  }

  /** Pushes a node that has no ID and is not a head. @returns {number} */
  push(parents, state, id = '') {
    this.ids.push(id);
    this.parents.push(parents);
    return this.states.push(state) - 1;
  }

  /** Removes the last node, which was pushed. */
  pop() {
    for (const column of [this.ids, this.parents, this.states]) column.pop();
  }

  /** @param {string} id @returns {number} */
  numberOf(id, code = 'unknown-node') {
    return this.numbers.get(id) ?? refuse(code, `no node has the ID ${id}`);
  }

  /** @param {string[]} ids @returns {number[]} */
  numbersOf(ids, code = 'unknown-node') {
    return ids.map((id) => this.numberOf(id, code));
  }

  /**
   * IDs are ASCII, so the order of strings is that of code points.
   *
   * @param {Iterable<number>} numbers
   * @returns {string[]} ascending
   */
  idsOf(numbers) {
    return [...numbers].map((number) => this.ids[number]).sort();
  }
}

/** The nodes, parents first. Refuses an invalid history. */
function inTopologicalOrder(nodes) {
  const byId = new Map();
  for (const node of nodes) {
    if (byId.has(node.id)) refuse('duplicate-node', `two nodes with the ID ${node.id}`);
    byId.set(node.id, node);
  }
  const children = new Map(nodes.map(({ id }) => [id, []]));
  const missing = new Map();
  for (const node of nodes) {
    const parents = new Set(node.parents);
    missing.set(node.id, parents.size);
    for (const parent of parents) {
      if (!byId.has(parent)) refuse('unknown-parent', `${node.id} has a parent that is not there`);
      children.get(parent).push(node);
    }
  }
  const sorted = nodes.filter(({ id }) => missing.get(id) === 0);
  for (let i = 0; i < sorted.length; i += 1) {
    for (const child of children.get(sorted[i].id)) {
      missing.set(child.id, missing.get(child.id) - 1);
      if (missing.get(child.id) === 0) sorted.push(child);
    }
  }
  if (sorted.length < nodes.length) {
    const inCycle = nodes.find(({ id }) => missing.get(id) > 0);
    refuse('cycle', `${inCycle.id} is its own ancestor, or comes after one that is`);
  }
  return sorted;
}

/**
 * The nodes that can be reached through parents, including the start.
 *
 * @param {History} history
 * @param {Iterable<number>} start
 * @param {number} lowest  nodes of smaller numbers are not wanted
 * @returns {Set<number>}
 */
export function ancestors(history, start, lowest = 0) {
  const seen = new Set(start);
  const waiting = [...seen];
  while (waiting.length > 0) {
    for (const parent of history.parents[waiting.pop()]) {
      if (parent < lowest || seen.has(parent)) continue;
      seen.add(parent);
      waiting.push(parent);
    }
  }
  return seen;
}

/** @param {History} history @param {Iterable<number>} nodes @returns {Set<number>} */
export function maximal(history, nodes) {
  const set = new Set(nodes);
  const lowest = [...set].reduce((least, node) => Math.min(least, node), Infinity);
  const parents = [...set].flatMap((node) => history.parents[node]);
  const below = ancestors(history, parents, lowest);
  return new Set([...set].filter((node) => !below.has(node)));
}

/** @param {History} history @param {number[]} nodes @returns {boolean} */
export const isAntiChain = (history, nodes) => maximal(history, nodes).size === nodes.length;

/** Whether u <= v. */
export const isBefore = (history, u, v) => ancestors(history, [v], u).has(u);

/** @param {History} history @returns {{id: string, parents: string[]}[]} by ascending ID */
export function transitiveReduction(history) {
  return [...history.numbers.keys()].sort().map((id) => {
    const parents = history.parents[history.numberOf(id)];
    return { id, parents: history.idsOf(maximal(history, parents)) };
  });
}
