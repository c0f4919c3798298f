/**
 * The operations of config merge: from a JSON input and a reading to a JSON output.
 */
import { decode, encode } from '../bt.js';
import { toHex } from '../bytes.js';
import { BadRequest, bytesOf, checkFields, integerOf, listOf, textOf } from '../fields.js';
import { refuse } from '../refusal.js';
import { copyData, parseData, parseNewData, prune } from './application-data.js';
import { Client, Swarm } from './client-and-swarm.js';
import { resolve } from './conflict-resolution.js';
import { applyDiff, makeDiff, parseDiff } from './diff-updates.js';
import { decrypt, encrypt } from './encryption.js';
import { DEFAULT_WINDOW, checkWindow, hashOf } from './messages.js';
import { update } from './non-conflicting-updates.js';
import { parseMessage } from './outer-metadata.js';
import { READINGS } from './readings.js';
import { resolveSteps } from './resolve-steps.js';
import { hasSignatureBy, signMessage } from './signatures.js';
import { treeOf, valueOf } from './typed-tree.js';

const optionalBytes = (value) => (value === undefined ? null : bytesOf(value));

/** @returns {import('./outer-metadata.js').Context} */
function contextOf(input, reading) {
  const window = input.window === undefined ? DEFAULT_WINDOW : BigInt(integerOf(input.window));
  checkWindow(window);
  const [verifyKey, signingKey] = [input.verify_key, input.signing_key].map(optionalBytes);
  return { window, reading, verifyKey, signingKey };
}

const messagesOf = (input) => listOf(input.messages, bytesOf);
const CONTEXT_FIELDS = ['window', 'verify_key', 'signing_key'];

/** @type {Record<string, (input: any, reading: import('./readings.js').Reading) => object>} */
const BY_NAME = {
  decode(input, reading) {
    checkFields(input, ['encoded']);
    return { value: treeOf(decode(bytesOf(input.encoded), reading.strictEncoding)) };
  },

  encode(input) {
    checkFields(input, ['value']);
    return { encoded: toHex(encode(valueOf(input.value))) };
  },

  parse(input, reading) {
    checkFields(input, ['message'], ['window', 'verify_key']);
    const message = parseMessage(bytesOf(input.message), contextOf(input, reading));
    return {
      seqno: message.seqno.toString(),
      hash: toHex(message.hash),
      data: toHex(encode(message.data)),
      diff: toHex(encode(message.diff)),
      lagged: message.rows.map(({ seqno, hash, diff }) => ({
        seqno: seqno.toString(),
        hash: toHex(hash),
        diff: toHex(encode(diff)),
      })),
    };
  },

  diff(input, reading) {
    checkFields(input, ['old', 'new']);
    const before = parseData(bytesOf(input.old), reading);
    const after = parseData(bytesOf(input.new), reading);
    return { diff: toHex(encode(makeDiff(before, after))) };
  },

  'apply-diff'(input, reading) {
    checkFields(input, ['data', 'diff', 'source']);
    const data = copyData(parseData(bytesOf(input.data), reading));
    const diff = parseDiff(bytesOf(input.diff), reading);
    applyDiff(data, diff, parseData(bytesOf(input.source), reading), reading);
    prune(data);
    return { data: toHex(encode(data)) };
  },

  resolve(input, reading) {
    checkFields(input, ['messages'], CONTEXT_FIELDS);
    const { message, ...outcome } = resolve(messagesOf(input), contextOf(input, reading));
    return { message: toHex(message), ...outcome };
  },

  'resolve-steps'(input, reading) {
    checkFields(input, ['messages'], CONTEXT_FIELDS);
    return { steps: resolveSteps(messagesOf(input), contextOf(input, reading)) };
  },

  update(input, reading) {
    checkFields(input, ['messages', 'data'], CONTEXT_FIELDS);
    const data = parseNewData(bytesOf(input.data), reading);
    return { message: toHex(update(messagesOf(input), data, contextOf(input, reading))) };
  },

  sign(input, reading) {
    checkFields(input, ['message', 'signing_key'], ['window']);
    const context = contextOf({ window: input.window }, reading);
    const message = parseMessage(bytesOf(input.message), context);
    return { message: toHex(signMessage(message, bytesOf(input.signing_key))) };
  },

  verify(input, reading) {
    checkFields(input, ['message', 'verify_key'], ['window']);
    const context = contextOf({ window: input.window }, reading);
    const message = parseMessage(bytesOf(input.message), context);
    return { valid: hasSignatureBy(message, bytesOf(input.verify_key)) };
  },

  encrypt(input, reading) {
    checkFields(input, ['plaintext', 'key'], ['domain']);
    const [plaintext, key] = [input.plaintext, input.key].map(bytesOf);
    return { ciphertext: toHex(encrypt(plaintext, key, optionalBytes(input.domain), reading)) };
  },

  decrypt(input, reading) {
    checkFields(input, ['ciphertext', 'key'], ['domain']);
    const [ciphertext, key] = [input.ciphertext, input.key].map(bytesOf);
    return { plaintext: toHex(decrypt(ciphertext, key, optionalBytes(input.domain), reading)) };
  },

  scenario,
};

