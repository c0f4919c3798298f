/**
 * Zooko's design: version maps, their comparison and their join.
 *
 * @typedef {Map<string, number>} VersionMap  from nicknames to version numbers
 * @typedef {import('./readings.js').Reading} Reading
 */
import { refuse } from '../refusal.js';
import { checkNickname, classify } from './definitions.js';

const LARGEST_NUMBER = Number.MAX_SAFE_INTEGER;

/** @param {VersionMap} map */
export function checkVersionMap(map) {
  for (const [nickname, number] of map) {
    checkNickname(nickname);
    if (number < 0 || number > LARGEST_NUMBER) refuse('version-number', 'no version number');
  }
}

const noEntrySmaller = (map, other) => [...other].every(([name, n]) => (map.get(name) ?? 0) >= n);

/** @returns {boolean} whether two maps belong to the same version */
export const isSameMap = (map, other) => noEntrySmaller(map, other) && noEntrySmaller(other, map);

/** @param {Reading} reading @returns {boolean} whether the first map follows the other one */
export function mapFollows(reading, map, other) {
  const entries = [...other];
  if (!reading.missingEntryIsZero && !entries.every(([name]) => map.has(name))) return false;
  if (reading.everyEntryLarger) return entries.every(([name, n]) => (map.get(name) ?? 0) > n);
  return noEntrySmaller(map, other) && !isSameMap(map, other);
}

/**
 * @param {Reading} reading
 * @param {VersionMap | null} local
 * @param {VersionMap} remote
 * @returns {import('./definitions.js').Classification}
 */
export function classifyByMaps(reading, local, remote) {
  if (local === null) return 'overwrite';
  return classify(reading, {
    same: !reading.equalMapIsConflict && isSameMap(local, remote),
    theirsFollows: () => mapFollows(reading, remote, local),
    oursFollows: () => mapFollows(reading, local, remote),
  });
}

/** @param {VersionMap[]} maps @returns {VersionMap} the least map that follows or equals each */
export function join(maps) {
  const joined = new Map();
  for (const [name, n] of maps.flatMap((map) => [...map])) {
    joined.set(name, Math.max(n, joined.get(name) ?? 0));
  }
  return joined;
}

/**
 * The local version map after conflict files went away.
 *
 * @param {Reading} reading
 * @param {VersionMap} local
 * @param {[string, VersionMap][]} removed  client and map for each conflict file
 * @returns {VersionMap}
 */
export function mapAfterResolution(reading, local, removed) {
  if (!reading.resolutionCopiesOwnEntry) return join([local, ...removed.map(([, map]) => map)]);
  const copied = removed.filter(([name, map]) => map.has(name));
  return new Map([...local, ...copied.map(([name, map]) => [name, map.get(name)])]);
}

/** @param {VersionMap} local @param {string} nickname @returns {VersionMap} of the next upload */
export function mapOfUpload(local, nickname) {
  const number = (local.get(nickname) ?? 0) + 1;
  if (number > LARGEST_NUMBER) refuse('version-number', 'no version number is left');
  return new Map(local).set(nickname, number);
}
