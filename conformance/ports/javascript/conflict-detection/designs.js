/**
 * The two designs, for the actions of clients. A version is a text that names a snapshot in one
 * design, and a version map in the other.
 *
 * @typedef {import('./readings.js').Reading} Reading
 * @typedef {object} Upload
 * @property {string} nickname  of the maker
 * @property {Uint8Array | null} signingKey
 * @property {any} current  the version of the maker's file, or null
 * @property {[string, any][]} resolved  client and version for each conflict file that went away
 * @property {string | null} content
 * @property {boolean} [forged]
 */
import { refuse } from '../refusal.js';
import { fromHex, toHex } from '../bytes.js';
import { ancestors, follows } from './definitions.js';
import { snapshotsToKeep } from './local-cache.js';
import { classifyByGraph, walk } from './overwrite-and-conflict.js';
import {
  checkSnapshot,
  contentCapability,
  signSnapshot,
  snapshotCapability,
} from './snapshots.js';
import { encodeText } from './texts.js';
import {
  classifyByMaps,
  isSameMap,
  mapAfterResolution,
  mapFollows,
  mapOfUpload,
} from './version-maps.js';

/** Leif's design. */
export class SnapshotDesign {
  /** @param {Reading} reading */
  constructor(reading) {
    this.reading = reading;
    this.conflictFilePerVersion = reading.conflictFilePerVersion;
    this.conflictsStay = false;
    this.snapshotsPerUpload = 1;
    /** @type {Map<string, string[]>} */
    this.parents = new Map();
    /** Snapshots that the grid has no more. @type {Set<string>} */
    this.collected = new Set();
    /** Snapshots with a bad signature. @type {Set<string>} */
    this.forged = new Set();
  }

  parentsOf = (version) => this.parents.get(version);

  /** @param {Upload} upload @returns {string} */
  upload({ signingKey, current, resolved, content, forged }) {
    const versions = new Set(resolved.map(([, version]) => version));
    versions.delete(current);
    const others = [...versions].sort();
    const parents = [...(current === null ? [] : [current]), ...others];
    const snapshot = {
      content: content === null ? null : contentCapability(encodeText(content)),
      parents: parents.map(fromHex),
    };
    checkSnapshot(snapshot);
    const made = signingKey === null ? snapshot : signSnapshot(snapshot, signingKey);
    if (forged) made.signature[0] ^= 1;
    const version = toHex(snapshotCapability(made));
    this.parents.set(version, parents);
    this.collected.delete(version);
    if (forged) this.forged.add(version);
    return version;
  }

  /** @param {Set<string>} cache  what a client knows @returns {(it: string) => string[]} */
  #knownParents(cache) {
    return (it) => this.parentsOf(it).filter((parent) => cache.has(parent));
  }

  /** @param {Set<string>} cache  what the client knows */
  classify(local, remote, cache) {
    return classifyByGraph(this.reading, this.#knownParents(cache), local, remote);
  }

  takenOver(version) {
    return version;
  }

  isSame(version, other) {
    return version === other;
  }

  follows(later, earlier, cache) {
    return follows(this.#knownParents(cache), later, earlier);
  }

  /** Puts what a classification needs into a cache. @returns {number} how many were fetched */
  fetch(cache, local, remote) {
    const there = (it) => (this.collected.has(it) ? [] : this.parentsOf(it));
    const stored = (it) => (cache.has(it) ? this.parentsOf(it) : there(it));
    const fetched = walk(stored, cache, local, remote);
    if (fetched.has(remote) && this.collected.has(remote)) {
      refuse('missing-object', 'the grid has no such snapshot');
    }
    return this.#add(cache, fetched);
  }

  /** A client without a version that holds conflicts needs them, as its cache then has no gaps. */
  fetchAncestors(cache, version) {
    const there = (it) => (cache.has(it) || this.collected.has(it) ? [] : this.parentsOf(it));
    const fetched = ancestors(there, this.parentsOf(version));
    return this.#add(cache, new Set([...fetched].filter((it) => !cache.has(it))));
  }

  #add(cache, fetched) {
    for (const snapshot of fetched) {
      if (this.forged.has(snapshot)) refuse('bad-signature', 'a bad signature');
      if (!this.collected.has(snapshot)) cache.add(snapshot);
    }
    return fetched.size;
  }

  /** The grid keeps what is linked, with all its ancestors. @param {Link[]} links */
  collectGarbage(links) {
    const linked = links.map(({ version }) => version);
    const kept = ancestors(this.parentsOf, linked);
    for (const version of this.parents.keys()) if (!kept.has(version)) this.collected.add(version);
  }

  /** The grid has the content of every snapshot that it has. */
  hasContent = () => true;

  /** @returns {Set<string>} what stays of a cache; all ancestors for a client without a version */
  purged(cache, own, others) {
    const cachedParents = this.#knownParents(cache);
    if (own === null) return ancestors(cachedParents, others);
    return snapshotsToKeep(cachedParents, [own, ...others]);
  }

  /** The report of a version, and of a held version of a client. */
  describe = (version) => version;
  describeConflict = (version) => version;
}

/** Zooko's design. */
export class MapDesign {
  /** @param {Reading} reading */
  constructor(reading) {
    this.reading = reading;
    this.conflictFilePerVersion = false;
    this.conflictsStay = reading.mapConflictsStay;
    this.snapshotsPerUpload = 0;
    /** The contents on the grid; null stands for a deletion. @type {Set<string | null>} */
    this.contents = new Set();
  }

  /** @param {Upload} upload */
  upload({ nickname, current, resolved, content }) {
    this.contents.add(content);
    const local = mapAfterResolution(this.reading, current ?? new Map(), resolved);
    return mapOfUpload(local, nickname);
  }

  classify(local, remote) {
    return classifyByMaps(this.reading, local, remote);
  }

  takenOver(version, nickname) {
    if (!this.reading.ownEntryOfZero || version.has(nickname)) return version;
    return new Map(version).set(nickname, 0);
  }

  isSame(version, other) {
    return isSameMap(version, other);
  }

  follows(later, earlier) {
    return mapFollows(this.reading, later, earlier);
  }

  fetch() {
    return 0;
  }

  fetchAncestors() {
    return 0;
  }

  /** The grid keeps the contents that are linked. @param {Link[]} links */
  collectGarbage(links) {
    this.contents = new Set(links.map(({ content }) => content));
  }

  hasContent = (content) => this.contents.has(content);

  purged() {
    return new Set();
  }

  describe = (version) => Object.fromEntries(version);
  describeConflict = (version, nickname) => version.get(nickname) ?? null;
}
