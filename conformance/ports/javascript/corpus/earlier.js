/**
 * The results of earlier runs. If the sources are the same, a mutant stays killed as long as the
 * vector that killed it is the same, and a survivor is asked the new vectors only. In all other
 * cases, the vectors that killed the mutant, or others of its file, are asked first: a vector that
 * killed one mutant is likely to kill the next.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { sourcesOf } from './instrument.js';

/** How many vectors that killed other mutants of a file are asked first. */
const RECENT = 40;
/** Parts of a conversation that are no vectors, and are always the same. */
const CONVERSATION = 'protocol/';

export class Earlier {
  #path;
  #cases;
  /** A digest of each case. @type {string[]} */
  #digests;
  /** The IDs of vectors, each with the digests of its cases. @type {Map<string, string[]>} */
  #vectors = new Map();
  /** IDs of vectors that may be asked first: those of the tier `random` are asked last. */
  #usable;
  /** Digests of sources. By folder; an empty text stands for the files that every system executes. */
  #sources = new Map();
  /**
   * By file: a digest of the sources, the digests of the cases, and the mutants with their fates.
   *
   * @type {Map<string, {sources: string, asked: string[], judged: object[]}>}
   */
  #byFile;
  /** What is still right: the fates of mutants, and what they were asked. @type {Map<string, object>} */
  #known = new Map();
  /** The last killer of each mutant, as an ID of a vector. @type {Map<string, string>} */
  #killers = new Map();
  /** The killers of each file, the last one first. @type {Map<string, string[]>} */
  #recent = new Map();

  /** @param {string} path  of a JSON file, which may be missing @param {import('./cases.js').Case[]} cases */
  constructor(path, cases) {
    this.#path = path;
    this.#cases = cases;
    this.#digests = cases.map(digestOf);
    cases.forEach(({ id }, number) => {
      this.#vectors.set(id, [...(this.#vectors.get(id) ?? []), this.#digests[number]]);
    });
    this.#usable = new Set(cases.filter(({ tier }) => tier !== 'random').map(({ id }) => id));
    this.#byFile = new Map(existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : []);
    for (const [file, { sources, asked, judged }] of this.#byFile) {
      judged.forEach((it) => this.#keepKiller(it));
      if (sources === this.#sourcesOf(file)) this.#know(judged, new Set(asked));
    }
  }

  #know(judged, asked) {
    const isSame = (id) =>
      id.startsWith(CONVERSATION) || this.#vectors.get(id)?.every((it) => asked.has(it));
    for (const { killedBy = [], ...mutant } of judged) {
      const { status, statusReason } = mutant;
      const fate = { status, killedBy: killedBy.filter(isSame) };
      if (fate.killedBy.length > 0) this.#known.set(nameOf(mutant), { fate, asked });
      else if (killedBy.length === 0 && !statusReason) this.#known.set(nameOf(mutant), { asked });
    }
  }

  /** @returns {{status: string, killedBy: string[]} | null} if the mutant is still killed */
  killed(mutant) {
    return this.#known.get(nameOf(mutant))?.fate ?? null;
  }

  /** @param {string} file @returns {object[] | undefined} mutants with their fates in the last run */
  resultOf(file) {
    return this.#byFile.get(file)?.judged;
  }

  /** @param {string} file @returns {boolean} whether the result of the last run is still right */
  isCurrent(file) {
    const numbers = [...this.#cases.keys()].filter((it) => isPart(this.#cases[it].topic, folderOf(file)));
    const isDone = (it) =>
      this.killed(it) || (this.#known.has(nameOf(it)) && this.#unasked(it, numbers).length === 0);
    return this.resultOf(file)?.every(isDone) ?? false;
  }

  /** Keeps the result of a file. @param {object[]} judged  mutants with their fates */
  keep(file, judged) {
    const result = { sources: this.#sourcesOf(file), asked: this.#digests, judged };
    this.#byFile.set(file, result);
    this.#know(judged, new Set(this.#digests));
    writeFileSync(this.#path, JSON.stringify([...this.#byFile]));
  }

  /** A digest of all that can change a fate besides the vectors: no system executes another one. */
  #sourcesOf(file) {
    const folder = folderOf(file);
    if (!this.#sources.has(folder)) {
      const scripts = readdirSync('corpus').map((name) => `corpus/${name}`);
      const sources = sourcesOf('.').filter((path) => isPart(path, folder));
      const paths = ['package.json', ...scripts.sort(), ...sources];
      this.#sources.set(folder, digestOf(paths.map((path) => [path, readFileSync(path, 'utf8')])));
    }
    return this.#sources.get(folder);
  }

  /** @returns {number[]} the cases to ask, likely killers first and the tier `random` last */
  toAsk(mutant, numbers) {
    const likely = [this.#killers.get(nameOf(mutant)), ...(this.#recent.get(mutant.file) ?? [])];
    const rank = new Map(likely.map((id, place) => [id, place]).reverse());
    const isLikely = (number) => rank.has(this.#cases[number].id);
    const unasked = this.#unasked(mutant, numbers);
    const early = unasked.filter(isLikely);
    early.sort((left, right) => rank.get(this.#cases[left].id) - rank.get(this.#cases[right].id));
    return [...early, ...unasked.filter((number) => !isLikely(number))];
  }

  #unasked(mutant, numbers) {
    const asked = this.#known.get(nameOf(mutant))?.asked;
    return asked ? numbers.filter((number) => !asked.has(this.#digests[number])) : numbers;
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

/** The system of a file or a topic; an empty text for the files that every system executes. */
const folderOf = (path) => (path.includes('/') ? path.split('/')[0] : '');

const isPart = (path, folder) => !folder || !path.includes('/') || folderOf(path) === folder;

const digestOf = (value) =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64').slice(0, 22);

/** The place and the text of a change; after an edit of the file it may name another mutant. */
const nameOf = ({ file, mutatorName, replacement, location: { start, end } }) =>
  [file, start.line, start.column, end.line, end.column, mutatorName, replacement].join(' ');
