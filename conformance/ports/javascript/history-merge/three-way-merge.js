/**
 * 3-way merges: of sets, and of counters, registers and lists of lines, for comparison.
 *
 * @typedef {object} StateType
 * @property {any} initial  the default state
 * @property {(origin: any, left: any, right: any) => any} merge
 */
import { refuse } from '../refusal.js';
import { mergeLines } from './lines.js';

/** @returns {{inserted: Set<string>, deleted: Set<string>}} from one set to another */
export const diffSets = (origin, changed) => ({
  inserted: without(changed, origin),
  deleted: without(origin, changed),
});

/** Inserts, then deletes. @returns {Set<string>} */
export const applyToSet = (state, { inserted, deleted }) =>
  without(new Set([...state, ...inserted]), deleted);

const without = (set, other) => new Set([...set].filter((element) => !other.has(element)));

/**
 * A merge of sets, element by element. The laws leave two cases to it.
 *
 * @param {{added: boolean, removed: boolean}} both  whether an element is in the merge that both
 *   sides added, or that both removed
 */
const mergeSets = ({ added, removed }) => (origin, left, right) => {
  const isIn = (element) => {
    const before = origin.has(element);
    const [inLeft, inRight] = [left.has(element), right.has(element)];
    if (inLeft !== inRight) return !before;
    if (inLeft === before) return before;
    return before ? removed : added;
  };
  return new Set([...new Set([...origin, ...left, ...right])].filter(isIn));
};

const OTHER_SET_MERGES = {
  'additions-cancel': mergeSets({ added: false, removed: false }),
  'removals-cancel': mergeSets({ added: true, removed: true }),
  'symmetric-difference': mergeSets({ added: false, removed: true }),
};

/** @param {string} name  of a type @param {string} reading @returns {StateType} */
export function stateType(name, reading) {
  const merge = name === 'set' ? OTHER_SET_MERGES[reading] : undefined;
  return merge === undefined ? STATE_TYPES[name] : { ...STATE_TYPES[name], merge };
}

/** @type {Record<string, StateType>} */
export const STATE_TYPES = {
  set: {
    initial: new Set(),
    merge: (origin, left, right) => applyToSet(right, diffSets(origin, left)),
  },
  counter: {
    initial: 0n,
    merge: (origin, left, right) => left + right - origin,
  },
  register: {
    initial: '',
    merge(origin, left, right) {
      if (left === origin || left === right) return right;
      if (right === origin) return left;
      return refuse('conflict', 'both sides changed a register');
    },
  },
  lines: { initial: [], merge: mergeLines },
};
