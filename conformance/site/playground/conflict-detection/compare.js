/**
 * The same steps in both designs and both readings.
 */
import { played } from './play.js';

export const VARIANTS = [
  ['snapshots', 'repaired'],
  ['snapshots', 'literal'],
  ['version-maps', 'repaired'],
  ['version-maps', 'literal'],
];

/**
 * @param {import('./state.js').State} state
 * @returns {{number: number, found: (string | null)[]}[]} for each poll, its classification in each
 *   variant; null if the variant refuses the scenario
 */
export function compared(state) {
  const games = VARIANTS.map(([design, reading]) => played({ ...state, design, reading }));
  return state.steps.flatMap((step, number) => {
    if (!('poll' in step) && !('poll_all' in step)) return [];
    const found = games.map((game) => ('refused' in game ? null : summary(game.worlds[number])));
    return [{ number, found }];
  });
}

function summary({ classification, classifications }) {
  const found = classifications ? Object.entries(classifications).map(([file, it]) => `${file} ${it}`) : [classification];
  return found.filter(Boolean).join(', ') || 'nothing';
}
