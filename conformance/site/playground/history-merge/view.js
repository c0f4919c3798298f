/**
 * The page of history merge.
 */
import { button, h, labelled, select } from '../common/element.js';
import { ask } from '../common/port.js';
import { clauseMark } from '../common/links.js';
import { building } from './building.js';
import { drawing } from './drawing.js';
import { stateText } from './notation.js';
import { MOST, resultsByOrder } from './orders.js';
import { READINGS, inOrder, inputOf, moved, toggled } from './state.js';
import { shownSteps } from './steps.js';

/** @param {import('./state.js').State} state @param {import('../common/page.js').Page} page */
export function view(state, page) {
  const answer = ask('history-merge/merge-steps', inputOf(state), state.reading);
  const steps = 'output' in answer ? shownSteps(answer.output.steps, state) : [];
  const chosen = steps.length > 0 ? Math.min(page.memory.step ?? steps.length - 1, steps.length - 1) : -1;
  const click = (id) => {
    page.memory.step = undefined;
    const next = toggled(state, id);
    page.to(next, next.merge.includes(id) ? `${id} is chosen.` : `${id} is not chosen any more.`);
  };
  const graph = h(
    'section',
    { class: 'panel', 'aria-label': 'History' },
    h('h2', {}, 'The history'),
    state.nodes.length === 0
      ? h('p', {}, 'There is no message yet.')
      : h('div', { class: 'wide' }, drawing(state, steps[chosen]?.marks ?? {}, click)),
    h(
      'p',
      { class: 'legend' },
      'A message stands below its parents. ',
      ...[['chosen', 'chosen'], ['folded', 'folded now'], ['merged', 'already merged'], ['origin', 'lowest common ancestor']].map(
        ([name, text]) => h('span', { class: `swatch ${name}` }, text),
      ),
    ),
  );
  return [
    h('div', { class: 'columns' }, h('div', {}, graph, building(state, page)), h('div', {}, result(state, page, answer, steps, chosen), everyOrder(state, page))),
  ];
}

function result(state, page, answer, steps, chosen) {
  const order = inOrder(state);
  const whole = ask('history-merge/merge', inputOf(state), state.reading);
  const other = ask('history-merge/merge-recurse-fold', { ...inputOf(state) }, state.reading);
  const go = (step) => page.look('step', step, `Step ${step + 1} of ${steps.length}: ${steps[step].text}`);
  const rows = order.map((id, place) =>
    h(
      'li',
      {},
      h('strong', {}, id),
      ' ',
      button('earlier', () => move(id, -1), { id: `earlier-${id}`, disabled: place === 0, 'aria-label': `${id} earlier` }),
      button('later', () => move(id, 1), { id: `later-${id}`, disabled: place === order.length - 1, 'aria-label': `${id} later` }),
    ),
  );
  const move = (id, by) => {
    page.memory.step = undefined;
    page.to(moved(state, id, by), `${id} is folded ${by < 0 ? 'earlier' : 'later'}.`);
  };
  const names = { document: 'as the document says', 'additions-cancel': 'two additions cancel', 'removals-cancel': 'two removals cancel', 'symmetric-difference': 'symmetric difference' };
  return h(
    'section',
    { class: 'panel', 'aria-label': 'Merge' },
    h('h2', {}, 'The merge'),
    'refused' in answer || 'error' in answer
      ? h('p', { class: 'refused', id: 'result' }, `Refused: ${answer.refused ?? answer.error}`)
      : h('p', { id: 'result' }, `merge ${order.join(' ') || 'nothing'} = `, h('strong', {}, stateText(whole.output.state, state.type))),
    order.length > 1
      ? h('details', { open: state.order !== null }, h('summary', {}, 'Fold order'), h('ol', { class: 'order' }, rows),
          button('By ascending ID', () => page.to({ ...state, order: null }, 'The order is by ascending ID.'), { id: 'ascending', disabled: state.order === null }))
      : null,
    state.type === 'set'
      ? labelled('3-way merge', select(READINGS.map((it) => [it, names[it]]), state.reading, (reading) => page.to({ ...state, reading }, `The reading is ${reading}.`), { id: 'reading' }))
      : null,
    h('p', { id: 'recurse-fold' }, "The document's wrong variant, recurse-fold, gives ", 'output' in other ? h('strong', {}, stateText(other.output.state, state.type)) : `no result (${other.refused ?? other.error})`, '.'),
    steps.length > 0 ? walk(steps, chosen, go) : null,
  );
}

/** The steps, one of them chosen. */
function walk(steps, chosen, go) {
  return [
    h('h3', {}, 'Step by step'),
    h(
      'div',
      { class: 'row' },
      button('Previous', () => go(chosen - 1), { id: 'previous', disabled: chosen === 0 }),
      button('Next', () => go(chosen + 1), { id: 'next', disabled: chosen === steps.length - 1 }),
      h('span', {}, `step ${chosen + 1} of ${steps.length}`),
    ),
    h(
      'ol',
      { class: 'steps', id: 'steps' },
      steps.map(({ text, clause, begins }, place) =>
        h(
          'li',
          { class: begins ? 'begins' : null },
          h('button', { type: 'button', class: 'step', id: `step-${place}`, 'aria-current': place === chosen ? 'step' : null, click: () => go(place) }, text),
          clauseMark(clause),
        ),
      ),
    ),
  ];
}

function everyOrder(state, page) {
  const { merge, type } = state;
  if (merge.length < 2) return null;
  const heading = h('h2', {}, 'In every order');
  if (merge.length > MOST) {
    return h('section', { class: 'panel' }, heading, h('p', {}, `More than ${MOST} messages have too many orders to list.`));
  }
  const results = resultsByOrder(state);
  const show = (order) => {
    page.memory.step = undefined;
    page.to({ ...state, order }, `The order is ${order.join(', ')}.`);
  };
  const rows = results.map(({ answer, orders }) =>
    h(
      'li',
      {},
      h('strong', {}, 'output' in answer ? stateText(answer.output.state, type) : 'refused'),
      ` in ${orders.length === 1 ? '1 order' : `${orders.length} orders`}: `,
      orders.slice(0, 6).map((order) => button(order.join(' '), () => show(order), { id: `order-${order.join('-')}` })),
      orders.length > 6 ? ' …' : null,
    ),
  );
  const conclusion = results.length === 1 ? 'Every order gives the same result.' : `The order matters: there are ${results.length} results.`;
  return h('section', { class: 'panel', 'aria-label': 'In every order' }, heading, h('p', { id: 'orders' }, conclusion), h('ul', { class: 'results' }, rows));
}
