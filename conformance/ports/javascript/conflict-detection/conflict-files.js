/**
 * The conflicting versions of one file that a client holds.
 *
 * @typedef {object} Conflict
 * @property {Set<string>} nicknames  clients that were last seen to have the version
 * @property {any} version
 * @property {string | null} content  of the conflict file, which the user may change; null: no file
 */
import { refuse } from '../refusal.js';
import { MARK } from './definitions.js';
import { compareTexts } from './texts.js';

/** @param {string} path @returns {[string, string] | null} the file and the text after the mark */
export function splitConflictName(path) {
  const at = path.indexOf(MARK);
  return at === -1 ? null : [path.slice(0, at), path.slice(at + MARK.length)];
}

const suffixOf = ({ nicknames }) => [...nicknames].sort(compareTexts).join();

export class ConflictFiles {
  /** @param {import('./designs.js').SnapshotDesign | import('./designs.js').MapDesign} design */
  constructor(design) {
    this.design = design;
    /** @type {Conflict[]} */
    this.held = [];
  }

  /** @returns {[string, string][]} name and content of each conflict file */
  files(path) {
    return this.held
      .filter(({ content }) => content !== null)
      .map((conflict) => [`${path}${MARK}${suffixOf(conflict)}`, conflict.content]);
  }

  /** @returns {Conflict | undefined} */
  of(nickname) {
    return this.held.find(({ nicknames }) => nicknames.has(nickname));
  }

  /** @param {string} suffix  of a file's name @returns {Conflict} */
  named(suffix) {
    const found = this.held.find((it) => it.content !== null && suffixOf(it) === suffix);
    return found ?? refuse('no-file', 'no such conflict file');
  }

  /** Whether there is a file with the version of a client, or one that it can share. */
  hasFile(nickname, version) {
    const conflict = this.of(nickname);
    if (conflict !== undefined && this.design.isSame(conflict.version, version)) {
      return conflict.content !== null;
    }
    const shared = this.design.conflictFilePerVersion ? this.#ofVersion(version) : undefined;
    return shared !== undefined && shared.content !== null;
  }

  clone() {
    const copy = new ConflictFiles(this.design);
    copy.held = this.held.map((it) => ({ ...it, nicknames: new Set(it.nicknames) }));
    return copy;
  }

  /** Holds a version of a client, instead of its previous one. */
  hold(nickname, version, content) {
    const before = this.of(nickname);
    if (before !== undefined && this.design.isSame(before.version, version)) {
      before.content ??= content;
      return;
    }
    this.release(nickname);
    const shared = this.design.conflictFilePerVersion ? this.#ofVersion(version) : undefined;
    if (shared !== undefined) {
      shared.nicknames.add(nickname);
      shared.content ??= content;
    } else this.held.push({ nicknames: new Set([nickname]), version, content });
  }

  /** Removes the version of this client. */
  release(nickname) {
    for (const { nicknames } of this.held) nicknames.delete(nickname);
    this.held = this.held.filter(({ nicknames }) => nicknames.size > 0);
  }

  /** @param {Set<Conflict>} conflicts */
  remove(conflicts) {
    this.held = this.held.filter((conflict) => !conflicts.has(conflict));
  }

  /** Removes every held version that a version equals or follows. The cache shows what it follows. */
  releaseFollowedBy(current, cache) {
    const { design } = this;
    this.held = this.held.filter(
      ({ version }) => !design.isSame(current, version) && !design.follows(current, version, cache),
    );
  }

  #ofVersion(version) {
    return this.held.find((conflict) => this.design.isSame(conflict.version, version));
  }
}
