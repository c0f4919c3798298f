/**
 * The forms that add, change and delete messages.
 */
import { ask } from '../common/port.js';
import { button, h, labelled, select } from '../common/element.js';
import { linesIn, namesIn, stateText } from './notation.js';
import { TYPES, freeId, headsOf, inputOf, withDescendants, withMessage, withState, without } from './state.js';

const NAME = /^[!-~]+$/;
const DECIMAL = /^(0|-?[1-9][0-9]*)$/;
const MOST = 60;
const INITIAL = { set: [], counter: '0', register: '', lines: [] };
const TYPE_NAMES = { set: 'sets of members', counter: 'counters', register: 'registers', lines: 'lists of lines' };

/** @param {import('./state.js').State} state @param {import('../common/page.js').Page} page */
export function building(state, page) {
  const { merge, nodes, type } = state;
  const merged = ask('history-merge/merge', inputOf(state), state.reading);
  const after = merge.length > 0 ? `after ${merge.join(', ')}` : 'without a message before it';
  const before = 'output' in merged ? merged.output.state : INITIAL[type];
  const heads = headsOf(nodes);
  const choose = (ids, done) => page.to({ ...state, merge: ids, order: null }, done);
  return h(
    'section',
    { class: 'panel', 'aria-label': 'Build' },
    h('h2', {}, 'Build'),
    h('p', {}, 'Click messages to choose them. A new message comes after the chosen ones.'),
    h(
      'div',
      { class: 'row' },
      button('Choose the heads', () => choose(heads, `The heads are chosen: ${heads.join(', ')}.`), {
        id: 'heads',
        disabled: heads.length === 0,
      }),
      button('Choose none', () => choose([], 'No message is chosen.'), { id: 'none', disabled: merge.length === 0 }),
      button('Delete the chosen', () => remove(state, page), { id: 'delete', disabled: merge.length === 0 }),
      nodes.length === 0 ? typeChoice(state, page) : null,
    ),
    h(
      'form',
      { submit: (event) => add(event, state, page, before) },
      h('fieldset', {}, h('legend', {}, `A new message ${after}`), fields(state, before), h('div', { class: 'row' },
        h('button', { type: 'submit', class: 'main', id: 'add', disabled: 'refused' in merged || nodes.length >= MOST }, 'Add the message'),
        labelled('ID', h('input', { id: 'new-id', name: 'id', value: freeId(state), size: 4, maxlength: 40 })),
      )),
    ),
    merge.length === 1 ? changing(state, page) : null,
  );
}

const typeChoice = (state, page) =>
  labelled(
    'States are',
    select(
      TYPES.map((type) => [type, TYPE_NAMES[type]]),
      state.type,
      (type) => page.to({ ...state, type }, `States are of the type ${type}.`),
      { id: 'type' },
    ),
  );

/** A field for a state that is text: for lists of lines, one with a row for each line. */
const stateField = (type, state, attributes) =>
  type === 'lines'
    ? h('textarea', { value: state.join('\n'), rows: Math.max(2, state.length), cols: 18, ...attributes })
    : h('input', { value: state, size: 18, maxlength: 60, ...attributes });

function fields({ type }, before) {
  if (type !== 'set') {
    return labelled('State', stateField(type, before, { id: 'value', name: 'value' }));
  }
  return h(
    'div',
    { class: 'row' },
    labelled('joins', h('input', { id: 'join', name: 'join', size: 10, placeholder: 'x y', autocomplete: 'off' })),
    labelled('is kicked', h('input', { id: 'kick', name: 'kick', size: 10, autocomplete: 'off' })),
    h('span', {}, before.length > 0 ? `of the members ${stateText(before, type)}` : 'of no members'),
  );
}

/** The state that a field holds. A form gives line ends as CR LF. */
function valueIn(given, type) {
  if (type === 'lines') return linesIn(given.replaceAll('\r\n', '\n'));
  return type === 'set' ? namesIn(given) : given.trim();
}

function add(event, state, page, before) {
  event.preventDefault();
  const given = new FormData(event.target);
  const id = given.get('id').trim();
  if (!NAME.test(id)) return page.say('An ID has printable ASCII characters and no space.', true);
  if (state.nodes.some((node) => node.id === id)) return page.say(`There is a message ${id} already.`, true);
  const parents = [...state.merge];
  if (state.type !== 'set') {
    const value = valueIn(given.get('value'), state.type);
    if (state.type === 'counter' && !DECIMAL.test(value)) return page.say('A counter is an integer, such as -3.', true);
    return page.to(withMessage(state, { id, parents, state: value }), `Added ${id}: ${stateText(value, state.type)}.`);
  }
  const [joins, kicked] = [namesIn(given.get('join')), namesIn(given.get('kick'))];
  const wrong = [...joins, ...kicked].find((name) => !NAME.test(name));
  if (wrong !== undefined) return page.say(`${wrong} is not a name: use printable ASCII characters.`, true);
  const members = [...new Set([...before, ...joins])].filter((it) => !kicked.includes(it)).sort();
  const node = { id, parents, state: members };
  return page.to(withMessage(state, node), `Added ${id} with the members ${stateText(members, 'set')}.`);
}

/** The form that changes the state of the one chosen message. */
function changing(state, page) {
  const node = state.nodes.find(({ id }) => id === state.merge[0]);
  if (node === undefined) return null;
  const submit = (event) => {
    event.preventDefault();
    const value = valueIn(new FormData(event.target).get('state'), state.type);
    if (state.type === 'counter' && !DECIMAL.test(value)) return page.say('A counter is an integer, such as -3.', true);
    return page.to(withState(state, node.id, value), `The state of ${node.id} is ${stateText(value, state.type)}.`);
  };
  const shown = state.type === 'set' ? node.state.join(' ') : node.state;
  return h(
    'form',
    { submit, class: 'row' },
    labelled(`State of ${node.id}`, stateField(state.type, shown, { id: 'state', name: 'state' })),
    h('button', { type: 'submit', id: 'change' }, 'Change it'),
  );
}

function remove(state, page) {
  const gone = withDescendants(state.nodes, state.merge);
  page.to(without(state, gone), `Deleted ${gone.join(', ')}. A deleted message takes the messages after it along.`);
}
