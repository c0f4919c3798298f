/**
 * The sessions that a history becomes if forks are never merged.
 */
import { maximal } from './partial-orders.js';

/**
 * How often each message has to be written: once for each chain of parents that leads to it.
 *
 * @param {import('./partial-orders.js').History} history @returns {bigint[]} by number
 */
function copiesOf(history) {
  const copies = [];
  for (const parents of history.parents) {
    const needed = [...maximal(history, parents)];
    copies.push(needed.length === 0 ? 1n : needed.reduce((sum, it) => sum + copies[it], 0n));
  }
  return copies;
}

/** @param {import('./partial-orders.js').History} history @param {(state: any) => any} write */
export function withoutMerges(history, write) {
  const copies = copiesOf(history);
  const sessions = history.idsOf(history.heads).map((head) => {
    const number = history.numberOf(head);
    return { head, copies: String(copies[number]), state: write(history.states[number]) };
  });
  return { written: String(copies.reduce((sum, it) => sum + it, 0n)), sessions };
}