/** The largest size of the report of a scenario, in bytes (CM-CLIENT-REPORT). */
const LARGEST_REPORT = 2 ** 20;

const total = (items, sizeOf) => [...items].reduce((sum, item) => sum + sizeOf(item), 0);

function scenario(input, reading) {
  const optional = ['domain', 'window', 'deletion_permitted', 'signing_keys', 'verify_key'];
  checkFields(input, ['clients', 'key', 'steps'], optional);
  const [key, domain] = [bytesOf(input.key), optionalBytes(input.domain)];
  const seeds = new Map(Object.entries(input.signing_keys ?? {}));
  const names = listOf(input.clients, textOf);
  for (const name of seeds.keys()) {
    if (!names.includes(name)) refuse('input', 'a signing key for nobody');
  }
  encrypt(Buffer.alloc(0), key, domain, reading); // refuses a domain that no step could use
  const swarm = new Swarm(input.deletion_permitted !== false);
  /** @type {Map<string, Client>} */
  const clients = new Map(
    names.map((name) => {
      const context = contextOf({ ...input, signing_key: seeds.get(name) }, reading);
      return [name, new Client({ key, domain, context })];
    }),
  );
  const lengths = total(names, (name) => Buffer.byteLength(name));
  let size = 0;
  const grow = (bytes) => {
    size += bytes;
    if (size > LARGEST_REPORT) refuse('report-too-large', 'the report is larger than 2^20 bytes');
  };
  const steps = listOf(input.steps, (step) => {
    perform(step, clients, swarm, (plaintext) => encrypt(plaintext, key, domain, reading));
    const hashes = swarm.forms().map((form) => toHex(hashOf(form)));
    grow(lengths + 32 * (names.length + hashes.length));
    return { heads: byClient(clients, headName), stored: hashes.sort() };
  });
  grow(total(clients.values(), ({ head, data }) => encode(data).length + (head ? head.encoded.length : 0)));
  return {
    steps,
    heads: byClient(clients, ({ head }) => head && toHex(head.encoded)),
    data: byClient(clients, ({ data }) => toHex(encode(data))),
    stored: swarm.forms().map(toHex),
  };
}

const byClient = (clients, read) =>
  Object.fromEntries([...clients].map(([name, client]) => [name, read(client)]));

const headName = ({ head }) => head && { seqno: head.seqno.toString(), hash: toHex(head.hash) };

function perform(step, clients, swarm, encryptForAll) {
  if (step.store_raw !== undefined) return swarm.store(bytesOf(step.store_raw));
  if (step.store !== undefined) return swarm.store(encryptForAll(bytesOf(step.store)));
  const client = clients.get(step.client);
  if (client === undefined) refuse('input', 'a step of a client that is not listed');
  if (step.fetch) return client.fetch(swarm);
  if (step.resolve) return client.resolve();
  if (step.push) return client.push(swarm);
  if (step.edit === undefined) throw new BadRequest('no step');
  return client.edit(parseNewData(bytesOf(step.edit), client.kind.context.reading));
}

/** @type {Map<string, (input: any, readingName: string) => object>} */
export const OPERATIONS = new Map(
  Object.entries(BY_NAME).map(([name, run]) => [
    `config-merge/${name}`,
    (input, readingName) => run(input, READINGS[readingName]),
  ]),
);
