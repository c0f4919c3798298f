/**
 * Leif's design: the walk back to the cached snapshots, and the classification by the graph.
 *
 * @typedef {import('./definitions.js').ParentsOf} ParentsOf
 */
import { ancestors, classify, follows } from './definitions.js';

/**
 * @param {import('./readings.js').Reading} reading
 * @param {ParentsOf} parentsOf
 * @param {string | null} local
 * @param {string} remote
 * @returns {import('./definitions.js').Classification}
 */
export function classifyByGraph(reading, parentsOf, local, remote) {
  if (local === null) return 'overwrite';
  return classify(reading, {
    same: local === remote,
    theirsFollows: () => follows(parentsOf, remote, local),
    oursFollows: () => follows(parentsOf, local, remote),
  });
}

/**
 * The snapshots that a client fetches to classify another client's snapshot.
 *
 * @param {ParentsOf} parentsOf  what a fetched snapshot says
 * @param {Set<string>} cached  with the client's own snapshot
 * @param {string | null} local
 * @param {string} remote
 * @returns {Set<string>}
 */
export function walk(parentsOf, cached, local, remote) {
  if (cached.has(remote)) return new Set();
  if (local === null) return new Set([remote]);
  const lacking = (snapshot) => [...parentsOf(snapshot)].filter((parent) => !cached.has(parent));
  const fetched = ancestors(lacking, [remote]);
  if (![...fetched].some((snapshot) => [...parentsOf(snapshot)].length === 0)) return fetched;
  for (const snapshot of ancestors(parentsOf, cached)) {
    if (!cached.has(snapshot)) fetched.add(snapshot);
  }
  return fetched;
}
