/**
 * The data of the pages, as classic scripts.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Operation -> whether the playground of its system can open the vector. */
const OPENED = new Set([
  'config-merge/resolve',
  'config-merge/resolve-steps',
  'config-merge/scenario',
  'config-merge/update',
  'conflict-detection/scenario',
  'conflict-detection/scenario-steps',
  'history-merge/members',
  'history-merge/merge',
  'history-merge/merge-recurse-fold',
  'history-merge/merge-steps',
  'history-merge/merge-temporary-nodes',
]);
/** Characters of an input. A page does not draw a larger one. */
const LARGEST = 20_000;

/** @returns {object[]} the files of a system's corpus, parsed, by ascending name */
function filesOf(vectors, system) {
  const folder = join(vectors, system);
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

/** A script with the whole corpus of a system, as base64 of gzip of JSON. */
export function corpusScript(vectors, system) {
  const files = filesOf(vectors, system).map(({ topic, vectors: all }) => ({ system, topic, vectors: all }));
  const packed = gzipSync(JSON.stringify(files), { level: 9 }).toString('base64');
  return `(globalThis.rejoinCorpus ??= {})['${system}'] = '${packed}';\n`;
}

/** A script with what the playground of a system can open: ID -> operation, summary and input. */
export function vectorsScript(vectors, system) {
  const opened = filesOf(vectors, system)
    .flatMap((file) => file.vectors)
    .filter(({ operation, input, recipe }) =>
      OPENED.has(operation) && !recipe && JSON.stringify(input).length <= LARGEST,
    )
    .map((vector) => [vector.id, openable(vector)]);
  // `<` is written as an escape, because a script that contains `</script>` can be cut off there.
  const text = JSON.stringify(Object.fromEntries(opened)).replaceAll('<', '\\u003c');
  return `globalThis.rejoinVectors = ${text};\n`;
}

function openable({ operation, clauses, summary, input, expected, expected_by_reading: byReading }) {
  const readings = byReading === undefined ? undefined : Object.keys(byReading);
  const refused = expected !== undefined && Object.hasOwn(expected, 'rejected');
  return { operation, clauses, summary, input, readings, ...(refused ? { refused } : {}) };
}
