/**
 * The merge of any anti-chain of a history.
 */
import { lcaU } from './lcau.js';
import { Merger } from './merger.js';

/** @param {import('./merger.js').Setting} setting @returns {Merger} */
export const completeMerger = (setting) => new Merger(setting, merge);

/** @type {import('./merger.js').Algorithm} */
function* merge({ history, type, inOrder, record }, set) {
  const merged = [];
  let state = type.initial;
  const folds = [];
  for (const node of inOrder(set)) {
    if (merged.length === 0) {
      state = history.states[node];
    } else {
      const common = lcaU(history, merged, node);
      const origin = yield common;
      state = type.merge(origin, state, history.states[node]);
      if (record) folds.push({ node, common, origin, state });
    }
    merged.push(node);
  }
  record?.({ nodes: merged, folds, state });
  return state;
}
