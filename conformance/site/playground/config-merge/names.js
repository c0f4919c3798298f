/**
 * The messages of a play, and their names: the seqno, with a letter if several have it. Letters
 * ascend with the hashes, as in the document. A merge that nobody pushed has no letter. An example
 * can give messages other names.
 *
 * @typedef {object} Named
 * @property {string} name
 * @property {string} hash
 * @property {bigint} seqno
 * @property {string} plaintext  in hex
 * @property {import('../../../ports/javascript/config-merge/messages.js').Message} message
 */
import { toHex } from '../../../ports/javascript/bytes.js';
import { grouped } from '../common/grouped.js';
import { messageOf } from './play.js';

export class Names {
  /**
   * @param {import('./state.js').State} state
   * @param {{worlds: object[], events: object[]}} game
   * @param {Record<string, string>} [given]  hash -> name
   */
  constructor(state, { worlds, events }, given = {}) {
    const clients = worlds.flatMap((world) => Object.values(world.clients));
    const published = new Set([
      ...clients.flatMap(({ known }) => known),
      ...worlds.flatMap(({ stored }) => stored.flatMap(({ plaintext }) => plaintext ?? [])),
      ...events.flatMap(({ asked }) => asked ?? []),
    ]);
    const read = (plaintext) => {
      const message = messageOf(plaintext, state);
      return message === null ? [] : [{ plaintext, message, seqno: message.seqno, hash: toHex(message.hash) }];
    };
    const known = [...published].flatMap(read);
    const unpublished = [...new Set(clients.flatMap(({ head }) => head ?? []))].filter((it) => !published.has(it)).flatMap(read);
    this.names = namesOf([...known, ...known.flatMap(({ message }) => message.rows.map((row) => ({ seqno: row.seqno, hash: toHex(row.hash) })))], given);
    for (const { hash, seqno } of unpublished) this.names.set(hash, `${seqno}, not pushed`);
    /** @type {Map<string, Named>} by hash */
    this.byHash = new Map([...known, ...unpublished].map((each) => [each.hash, { ...each, name: this.names.get(each.hash) }]));
    this.byPlaintext = new Map([...this.byHash.values()].map((each) => [each.plaintext, each]));
  }

  /** @returns {string} the name of a message or row */
  of({ seqno, hash }) {
    return this.names.get(hash) ?? `(${seqno} ${hash.slice(0, 8)})`;
  }

  /** @returns {string} the name of the message with this hash */
  ofHash(hash) {
    return this.names.get(hash) ?? hash.slice(0, 8);
  }

  /** @returns {string} */
  ofPlaintext(plaintext) {
    return this.byPlaintext.get(plaintext)?.name ?? 'an invalid message';
  }

  /**
   * @param {string} hash
   * @returns {string[]} the hashes of the messages that a message directly follows: its rows, without
   *   those that another of its rows has among its own
   */
  parents(hash) {
    const rows = this.byHash.get(hash).message.rows.map((row) => toHex(row.hash)).filter((it) => this.byHash.has(it));
    const further = new Set(rows.flatMap((it) => this.byHash.get(it).message.rows.map((row) => toHex(row.hash))));
    return rows.filter((it) => !further.has(it));
  }
}

/** @param {{seqno: bigint, hash: string}[]} all @returns {Map<string, string>} hash -> name */
function namesOf(all, given) {
  const taken = new Set(Object.values(given));
  const names = new Map();
  for (const [seqno, some] of grouped(all, (each) => each.seqno)) {
    const hashes = [...new Set(some.map(({ hash }) => hash))].sort();
    const free = hashes.map((_, i) => (hashes.length === 1 ? String(seqno) : `${seqno}${letters(i)}`)).filter((name) => !taken.has(name));
    for (const hash of hashes) names.set(hash, given[hash] ?? free.shift());
  }
  return names;
}

const letters = (i) => (i < 26 ? String.fromCharCode(97 + i) : `${letters(Math.floor(i / 26) - 1)}${letters(i % 26)}`);
