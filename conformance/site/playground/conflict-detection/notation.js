/**
 * A scenario as the paragraph of a vector, as docs/notation.md defines.
 */
import { actionOf, fileOf } from './state.js';

const WORD = /^[A-Za-z0-9_.]+$/;

const STEPS = {
  edit: (step) => `${step.client} edits ${fileOf(step)}=${step.edit}`,
  poll: (step) =>
    `${step.client} polls ${step.file === undefined ? step.poll : `${step.file} of ${step.poll}`}`,
  resolve: (step) =>
    `${step.client} resolves ${fileOf(step)}${step.text === undefined ? '' : `=${step.text}`} against ${step.resolve.join(' ')}`,
  delete: (step) => `${step.client} deletes ${fileOf(step)}`,
};

/** @returns {boolean} whether the paragraph can say it: plain words, and the four usual actions */
export function canWrite({ clients, steps, signing_keys: keys }) {
  const words = steps.flatMap((step) => [fileOf(step), step.edit, step.text].filter((it) => it !== undefined));
  const usual = steps.every((step) => {
    const action = actionOf(step);
    return Object.hasOwn(STEPS, action) && !step.forged && !step.stops;
  });
  return keys === undefined && usual && [...clients, ...words].every((it) => WORD.test(it)) && steps.length > 0;
}

/** @param {import('./state.js').State} state @param {import('./play.js').Played} game */
export function paragraph(state, game) {
  const design = state.design === 'snapshots' ? 'snapshots' : 'version maps';
  const lines = state.steps.map((step, number) => {
    const { classification, files } = game.worlds[number];
    const before = number === 0 ? {} : game.worlds[number - 1].files;
    const own = actionOf(step) === 'poll' ? null : step.client;
    const changed = state.clients.filter(
      (name) => name !== own && JSON.stringify(files[name] ?? {}) !== JSON.stringify(before[name] ?? {}),
    );
    const seen = changed.map((name) => `${name}: ${filesText(files[name])}`);
    return [STEPS[actionOf(step)](step), ...(classification ? [classification] : []), ...seen].join('   ');
  });
  const body = [`${design}: ${state.clients.join(' ')}`, ...lines, `only in ${state.reading}`];
  return `from-the-playground  CD-POLL-SUBSCRIBED\n  A state of the playground.\n${body.map((line) => `  ${line}\n`).join('')}`;
}

function filesText(files) {
  const named = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1));
  return named.length === 0 ? 'nothing' : named.map(([name, text]) => `${name}=${text}`).join(' ');
}
