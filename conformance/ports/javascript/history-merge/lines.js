/**
 * The 3-way merge of lists of lines: kept lines, and the parts between them.
 */
import { refuse } from '../refusal.js';

/**
 * The lengths of the longest matchings of the ends of two lists.
 *
 * @param {string[]} origin @param {string[]} side
 * @returns {Uint32Array[]} for places in both lists, the length of the matching from there on
 */
function lengthsOf(origin, side) {
  const lengths = Array.from({ length: origin.length + 1 }, () => new Uint32Array(side.length + 1));
  for (let i = origin.length - 1; i >= 0; i -= 1) {
    for (let j = side.length - 1; j >= 0; j -= 1) {
      lengths[i][j] =
        origin[i] === side[j]
          ? lengths[i + 1][j + 1] + 1
          : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  return lengths;
}

/**
 * The longest matching; of several, the one with the earliest pairs.
 *
 * @param {string[]} origin @param {string[]} side
 * @returns {Map<number, number>} place in the origin -> place in the side
 */
export function matching(origin, side) {
  const lengths = lengthsOf(origin, side);
  const pairs = new Map();
  let from = 0;
  for (const [i, line] of origin.entries()) {
    const place = side.indexOf(line, from);
    if (place < 0 || lengths[i + 1][place + 1] + 1 < lengths[i][from]) continue;
    pairs.set(i, place);
    from = place + 1;
  }
  return pairs;
}

const equal = (one, other) =>
  one.length === other.length && one.every((line, place) => line === other[place]);

/** The merge of the parts between two kept lines. */
function mergeParts(origin, left, right) {
  if (equal(left, origin) || equal(left, right)) return right;
  if (equal(right, origin)) return left;
  return refuse('conflict', 'both sides changed the same lines');
}

/** @param {string[]} origin @param {string[]} left @param {string[]} right @returns {string[]} */
export function mergeLines(origin, left, right) {
  const [inLeft, inRight] = [left, right].map((side) => matching(origin, side));
  const kept = [...inLeft.keys()].filter((place) => inRight.has(place));
  const ends = kept.map((place) => [place, inLeft.get(place), inRight.get(place)]);
  const merged = [];
  let start = [0, 0, 0];
  for (const end of [...ends, [origin.length, left.length, right.length]]) {
    const parts = [origin, left, right].map((list, side) => list.slice(start[side], end[side]));
    merged.push(...mergeParts(...parts), ...origin.slice(end[0], end[0] + 1));
    start = end.map((place) => place + 1);
  }
  return merged;
}
