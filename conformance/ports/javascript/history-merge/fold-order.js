/**
 * The order in which a merge takes the nodes of its set.
 */
import { refuse } from '../refusal.js';

/**
 * @param {import('./partial-orders.js').History} history
 * @param {string[]} listed  IDs that are taken first, in this order
 * @returns {(numbers: Iterable<number>) => number[]}
 */
export function foldOrder(history, listed = []) {
  const places = new Map();
  for (const id of listed) {
    const number = history.numberOf(id, 'not-a-fold-order');
    if (places.has(number)) refuse('not-a-fold-order', `the node ${id} stands twice in an order`);
    places.set(number, places.size);
  }
  const placeOf = (number) => places.get(number) ?? Infinity;
  const compare = (a, b) => {
    if (placeOf(a) !== placeOf(b)) return placeOf(a) < placeOf(b) ? -1 : 1;
    return history.ids[a] < history.ids[b] ? -1 : 1;
  };
  return (numbers) => [...numbers].sort(compare);
}
