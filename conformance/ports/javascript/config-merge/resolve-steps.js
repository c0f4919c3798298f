/**
 * The steps of a resolution, for those who want to see it work.
 */
import { encode } from '../bt.js';
import { toHex } from '../bytes.js';
import { resolve } from './conflict-resolution.js';

const IGNORED_BY = {
  invalid: 'CM-IGNORE-INVALID',
  duplicate: 'CM-IGNORE-DUPLICATE',
  stale: 'CM-IGNORE-STALE',
  included: 'CM-IGNORE-INCLUDED',
};

const rankOf = ({ seqno, hash }) => ({ seqno: seqno.toString(), hash: toHex(hash) });
const encoded = (value) => toHex(encode(value));

/**
 * What is noted of a resolution -> the clause and the fields of the step.
 *
 * @type {Record<string, (noted: any) => [string, object]>}
 */
const STEPS = {
  ignore: ({ index, why }) => [IGNORED_BY[why], { index, why }],
  survivors: (survivors) => ['CM-RESOLVE-ORDER', { messages: survivors.map(rankOf) }],
  result: ({ message, alone }) => [
    alone ? 'CM-RESOLVE-SINGLE' : 'CM-SIGN-CANNOT-MERGE',
    rankOf(message),
  ],
  seqno: (seqno) => ['CM-RESOLVE-SEQNO', { seqno: seqno.toString() }],
  base: (message) => ['CM-RESOLVE-BASE', { ...rankOf(message), data: encoded(message.data) }],
  replay: ({ entry, data }) => [
    entry.hash === entry.source.hash ? 'CM-RESOLVE-REPLAY-OWN' : 'CM-RESOLVE-REPLAY-LAGGED',
    {
      ...rankOf(entry),
      diff: encoded(entry.diff),
      source: toHex(entry.source.hash),
      data: encoded(data),
    },
  ],
  prune: (data) => ['CM-RESOLVE-PRUNE', { data: encoded(data) }],
  keep: (rows) => ['CM-RESOLVE-LAGGED', { rows: rows.map(rankOf) }],
  message: (message) => ['CM-RESOLVE-DIFF-EMPTY', { message: toHex(message) }],
};

/**
 * @param {Uint8Array[]} messages  plaintexts
 * @param {import('./outer-metadata.js').Context} context
 * @returns {object[]}
 */
export function resolveSteps(messages, context) {
  const steps = [];
  resolve(messages, context, (step, noted) => {
    const [clause, fields] = STEPS[step](noted);
    steps.push({ step, clause, ...fields });
  });
  return steps;
}
