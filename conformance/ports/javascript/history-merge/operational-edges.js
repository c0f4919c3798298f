/**
 * The edges of a history on which the state changes.
 */
import { completeMerger } from './complete-algorithm.js';
import { settingOf } from './merger.js';
import { diffSets } from './three-way-merge.js';

/**
 * @param {import('./partial-orders.js').History} history  of sets
 * @param {import('./three-way-merge.js').StateType} type  of these sets
 * @returns {{node: string, virtual: boolean, inserted: Set<string>, deleted: Set<string>}[]}
 */
export function operationalEdges(history, type) {
  const merger = completeMerger(settingOf(history, type));
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
