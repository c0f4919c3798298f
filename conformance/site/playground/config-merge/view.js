/**
 * The page of config merge.
 */
import { toHex } from '../../../ports/javascript/bytes.js';
import { button, h, labelled, select } from '../common/element.js';
import { clauseMark } from '../common/links.js';
import { clients, swarm } from './clients.js';
import { drawing } from './drawing.js';
import { explained, rowsText, stepText } from './explain.js';
import { Names } from './names.js';
import { dataText, diffText } from './notation.js';
import { played } from './play.js';
import { READINGS } from './state.js';

const LETTERS = 'ABCD';

/** @param {import('./state.js').State} state @param {import('../common/page.js').Page} page */
export function view(state, page) {
  const game = played(state);
  if ('refused' in game) {
    return [setting(state, page), h('section', { class: 'panel' }, h('p', { class: 'refused', id: 'result' }, `The port refuses this play: ${game.refused}`))];
  }
  const names = new Names(state, game, page.from.names);
  const last = state.steps.length - 1;
  const number = Math.max(-1, Math.min(page.memory.number ?? last, last));
  const go = (to) => {
    const shown = to < 0 ? 'Before the first step.' : `After step #${to}: ${stepText(state.steps[to], names)}.`;
    page.look('number', to, shown);
  };
  return [
    setting(state, page),
    h(
      'div',
      { class: 'columns' },
      h('div', {}, now(state, game, names, number, page, go), messages(state, game, names, number, page)),
      h('div', {}, happened(state, game, names, number), steps(state, names, number, go)),
    ),
  ];
}

function setting(state, page) {
  const free = [...LETTERS].find((it) => !state.clients.includes(it));
  const window = (event) => {
    const value = Number(event.target.value);
    if (!Number.isInteger(value) || value < 1 || value > 1000) return page.say('N is an integer from 1 to 1000.', true);
    return page.to({ ...state, window: value }, `Clients look at messages within the last ${value} seqnos.`);
  };
  const permit = (event) =>
    page.to({ ...state, deletion_permitted: event.target.checked }, event.target.checked ? 'A push deletes obsolete messages.' : 'Nobody can delete messages.');
  return h(
    'section',
    { class: 'panel', 'aria-label': 'Setting' },
    h(
      'div',
      { class: 'row' },
      labelled('Reading', select(READINGS.map((it) => [it, it === 'document' ? 'the document' : 'libsession']), state.reading, (reading) => page.to({ ...state, reading }, `The reading is ${reading}.`), { id: 'reading' })),
      labelled('Within N', h('input', { id: 'window', type: 'number', min: 1, max: 1000, value: String(state.window), change: window })),
      labelled('A push deletes obsolete messages', h('input', { id: 'deletion', type: 'checkbox', checked: state.deletion_permitted !== false, change: permit })),
      button(`Add client ${free ?? ''}`, () => page.to({ ...state, clients: [...state.clients, free] }, `Client ${free} was added.`), { id: 'add-client', disabled: free === undefined }),
    ),
  );
}

function now(state, game, names, number, page, go) {
  const last = state.steps.length - 1;
  const world = number < 0 ? null : game.worlds[number];
  const heading = number < 0 ? 'Before the first step' : `After step #${number}: ${stepText(state.steps[number], names)}`;
  return h(
    'section',
    { class: 'panel', 'aria-label': 'Clients' },
    h('h2', { id: 'heading' }, heading),
    number < last
      ? h('div', { class: 'row' }, button('Go to the last step', () => go(last), { id: 'last' }), button('Continue from here', () => page.to({ ...state, steps: state.steps.slice(0, number + 1) }, `The steps after #${number} are gone.`), { id: 'cut' }))
      : null,
    clients(state, game, names, number, page),
    h('div', { class: 'row' }),
    swarm(state, world, names, number === last, page),
  );
}

function happened(state, game, names, number) {
  if (number < 0) return null;
  const said = explained(state, game, names, number);
  return h(
    'section',
    { class: 'panel', 'aria-label': 'What happened' },
    h('h2', {}, 'What happened'),
    h('ol', { class: 'said', id: 'said' }, said.map(({ text, clause, data }) =>
      h('li', {}, text, ' ', clause ? clauseMark(clause) : null, data === undefined ? null : h('pre', { class: 'data' }, data)))),
  );
}

/** What part each message has in the resolution of a step: hash -> class. */
function marksOf({ resolution, asked }, names) {
  if (resolution?.output === undefined) return {};
  const marks = {};
  for (const { step, ...noted } of resolution.output.steps) {
    if (step === 'ignore') marks[names.byPlaintext.get(asked[noted.index])?.hash] ??= 'ignored';
    if (step === 'survivors') for (const { hash } of noted.messages) marks[hash] = 'merged';
    if (step === 'base') marks[noted.hash] = 'origin';
    if (step === 'message') marks[names.byPlaintext.get(noted.message)?.hash] = 'folded';
  }
  return marks;
}

function messages(state, game, names, number, page) {
  if (number < 0) return null;
  const chosen = page.memory.message ?? null;
  const found = chosen === null ? undefined : names.byHash.get(chosen);
  const click = (hash) =>
    hash === chosen
      ? page.look('message', null, 'No message is decoded.')
      : page.look('message', hash, `Message ${names.ofHash(hash)} is decoded below the drawing.`);
  return h(
    'section',
    { class: 'panel', 'aria-label': 'Messages' },
    h('h2', {}, 'The messages'),
    h('div', { class: 'wide' }, drawing(names, game.worlds[number], marksOf(game.events[number], names), chosen, click)),
    h('p', { class: 'legend' }, 'A message stands below those that it follows. Click one to decode it. ', [['merged', 'counts in the resolution'], ['origin', 'the base'], ['folded', 'the merge'], ['ignored', 'ignored']].map(([name, text]) => h('span', { class: `swatch ${name}` }, text))),
    found === undefined ? null : inspected(found, names),
  );
}

function inspected(found, names) {
  const { name, hash, message, plaintext } = found;
  const rows = [
    ['seqno', String(message.seqno)],
    ['hash', hash],
    ['data', dataText(message.data)],
    ['diff', diffText(message.diff)],
    ['rows', rowsText(found, names)],
    ...(message.signature === null ? [] : [['signature', toHex(message.signature)]]),
    ['bytes', plaintext],
  ];
  return h('div', { id: 'inspected' }, h('h3', {}, `Message ${name}`), h('dl', {}, rows.map(([key, value]) => [h('dt', {}, key), h('dd', {}, h('code', {}, value))])));
}

function steps(state, names, number, go) {
  return h(
    'section',
    { class: 'panel', 'aria-label': 'Steps' },
    h('h2', {}, 'The steps'),
    h(
      'div',
      { class: 'row' },
      button('Previous', () => go(number - 1), { id: 'previous', disabled: number < 0 }),
      button('Next', () => go(number + 1), { id: 'next', disabled: number >= state.steps.length - 1 }),
    ),
    h(
      'ol',
      { class: 'steps scroll', id: 'steps', start: 0 },
      state.steps.map((step, place) =>
        h('li', {}, h('button', { type: 'button', class: 'step', id: `step-${place}`, 'aria-current': place === number ? 'step' : null, click: () => go(place) }, `#${place} ${stepText(step, names)}`)),
      ),
    ),
  );
}
