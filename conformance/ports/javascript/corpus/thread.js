/**
 * The thread of worker.js, seen from the main thread, which can end it if a mutant never returns.
 */
import { Worker } from 'node:worker_threads';

/** Seconds of processor time after which a request without an answer counts as wrongly answered. */
const SECONDS = 15;
/** Seconds between two looks at the thread. */
const LOOK = 0.25;
const MEGABYTES = 2_000;

const processorSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

export class Thread {
  #progress = new Int32Array(new SharedArrayBuffer(4));
  #worker;

  /**
   * @param {string} folder  of the instrumented port
   * @param {import('./cases.js').Case[]} cases
   * @param {number} size  the number of mutants, with those that are left out
   * @param {string} [active]  a mutant that is switched on before the port is loaded
   */
  constructor(folder, cases, size, active) {
    this.#worker = new Worker(new URL('worker.js', import.meta.url), {
      workerData: { folder, cases, size, progress: this.#progress, active },
      resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
    });
  }

  /**
   * @param {object} message
   * @param {number} [seconds]  of processor time for each request
   * @returns {Promise<object>} the answer, or `{failed}` if the thread has hung or ended
   */
  ask(message, seconds = SECONDS) {
    return new Promise((resolve) => {
      const worker = this.#worker;
      const done = (answer) => {
        clearInterval(watch);
        worker.off('message', done).off('error', fail);
        resolve(answer);
      };
      const fail = (error) => done({ failed: String(error?.stack ?? error) });
      let seen = -1;
      let since = 0;
      const watch = setInterval(() => {
        const moves = this.#progress[0] !== seen;
        [seen, since] = [this.#progress[0], moves ? processorSeconds() : since];
        if (processorSeconds() - since > seconds) done({ failed: 'no answer', endless: true });
      }, LOOK * 1000);
      worker.on('message', done).on('error', fail);
      worker.postMessage(message);
    });
  }

  end() {
    return this.#worker.terminate();
  }
}
