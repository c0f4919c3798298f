/**
 * A scenario played by the port: what every client has after each step, and how each step went.
 *
 * @typedef {object} Upload  a version: `number` is the step that made it
 * @property {number} number
 * @property {string} client
 * @property {string} file
 * @property {number[]} follows
 * @property {string | null} text
 *
 * @typedef {object} Played
 * @property {object[]} worlds  after each step: classification, files, versions, origins, ...
 * @property {object[][]} notes  for each step, its steps
 * @property {Upload[]} uploads
 */
import { ask } from '../common/port.js';
import { inputOf } from './state.js';

const REPORT = ['versions', 'origins', 'conflict_origins', 'links', 'operations'];

/** @param {import('./state.js').State} state @returns {Played | {refused: string}} */
export function played(state) {
  const whole = ask('conflict-detection/scenario', inputOf(state, REPORT), state.reading);
  if (!('output' in whole)) return { refused: whole.refused ?? whole.error };
  const listed = ask('conflict-detection/scenario-steps', inputOf(state), state.reading).output.steps;
  const notes = state.steps.map((_, number) => listed.filter((it) => it.number === number));
  return {
    worlds: whole.output.steps,
    notes,
    uploads: listed.filter(({ step }) => step === 'upload'),
  };
}

/**
 * Whether one version follows another one, by what their authors had before them.
 *
 * @param {Upload[]} uploads  of one file
 * @param {number} later
 * @param {number} earlier
 */
export function follows(uploads, later, earlier) {
  const direct = new Map();
  for (const { number, follows: before } of uploads) {
    direct.set(number, [...(direct.get(number) ?? []), ...before]);
  }
  const seen = new Set();
  const waiting = [...(direct.get(later) ?? [])];
  while (waiting.length > 0) {
    const number = waiting.pop();
    if (number === earlier) return true;
    if (seen.has(number)) continue;
    seen.add(number);
    waiting.push(...(direct.get(number) ?? []));
  }
  return false;
}

/** @returns {'same' | 'overwrite' | 'stale' | 'conflict'} by the relation follows, and nothing else */
export function truth(uploads, ours, theirs) {
  if (ours === theirs) return 'same';
  if (follows(uploads, theirs, ours)) return 'overwrite';
  return follows(uploads, ours, theirs) ? 'stale' : 'conflict';
}

/** @returns {Record<string, number> | null} the version map of the version that a step made */
export function mapOf({ worlds, uploads }, file, number) {
  const author = uploads.find((it) => it.number === number && it.file === file)?.client;
  return author === undefined ? null : (worlds[number].versions[author]?.[file] ?? null);
}
