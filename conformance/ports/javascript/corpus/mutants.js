#!/usr/bin/env node
/**
 * Runs Stryker's mutants of the port with the corpus as their only test, one at a time.
 *
 *     node corpus/mutants.js [FILE ...]
 *
 * A first run of the corpus records which mutants each vector reaches. After that, each mutant is
 * switched on in turn, and the vectors that reach it are asked until one gets a wrong answer: those
 * of tier `core` first, the `random` ones last.
 *
 * The current folder gets `mutation.json`, a report in the form of Stryker's own, a copy of the port
 * in `instrumented/`, and `earlier.json`. The next run takes from there what is still right, so it
 * also goes on where an interrupted run has ended.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCases } from './cases.js';
import { PROGRAM, converse, inEachWay } from './conversation.js';
import { Earlier } from './earlier.js';
import { instrument, sourcesOf } from './instrument.js';
import { Thread } from './thread.js';

/**
 * A vector may execute a mutant 100 times as often as any vector executes the unchanged code. One
 * that needs more is endless for practical purposes.
 */
const HITS_FACTOR = 100;
const FEWEST_HITS = 100_000;
/** Seconds without a line after which a conversation counts as hanging. */
const SILENCE = 30;

const FOLDER = 'instrumented';
const EARLIER = 'earlier.json';

/** Runs mutants in threads. A thread serves until a mutant hangs, or changes what others see. */
class Run {
  #thread = null;

  constructor(cases, size, earlier, { reached, hits, loaded }) {
    Object.assign(this, { cases, size, earlier, reached, hits, loaded });
  }

  /** Records what the corpus reaches. @returns {Promise<Run>} */
  static async ofCorpus(cases, size, earlier) {
    const recorder = new Thread(FOLDER, cases, size);
    const covered = await recorder.ask({ cover: true }, Infinity);
    await recorder.end();
    if (covered.failed) throw new Error(covered.failed);
    return new Run(cases, size, earlier, covered);
  }

  /** @returns {Promise<object>} status and killers, as the report shows them */
  async fateOf(mutant) {
    const { id } = mutant;
    if (this.loaded[id]) return this.#fateOfLoaded(mutant);
    if (this.reached[id].length === 0) return { status: 'NoCoverage' };
    const numbers = this.earlier.toAsk(mutant, this.reached[id]);
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
  async #fateOfLoaded(mutant) {
    const { id, file } = mutant;
    const [folder] = file.split('/');
    const ofFolder = [...this.cases.keys()].filter(
      (it) => folder === file || this.cases[it].topic.startsWith(`${folder}/`),
    );
    const numbers = this.earlier.toAsk(mutant, ofFolder);
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

/**
 * Runs the mutants of files that every operation may execute.
 *
 * @returns {AsyncGenerator<[string, object[]]>} each file and its mutants with their fates
 */
async function* inThreads(files, cases, earlier) {
  if (files.length === 0) return;
  const mutants = await instrument('.', files, FOLDER);
  const size = mutants.reduce((most, { id }) => Math.max(most, Number(id) + 1), 0);
  const run = await Run.ofCorpus(cases, size, earlier);
  for (const file of files) {
    const judged = [];
    for (const mutant of mutants.filter((it) => it.file === file)) {
      judged.push({ ...mutant, ...(earlier.killed(mutant) ?? (await run.fateOf(mutant))) });
      earlier.note(judged.at(-1));
    }
    yield [file, judged];
  }
  await run.end();
}

/** Runs the mutants of files that only an adapter executes; the same result. */
async function* inConversations(files, cases, earlier) {
  if (files.length === 0) return;
  const mutants = await instrument('.', files, FOLDER);
  const ask = (id) => converse(join(FOLDER, 'adapter.js'), cases, id, SILENCE);
  const unchanged = fate(await ask());
  if (unchanged.status !== 'Survived') throw new Error(`the port is wrong: ${unchanged.killedBy}`);
  for (const file of files) {
    const judged = [];
    for (const mutant of mutants.filter((it) => it.file === file)) {
      judged.push({ ...mutant, ...(earlier.killed(mutant) ?? fate(await ask(mutant.id))) });
    }
    yield [file, judged];
  }
}

async function main(chosen) {
  const cases = readCases();
  const earlier = new Earlier(EARLIER, cases);
  const isProgram = (file) => PROGRAM.includes(file);
  const changed = chosen.filter((file) => !earlier.isCurrent(file));
  const runs = [
    inThreads(changed.filter((it) => !isProgram(it)), cases, earlier),
    inConversations(changed.filter(isProgram), inEachWay(cases), earlier),
  ];
  console.error(`${changed.length} of ${chosen.length} files to run`);
  for (const run of runs) {
    for await (const [file, judged] of run) {
      earlier.keep(file, judged);
      report(file, judged);
    }
  }
  writeFileSync('mutation.json', JSON.stringify({ files: Object.fromEntries(chosen.map(entry)) }));

  function entry(name) {
    const mutants = earlier.resultOf(name).map(({ file, ...rest }) => rest);
    return [name, { source: readFileSync(name, 'utf8'), mutants }];
  }
}

function report(file, judged) {
  const alive = judged.filter(({ status }) => ['Survived', 'NoCoverage'].includes(status));
  const seconds = Math.round(performance.now() / 1000);
  console.error(`${file}: ${judged.length} mutants, ${alive.length} survive, ${seconds} s so far`);
}

const given = process.argv.slice(2);
await main(given.length > 0 ? given : sourcesOf('.'));
