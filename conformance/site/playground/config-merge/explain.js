/**
 * Steps of a play, and what happened in each, as sentences.
 */
import { decode } from '../../../ports/javascript/bt.js';
import { fromHex } from '../../../ports/javascript/bytes.js';
import { dataText, diffText } from './notation.js';
import { faultOf } from './play.js';
import { actionOf } from './state.js';

const listed = (parts) => (parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : (parts[0] ?? 'nothing'));
const decoded = (hex) => decode(fromHex(hex), false);

/** Bytes as data, or as what they are if they are no data. */
export function dataOf(hex) {
  try {
    return dataText(decoded(hex));
  } catch {
    return `0x${hex.slice(0, 60)}`;
  }
}

/** @returns {string} what somebody does in a step */
export function stepText(step, names) {
  const { client } = step;
  switch (actionOf(step)) {
    case 'edit': return `${client} edits its data`;
    case 'push': return `${client} pushes`;
    case 'fetch': return `${client} fetches${step.misses?.length ? ' a part of what is stored' : ''}`;
    case 'resolve': return `${client} resolves`;
    case 'take': return `${client} takes ${step.take.length === 1 ? 'a message' : `${step.take.length} messages`} and resolves`;
    case 'store': return `${names.ofPlaintext(step.store)} is stored`;
    case 'store_raw': return 'Somebody stores bytes that are no message';
    default: return 'The swarm loses a message';
  }
}

/**
 * What happened in a step.
 *
 * @returns {{text: string, clause?: string, data?: string}[]}
 */
export function explained(state, game, names, number) {
  const step = state.steps[number];
  const event = game.events[number];
  const { client } = step;
  const before = number === 0 ? null : game.worlds[number - 1];
  const world = game.worlds[number];
  const name = (plaintext) => names.ofPlaintext(plaintext);
  const stored = (hash) => nameOfForm(hash, [before, world], names);
  switch (actionOf(step)) {
    case 'edit':
      return [{ text: `${client} now has the data ${dataOf(step.edit)}. Nobody else sees it before a push.` }];
    case 'push': {
      if (event.stored.length === 0 && world.clients[client].head === before?.clients[client].head) return [{ text: `${client} has nothing to push.` }];
      const head = names.byPlaintext.get(world.clients[client].head);
      return [
        ...(head ? [{ text: `${client} stores ${head.name}: diff ${diffText(head.message.diff)}, rows ${rowsText(head, names)}.` }] : []),
        ...(event.deleted.length > 0 ? [{ text: `It deletes ${listed(event.deleted.map(stored))}, which ${event.deleted.length === 1 ? 'is' : 'are'} obsolete now.` }] : []),
      ];
    }
    case 'fetch':
      return [
        { text: event.gained.length === 0 ? `${client} gets nothing new.` : `${client} gets ${listed(event.gained.map(name))}.` },
        ...(step.misses?.length ? [{ text: `It misses ${listed(step.misses.map(stored))}.` }] : []),
      ];
    case 'lose':
      return [{ text: event.deleted.length > 0 ? `${listed(event.deleted.map(stored))} is gone. Only clients that fetched it know it.` : 'Nothing has this hash.' }];
    case 'resolve':
    case 'take':
      return resolved(event, names, client, state);
    default:
      return [{ text: event.stored.length > 0 ? 'Clients can fetch it from now on.' : 'It is stored already.' }];
  }
}

function nameOfForm(hash, worlds, names) {
  for (const world of worlds) {
    const found = world?.stored.find((it) => it.hash === hash);
    if (found) return found.plaintext === null ? 'bytes that nobody can read' : names.ofPlaintext(found.plaintext);
  }
  return 'a message that is not stored';
}

export const rowsText = ({ message }, names) =>
  message.rows.map((row) => names.of({ seqno: row.seqno, hash: Buffer.from(row.hash).toString('hex') })).join(' ') || 'none';

const IGNORED = {
  duplicate: 'It was listed before.',
  stale: 'Its seqno is not within the last N.',
  included: 'Another message has its changes in a row.',
};

const withMore = (said, { text = '', ...more }) => ({ ...said, text: said.text + text, ...more });

function resolved({ resolution, asked }, names, client, state) {
  const fault = (message) => `: ${faultOf(message, state)}`.replace(/: $/, '');
  if ('refused' in resolution) return [{ text: asked.length === 0 ? `${client} knows no message.` : `${client} knows no valid message${fault(asked[0])}.`, clause: asked.length === 0 ? undefined : 'CM-IGNORE-INVALID' }];
  if ('error' in resolution) return [{ text: resolution.error }];
  let before;
  /** The data after an entry, unless they are those before it. */
  const after = (data) => {
    const text = dataOf(data);
    const changed = text !== before;
    before = text;
    return changed ? { data: text } : { text: ' Nothing changes.' };
  };
  return resolution.output.steps.map(({ step, clause, ...noted }) => {
    const name = () => names.of(noted);
    switch (step) {
      case 'ignore': return { text: `Ignore ${names.ofPlaintext(asked[noted.index])}. ${noted.why === 'invalid' ? `It is not valid${fault(asked[noted.index])}.` : IGNORED[noted.why]}`, clause };
      case 'survivors': return { text: `What counts, by rank: ${noted.messages.map((it) => names.of(it)).join(', ')}.`, clause };
      case 'result': return { text: `The result is ${name()}. There is nothing to merge.`, clause };
      case 'seqno': return { text: `The merge gets the seqno ${noted.seqno}.`, clause };
      case 'base': return { text: `Begin with the data of ${name()}, the highest.`, clause, ...after(noted.data) };
      case 'replay': return withMore({
        text: `Replay ${name()} ${diffText(decoded(noted.diff))}${noted.source === noted.hash ? '' : `, with values from ${names.ofHash(noted.source)}`}.`,
        clause,
      }, after(noted.data));
      case 'prune': return withMore({ text: 'Remove empty sets and dicts.', clause }, after(noted.data));
      case 'keep': return { text: `Keep as rows: ${noted.rows.map((it) => names.of(it)).join(', ')}.`, clause };
      default: return { text: `The merge is ${names.ofPlaintext(noted.message)}. Its own diff is empty. ${client} has not pushed it yet.`, clause };
    }
  });
}
