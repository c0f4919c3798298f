/**
 * The common parts of all merges of nodes: a history, a state type, a fold order, and the check.
 *
 * A merge is a generator that yields the sets whose merges it needs. The waiting generators are in
 * a list, so no history is too deep. The merge of a set is remembered, so no set is merged twice.
 */
import { refuse } from '../refusal.js';
import { foldOrder } from './fold-order.js';
import { isAntiChain, isBefore } from './partial-orders.js';

/**
 * @typedef {object} Setting
 * @property {import('./partial-orders.js').History} history
 * @property {import('./three-way-merge.js').StateType} type
 * @property {(numbers: Iterable<number>) => number[]} inOrder
 * @property {(merge: import('./merge-steps.js').Finished) => void} [record]
 *
 * @typedef {(setting: Setting, set: number[]) => Generator<number[], any, any>} Algorithm
 */

/**
 * @param {import('./partial-orders.js').History} history
 * @param {import('./three-way-merge.js').StateType} type
 * @param {string[]} [order]
 * @returns {Setting}
 */
export const settingOf = (history, type, order) => ({
  history,
  type,
  inOrder: foldOrder(history, order),
});

export class Merger {
  /**
   * @param {Setting} setting
   * @param {Algorithm} algorithm
   */
  constructor(setting, algorithm) {
    this.setting = setting;
    this.algorithm = algorithm;
    /** @type {Map<string, any>} */
    this.states = new Map();
  }

  /** @param {number[]} set @returns {any} the state to which the nodes merge */
  merge(set) {
    checkAntiChain(this.setting.history, set);
    return this.mergeAny(set);
  }

  /** @param {number[]} set  perhaps not an anti-chain @returns {any} the state to which it merges */
  mergeAny(set) {
    const waiting = [this.#begin(set)];
    let answer;
    while (waiting.length > 0) {
      const { name, steps } = waiting[waiting.length - 1];
      const { done, value } = steps.next(answer);
      if (done) {
        this.states.set(name, value);
        answer = value;
        waiting.pop();
      } else if (this.states.has(nameOf(value))) {
        answer = this.states.get(nameOf(value));
      } else {
        answer = undefined;
        waiting.push(this.#begin(value));
      }
    }
    return answer;
  }

  #begin(set) {
    return { name: nameOf(set), steps: this.algorithm(this.setting, set) };
  }
}

const nameOf = (set) => [...set].sort((a, b) => a - b).join();

/** Refuses a list of nodes if one is before another, or is listed twice. */
export function checkAntiChain(history, set) {
  if (isAntiChain(history, set)) return;
  for (const [i, u] of set.entries()) {
    for (const [j, v] of set.entries()) {
      if (i === j || !isBefore(history, u, v)) continue;
      const [older, newer] = [u, v].map((number) => history.ids[number]);
      refuse('not-an-anti-chain', `${older} is before ${newer}, or the same`);
    }
  }
}
