/**
 * What Stryker needs of this port: a test runner that asks the corpus in its own process, and a rule
 * for texts that are not results.
 *
 * A test is a topic of the corpus. A run asks the vectors of the topics that execute the mutant, and
 * stops at the first wrong answer. The environment variable REJOIN_SYSTEM chooses one system.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PluginKind, declareClassPlugin, declareValuePlugin } from '@stryker-mutator/api/plugin';
import {
  DryRunStatus,
  MutantRunStatus,
  TestStatus,
  determineHitLimitReached,
} from '@stryker-mutator/api/test-runner';
import { answerOf, readCases } from './cases.js';

/**
 * Stryker allows a run 100 times as many executions of a mutant as the whole corpus needs. One vector
 * that needs as many as the whole corpus is endless for practical purposes.
 */
const HITS_FACTOR = 100;
const FEWEST_HITS = 100_000;

/** The object through which Stryker switches mutants and records what is executed. */
const switches = (globalThis.__stryker__ ??= {});

class CorpusRunner {
  static inject = [];

  #cases = readCases(process.env.REJOIN_SYSTEM);
  #port = null;

  /** Modules of Node are loaded once, so Stryker starts a process for each static mutant. */
  capabilities() {
    return { reloadEnvironment: false };
  }

  async dryRun() {
    await this.#load();
    const tests = [];
    for (const topic of new Set(this.#cases.map((it) => it.topic))) {
      const start = performance.now();
      switches.currentTestId = topic;
      const wrong = this.#firstWrong(this.#cases.filter((it) => it.topic === topic));
      const result = { id: topic, name: topic, timeSpentMs: performance.now() - start };
      tests.push(
        wrong
          ? { ...result, status: TestStatus.Failed, failureMessage: wrong.id }
          : { ...result, status: TestStatus.Success },
      );
    }
    switches.currentTestId = undefined;
    return { status: DryRunStatus.Complete, tests, mutantCoverage: switches.mutantCoverage };
  }

  async mutantRun({ activeMutant, mutantActivation, testFilter, hitLimit }) {
    if (mutantActivation === 'static') switches.activeMutant = activeMutant.id;
    await this.#load();
    switches.hitLimit = hitLimit && Math.max(hitLimit / HITS_FACTOR, FEWEST_HITS);
    switches.activeMutant = activeMutant.id;
    const asked = testFilter
      ? this.#cases.filter(({ topic }) => testFilter.includes(topic))
      : this.#cases;
    const wrong = this.#firstWrong(asked);
    const endless = determineHitLimitReached(switches.hitCount, switches.hitLimit);
    switches.activeMutant = undefined;
    switches.hitLimit = undefined;
    switches.hitCount = undefined;
    if (endless) return endless;
    if (!wrong) return { status: MutantRunStatus.Survived, nrOfTests: asked.length };
    this.#checkUnharmed(wrong, mutantActivation);
    return {
      status: MutantRunStatus.Killed,
      killedBy: [wrong.topic],
      failureMessage: wrong.id,
      nrOfTests: asked.length,
    };
  }

  /** The port, from the copy in which Stryker runs. */
  async #load() {
    this.#port ??= await import(pathToFileURL(resolve('protocol.js')).href);
  }

  #firstWrong(cases) {
    return cases.find((it) => {
      switches.hitCount = switches.hitLimit && 0;
      return !this.#isRight(it);
    });
  }

  #isRight({ request, expected }) {
    try {
      return answerOf(this.#port.replyTo(this.#port.readRequest(request))) === expected;
    } catch {
      return false;
    }
  }

  /** Ends the process if a mutant has changed shared values: the next mutant starts in a new one. */
  #checkUnharmed(wrong, mutantActivation) {
    if (mutantActivation === 'runtime' && !this.#isRight(wrong)) process.exit(1);
  }
}

/** Calls whose arguments are codes and texts of refusals and errors, which no vector compares. */
const REASONS = new Set(['refuse', 'Refusal', 'BadRequest', 'BrokenConversation']);

const reasons = {
  shouldIgnore({ node }) {
    const isCall = node.type === 'CallExpression' || node.type === 'NewExpression';
    return isCall && REASONS.has(node.callee.name) ? 'codes and texts are not compared' : undefined;
  },
};

export const strykerPlugins = [
  declareClassPlugin(PluginKind.TestRunner, 'corpus', CorpusRunner),
  declareValuePlugin(PluginKind.Ignore, 'reasons', reasons),
];
