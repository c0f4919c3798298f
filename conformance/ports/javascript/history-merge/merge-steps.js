/**
 * The steps of a merge, for those who want to see it work.
 */
import { completeMerger } from './complete-algorithm.js';

/**
 * A finished merge of a set.
 *
 * @typedef {object} Finished
 * @property {number[]} nodes  in fold order
 * @property {{ node: number, common: number[], origin: any, state: any }[]} folds
 * @property {any} state
 */

/**
 * The steps of a merge; those of a set come after those of its origins.
 *
 * @param {import('./merger.js').Setting} setting
 * @param {number[]} set
 * @param {{ given: boolean, write: (state: any) => any }} form  given: whether there is a fold order
 * @returns {object[]}
 */
export function mergeSteps(setting, set, { given, write }) {
  const steps = [];
  const idOf = (number) => setting.history.ids[number];
  const step = (name, clause, fields) => steps.push({ step: name, clause, ...fields });

  const record = ({ nodes, folds, state }) => {
    if (nodes.length === 0) {
      step('default', 'HM-MERGE-EMPTY', { state: write(state) });
      return;
    }
    const [first] = nodes;
    const order = given ? 'HM-FOLD-RANKED' : 'HM-FOLD-ASCENDING';
    step('order', order, { nodes: nodes.map(idOf) });
    const start = nodes.length === 1 ? 'HM-MERGE-ONE' : 'HM-MERGE-FOLD';
    step('start', start, { node: idOf(first), state: write(setting.history.states[first]) });
    for (const { node, common, origin, state: merged } of folds) {
      const none = common.length === 0;
      const lowest = setting.history.idsOf(common);
      step('lca-u', none ? 'HM-LCAU-NONE' : 'HM-LCAU-LOWEST', { node: idOf(node), nodes: lowest });
      step('origin', none ? 'HM-MERGE-NO-ORIGIN' : 'HM-MERGE-ORIGIN', { state: write(origin) });
      step('fold', 'HM-MERGE-STEP', { node: idOf(node), state: write(merged) });
    }
  };

  const merges = [];
  completeMerger({ ...setting, record: (finished) => merges.push(finished) }).merge(set);
  const asked = merges.pop();
  merges.filter(({ nodes }) => nodes.length > 1).forEach(record);
  record(asked);
  return steps;
}
