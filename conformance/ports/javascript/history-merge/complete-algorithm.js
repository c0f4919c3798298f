/**
 * The merge of any anti-chain of a history.
 */
import { lcaU } from './lcau.js';
import { Merger } from './merger.js';

/** @param {import('./merger.js').Setting} setting @returns {Merger} */
export const completeMerger = (setting) => new Merger(setting, merge);

/** @type {import('./merger.js').Algorithm} */
function* merge({ history, type, inOrder }, set) {
  const merged = [];
  let state = type.initial;
  for (const node of inOrder(set)) {
    if (merged.length === 0) {
      state = history.states[node];
    } else {
      const origin = yield lcaU(history, merged, node);
      state = type.merge(origin, state, history.states[node]);
    }
    merged.push(node);
  }
  return state;
}
