/**
 * The playground of conflict detection.
 */
import { copiesOf } from '../common/copies.js';
import { play } from '../common/page.js';
import { ask } from '../common/port.js';
import { EXAMPLES } from './examples.js';
import { canWrite, paragraph } from './notation.js';
import { played } from './play.js';
import { check, fromVector, inputOf } from './state.js';
import { view } from './view.js';

function copies(state) {
  const operation = 'conflict-detection/scenario';
  const input = inputOf(state);
  const answer = ask(operation, input, state.reading);
  const vector = { operation, clauses: ['CD-POLL-SUBSCRIBED'], summary: 'A state of the playground.', input };
  const copies = copiesOf('conflict-detection', vector, state.reading, answer);
  if ('refused' in answer || !canWrite(state)) return copies;
  return [
    ...copies,
    {
      name: 'paragraph',
      hint: 'Save it as paragraph.txt. In a checkout, add it to the corpus: rejoin vectors add conflict-detection/resolution < paragraph.txt',
      text: paragraph(state, played(state)),
    },
  ];
}

void play({ system: 'conflict-detection', examples: EXAMPLES, check, fromVector, view, copies });
