/**
 * Leases and garbage.
 */
import { ancestors } from './definitions.js';

/**
 * @param {import('./definitions.js').ParentsOf} parentsOf
 * @param {{links: string[], until: number}[]} renewals
 * @param {number} now
 * @returns {Set<string>} the snapshots on which a lease ends later than now
 */
export function keptByLeases(parentsOf, renewals, now) {
  const links = renewals.filter(({ until }) => until > now).flatMap((renewal) => renewal.links);
  return ancestors(parentsOf, links);
}
