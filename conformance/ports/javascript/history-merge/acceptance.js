/**
 * The messages that a session accepts, and the session's memory.
 */
import { completeMerger } from './complete-algorithm.js';
import { HeadsFold } from './heads-fold.js';
import { settingOf } from './merger.js';
import { History } from './partial-orders.js';

export class Session {
  /** @param {import('./three-way-merge.js').StateType} type */
  constructor(type) {
    this.history = new History();
    this.merger = completeMerger(settingOf(this.history, type));
    this.heads = new HeadsFold(this.history, type, this.merger);
  }

  /** @param {import('./partial-orders.js').Node} message  refused without a trace, or accepted */
  accept(message) {
    this.merger.merge(this.history.numbersOf(message.parents, 'unknown-parent'));
    this.heads.add(this.history.add(message));
  }

  /** The state of the session: the merge of its heads. */
  members() {
    return this.heads.merged();
  }
}
