/**
 * The clients and the swarm: what they have after a step, and what can happen next.
 */
import { encode } from '../../../ports/javascript/bt.js';
import { toHex } from '../../../ports/javascript/bytes.js';
import { Unopened } from '../common/address.js';
import { button, h, labelled } from '../common/element.js';
import { stepText } from './explain.js';
import { Names } from './names.js';
import { dataText, readData } from './notation.js';
import { played } from './play.js';
import { MOST_STEPS, withSteps } from './state.js';

/**
 * Adds steps if the port allows them.
 *
 * @param {import('./state.js').State} state
 * @param {object[]} steps
 * @param {import('../common/page.js').Page} page
 */
export function act(state, steps, page) {
  if (state.steps.length + steps.length > MOST_STEPS) return page.say(`A play has at most ${MOST_STEPS} steps here.`, true);
  const next = withSteps(state, steps);
  const game = played(next);
  if ('refused' in game) return page.say(`Refused: ${game.refused}.`, true);
  page.memory = { more: page.memory.more };
  return page.to(next, said(new Names(next, game, page.from.names), game, steps));
}

/** What a click did, with what it led to. */
function said(names, game, steps) {
  const texts = steps.map((step) => stepText(step, names));
  const { client } = steps.at(-1);
  const head = client && game.worlds.at(-1).clients[client].head;
  return `${texts.join('. ')}${head ? `: the head of ${client} is ${names.ofPlaintext(head)}` : ''}.`;
}

/** @param {number} number  the shown step, or -1 */
export function clients(state, game, names, number, page) {
  const world = number < 0 ? null : game.worlds[number];
  const latest = number === state.steps.length - 1;
  return h('div', { class: 'cards' }, state.clients.map((name) => card(state, names, name, world, latest, page)));
}

function card(state, names, name, world, latest, page) {
  const seen = world?.clients[name] ?? { head: null, data: new Map(), edited: false, merged: false, known: [] };
  const waiting = (world?.stored ?? []).filter(({ plaintext }) => plaintext !== null && !seen.known.includes(plaintext));
  const notes = [
    seen.edited ? 'an edit that is not pushed' : '',
    seen.merged ? 'a merge that is not pushed' : '',
    waiting.length > 0 ? `not fetched: ${waiting.map(({ plaintext }) => names.ofPlaintext(plaintext)).join(' ')}` : '',
  ].filter(Boolean);
  const text = dataText(seen.data);
  const known = seen.known.map((it) => names.ofPlaintext(it)).join(' ');
  return h(
    'section',
    { class: 'card', 'aria-label': `Client ${name}`, id: `client-${name}` },
    h('h3', {}, name, h('span', { class: 'quiet' }, seen.head === null ? ', no head' : `, head ${names.ofPlaintext(seen.head)}`)),
    latest
      ? acting(state, name, seen, waiting, text, names, page)
      : h('pre', { class: 'data', id: `shown-${name}` }, text),
    known ? h('p', { class: 'quiet' }, `knows ${known}`) : null,
    notes.length > 0 ? h('ul', { class: 'files' }, notes.map((note) => h('li', { class: 'conflict' }, note))) : null,
  );
}

function acting(state, name, seen, waiting, text, names, page) {
  const texts = (page.memory.texts ??= {});
  const misses = (page.memory.misses ??= {});
  const missed = waiting.map(({ hash }) => hash).filter((hash) => misses[`${name} ${hash}`]);
  const fetch = { client: name, fetch: true, ...(missed.length > 0 ? { misses: missed } : {}) };
  const edit = (event) => {
    event.preventDefault();
    try {
      act(state, [{ client: name, edit: toHex(encode(readData(texts[name] ?? text))) }], page);
    } catch (error) {
      if (!(error instanceof Unopened)) throw error;
      page.say(`The data of ${name}: ${error.message}.`, true);
    }
  };
  return [
    h(
      'form',
      { submit: edit },
      h('textarea', { id: `data-${name}`, rows: Math.min(8, Math.max(3, Math.ceil(text.length / 34))), maxlength: 4000, spellcheck: 'false', 'aria-label': `Data of ${name}`, value: texts[name] ?? text, input: (event) => (texts[name] = event.target.value) }),
      h(
        'div',
        { class: 'row' },
        h('button', { type: 'submit', class: 'main', id: `edit-${name}` }, 'Edit'),
        button('Push', () => act(state, [{ client: name, push: true }], page), { id: `push-${name}` }),
        button('Fetch', () => act(state, [fetch], page), { id: `fetch-${name}` }),
        button('Resolve', () => act(state, [{ client: name, resolve: true }], page), { id: `resolve-${name}` }),
        button('Fetch and resolve', () => act(state, [fetch, { client: name, resolve: true }], page), { id: `sync-${name}` }),
      ),
    ),
    waiting.length > 0
      ? h('details', {}, h('summary', {}, 'Let it miss messages'), h('div', { class: 'row' }, waiting.map(({ hash, plaintext }) =>
          labelled(`miss ${names.ofPlaintext(plaintext)}`, h('input', { type: 'checkbox', id: `miss-${name}-${hash.slice(0, 8)}`, checked: misses[`${name} ${hash}`] ?? false, change: (event) => { misses[`${name} ${hash}`] = event.target.checked; } })))))
      : null,
  ];
}

/** What the swarm stores. */
export function swarm(state, world, names, latest, page) {
  const rows = (world?.stored ?? []).map(({ hash, plaintext }) => {
    const name = plaintext === null ? 'unreadable bytes' : names.ofPlaintext(plaintext);
    return h('li', {}, h('strong', {}, name), ' ', latest ? button('Lose it', () => act(state, [{ lose: hash }], page), { id: `lose-${hash.slice(0, 8)}`, 'aria-label': `Lose ${name}` }) : null);
  });
  return h('section', { class: 'card', 'aria-label': 'The swarm', id: 'swarm' }, h('h3', {}, 'The swarm stores'), h('ul', { class: 'results' }, rows.length > 0 ? rows : h('li', { class: 'quiet' }, 'nothing')));
}
