/**
 * The state of the page: a scenario, as the operation `conflict-detection/scenario` takes it, and the
 * reading.
 *
 * @typedef {object} State
 * @property {'snapshots' | 'version-maps'} design
 * @property {'repaired' | 'literal'} reading
 * @property {string[]} clients
 * @property {object[]} steps
 * @property {Record<string, string>} [signing_keys]
 */
import { Unopened } from '../common/address.js';
import { list, oneOf, record, text } from '../common/checks.js';

export const DESIGNS = ['snapshots', 'version-maps'];
export const READINGS = ['repaired', 'literal'];
export const MOST_STEPS = 150;
const MOST_CLIENTS = 9;
const NICKNAME = /^[!-~]{1,20}$/;
const HEX = /^[0-9a-f]{64}$/;

const yes = (value, what) => {
  if (value !== true) throw new Unopened(`${what} is not true`);
  return value;
};
const nickname = (value, what) => text(value, what, 20, NICKNAME);
const word = (value, what) => text(value, what, 200);
const byName = (check) => (value, what) => {
  const entries = Object.entries(record(value, what, [], Object.keys(Object(value))));
  if (entries.length > 20) throw new Unopened(`${what} has more than 20 entries`);
  return Object.fromEntries(entries.map(([key, each]) => [word(key, what), check(each, what)]));
};

/** Action -> the check of its value, and the optional fields beside it. */
const ACTIONS = {
  edit: [word, ['file', 'forged']],
  change: [(value, what) => (value === null ? null : word(value, what)), ['file']],
  upload: [yes, []],
  poll: [nickname, ['file', 'stops']],
  poll_all: [nickname, []],
  resolve: [(value, what) => list(value, what, MOST_CLIENTS, nickname), ['file', 'text']],
  delete: [yes, ['file']],
  undelete: [word, ['file']],
  rename: [word, ['file']],
  offline: [yes, []],
  online: [yes, []],
  join: [byName(word), []],
  subscribe: [nickname, []],
  unsubscribe: [nickname, []],
  back_up: [yes, []],
  set_back: [yes, []],
};
const BESIDE = { file: word, text: word, forged: yes, stops: yes };

/** @returns {string} the action of a step */
export const actionOf = (step) =>
  Object.keys(step).find((name) => Object.hasOwn(ACTIONS, name)) ?? 'collect_garbage';

/** @returns {string} the file that a step is about */
export const fileOf = (step) => step.file ?? 'foo';

function stepOf(value, what) {
  if (Object.hasOwn(Object(value), 'collect_garbage')) {
    return { collect_garbage: yes(record(value, what, ['collect_garbage']).collect_garbage, what) };
  }
  const action = Object.keys(Object(value)).find((name) => Object.hasOwn(ACTIONS, name));
  if (action === undefined) throw new Unopened(`${what} has no action`);
  const [check, beside] = ACTIONS[action];
  const fields = record(value, what, ['client', action], beside);
  const more = beside.filter((name) => Object.hasOwn(fields, name));
  return {
    client: nickname(fields.client, `${what}.client`),
    [action]: check(fields[action], `${what}.${action}`),
    ...Object.fromEntries(more.map((name) => [name, BESIDE[name](fields[name], `${what}.${name}`)])),
  };
}

/** @param {any} value  written by anybody @returns {State} @throws {Unopened} */
export function check(value) {
  const fields = record(value, 'the state', ['design', 'reading', 'clients', 'steps'], ['signing_keys']);
  const clients = list(fields.clients, 'clients', MOST_CLIENTS, nickname);
  if (new Set(clients).size < clients.length) throw new Unopened('two clients have one nickname');
  const keys = fields.signing_keys;
  return {
    design: oneOf(fields.design, 'design', DESIGNS),
    reading: oneOf(fields.reading, 'reading', READINGS),
    clients,
    steps: list(fields.steps, 'steps', MOST_STEPS, stepOf),
    ...(keys === undefined ? {} : { signing_keys: byName((it, what) => text(it, what, 64, HEX))(keys, 'signing_keys') }),
  };
}

/** @param {string} id @param {any} vector @returns {object} a state to check */
export function fromVector(id, { input, readings }) {
  const { report, ...scenario } = input;
  return { ...scenario, reading: readings?.[0] ?? 'repaired' };
}

/** The input of the operation `scenario`. @param {State} state @param {string[]} [report] */
export function inputOf({ design, clients, steps, signing_keys: keys }, report) {
  return {
    design,
    clients,
    steps,
    ...(report === undefined ? {} : { report }),
    ...(keys === undefined ? {} : { signing_keys: keys }),
  };
}

/** @param {State} state @returns {State} with one step more */
export const withStep = (state, step) => ({ ...state, steps: [...state.steps, step] });
