/**
 * The state of the page: clients, a swarm that can lose messages, and their steps.
 *
 * The steps are those of the operation `config-merge/scenario`, and three more: `misses` lists the
 * stored forms that a fetch does not see, `lose` removes a stored form, and `take` gives a client a
 * list of messages, which it resolves.
 *
 * @typedef {object} State
 * @property {'document' | 'libsession'} reading
 * @property {number} window
 * @property {string[]} clients
 * @property {object[]} steps
 * @property {string} key  of the encryption, in hex
 * @property {string} [domain]
 * @property {boolean} [deletion_permitted]
 * @property {Record<string, string>} [signing_keys]
 * @property {string} [verify_key]
 */
import { decode, encode } from '../../../ports/javascript/bt.js';
import { fromHex, toHex } from '../../../ports/javascript/bytes.js';
import { Refusal } from '../../../ports/javascript/refusal.js';
import { Unopened } from '../common/address.js';
import { integer, list, oneOf, record, text } from '../common/checks.js';

export const READINGS = ['document', 'libsession'];
export const MOST_STEPS = 150;
const MOST_CLIENTS = 6;
const MOST_HEX = 40_000;
/** The key that new states have. Everybody knows it. */
export const KEY = '808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f';
const DOMAIN = '5573657250726f66696c65';

const NAME = /^[!-~]{1,20}$/;
const HEX = /^(?:[0-9a-f]{2})*$/;
const HASH = /^[0-9a-f]{64}$/;

const name = (value, what) => text(value, what, 20, NAME);
const bytes = (value, what) => text(value, what, MOST_HEX, HEX);
const hash = (value, what) => text(value, what, 64, HASH);
const yes = (value, what) => {
  if (value !== true) throw new Unopened(`${what} is not true`);
  return value;
};

const OF_CLIENTS = {
  edit: bytes,
  push: yes,
  fetch: yes,
  resolve: yes,
  take: (value, what) => list(value, what, 40, bytes),
};
const OF_THE_SWARM = { store: bytes, store_raw: bytes, lose: hash };

/** @returns {string} the action of a step */
export const actionOf = (step) =>
  Object.keys({ ...OF_CLIENTS, ...OF_THE_SWARM }).find((action) => Object.hasOwn(step, action));

function stepOf(value, what) {
  const has = (table) => Object.keys(table).find((action) => Object.hasOwn(Object(value), action));
  const swarms = has(OF_THE_SWARM);
  if (swarms !== undefined) {
    return { [swarms]: OF_THE_SWARM[swarms](record(value, what, [swarms])[swarms], `${what}.${swarms}`) };
  }
  const action = has(OF_CLIENTS);
  if (action === undefined) throw new Unopened(`${what} has no action`);
  const fields = record(value, what, ['client', action], action === 'fetch' ? ['misses'] : []);
  const { misses } = fields;
  return {
    client: name(fields.client, `${what}.client`),
    [action]: OF_CLIENTS[action](fields[action], `${what}.${action}`),
    ...(misses === undefined ? {} : { misses: list(misses, `${what}.misses`, 40, hash) }),
  };
}

/** @param {any} value  written by anybody @returns {State} @throws {Unopened} */
export function check(value) {
  const optional = ['domain', 'deletion_permitted', 'signing_keys', 'verify_key'];
  const fields = record(value, 'the state', ['reading', 'window', 'clients', 'steps', 'key'], optional);
  const clients = list(fields.clients, 'clients', MOST_CLIENTS, name);
  if (new Set(clients).size < clients.length) throw new Unopened('two clients have one name');
  const steps = list(fields.steps, 'steps', MOST_STEPS, stepOf);
  const stranger = steps.find(({ client }) => client !== undefined && !clients.includes(client));
  if (stranger !== undefined) throw new Unopened(`no client has the name ${stranger.client}`);
  return {
    reading: oneOf(fields.reading, 'reading', READINGS),
    window: integer(fields.window, 'window', 1, 1000),
    clients,
    steps,
    key: hash(fields.key, 'key'),
    ...more(fields, clients),
  };
}

function more({ domain, deletion_permitted: permitted, signing_keys: keys, verify_key: verify }, clients) {
  const given = {};
  if (domain !== undefined) given.domain = bytes(domain, 'domain');
  if (permitted !== undefined) given.deletion_permitted = oneOf(permitted, 'deletion_permitted', [true, false]);
  if (keys !== undefined) {
    const named = Object.entries(record(keys, 'signing_keys', [], clients));
    given.signing_keys = Object.fromEntries(named.map(([each, seed]) => [each, hash(seed, 'signing_keys')]));
  }
  if (verify !== undefined) given.verify_key = hash(verify, 'verify_key');
  return given;
}

/** A state without steps. @param {string[]} clients @param {object[]} [steps] @returns {State} */
export const begun = (clients, steps = [], window = 5) => ({ reading: 'document', window, clients, steps, key: KEY, domain: DOMAIN });

/** @param {string} id @param {any} vector @returns {object} a state to check */
export function fromVector(id, { operation, input, readings }) {
  const reading = readings?.[0] ?? 'document';
  const window = input.window ?? 5;
  if (operation.endsWith('/scenario')) return { ...input, reading, window };
  const { data, signing_key: seed, verify_key: verify } = input;
  if (operation.endsWith('/diff')) {
    const made = [input.old, input.new].flatMap((edit) => [{ client: 'A', edit }, { client: 'A', push: true }]);
    return { ...begun(['A'], made), reading };
  }
  const messages = messagesOf(operation.split('/')[1], input);
  const taken = messages.length > 0 ? [{ client: 'A', take: messages }] : [];
  const updated = !operation.endsWith('/update') ? [] : [{ client: 'A', edit: data }, { client: 'A', push: true }];
  return {
    ...begun(['A'], [...taken, ...updated], window),
    reading,
    ...(seed === undefined ? {} : { signing_keys: { A: seed } }),
    ...(verify === undefined ? {} : { verify_key: verify }),
  };
}

/** The messages that a vector is about. */
function messagesOf(operation, input) {
  if (operation === 'parse') return [input.message];
  return operation === 'apply-diff' ? appliedBy(input) : input.messages;
}

/**
 * Two messages whose merge applies a diff to data: 10 has the diff and the data from which its values
 * come, and 11 has the data with which the merge begins.
 */
function appliedBy({ data, diff, source }) {
  try {
    return [
      [10n, source, decode(fromHex(diff), false)],
      [11n, data, new Map()],
    ].map(([seqno, held, changes]) => {
      const fields = [['#', seqno], ['&', decode(fromHex(held), false)], ['<', []], ['=', changes]];
      return toHex(encode(new Map(fields)));
    });
  } catch (error) {
    if (error instanceof Refusal) throw new Unopened('the vector has bytes that do not decode');
    throw error;
  }
}

/** Whether the operation `config-merge/scenario` can play the state. @param {State} state */
export const isScenario = ({ steps }) =>
  steps.every((step) => !('lose' in step) && !('take' in step) && !('misses' in step));

/** The input of that operation. @param {State} state */
export const inputOf = ({ reading, ...input }) => input;

/** @param {State} state @param {object[]} steps @returns {State} with more steps */
export const withSteps = (state, steps) => ({ ...state, steps: [...state.steps, ...steps] });
