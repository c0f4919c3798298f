/**
 * Names, the follows relation, and the correct finding of a poll.
 *
 * @typedef {'overwrite' | 'conflict' | 'stale' | 'same'} Classification
 * @typedef {(version: string) => Iterable<string>} ParentsOf
 */
import { refuse } from '../refusal.js';

/** The mark between the name of a file and the clients in the name of a conflict file. */
export const MARK = '.conflict-';

/** @param {string} path */
export function checkPath(path) {
  const components = path.split('/');
  if (components.some((it) => it === '' || it === '.' || it === '..')) {
    refuse('bad-path', 'a component is empty or a dot');
  }
  if (path.includes('\0') || path.includes(MARK) || !path.isWellFormed()) {
    refuse('bad-path', 'NUL, half a surrogate pair, or the mark of a conflict file');
  }
}

/** @param {string} nickname */
export function checkNickname(nickname) {
  if (nickname === '' || /[,/\0]/.test(nickname) || !nickname.isWellFormed()) {
    refuse('bad-nickname', 'empty, or with a comma, a slash, NUL or half a surrogate pair');
  }
}

/**
 * Reads a version DAG; refuses any other value.
 *
 * @param {{id: string, parents: string[]}[]} versions  in any order
 * @returns {Map<string, string[]>} from each version to its parents
 */
export function versionDag(versions) {
  const dag = new Map();
  for (const { id, parents } of versions) {
    if (dag.has(id)) refuse('duplicate-version', 'a version is given twice');
    if (new Set(parents).size < parents.length) refuse('duplicate-parent', 'a parent named twice');
    dag.set(id, parents);
  }
  checkKnown(dag, ...[...dag.values()].flat());
  checkAcyclic(dag);
  return dag;
}

/** @param {Map<string, string[]>} dag @param {...string} versions */
export function checkKnown(dag, ...versions) {
  if (!versions.every((it) => dag.has(it))) refuse('unknown-version', 'a version is not given');
}

function checkAcyclic(dag) {
  const children = new Map([...dag.keys()].map((id) => [id, []]));
  const missing = new Map();
  for (const [id, parents] of dag) {
    missing.set(id, parents.length);
    for (const parent of parents) children.get(parent).push(id);
  }
  const free = [...dag.keys()].filter((id) => missing.get(id) === 0);
  for (let i = 0; i < free.length; i += 1) {
    for (const child of children.get(free[i])) {
      missing.set(child, missing.get(child) - 1);
      if (missing.get(child) === 0) free.push(child);
    }
  }
  if (free.length < dag.size) refuse('cycle', 'versions follow themselves');
}

/**
 * @param {ParentsOf} parentsOf
 * @param {Iterable<string>} start
 * @returns {Set<string>} the start among them
 */
export function ancestors(parentsOf, start) {
  const seen = new Set(start);
  const waiting = [...seen];
  while (waiting.length > 0) {
    for (const parent of parentsOf(waiting.pop())) {
      if (seen.has(parent)) continue;
      seen.add(parent);
      waiting.push(parent);
    }
  }
  return seen;
}

/** @param {ParentsOf} parentsOf @returns {boolean} */
export const follows = (parentsOf, later, earlier) =>
  later !== earlier && ancestors(parentsOf, [later]).has(earlier);

/**
 * The correct finding of a poll.
 *
 * @param {import('./readings.js').Reading} reading
 * @param {{same: boolean, theirsFollows: () => boolean, oursFollows: () => boolean}} relation
 * @returns {Classification}
 */
export function classify(reading, { same, theirsFollows, oursFollows }) {
  if (same) return 'same';
  if (theirsFollows()) return 'overwrite';
  return !reading.staleIsConflict && oursFollows() ? 'stale' : 'conflict';
}
