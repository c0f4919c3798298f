/**
 * The playground of config merge.
 */
import { copiesOf } from '../common/copies.js';
import { play } from '../common/page.js';
import { ask } from '../common/port.js';
import { EXAMPLES } from './examples.js';
import { played } from './play.js';
import { check, fromVector, inputOf, isScenario } from './state.js';
import { view } from './view.js';

/** The whole play if the suite has an operation for it; else the last resolution. */
function copies(state) {
  const question = isScenario(state)
    ? { operation: 'config-merge/scenario', clauses: ['CM-CLIENT-RESOLVE'], input: inputOf(state) }
    : lastResolution(state);
  if (question === null) return [];
  const answer = ask(question.operation, question.input, state.reading);
  if ('error' in answer) return [];
  const summary = 'A state of the playground.';
  return copiesOf('config-merge', { ...question, summary }, state.reading, answer);
}

function lastResolution(state) {
  const game = played(state);
  if ('refused' in game) return null;
  const event = game.events.findLast(({ input }) => input !== undefined);
  return event === undefined ? null : { operation: 'config-merge/resolve', clauses: ['CM-RESOLVE-ORDER'], input: event.input };
}

void play({ system: 'config-merge', examples: EXAMPLES, check, fromVector, view, copies });
