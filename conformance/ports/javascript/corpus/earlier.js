/**
 * The results of earlier runs. A file whose mutants were run with the same sources and vectors keeps
 * its result. For all other mutants, the vectors that killed them, or others of the file, are asked
 * first: a vector that killed one mutant is likely to kill the next.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { sourcesOf } from './instrument.js';

/** How many vectors that killed other mutants of a file are asked first. */
const RECENT = 40;

export class Earlier {
  #path;
  #cases;
  /** IDs of vectors that may be asked first: those of the tier `random` are asked last. */
  #usable;
  /** By folder; an empty text stands for the files that every system executes. */
  #digests = new Map();
  /** @type {Map<string, {digest: string, judged: object[]}>} */
  #byFile;
  /** The last killer of each mutant, as an ID of a vector. @type {Map<string, string>} */
  #killers = new Map();
  /** The killers of each file, the last one first. @type {Map<string, string[]>} */
  #recent = new Map();

  /** @param {string} path  of a JSON file, which may be missing @param {import('./cases.js').Case[]} cases */
  constructor(path, cases) {
    this.#path = path;
    this.#cases = cases;
    this.#usable = new Set(cases.filter(({ tier }) => tier !== 'random').map(({ id }) => id));
    this.#byFile = new Map(existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : []);
    for (const { judged } of this.#byFile.values()) judged.forEach((it) => this.#keepKiller(it));
  }

  /** @param {string} file @returns {object[] | null} mutants with their fates, if nothing changed */
  resultOf(file) {
    const { digest, judged } = this.#byFile.get(file) ?? {};
    return digest !== undefined && digest === this.#digestOf(file) ? judged : null;
  }

  /** Keeps the result of a file. @param {object[]} judged  mutants with their fates */
  keep(file, judged) {
    this.#byFile.set(file, { digest: this.#digestOf(file), judged });
    writeFileSync(this.#path, JSON.stringify([...this.#byFile]));
  }

  #digestOf(file) {
    const folder = file.includes('/') ? file.split('/')[0] : '';
    if (!this.#digests.has(folder)) this.#digests.set(folder, this.#digestOfFolder(folder));
    return this.#digests.get(folder);
  }

  /** Covers all that can change a fate: no system executes the folder of another one. */
  #digestOfFolder(folder) {
    const isPart = (path) => !folder || !path.includes('/') || path.startsWith(`${folder}/`);
    const scripts = readdirSync('corpus').map((name) => `corpus/${name}`);
    const hash = createHash('sha256');
    for (const path of ['package.json', ...scripts.sort(), ...sourcesOf('.').filter(isPart)]) {
      hash.update(`${path}\n${readFileSync(path, 'utf8')}\n`);
    }
    for (const { id, topic, tier, reading, request, expected } of this.#cases) {
      if (isPart(topic)) hash.update(JSON.stringify([id, tier, reading, request, expected]));
    }
    return hash.digest('hex');
  }

  /** @returns {number[]} the numbers of the cases, likely killers first and the tier `random` last */
  first(mutant, numbers) {
    const likely = [this.#killers.get(nameOf(mutant)), ...(this.#recent.get(mutant.file) ?? [])];
    const rank = new Map(likely.map((id, place) => [id, place]).reverse());
    const isLikely = (number) => rank.has(this.#cases[number].id);
    const early = numbers.filter(isLikely);
    early.sort((left, right) => rank.get(this.#cases[left].id) - rank.get(this.#cases[right].id));
    return [...early, ...numbers.filter((number) => !isLikely(number))];
  }

  /** Notes what killed a mutant of this run. */
  note(judged) {
    const id = this.#keepKiller(judged);
    if (id === undefined) return;
    const others = (this.#recent.get(judged.file) ?? []).filter((it) => it !== id);
    this.#recent.set(judged.file, [id, ...others].slice(0, RECENT));
  }

  #keepKiller({ killedBy = [], ...mutant }) {
    const id = killedBy.find((it) => this.#usable.has(it));
    if (id !== undefined) this.#killers.set(nameOf(mutant), id);
    return id;
  }
}

/** The place and the text of a change; after an edit of the file it may name another mutant. */
const nameOf = ({ file, mutatorName, replacement, location: { start } }) =>
  [file, start.line, start.column, mutatorName, replacement].join(' ');
