/**
 * The clients: what each has after a step, and what it can do next.
 */
import { button, h, labelled } from '../common/element.js';
import { quoted, stepText } from './explain.js';
import { played } from './play.js';
import { MOST_STEPS, withStep } from './state.js';

const MARK = '.conflict-';

/**
 * Adds a step if the port allows it.
 *
 * @param {import('./state.js').State} state
 * @param {object} step
 * @param {import('../common/page.js').Page} page
 */
export function act(state, step, page) {
  if (state.steps.length >= MOST_STEPS) return page.say(`A scenario has at most ${MOST_STEPS} steps here.`, true);
  const next = withStep(state, step);
  const game = played(next);
  if ('refused' in game) return page.say(`${stepText(step)}: refused, because ${game.refused}.`, true);
  page.memory.number = undefined;
  page.memory.texts = {};
  const { classification } = game.worlds.at(-1);
  const said = `${stepText(step)}${classification ? `: ${classification}` : ''}.`;
  return page.to(next, said);
}

/** Whether each client is online after the first steps. */
function isOnline({ steps }, client, until) {
  return steps.slice(0, until + 1).reduce((online, step) => {
    if (step.client !== client) return online;
    if (step.offline || step.stops) return false;
    return step.online ? true : online;
  }, true);
}

/**
 * @param {import('./state.js').State} state
 * @param {import('./play.js').Played} game
 * @param {number} number  the shown step, or -1
 * @param {import('../common/page.js').Page} page
 */
export function clients(state, game, number, page) {
  const world = number < 0 ? null : game.worlds[number];
  const names = world ? Object.keys(world.files) : state.clients;
  return h('div', { class: 'cards' }, names.map((name) => card(state, game, name, world, number, page)));
}

function card(state, game, name, world, number, page) {
  const latest = number === state.steps.length - 1;
  const own = Object.entries(world?.files[name] ?? {});
  const origins = world?.origins[name] ?? {};
  const files = own.map(([path, text]) => {
    const conflict = path.includes(MARK);
    const made = origins[path];
    return h('li', { class: conflict ? 'conflict' : null }, h('code', {}, path), ` ${quoted(text)}`, made === undefined ? null : h('span', { class: 'quiet' }, ` #${made}`));
  });
  const online = isOnline(state, name, number);
  return h(
    'section',
    { class: 'card', 'aria-label': `Client ${name}`, id: `client-${name}` },
    h('h3', {}, name, online ? null : h('span', { class: 'badge conflict' }, 'offline')),
    h('ul', { class: 'files' }, files.length > 0 ? files : h('li', { class: 'quiet' }, 'no file')),
    latest || number < 0 ? actions(state, game, name, world, online, page) : null,
  );
}

function actions(state, game, name, world, online, page) {
  const file = page.memory.file ?? 'foo';
  const beside = file === 'foo' ? {} : { file };
  const others = (world ? Object.keys(world.files) : state.clients).filter((it) => it !== name);
  const against = Object.keys(world?.conflict_origins[name]?.[file] ?? {});
  const has = world?.files[name]?.[file] !== undefined;
  const texts = (page.memory.texts ??= {});
  const text = () => texts[name]?.trim() || freeText(state, name);
  const go = (step) => act(state, { client: name, ...step }, page);
  const edit = (event) => {
    event.preventDefault();
    go({ edit: text(), ...beside });
  };
  return [
    h(
      'form',
      { submit: edit, class: 'row' },
      labelled(
        `Text of ${file}`,
        h('input', { id: `text-${name}`, size: 9, maxlength: 60, value: texts[name] ?? '', placeholder: freeText(state, name), autocomplete: 'off', input: (event) => (texts[name] = event.target.value) }),
      ),
      h('button', { type: 'submit', class: 'main', id: `edit-${name}` }, 'Edit'),
      against.length > 0
        ? button(`Resolve against ${against.join(' ')}`, () => go({ resolve: against, text: text(), ...beside }), { id: `resolve-${name}` })
        : null,
    ),
    h(
      'div',
      { class: 'row' },
      others.map((other) => button(`Poll ${other}`, () => go({ poll: other, ...beside }), { id: `poll-${name}-${other}` })),
    ),
    h(
      'details',
      { open: page.memory[`more-${name}`] ?? false, toggle: (event) => (page.memory[`more-${name}`] = event.target.open) },
      h('summary', {}, 'More'),
      h(
        'div',
        { class: 'row' },
        button(`Delete ${file}`, () => go({ delete: true, ...beside }), { id: `delete-${name}`, disabled: !has }),
        online ? button('Go offline', () => go({ offline: true }), { id: `offline-${name}` }) : button('Come back online', () => go({ online: true }), { id: `online-${name}` }),
        button('Back up', () => go({ back_up: true }), { id: `back-up-${name}` }),
        button('Set back to the backup', () => go({ set_back: true }), { id: `set-back-${name}` }),
      ),
    ),
  ];
}

/** A text that nobody wrote yet: the nickname and a number. */
function freeText({ steps }, name) {
  const used = new Set(steps.flatMap((step) => [step.edit, step.text, step.undelete]));
  for (let i = 1; ; i += 1) if (!used.has(`${name.toLowerCase()}${i}`)) return `${name.toLowerCase()}${i}`;
}
