/**
 * The snapshots of a file that a client's cache keeps.
 *
 * @typedef {import('./definitions.js').ParentsOf} ParentsOf
 */
import { ancestors } from './definitions.js';

/**
 * @param {ParentsOf} parentsOf
 * @param {string[]} currents  all clients' snapshots, at least one
 * @returns {Set<string>} every common ancestor that no other common ancestor follows
 */
export function mostRecentCommonAncestors(parentsOf, currents) {
  const [common, ...others] = [...new Set(currents)].map((it) => ancestors(parentsOf, [it]));
  for (const other of others) {
    for (const snapshot of common) if (!other.has(snapshot)) common.delete(snapshot);
  }
  const recent = new Set(common);
  for (const snapshot of common) for (const parent of parentsOf(snapshot)) recent.delete(parent);
  return recent;
}

/**
 * @param {ParentsOf} parentsOf
 * @param {string[]} currents
 * @returns {Set<string>} what is kept
 */
export function snapshotsToKeep(parentsOf, currents) {
  if (new Set(currents).size === 1) return new Set(currents);
  const recent = mostRecentCommonAncestors(parentsOf, currents);
  const below = ancestors(parentsOf, currents);
  if (recent.size === 0) return below;
  const children = new Map([...below].map((snapshot) => [snapshot, []]));
  for (const snapshot of below) {
    for (const parent of parentsOf(snapshot)) children.get(parent).push(snapshot);
  }
  return ancestors((snapshot) => children.get(snapshot), recent);
}
