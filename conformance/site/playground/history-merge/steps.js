/**
 * The steps of a merge as sentences, and the messages that each step is about.
 *
 * @typedef {object} Shown
 * @property {string} text
 * @property {string} clause
 * @property {Record<string, 'origin' | 'merged' | 'folded'>} marks  message -> its part in the step
 * @property {boolean} begins  whether the merge of a set begins here
 */
import { stateText } from './notation.js';

const listed = (ids) => (ids.length > 1 ? `${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}` : (ids[0] ?? 'nothing'));
const marked = (ids, part) => Object.fromEntries(ids.map((id) => [id, part]));

/**
 * @param {object[]} steps  of `history-merge/merge-steps`
 * @param {import('./state.js').State} state
 * @returns {Shown[]}
 */
export function shownSteps(steps, state) {
  const { type, nodes } = state;
  const show = (value) => stateText(value, type);
  const own = new Map(nodes.map((node) => [node.id, node.state]));
  let merged = [];
  let soFar;
  let origin;
  return steps.map(({ step, clause, ...noted }) => {
    const around = marked(merged, 'merged');
    const shown = (text, marks = around) => ({ text, clause, marks, begins: step === 'order' });
    if (step === 'default') return shown(`Nothing is merged: the result is ${show(noted.state)}.`);
    if (step === 'order') {
      merged = [];
      return shown(`Merge ${listed(noted.nodes)}, in this order.`, marked(noted.nodes, 'folded'));
    }
    if (step === 'start') {
      merged = [noted.node];
      soFar = noted.state;
      return shown(`Begin with the state of ${noted.node}: ${show(soFar)}.`, marked(merged, 'folded'));
    }
    const { node } = noted;
    if (step === 'lca-u') {
      const marks = { ...around, [node]: 'folded', ...marked(noted.nodes, 'origin') };
      const text =
        noted.nodes.length === 0
          ? `${node} has no common ancestor with what is merged already.`
          : `The lowest common ${noted.nodes.length === 1 ? 'ancestor' : 'ancestors'} of ${node} and of ${merged.join(' or ')}: ${listed(noted.nodes)}.`;
      origin = noted.nodes;
      return shown(text, marks);
    }
    if (step === 'origin') {
      const marks = { ...around, ...marked(origin, 'origin') };
      const why = origin.length > 1 ? `, the merge of ${listed(origin)}` : '';
      origin = noted.state;
      return shown(`The origin is ${show(origin)}${why}.`, marks);
    }
    const before = soFar;
    soFar = noted.state;
    const marks = { ...around, [node]: 'folded' };
    merged = [...merged, node];
    return shown(foldText(node, origin, before, own.get(node), soFar, type), marks);
  });
}

function foldText(node, origin, before, own, after, type) {
  const show = (value) => stateText(value, type);
  const start = `Fold ${node}, whose state is ${show(own)}. `;
  const end = ` So the merge so far, ${show(before)}, becomes ${show(after)}.`;
  if (type !== 'set') return `${start}The origin is ${show(origin)}.${end}`;
  const inserted = own.filter((it) => !origin.includes(it));
  const deleted = origin.filter((it) => !own.includes(it));
  const changes = [
    ...(inserted.length > 0 ? [`inserts ${inserted.join(', ')}`] : []),
    ...(deleted.length > 0 ? [`deletes ${deleted.join(', ')}`] : []),
  ];
  return `${start}Since the origin, it ${changes.join(' and ') || 'changes nothing'}.${end}`;
}
