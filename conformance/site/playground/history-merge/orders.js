/**
 * The result of a merge in every order of its messages.
 */
import { ask } from '../common/port.js';
import { inputOf } from './state.js';

/** More messages have too many orders. */
export const MOST = 5;

/** @template T @param {T[]} items @returns {T[][]} */
export function permutations(items) {
  if (items.length < 2) return [items];
  return items.flatMap((first, i) => permutations(items.toSpliced(i, 1)).map((rest) => [first, ...rest]));
}

/**
 * @param {import('./state.js').State} state  with at most five chosen messages
 * @returns {{answer: {output: any} | {refused: string}, orders: string[][]}[]} each result with its
 *   orders, the one with the most orders first
 */
export function resultsByOrder(state) {
  const results = new Map();
  for (const order of permutations([...state.merge].sort())) {
    const answer = ask('history-merge/merge', inputOf({ ...state, order }), state.reading);
    const key = 'output' in answer ? JSON.stringify(answer.output) : 'refused';
    if (!results.has(key)) results.set(key, { answer, orders: [] });
    results.get(key).orders.push(order);
  }
  return [...results.values()].sort((a, b) => b.orders.length - a.orders.length);
}
