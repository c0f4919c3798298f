/**
 * The state of a page with everything that can be undone. States are never changed, only replaced.
 *
 * @template State
 */
export class Store {
  /** @param {State} state */
  constructor(state) {
    this.state = state;
    /** @type {{state: State, done: string}[]} */
    this.past = [];
    /** @type {{state: State, done: string}[]} */
    this.future = [];
  }

  /** Replaces the state. @param {State} state @param {string} done  what the user did */
  to(state, done) {
    this.past.push({ state: this.state, done });
    this.future = [];
    this.state = state;
  }

  /** @returns {string | null} what was undone */
  undo() {
    return this.#move(this.past, this.future);
  }

  /** @returns {string | null} what was done again */
  redo() {
    return this.#move(this.future, this.past);
  }

  #move(from, onto) {
    const step = from.pop();
    if (step === undefined) return null;
    onto.push({ state: this.state, done: step.done });
    this.state = step.state;
    return step.done;
  }
}
