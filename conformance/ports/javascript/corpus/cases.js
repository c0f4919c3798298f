/**
 * The corpus as requests, read from a folder. `vectors.js` says what each vector asks.
 *
 * @typedef {import('./vectors.js').Case} Case
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SYSTEMS, TIERS, casesOf } from './vectors.js';

export { answerOf } from './vectors.js';

/** The corpus of this checkout, unless the environment names another one. */
export const VECTORS =
  process.env.REJOIN_VECTORS ?? fileURLToPath(new URL('../../../../vectors', import.meta.url));

/** Characters of a request. In each tier, larger requests come last. */
const LARGE = 5_000;

/**
 * @param {string} [system]  all systems if it is missing
 * @param {string} [folder]
 * @returns {Case[]} by tier; in a tier small requests first, and in turns from each topic, because
 *   different topics find different faults
 */
export function readCases(system, folder = VECTORS) {
  const systems = system ? [system] : SYSTEMS;
  const topics = systems.flatMap((name) =>
    readdirSync(join(folder, name))
      .filter((file) => file.endsWith('.json'))
      .sort()
      .map((file) => casesOf(JSON.parse(readFileSync(join(folder, name, file), 'utf8')))),
  );
  const inTurns = takeInTurns(topics);
  const isLarge = ({ request }) => request.length > LARGE;
  return TIERS.flatMap((tier) => {
    const ofTier = inTurns.filter((it) => it.tier === tier);
    return [...ofTier.filter((it) => !isLarge(it)), ...ofTier.filter(isLarge)];
  });
}

function takeInTurns(lists) {
  const longest = lists.reduce((most, list) => Math.max(most, list.length), 0);
  const taken = [];
  for (let turn = 0; turn < longest; turn += 1) {
    for (const list of lists) if (turn < list.length) taken.push(list[turn]);
  }
  return taken;
}
