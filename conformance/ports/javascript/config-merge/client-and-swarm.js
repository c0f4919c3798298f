/**
 * Clients that fetch, resolve, edit and push, and the swarm that stores their messages.
 *
 * @typedef {import('./outer-metadata.js').Context} Context
 * @typedef {object} Kind  what all clients of one kind of config share, and the key of one client
 * @property {Uint8Array} key
 * @property {Uint8Array | null} domain
 * @property {Context} context
 */
import { compareBytes, toHex } from '../bytes.js';
import { Refusal } from '../refusal.js';
import { copyData, equalData, prune } from './application-data.js';
import { resolve } from './conflict-resolution.js';
import { applyDiff, makeDiff } from './diff-updates.js';
import { decrypt, encrypt } from './encryption.js';
import { identityOf } from './messages.js';
import { checkCanUpdate, update } from './non-conflicting-updates.js';
import { parseMessage } from './outer-metadata.js';

/** The stored forms, each once. */
export class Swarm {
  /** @param {boolean} deletionPermitted */
  constructor(deletionPermitted) {
    this.deletionPermitted = deletionPermitted;
    /** @type {Map<string, Uint8Array>} */
    this.stored = new Map();
  }

  /** @param {Uint8Array} form */
  store(form) {
    this.stored.set(toHex(form), form);
  }

  /** @param {Uint8Array} form */
  delete(form) {
    if (this.deletionPermitted) this.stored.delete(toHex(form));
  }

  /** @returns {Uint8Array[]} in the order in which they were stored */
  inOrder() {
    return [...this.stored.values()];
  }

  /** @returns {Uint8Array[]} in the order of their bytes */
  forms() {
    return [...this.stored.values()].sort(compareBytes);
  }
}

export class Client {
  /** @param {Kind} kind */
  constructor(kind) {
    this.kind = kind;
    /** Plaintexts, each with its known stored forms.
     * @type {Map<string, {plaintext: Uint8Array, forms: Map<string, Uint8Array>}>} */
    this.known = new Map();
    /** Whether the client has ever fetched a stored form, readable or not. */
    this.hasFetched = false;
    /** @type {import('./messages.js').Message | null} */
    this.head = null;
    /** The messages that the head merges, if the head is a merge that was not pushed.
     * @type {Uint8Array[] | null} */
    this.mergedFrom = null;
    /** @type {{before: Map<string, any>, after: Map<string, any>} | null} */
    this.change = null;
    /** The decrypted messages that arrived since the last resolve, in order (CM-E69).
     * @type {{plaintext: Uint8Array, form: Uint8Array}[]} */
    this.arrived = [];
    /** The stored forms that this client took for those of its heads since its last push.
     * @type {Uint8Array[]} */
    this.takenForHead = [];
  }

  /** The data that the application sees. */
  get data() {
    return this.change === null ? this.headData : this.change.after;
  }

  get headData() {
    return this.head === null ? new Map() : this.head.data;
  }

  /** @param {Swarm} swarm */
  fetch(swarm) {
    const { key, domain, context } = this.kind;
    for (const form of swarm.inOrder()) {
      this.hasFetched = true;
      const plaintext = orNull(() => decrypt(form, key, domain, context.reading));
      if (plaintext === null) continue;
      if (this.#know(plaintext, form)) this.arrived.push({ plaintext, form });
    }
  }

  resolve() {
    const addsOwn = this.mergedFrom !== null && this.kind.context.reading.unpushedMergeAdded;
    const own = addsOwn ? [this.head.encoded] : [];
    const plaintexts = [...own, ...[...this.known.values()].map(({ plaintext }) => plaintext)];
    const arrived = this.arrived;
    this.arrived = [];
    if (!plaintexts.some((plaintext) => this.#parseOrNull(plaintext) !== null)) return;
    const { message, merged } = resolve(plaintexts, this.kind.context);
    const before = this.head;
    this.head = parseMessage(message, this.kind.context);
    const staysUnpushed = addsOwn && !merged && identityOf(this.head) === identityOf(before);
    if (!staysUnpushed) this.mergedFrom = merged ? plaintexts : null;
    if (!merged && this.kind.context.reading.headFormByPlace) this.#takeByPlace(before, arrived);
    if (this.change !== null) this.#rebase(this.change);
  }

  /**
   * Takes the stored form at the place of the new head for that of the head. The place counts only
   * valid messages, in a list that begins with the head before (CM-E69).
   */
  #takeByPlace(before, arrived) {
    const listed = arrived.map(({ plaintext, form }) => ({
      message: this.#parseOrNull(plaintext),
      form,
    }));
    if (before !== null) listed.unshift({ message: before, form: null });
    const valid = listed.filter(({ message }) => message !== null);
    const place = valid.findIndex(({ message }) => identityOf(message) === identityOf(this.head));
    if (place === -1) return;
    const { form } = listed[place];
    if (form !== null) this.takenForHead.push(form);
  }

  /** Repeats an edit on the data of a new head. */
  #rebase({ before, after }) {
    const { reading } = this.kind.context;
    const data = copyData(this.headData);
    applyDiff(data, makeDiff(before, after), after, reading);
    prune(data);
    this.edit(data);
  }

  /** @param {Map<string, any>} data  the whole data that the application now has */
  edit(data) {
    const before = this.headData;
    this.change = equalData(before, data) ? null : { before, after: data };
  }

  /** @param {Swarm} swarm */
  push(swarm) {
    const plaintext = this.#messageToPush();
    if (plaintext === null) return;
    const { key, domain, context } = this.kind;
    const message = parseMessage(plaintext, context);
    const form = encrypt(plaintext, key, domain, context.reading);
    swarm.store(form);
    for (const obsolete of this.#obsoleteBeside(message)) swarm.delete(obsolete);
    for (const taken of this.takenForHead) swarm.delete(taken);
    this.takenForHead = [];
    this.#know(plaintext, form);
    this.head = message;
    this.mergedFrom = null;
    this.change = null;
  }

  #messageToPush() {
    const { context } = this.kind;
    if (this.change === null) return this.mergedFrom === null ? null : this.head.encoded;
    if (this.head === null) {
      checkCanUpdate(context);
      return this.#seesOnlyUnreadable() ? null : update([], this.change.after, context);
    }
    return update(this.mergedFrom ?? [this.head.encoded], this.change.after, context);
  }

  /** Whether the client fetched something and has no valid message. */
  #seesOnlyUnreadable() {
    if (!this.hasFetched) return false;
    return [...this.known.values()].every((it) => this.#parseOrNull(it.plaintext) === null);
  }

  /** The stored forms of the known messages that a new message makes obsolete. */
  #obsoleteBeside(message) {
    const included = new Set(message.rows.map(identityOf));
    return [...this.known.values()].flatMap(({ plaintext, forms }) => {
      const other = this.#parseOrNull(plaintext);
      if (other === null) return [];
      const stale = other.seqno <= message.seqno - this.kind.context.window;
      return stale || included.has(identityOf(other)) ? [...forms.values()] : [];
    });
  }

  /** @returns {boolean} whether the stored form is new to this client */
  #know(plaintext, form) {
    const name = toHex(plaintext);
    if (!this.known.has(name)) this.known.set(name, { plaintext, forms: new Map() });
    const { forms } = this.known.get(name);
    const isNew = !forms.has(toHex(form));
    forms.set(toHex(form), form);
    return isNew;
  }

  #parseOrNull(plaintext) {
    return orNull(() => parseMessage(plaintext, this.kind.context));
  }
}

function orNull(compute) {
  try {
    return compute();
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
