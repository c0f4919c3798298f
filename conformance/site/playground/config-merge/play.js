/**
 * Clients and a swarm, played by the classes of the port.
 *
 * @typedef {object} World  after a step
 * @property {Record<string, Seen>} clients
 * @property {{hash: string, form: Uint8Array, plaintext: string | null}[]} stored
 *
 * @typedef {object} Seen
 * @property {string | null} head  the plaintext in hex
 * @property {Map<string, any>} data  what the application sees
 * @property {boolean} edited  whether there is an edit that was not pushed
 * @property {boolean} merged  whether the head is a merge that was not pushed
 * @property {string[]} known  plaintexts in hex
 *
 * @typedef {object} Event  what a step did
 * @property {string[]} gained  plaintexts that a client got
 * @property {string[]} stored  hashes of new stored forms
 * @property {string[]} deleted  hashes of stored forms that are gone
 * @property {object} [resolution]  the answer of `config-merge/resolve-steps`
 * @property {string[]} [asked]  the messages that were resolved
 */
import { Client, Swarm } from '../../../ports/javascript/config-merge/client-and-swarm.js';
import { decrypt, encrypt } from '../../../ports/javascript/config-merge/encryption.js';
import { hashOf } from '../../../ports/javascript/config-merge/messages.js';
import { parseMessage } from '../../../ports/javascript/config-merge/outer-metadata.js';
import { READINGS } from '../../../ports/javascript/config-merge/readings.js';
import { parseNewData } from '../../../ports/javascript/config-merge/application-data.js';
import { fromHex, toHex } from '../../../ports/javascript/bytes.js';
import { Refusal } from '../../../ports/javascript/refusal.js';
import { ask } from '../common/port.js';

const hashes = (swarm) => swarm.inOrder().map((form) => toHex(hashOf(form)));

/** @param {import('./state.js').State} state @returns {{worlds: World[], events: Event[]} | {refused: string}} */
export function played(state) {
  const { key, domain, reading, window, deletion_permitted: permitted, signing_keys: seeds = {} } = state;
  const [secret, space] = [fromHex(key), domain === undefined ? null : fromHex(domain)];
  const contextOf = (client) => ({
    reading: READINGS[reading],
    window: BigInt(window),
    verifyKey: state.verify_key === undefined ? null : fromHex(state.verify_key),
    signingKey: Object.hasOwn(seeds, client) ? fromHex(seeds[client]) : null,
  });
  const swarm = new Swarm(permitted !== false);
  const clients = new Map(
    state.clients.map((name) => [name, new Client({ key: secret, domain: space, context: contextOf(name) })]),
  );
  const worlds = [];
  const events = [];
  const locked = (plaintext) => encrypt(plaintext, secret, space, READINGS[reading]);
  try {
    for (const step of state.steps) {
      const before = hashes(swarm);
      const client = clients.get(step.client);
      const knew = client && new Set(client.known.keys());
      const asked = perform(step, client, swarm, locked);
      const after = hashes(swarm);
      events.push({
        gained: client ? [...client.known.keys()].filter((it) => !knew.has(it)) : [],
        stored: after.filter((it) => !before.includes(it)),
        deleted: before.filter((it) => !after.includes(it)),
        ...(asked === undefined ? {} : resolution(state, step.client, asked)),
      });
      worlds.push({ clients: seen(clients), stored: stored(swarm, secret, space, READINGS[reading]) });
    }
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.message };
    throw error;
  }
  return { worlds, events };
}

/** @returns {string[] | undefined} the messages that the client resolves in this step */
function perform(step, client, swarm, locked) {
  if (step.store_raw !== undefined) swarm.store(fromHex(step.store_raw));
  else if (step.store !== undefined) swarm.store(locked(fromHex(step.store)));
  else if (step.lose !== undefined) lose(swarm, step.lose);
  else if (step.push) client.push(swarm);
  else if (step.fetch) client.fetch(visible(swarm, step.misses ?? []));
  else if (step.edit !== undefined) client.edit(parseNewData(fromHex(step.edit), client.kind.context.reading));
  else if (step.take !== undefined) {
    client.fetch({ inOrder: () => step.take.map((message) => locked(fromHex(message))) });
    client.resolve();
    return step.take;
  } else {
    const asked = [...client.known.keys()];
    client.resolve();
    return asked;
  }
  return undefined;
}

function lose(swarm, hash) {
  for (const [name, form] of swarm.stored) if (toHex(hashOf(form)) === hash) swarm.stored.delete(name);
}

/** The swarm as a fetch sees it that misses some stored forms. */
const visible = (swarm, misses) => ({
  inOrder: () => swarm.inOrder().filter((form) => !misses.includes(toHex(hashOf(form)))),
});

function resolution({ window, reading, verify_key: verify, signing_keys: seeds = {} }, client, messages) {
  const input = {
    messages,
    window,
    ...(verify === undefined ? {} : { verify_key: verify }),
    ...(Object.hasOwn(seeds, client) ? { signing_key: seeds[client] } : {}),
  };
  return { asked: messages, input, resolution: ask('config-merge/resolve-steps', input, reading) };
}

const seen = (clients) =>
  Object.fromEntries(
    [...clients].map(([name, { head, data, change, mergedFrom, known }]) => [
      name,
      {
        head: head && toHex(head.encoded),
        data,
        edited: change !== null,
        merged: mergedFrom !== null,
        known: [...known.keys()],
      },
    ]),
  );

function stored(swarm, key, domain, reading) {
  return swarm.inOrder().map((form) => {
    let plaintext = null;
    try {
      plaintext = toHex(decrypt(form, key, domain, reading));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
    return { hash: toHex(hashOf(form)), form, plaintext };
  });
}

/** Why a message is invalid. @param {string} message  in hex @returns {string} */
export function faultOf(message, { reading, window, verify_key: verify }) {
  const input = { message, window, ...(verify === undefined ? {} : { verify_key: verify }) };
  return ask('config-merge/parse', input, reading).refused ?? '';
}

/** @param {string} plaintext  in hex @returns {import('../../../ports/javascript/config-merge/messages.js').Message | null} */
export function messageOf(plaintext, { reading, window }) {
  try {
    const context = { reading: READINGS[reading], window: BigInt(window), verifyKey: null, signingKey: null };
    return parseMessage(fromHex(plaintext), context);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
