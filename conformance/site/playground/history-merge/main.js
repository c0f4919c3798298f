/**
 * The playground of history merge.
 */
import { copiesOf } from '../common/copies.js';
import { play } from '../common/page.js';
import { ask } from '../common/port.js';
import { EXAMPLES } from './examples.js';
import { paragraph } from './notation.js';
import { check, fromVector, inputOf } from './state.js';
import { view } from './view.js';

function copies(state) {
  const operation = 'history-merge/merge';
  const input = inputOf(state);
  const answer = ask(operation, input, state.reading);
  const vector = { operation, clauses: ['HM-MERGE-FOLD'], summary: 'A state of the playground.', input };
  const copies = copiesOf('history-merge', vector, state.reading, answer);
  if ('refused' in answer) return copies; // a paragraph would need a question that is not refused
  return [
    ...copies,
    {
      name: 'paragraph',
      hint: 'Save it as paragraph.txt. In a checkout, add it to the corpus: rejoin vectors add history-merge/two-branches < paragraph.txt',
      text: paragraph(state, answer),
    },
  ];
}

void play({ system: 'history-merge', examples: EXAMPLES, check, fromVector, view, copies });
