/**
 * The data of the pages, as classic scripts.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Unopened } from './common/address.js';
import * as configMerge from './config-merge/state.js';
import * as conflictDetection from './conflict-detection/state.js';
import * as historyMerge from './history-merge/state.js';

/** System -> what makes a state of its playground from a vector. */
const PLAYGROUNDS = {
  'config-merge': configMerge,
  'conflict-detection': conflictDetection,
  'history-merge': historyMerge,
};

/** The operations whose vectors a playground can open. */
const OPENED = new Set([
  'config-merge/apply-diff',
  'config-merge/diff',
  'config-merge/parse',
  'config-merge/resolve',
  'config-merge/resolve-steps',
  'config-merge/scenario',
  'config-merge/update',
  'conflict-detection/scenario',
  'conflict-detection/scenario-steps',
  'history-merge/accept',
  'history-merge/members',
  'history-merge/merge',
  'history-merge/merge-recurse-fold',
  'history-merge/merge-steps',
  'history-merge/merge-temporary-nodes',
  'history-merge/three-way-merge',
]);
/** Characters of an input. A page does not draw a larger one. */
const LARGEST = 20_000;

/** @returns {object[]} the files of a system's corpus, parsed, by ascending name */
function filesOf(vectors, system) {
  const folder = join(vectors, system);
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

/** Data as base64 of gzip of JSON, which `common/packed.js` unpacks. */
const packed = (data) => gzipSync(JSON.stringify(data), { level: 9 }).toString('base64');

/** A script with the whole corpus of a system. */
export function corpusScript(vectors, system) {
  const files = filesOf(vectors, system).map(({ topic, vectors: all }) => ({ system, topic, vectors: all }));
  return `(globalThis.rejoinCorpus ??= {})['${system}'] = '${packed(files)}';\n`;
}

/** A script with what the playground of a system can open: ID -> operation, summary and input. */
export function vectorsScript(vectors, system) {
  const opened = filesOf(vectors, system)
    .flatMap((file) => file.vectors)
    .filter((vector) => isOpened(vector, PLAYGROUNDS[system]))
    .map((vector) => [vector.id, openable(vector)]);
  return `globalThis.rejoinVectors = '${packed(Object.fromEntries(opened))}';\n`;
}

function isOpened(vector, { check, fromVector }) {
  const { id, operation, input, recipe } = vector;
  if (!OPENED.has(operation) || recipe || JSON.stringify(input).length > LARGEST) return false;
  try {
    check(fromVector(id, openable(vector)));
    return true;
  } catch (error) {
    if (error instanceof Unopened) return false;
    throw error;
  }
}

function openable({ operation, clauses, summary, input, expected, expected_by_reading: byReading }) {
  const readings = byReading === undefined ? undefined : Object.keys(byReading);
  const refused = expected !== undefined && Object.hasOwn(expected, 'rejected');
  return { operation, clauses, summary, input, readings, ...(refused ? { refused } : {}) };
}
