/**
 * Steps of a scenario, and what the port did in each, as sentences.
 */
import { actionOf, fileOf } from './state.js';
import { mapOf, truth } from './play.js';

export const quoted = (text) => (text === null ? 'a deletion' : `“${text}”`);
const listed = (parts) => (parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : (parts[0] ?? 'nothing'));
const versions = (numbers) => listed(numbers.map((number) => `#${number}`));

/** @returns {string} what a user or client does in a step */
export function stepText(step) {
  const { client } = step;
  const file = fileOf(step);
  const value = step[actionOf(step)];
  switch (actionOf(step)) {
    case 'edit': return `${client} edits ${file}: ${quoted(value)}${step.forged ? ', with a forged signature' : ''}`;
    case 'change': return `The user of ${client} ${value === null ? `deletes ${file}` : `writes ${quoted(value)} to ${file}`}, which the client does not notice yet`;
    case 'upload': return `${client} uploads its changes`;
    case 'poll': return `${client} polls ${value}${file === 'foo' ? '' : ` for ${file}`}${step.stops ? ', and stops before it links the version' : ''}`;
    case 'poll_all': return `${client} polls all files of ${value}`;
    case 'resolve': return `${client} resolves ${file} against ${listed(value)}${step.text === undefined ? '' : ` with ${quoted(step.text)}`}`;
    case 'delete': return `${client} deletes ${file}`;
    case 'undelete': return `${client} brings ${file} back with ${quoted(value)}`;
    case 'rename': return `${client} renames ${file} to ${value}`;
    case 'offline': return `${client} goes offline`;
    case 'online': return `${client} comes back online`;
    case 'join': return `${client} joins with ${listed(Object.entries(value).map(([name, text]) => `${name} ${quoted(text)}`))}`;
    case 'subscribe': return `${client} subscribes to ${value}`;
    case 'unsubscribe': return `${client} does not poll ${value} any longer`;
    case 'back_up': return `${client} is backed up`;
    case 'set_back': return `${client} is set back to its backup`;
    default: return 'The storage deletes what nobody links';
  }
}

export const mapText = (map) => `(${Object.entries(map).map(([name, count]) => `${name}:${count}`).join(' ')})`;

/**
 * What the port did in a step.
 *
 * @param {import('./state.js').State} state
 * @param {import('./play.js').Played} game
 * @param {number} number  of the step
 * @returns {{text: string, clause: string}[]}
 */
export function explained(state, game, number) {
  let at = { client: state.steps[number].client, file: fileOf(state.steps[number]) };
  return game.notes[number].flatMap((note) => {
    const { step, clause } = note;
    if (step === 'look') at = { client: note.client, other: note.other, file: note.file, origin: note.origin };
    return sentences(state, game, number, note, at).map((text) => ({ text, clause }));
  });
}

function sentences(state, game, number, note, at) {
  const { client, other, file } = at;
  switch (note.step) {
    case 'look':
      return [note.origin === null ? `${client} looks for ${file} in the directory of ${other}: nothing is linked there.` : `${client} looks for ${file} in the directory of ${other}, which links version #${note.origin}, ${quoted(textOf(game, file, note.origin))}.`];
    case 'fetch':
      return [note.origins.length === 0 ? `${client} knows all snapshots that it needs.` : `${client} downloads the ${note.origins.length === 1 ? 'snapshot' : 'snapshots'} ${versions(note.origins)}.`];
    case 'classify': {
      const ours = number === 0 ? undefined : game.worlds[number - 1].origins[client]?.[file];
      return [why(state, game, at, ours, note.classification), ...remark(state, game, at, ours, note.classification)];
    }
    case 'reclassify':
      return [note.clause === 'CD-OVERWRITE-UNSAVED' ? `But ${client} has a change that it has not uploaded, so it treats the version as a conflict.` : `But a local file is in the way of ${file}, so ${client} treats the version as a conflict.`];
    case 'overwrite':
      return [note.text === null ? `${file} of ${client} is deleted.` : `${file} of ${client} becomes ${quoted(note.text)}.`];
    case 'hold':
      return [note.text === null ? `${client} remembers the conflict, without a conflict file.` : `${client} keeps its own ${file}, and writes ${quoted(note.text)} to a conflict file.`];
    case 'drop-link':
      return [`Every client has the deletion, so ${client} removes its link.`];
    default:
      return [`${note.client} uploads ${quoted(note.text)} for ${note.file} as version #${number}, which ${note.follows.length === 0 ? 'follows nothing' : `follows ${versions(note.follows)}`}.`];
  }
}

const textOf = ({ uploads }, file, number) => uploads.find((it) => it.number === number && it.file === file)?.text ?? null;

/** Why the port classified a version as it did. */
function why(state, game, { client, other, file, origin }, ours, found) {
  if (ours === undefined) return `${client} has no version of ${file}, so the version of ${other} is taken over: overwrite.`;
  if (state.design === 'version-maps') return whyByMaps(state, game, client, file, origin, ours, found);
  switch (found) {
    case 'same': return `${client} has version #${ours} already: same.`;
    case 'overwrite': return `Version #${origin} follows #${ours}, the version of ${client}. So it is newer: overwrite.`;
    case 'stale': return `Version #${ours} of ${client} follows #${origin}. So ${other} lags behind: stale, and nothing is done.`;
    default:
      return state.reading === 'literal'
        ? `Version #${origin} does not follow #${ours}, the version of ${client}. As printed, this is always a conflict.`
        : `Neither of #${origin} and #${ours}, the version of ${client}, follows the other: conflict.`;
  }
}

function whyByMaps(state, game, client, file, origin, ours, found) {
  const [theirMap, ourMap] = [mapOf(game, file, origin) ?? {}, mapOf(game, file, ours) ?? {}];
  const names = [...new Set([...Object.keys(ourMap), ...Object.keys(theirMap)])].sort();
  const compare = (test) => names.filter((name) => test(theirMap[name] ?? 0, ourMap[name] ?? 0));
  const larger = compare((theirs, own) => theirs > own);
  const smaller = compare((theirs, own) => theirs < own);
  const maps = `The downloaded map is ${mapText(theirMap)}, the map of ${client}'s version is ${mapText(ourMap)}.`;
  const others = names.filter((name) => !larger.includes(name));
  if (state.reading === 'literal') {
    return found === 'conflict'
      ? `${maps} As printed, every entry must be larger, and ${larger.length === names.length ? 'this does not hold' : `${listed(others)} ${others.length === 1 ? 'is' : 'are'} not`}: conflict.`
      : `${maps} Every entry is larger: ${found}.`;
  }
  if (found === 'same') return `${maps} All entries are equal: same.`;
  const entries = (which) => `${which.length === 1 ? 'entry' : 'entries'} ${listed(which)}`;
  if (found === 'overwrite') return `${maps} No entry is smaller, and ${entries(larger)} larger: overwrite.`;
  if (found === 'stale') return `${maps} No entry is larger, and ${entries(smaller)} smaller: stale, and nothing is done.`;
  return `${maps} It is larger for ${listed(larger)} and smaller for ${listed(smaller)}: conflict.`;
}

/** A word on a classification that the relation follows contradicts. */
function remark(state, { uploads }, { file, origin }, ours, found) {
  const replaced = state.steps.some((step) => 'set_back' in step || 'forged' in step);
  if (ours === undefined || replaced) return [];
  const right = truth(uploads.filter((it) => it.file === file), ours, origin);
  return right === found ? [] : [`By what the authors had seen, the right answer is ${right}. So this is a misclassification.`];
}
