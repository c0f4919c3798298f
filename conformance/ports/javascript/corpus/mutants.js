#!/usr/bin/env node
/**
 * Runs Stryker's mutants of the port with the corpus as their only test, one at a time.
 *
 *     node corpus/mutants.js [FILE ...]
 *
 * A first run of the corpus records which mutants each vector reaches. After that, each mutant is
 * switched on in turn, and the vectors that reach it are asked until one gets a wrong answer: those
 * of tier `core` first, the `random` ones last. The report `mutation.json` has the form of
 * Stryker's own. It is written to the current folder, and a copy of the port to `instrumented/`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCases } from './cases.js';
import { PROGRAM, converse } from './conversation.js';
import { instrument, sourcesOf } from './instrument.js';
import { Thread } from './thread.js';

/**
 * A vector may execute a mutant 100 times as often as any vector executes the unchanged code. One
 * that needs more is endless for practical purposes.
 */
const HITS_FACTOR = 100;
const FEWEST_HITS = 100_000;
/** Seconds after which a conversation of the whole corpus counts as hanging. */
const CONVERSATION = 300;

const FOLDER = 'instrumented';

/** Runs mutants in threads. A thread serves until a mutant hangs, or changes what others see. */
class Run {
  #thread = null;

  constructor(cases, size, { reached, hits, loaded }) {
    Object.assign(this, { cases, size, reached, hits, loaded });
  }

  /** Records what the corpus reaches. @returns {Promise<Run>} */
  static async ofCorpus(cases, size) {
    const recorder = new Thread(FOLDER, cases, size);
    const covered = await recorder.ask({ cover: true }, Infinity);
    await recorder.end();
    if (covered.failed) throw new Error(covered.failed);
    return new Run(cases, size, covered);
  }

  /** @returns {Promise<object>} status and killers, as the report shows them */
  async fateOf({ id, file }) {
    if (this.loaded[id]) return this.#fateOfLoaded(id, file);
    const numbers = this.reached[id];
    if (numbers.length === 0) return { status: 'NoCoverage' };
    const limit = Math.max(HITS_FACTOR * this.hits[id], FEWEST_HITS);
    const message = { mutant: id, numbers, limit };
    let answer = await this.#ask(message);
    if (answer.harmed) {
      await this.end();
      answer = await this.#ask(message);
    }
    if (answer.harmed || answer.failed) await this.end();
    return fate(answer);
  }

  /** A mutant of code that runs when the port is loaded needs a thread of its own. */
  async #fateOfLoaded(id, file) {
    const [folder] = file.split('/');
    const numbers = [...this.cases.keys()].filter(
      (it) => folder === file || this.cases[it].topic.startsWith(`${folder}/`),
    );
    const thread = new Thread(FOLDER, this.cases, this.size, id);
    const answer = await thread.ask({ mutant: id, numbers, limit: Infinity });
    await thread.end();
    return fate(answer);
  }

  #ask(message) {
    this.#thread ??= new Thread(FOLDER, this.cases, this.size);
    return this.#thread.ask(message);
  }

  async end() {
    await this.#thread?.end();
    this.#thread = null;
  }
}

function fate({ failed, endless, killedBy }) {
  if (endless) return { status: 'Timeout', killedBy };
  if (failed) return { status: 'Killed', statusReason: failed };
  return killedBy.length > 0 ? { status: 'Killed', killedBy } : { status: 'Survived' };
}

/** The mutants of files that every operation may execute. @returns {Promise<object[]>} */
async function inThreads(files, cases) {
  const mutants = await instrument('.', files, FOLDER);
  if (mutants.length === 0) return [];
  const run = await Run.ofCorpus(cases, Number(mutants.at(-1).id) + 1);
  const judged = [];
  for (const mutant of mutants) judged.push({ ...mutant, ...(await run.fateOf(mutant)) });
  await run.end();
  return judged;
}

/** The mutants of files that only an adapter executes. @returns {Promise<object[]>} */
async function inConversations(files, cases) {
  const mutants = await instrument('.', files, FOLDER);
  const ask = (id) => converse(join(FOLDER, 'adapter.js'), cases, id, CONVERSATION);
  const unchanged = fate(await ask());
  if (unchanged.status !== 'Survived') throw new Error(`the port is wrong: ${unchanged.killedBy}`);
  const judged = [];
  for (const mutant of mutants) judged.push({ ...mutant, ...fate(await ask(mutant.id)) });
  return judged;
}

async function main(chosen) {
  const cases = readCases();
  const isProgram = (file) => PROGRAM.includes(file);
  const judged = [
    ...(await inThreads(chosen.filter((it) => !isProgram(it)), cases)),
    ...(chosen.some(isProgram) ? await inConversations(chosen.filter(isProgram), cases) : []),
  ];
  const files = chosen.map((name) => [
    name,
    {
      source: readFileSync(name, 'utf8'),
      mutants: judged.filter(({ file }) => file === name).map(({ file, ...rest }) => rest),
    },
  ]);
  writeFileSync('mutation.json', JSON.stringify({ files: Object.fromEntries(files) }));
}

const given = process.argv.slice(2);
await main(given.length > 0 ? given : sourcesOf('.'));
