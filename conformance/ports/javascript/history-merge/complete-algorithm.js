/**
 * The merge of any anti-chain of a history.
 */
import { lcaU } from './lcau.js';
import { Merger } from './merger.js';

/** @param {import('./merger.js').Setting} setting @returns {Merger} */
export const completeMerger = (setting) => new Merger(setting, merge);

/**
 * The merge of any set, which the document says is not right if the set is not an anti-chain.
 *
 * @param {import('./merger.js').Setting} setting
 * @param {number[]} set  its nodes can be listed twice
 * @param {{ returns: boolean }} failed  whether a failed check keeps the state so far, or is ignored
 */
export function mergeWithFailedChecks(setting, set, { returns }) {
  const step = (setting, set) => merge(setting, set, returns);
  return new Merger(setting, step).mergeAny([...new Set(set)]);
}

/** @type {import('./merger.js').Algorithm} */
function* merge({ history, type, inOrder, record }, set, returns = false) {
  const merged = [];
  let state = type.initial;
  const folds = [];
  for (const node of inOrder(set)) {
    if (merged.length === 0) {
      state = history.states[node];
    } else {
      const common = lcaU(history, merged, node);
      const fails = () => common.some((it) => it === node || merged.includes(it));
      if (!returns || !fails()) {
        const origin = yield common;
        state = type.merge(origin, state, history.states[node]);
        if (record) folds.push({ node, common, origin, state });
      }
    }
    merged.push(node);
  }
  record?.({ nodes: merged, folds, state });
  return state;
}
