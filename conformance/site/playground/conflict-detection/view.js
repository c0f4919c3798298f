/**
 * The page of conflict detection.
 */
import { button, h, labelled, select } from '../common/element.js';
import { clauseMark } from '../common/links.js';
import { act, clients } from './clients.js';
import { VARIANTS, compared } from './compare.js';
import { drawing } from './drawing.js';
import { explained, stepText } from './explain.js';
import { played } from './play.js';
import { fileOf } from './state.js';

const LETTERS = 'ABCDEFGHI';

/** @param {import('./state.js').State} state @param {import('../common/page.js').Page} page */
export function view(state, page) {
  const game = played(state);
  if ('refused' in game) {
    return [setting(state, page), h('section', { class: 'panel' }, h('p', { class: 'refused', id: 'result' }, `The port refuses this scenario: ${game.refused}`), h('ol', { start: 0 }, state.steps.map((step) => h('li', {}, stepText(step)))))];
  }
  const last = state.steps.length - 1;
  const number = Math.max(-1, Math.min(page.memory.number ?? last, last));
  const go = (to) => {
    const shown = to < 0 ? 'Before the first step.' : `After step #${to}: ${stepText(state.steps[to])}.`;
    page.look('number', to, shown);
  };
  return [
    setting(state, page),
    h(
      'div',
      { class: 'columns' },
      h('div', {}, now(state, game, number, page, go), graph(state, game, number, page, go)),
      h('div', {}, steps(state, game, number, page, go), comparison(state, number, go)),
    ),
  ];
}

function setting(state, page) {
  const { design, reading } = state;
  const free = [...LETTERS].find((it) => !state.clients.includes(it));
  return h(
    'section',
    { class: 'panel', 'aria-label': 'Setting' },
    h(
      'div',
      { class: 'row' },
      labelled('Design', select([['snapshots', "Leif's: snapshots"], ['version-maps', "Zooko's: version maps"]], design, (it) => page.to({ ...state, design: it }, `The design is ${it}.`), { id: 'design' })),
      labelled('Reading', select([['repaired', 'repaired'], ['literal', 'as printed']], reading, (it) => page.to({ ...state, reading: it }, `The reading is ${it}.`), { id: 'reading' })),
      button(`Add client ${free ?? ''}`, () => page.to({ ...state, clients: [...state.clients, free] }, `Client ${free} was added, from the beginning.`), { id: 'add-client', disabled: free === undefined || state.steps.some((step) => 'join' in step) }),
      labelled('File', h('input', { id: 'file', size: 8, maxlength: 60, value: page.memory.file ?? 'foo', change: (event) => chooseFile(event, page) })),
    ),
  );
}

function chooseFile(event, page) {
  page.memory.file = event.target.value.trim() || 'foo';
  page.say(`Actions are about the file ${page.memory.file}.`);
  page.draw();
}

function now(state, game, number, page, go) {
  const last = state.steps.length - 1;
  const heading = number < 0 ? 'Before the first step' : `After step #${number}: ${stepText(state.steps[number])}`;
  const said = number < 0 ? [] : explained(state, game, number);
  const found = number < 0 ? null : game.worlds[number].classification;
  return h(
    'section',
    { class: 'panel', 'aria-label': 'Clients' },
    h('h2', { id: 'heading' }, heading, found ? h('span', { class: `badge ${found}`, id: 'found' }, found) : null),
    said.length > 0
      ? h('ul', { class: 'said', id: 'said' }, said.map(({ text, clause }) => h('li', {}, text, ' ', clauseMark(clause))))
      : h('p', { class: 'quiet' }, number < 0 ? 'No client has a file yet.' : 'Nothing is uploaded or polled.'),
    number < last
      ? h('div', { class: 'row' }, button('Go to the last step', () => go(last), { id: 'last' }), button('Continue from here', () => page.to({ ...state, steps: state.steps.slice(0, number + 1) }, `The steps after #${number} are gone.`), { id: 'cut' }))
      : null,
    clients(state, game, number, page),
  );
}

function graph(state, game, number, page, go) {
  if (number < 0) return null;
  const step = state.steps[number];
  const made = game.uploads.filter((it) => it.number <= number).map((it) => it.file);
  const wanted = 'poll_all' in step || 'collect_garbage' in step ? (page.memory.file ?? 'foo') : fileOf(step);
  const file = made.includes(wanted) ? wanted : made.at(-1);
  if (file === undefined) return null;
  const { left, svg } = drawing(state, game, number, file, go);
  return h(
    'section',
    { class: 'panel', 'aria-label': 'Versions' },
    h('h2', {}, `The versions of ${file}`),
    left > 0 ? h('p', { class: 'quiet' }, `${left} earlier versions are not drawn.`) : null,
    h('div', { class: 'wide' }, svg),
    h('p', { class: 'legend' }, 'A version stands below the versions that it follows. ', [['held', 'somebody has it'], ['ours', "the polling client's"], ['theirs', 'found by the poll']].map(([name, text]) => h('span', { class: `swatch ${name}` }, text))),
  );
}

function steps(state, game, number, page, go) {
  return h(
    'section',
    { class: 'panel', 'aria-label': 'Steps' },
    h('h2', {}, 'The steps'),
    h(
      'div',
      { class: 'row' },
      button('Previous', () => go(number - 1), { id: 'previous', disabled: number < 0 }),
      button('Next', () => go(number + 1), { id: 'next', disabled: number >= state.steps.length - 1 }),
      button('Collect garbage', () => act(state, { collect_garbage: true }, page), { id: 'garbage' }),
    ),
    h(
      'ol',
      { class: 'steps scroll', id: 'steps', start: 0 },
      state.steps.map((step, place) => {
        const { classification } = game.worlds[place];
        return h('li', {}, h('button', { type: 'button', class: 'step', id: `step-${place}`, 'aria-current': place === number ? 'step' : null, click: () => go(place) }, `#${place} ${stepText(step)}`, classification ? h('span', { class: `badge ${classification}` }, classification) : null));
      }),
    ),
  );
}

function comparison(state, number, go) {
  const rows = compared(state);
  if (rows.length === 0) return null;
  const apart = rows.filter(({ found }) => new Set(found).size > 1);
  const shown = apart.length > 0 ? apart : rows.slice(-1);
  const heads = VARIANTS.map(([design, reading]) => h('th', { scope: 'col' }, design === 'snapshots' ? 'Snapshots' : 'Version maps', h('br'), reading === 'literal' ? 'as printed' : 'repaired'));
  return h(
    'section',
    { class: 'panel', 'aria-label': 'Both designs' },
    h('h2', {}, 'Both designs, both readings'),
    h('p', { id: 'apart' }, apart.length === 0 ? 'All four classify every poll alike. The last one:' : `They part at ${apart.length} of ${rows.length} polls:`),
    h('div', { class: 'wide' }, h('table', { id: 'comparison' }, h('tr', {}, h('th', { scope: 'col' }, 'Poll'), heads), shown.slice(0, 20).map(({ number: place, found }) =>
      h('tr', {}, h('th', { scope: 'row' }, button(`#${place}`, () => go(place), { 'aria-label': `Step ${place}`, id: `poll-${place}` })), found.map((it) => h('td', {}, it === null ? 'refused' : h('span', { class: `badge ${it}` }, it))))))),
  );
}
