/**
 * The state of the page: a history, the chosen messages and the order in which they are merged.
 *
 * @typedef {object} Message
 * @property {string} id
 * @property {string[]} parents
 * @property {string[] | string} state  a sorted set of names, a counter as decimal text, a register, or a list of lines
 *
 * @typedef {object} State
 * @property {Message[]} nodes
 * @property {string[]} merge  the chosen messages
 * @property {string[] | null} order  null: by ascending ID
 * @property {'set' | 'counter' | 'register' | 'lines'} type
 * @property {string} reading
 */
import { Unopened } from '../common/address.js';
import { list, oneOf, record, text } from '../common/checks.js';

export const TYPES = ['set', 'counter', 'register', 'lines'];
export const READINGS = ['document', 'additions-cancel', 'removals-cancel', 'symmetric-difference'];

const NAME = /^[!-~]+$/;
const DECIMAL = /^(0|-?[1-9][0-9]*)$/;
const MOST_NODES = 60;
const MOST_NAMES = 40;

const name = (value, what) => text(value, what, 40, NAME);
const names = (value, what) => list(value, what, MOST_NAMES, name);

/** @param {any} value  written by anybody @returns {State} @throws {Unopened} */
export function check(value) {
  const fields = record(value, 'the state', ['nodes', 'merge', 'order', 'type', 'reading']);
  const type = oneOf(fields.type, 'type', TYPES);
  const reading = oneOf(fields.reading, 'reading', READINGS);
  const nodes = list(fields.nodes, 'nodes', MOST_NODES, (each, what) => {
    const { id, parents, state } = record(each, what, ['id', 'parents', 'state']);
    return {
      id: name(id, `${what}.id`),
      parents: names(parents, `${what}.parents`),
      state: stateOf(state, type, `${what}.state`),
    };
  });
  if (new Set(nodes.map(({ id }) => id)).size < nodes.length) throw new Unopened('two messages have one ID');
  const merge = names(fields.merge, 'merge');
  const order = fields.order === null ? null : names(fields.order, 'order');
  return { nodes, merge, order, type, reading };
}

function stateOf(value, type, what) {
  if (type === 'set') return names(value, what);
  if (type === 'lines') return list(value, what, MOST_NAMES, (line, where) => text(line, where, 200));
  return type === 'counter' ? text(value, what, 60, DECIMAL) : text(value, what, 200);
}

/** @param {string} id @param {any} vector @returns {object} a state to check */
export function fromVector(id, { operation, input, readings }) {
  return {
    ...askedOf(operation.split('/')[1], input),
    order: input.order ?? null,
    type: input.state_type ?? 'set',
    reading: readings?.[0] ?? 'document',
  };
}

/** The history of a vector, and the messages whose merge it is about. */
function askedOf(operation, { nodes, merge, message, origin, left, right }) {
  if (operation === 'members') return { nodes, merge: headsOf(nodes) };
  // A message is accepted if its parents can be merged.
  if (operation === 'accept') return { nodes, merge: message.parents };
  if (operation !== 'three-way-merge') return { nodes, merge };
  const child = (id, state) => ({ id, parents: ['origin'], state });
  const root = { id: 'origin', parents: [], state: origin };
  return { nodes: [root, child('left', left), child('right', right)], merge: ['left', 'right'] };
}

/** @param {Message[]} nodes @returns {string[]} the IDs of messages that are no parents */
export function headsOf(nodes) {
  const parents = new Set(nodes.flatMap((node) => node.parents));
  return nodes.map(({ id }) => id).filter((id) => !parents.has(id));
}

/** The input of an operation that merges the chosen messages. @param {State} state */
export function inputOf({ nodes, merge, order, type }) {
  return {
    nodes,
    merge,
    ...(order === null ? {} : { order }),
    ...(type === 'set' ? {} : { state_type: type }),
  };
}

/** The chosen messages in fold order. @param {State} state @returns {string[]} */
export function inOrder({ merge, order }) {
  const rank = new Map((order ?? []).map((id, place) => [id, place]));
  const place = (id) => rank.get(id) ?? Infinity;
  return [...merge].sort((a, b) => (place(a) === place(b) ? (a < b ? -1 : 1) : place(a) - place(b)));
}

/** @param {State} state @returns {State} with a message chosen that was not, or the reverse */
export function toggled(state, id) {
  const merge = state.merge.includes(id)
    ? state.merge.filter((it) => it !== id)
    : [...state.merge, id];
  return { ...state, merge, order: keptOrder(state.order, merge) };
}

const keptOrder = (order, merge) => {
  const kept = order?.filter((id) => merge.includes(id)) ?? [];
  return kept.length > 1 ? kept : null;
};

/** @returns {State} with one message earlier (-1) or later (1) in the fold order */
export function moved(state, id, by) {
  const order = inOrder(state);
  const from = order.indexOf(id);
  order.splice(from, 1);
  order.splice(from + by, 0, id);
  return { ...state, order };
}

/** @returns {string} the first letter, or letter and number, that no message has */
export function freeId({ nodes }) {
  const used = new Set(nodes.map(({ id }) => id));
  for (let round = 0; ; round += 1) {
    for (const letter of 'rpqstuvwxyzabcdefghijklmno') {
      const id = round === 0 ? letter : `${letter}${round}`;
      if (!used.has(id)) return id;
    }
  }
}

/** @param {State} state @param {Message} node @returns {State} with the message, chosen alone */
export const withMessage = (state, node) => ({
  ...state,
  nodes: [...state.nodes, node],
  merge: [node.id],
  order: null,
});

/** @returns {State} with another state in one message */
export const withState = (state, id, value) => ({
  ...state,
  nodes: state.nodes.map((node) => (node.id === id ? { ...node, state: value } : node)),
});

/** @returns {string[]} the messages and everything after them */
export function withDescendants(nodes, ids) {
  const gone = new Set(ids);
  for (let size = -1; size !== gone.size; ) {
    size = gone.size;
    for (const { id, parents } of nodes) if (parents.some((it) => gone.has(it))) gone.add(id);
  }
  return [...gone];
}

/** @returns {State} without some messages */
export function without(state, ids) {
  const merge = state.merge.filter((id) => !ids.includes(id));
  const nodes = state.nodes.filter(({ id }) => !ids.includes(id));
  return { ...state, nodes, merge, order: keptOrder(state.order, merge) };
}
