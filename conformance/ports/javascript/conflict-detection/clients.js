/**
 * Clients, their files and directories, and the costs of an action.
 *
 * @typedef {object} Link  an entry of a directory
 * @property {any} version
 * @property {string | null} content  null for a deletion
 *
 * @typedef {object} Seen  what a client last saw of a file in another directory
 * @property {any} version  that was linked there last
 * @property {boolean} deletion
 * @property {boolean} linked  whether anything was linked there in the last poll
 * @property {boolean} doubtful  whether a link that goes may have gone for an earlier deletion
 *
 * @typedef {object} Begun  an overwrite of which only the local file is done
 * @property {string} other  the client that was polled
 * @property {Link} link
 * @property {Set<string>} cache  with what was fetched
 */
import { refuse } from '../refusal.js';
import { checkNickname } from './definitions.js';
import { ConflictFiles } from './conflict-files.js';

/** Remote operations by kind. */
export class Costs {
  content_uploads = 0;
  snapshot_uploads = 0;
  directory_updates = 0;
  snapshot_downloads = 0;
  content_downloads = 0;
  directory_reads = 0;
  /** What the action did, for those who want to see it. @type {[string, any][]} */
  #notes = [];

  /** @param {string} step @param {any} noted */
  note(step, noted) {
    this.#notes.push([step, noted]);
  }

  get notes() {
    return this.#notes;
  }

  /** Several changes of links in one action are one update. */
  updateDirectory() {
    this.directory_updates = 1;
  }

  get total() {
    return (
      this.content_uploads +
      this.snapshot_uploads +
      this.directory_updates +
      this.snapshot_downloads +
      this.content_downloads
    );
  }
}

export class LocalFile {
  constructor(design) {
    /** @type {string | null} */
    this.content = null;
    /** @type {any} */
    this.version = null;
    this.conflicts = new ConflictFiles(design);
    /** @type {Set<string>} */
    this.cache = new Set();
    /** @type {Map<string, Seen>} */
    this.seen = new Map();
    /** The conflicts resolved while offline; null if the file was not changed.
     * @type {[string, any][] | null} */
    this.pending = null;
    this.versionIsDeletion = false;
    this.gaveUpDeletion = false;
    /** An overwrite during which the client stopped. @type {Begun | null} */
    this.begun = null;
  }

  /** A copy that later changes do not reach. */
  clone() {
    const copy = Object.assign(new LocalFile(this.conflicts.design), this);
    copy.conflicts = this.conflicts.clone();
    copy.cache = new Set(this.cache);
    copy.seen = new Map([...this.seen].map(([nickname, seen]) => [nickname, { ...seen }]));
    return copy;
  }

  /** Keeps nothing of another client. */
  forget(nickname) {
    this.seen.delete(nickname);
    this.conflicts.release(nickname);
  }

  /** Called before another version replaces the current one. A link that is missing from now on may
   * be missing because of the deletion that is replaced here. */
  giveUpVersion() {
    if (!this.versionIsDeletion) return;
    this.gaveUpDeletion = true;
    for (const seen of this.seen.values()) seen.doubtful = true;
  }

  /** Whether a content is available without a download. */
  hasAtHand(content) {
    return content === this.content || this.conflicts.held.some((it) => it.content === content);
  }
}

export class Client {
  constructor(nickname, signingKey, design) {
    this.nickname = nickname;
    this.signingKey = signingKey;
    this.design = design;
    this.online = true;
    this.forges = false;
    /** @type {Set<string>} */
    this.subscriptions = new Set();
    /** @type {Map<string, LocalFile>} */
    this.files = new Map();
    /** @type {Map<string, Link>} */
    this.directory = new Map();
    /** @type {Map<string, LocalFile> | null} */
    this.backup = null;
  }

  /** Whether a local file is in a folder of this name, or has the name of a folder on its path. */
  isBlocked(name) {
    const files = [...this.files];
    const own = files.filter(([, { content }]) => content !== null);
    const held = files.flatMap(([path, { conflicts }]) => conflicts.files(path));
    const names = [...own, ...held].map(([each]) => each);
    return names.some((it) => it.startsWith(`${name}/`) || name.startsWith(`${it}/`));
  }

  /** @returns {LocalFile} */
  file(path) {
    if (!this.files.has(path)) this.files.set(path, new LocalFile(this.design));
    return this.files.get(path);
  }
}

export class Folder {
  constructor(design) {
    this.design = design;
    /** @type {Map<string, Client>} */
    this.clients = new Map();
  }

  /** Adds a client; all clients subscribe to each other. */
  add(nickname, signingKey = null) {
    checkNickname(nickname);
    if (this.clients.has(nickname)) refuse('client-exists', 'a client has this nickname');
    const client = new Client(nickname, signingKey, this.design);
    for (const other of this.clients.values()) {
      other.subscriptions.add(nickname);
      client.subscriptions.add(other.nickname);
    }
    this.clients.set(nickname, client);
    return client;
  }

  /** All clients renew their leases on what they link; the rest goes. */
  collectGarbage() {
    const links = [...this.clients.values()].flatMap(({ directory }) => [...directory.values()]);
    this.design.collectGarbage(links);
  }

  /** @returns {Client} */
  client(nickname) {
    return this.clients.get(nickname) ?? refuse('unknown-client', 'no client has this nickname');
  }
}
