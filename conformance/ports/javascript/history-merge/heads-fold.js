/**
 * The merge of the heads of a growing history, continued from message to message.
 *
 * The fold takes the heads by ascending ID. A new message replaces some heads by itself, and the
 * heads before the first difference merge to the same state as before.
 */
import { maximal } from './partial-orders.js';

export class HeadsFold {
  /**
   * @param {import('./partial-orders.js').History} history
   * @param {import('./three-way-merge.js').StateType} type
   * @param {import('./merger.js').Merger} merger  for origins of several nodes
   */
  constructor(history, type, merger) {
    Object.assign(this, { history, type, merger });
    /** @type {number[]} the heads, by ascending ID */
    this.heads = [];
    /** @type {{state: any, reached: number[]}[]} for the first heads: the state, the new past */
    this.folded = [];
    /** @type {Set<number>} the past of the folded heads */
    this.past = new Set();
  }

  /** @param {number} node  a new head, which replaces its parents */
  add(node) {
    for (const parent of this.history.parents[node]) {
      const place = this.#placeOf(parent);
      if (this.heads[place] !== parent) continue;
      this.heads.splice(place, 1);
      this.#forgetFrom(place);
    }
    const place = this.#placeOf(node);
    this.heads.splice(place, 0, node);
    this.#forgetFrom(place);
  }

  /** @returns {any} the state to which the heads merge */
  merged() {
    for (let place = this.folded.length; place < this.heads.length; place += 1) {
      const node = this.heads[place];
      const { reached, met } = this.#walk(node);
      const state = this.#stateWith(node, place, met);
      reached.forEach((each) => this.past.add(each));
      this.folded.push({ state, reached });
    }
    return this.folded.length === 0 ? this.type.initial : this.folded.at(-1).state;
  }

  #stateWith(node, place, met) {
    const own = this.history.states[node];
    if (place === 0) return own;
    const origins = met.length > 1 ? [...maximal(this.history, met)] : met;
    const origin =
      origins.length === 1 ? this.history.states[origins[0]] : this.merger.merge(origins);
    return this.type.merge(origin, this.folded[place - 1].state, own);
  }

  /** Goes up from a node: what the past lacks, and the first nodes of the past on each way. */
  #walk(node) {
    const reached = new Set([node]);
    const met = new Set();
    const waiting = [node];
    while (waiting.length > 0) {
      for (const parent of this.history.parents[waiting.pop()]) {
        if (this.past.has(parent)) {
          met.add(parent);
        } else if (!reached.has(parent)) {
          reached.add(parent);
          waiting.push(parent);
        }
      }
    }
    return { reached: [...reached], met: [...met] };
  }

  #forgetFrom(place) {
    while (this.folded.length > place) {
      this.folded.pop().reached.forEach((each) => this.past.delete(each));
    }
  }

  /** The place of the first head whose ID is not smaller. */
  #placeOf(node) {
    const { ids } = this.history;
    let [low, high] = [0, this.heads.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ids[this.heads[middle]] < ids[node]) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
