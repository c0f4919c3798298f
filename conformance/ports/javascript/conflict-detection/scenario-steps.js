/**
 * The steps of a scenario: what polls see, fetch, find and do, and what changes upload. A version is
 * named by the step of the scenario that made it.
 */
import { compareTexts } from './texts.js';

const CLASSIFIED_BY = {
  overwrite: 'CD-CLASSIFY-OVERWRITE',
  conflict: 'CD-CLASSIFY-CONFLICT',
  stale: 'CD-CLASSIFY-STALE',
  same: 'CD-CLASSIFY-SAME',
};

function whyFetched({ fetched, first, held }) {
  if (held) return 'CD-WALK-HELD';
  if (first) return 'CD-WALK-FIRST';
  return fetched.length > 0 ? 'CD-WALK-STOP' : 'CD-WALK-KNOWN';
}

function whyUploaded({ resolves, content }) {
  if (resolves) return 'CD-RESOLVE-PARENTS';
  return content === null ? 'CD-DELETE-SNAPSHOT' : 'CD-SNAPSHOT-EDIT';
}

/**
 * What an action noted -> the clause and the fields of the step.
 *
 * @type {Record<string, (noted: any, made: (path: string, versions: any[]) => number[], path: string) => [string, object]>}
 */
const STEPS = {
  look: ({ client, other, path, link }, made) => [
    link ? 'CD-POLL-SUBSCRIBED' : 'CD-POLL-NOTHING',
    {
      client: client.nickname,
      other: other.nickname,
      file: path,
      origin: link ? made(path, [link.version])[0] : null,
    },
  ],
  fetch: (noted, made, path) => [whyFetched(noted), { origins: made(path, noted.fetched) }],
  classify: ({ found, first }) => [
    first ? 'CD-CLASSIFY-FIRST' : CLASSIFIED_BY[found],
    { classification: found },
  ],
  reclassify: ({ unsaved }) => [unsaved ? 'CD-OVERWRITE-UNSAVED' : 'CD-PATH-BLOCKED', {}],
  overwrite: ({ content }) => ['CD-OVERWRITE-APPLY', { text: content }],
  hold: ({ content }) => ['CD-CONFLICT-APPLY', { text: content }],
  'drop-link': () => ['CD-DELETE-DROP-LINK', {}],
  upload: (noted, made) => [
    whyUploaded(noted),
    {
      client: noted.client.nickname,
      file: noted.path,
      follows: made(noted.path, noted.follows),
      text: noted.content,
    },
  ],
};

/**
 * @param {number} number  of the scenario's step
 * @param {[string, any][]} notes  of its action
 * @param {(path: string, version: any) => number} originOf
 * @param {boolean} walks  whether versions are snapshots
 * @returns {object[]}
 */
export function stepsOf(number, notes, originOf, walks) {
  const made = (path, versions) => {
    const origins = new Set(versions.map((version) => originOf(path, version)));
    return [...origins].sort((a, b) => a - b);
  };
  const wanted = notes.filter(([step]) => walks || step !== 'fetch');
  // An action that uploads does nothing else.
  if (wanted.every(([step]) => step === 'upload')) {
    wanted.sort(([, one], [, other]) => compareTexts(one.path, other.path));
  }
  let path = '';
  return wanted.map(([step, noted]) => {
    if (step === 'look') path = noted.path;
    const [clause, fields] = STEPS[step](noted, made, path);
    return { step, clause, number, ...fields };
  });
}
