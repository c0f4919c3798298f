/**
 * The edges of a history on which the state changes.
 */
import { completeMerger } from './complete-algorithm.js';
import { settingOf } from './merger.js';
import { STATE_TYPES, diffSets } from './three-way-merge.js';

/**
 * @param {import('./partial-orders.js').History} history  of sets
 * @returns {{node: string, virtual: boolean, inserted: Set<string>, deleted: Set<string>}[]}
 */
export function operationalEdges(history) {
  const merger = completeMerger(settingOf(history, STATE_TYPES.set));
  const edges = [];
  for (const node of [...history.numbers.keys()].sort()) {
    const number = history.numberOf(node);
    const parents = history.parents[number];
    if (parents.length === 0) continue;
    const { inserted, deleted } = diffSets(merger.merge(parents), history.states[number]);
    if (inserted.size + deleted.size === 0) continue;
    edges.push({ node, virtual: parents.length > 1, inserted, deleted });
  }
  return edges;
}
