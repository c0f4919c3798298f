/**
 * The messages that a session accepts, and the session's memory.
 */
import { completeMerger } from './complete-algorithm.js';
import { settingOf } from './merger.js';
import { History } from './partial-orders.js';

export class Session {
  /** @param {import('./three-way-merge.js').StateType} type */
  constructor(type) {
    this.history = new History();
    this.merger = completeMerger(settingOf(this.history, type));
  }

  /** @param {import('./partial-orders.js').Node} message  refused without a trace, or accepted */
  accept(message) {
    this.merger.merge(this.history.numbersOf(message.parents, 'unknown-parent'));
    this.history.add(message);
  }

  /** The state of the session: the merge of its heads. */
  members() {
    return this.merger.merge([...this.history.heads]);
  }
}
