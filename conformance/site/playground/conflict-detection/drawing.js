/**
 * The versions of a file: who made each, what it follows, and who has it.
 */
import { s } from '../common/element.js';
import { grouped } from '../common/grouped.js';
import { placed } from '../common/layers.js';
import { mapOf } from './play.js';
import { mapText } from './explain.js';

const ROW = 104;
const GAP = 16;
const CHARACTER = 8.2;
const MOST_CHARACTERS = 24;
/** The latest versions that are drawn. */
const MOST = 10;
const PARTS = { ours: "the polling client's version", theirs: 'the version that it finds' };

/**
 * @param {import('./state.js').State} state
 * @param {import('./play.js').Played} game
 * @param {number} number  the step after which the versions are shown
 * @param {string} file
 * @param {(number: number) => void} click  on the version that a step made
 */
export function drawing(state, game, number, file, click) {
  const made = game.uploads.filter((it) => it.file === file && it.number <= number);
  const shown = made.slice(-MOST);
  const nodes = shown.map((it) => ({ id: String(it.number), parents: it.follows.map(String) }));
  const marks = marksOf(state, game, number, file);
  const holders = grouped(state.clients.filter((it) => game.worlds[number].origins[it]?.[file] !== undefined), (it) => String(game.worlds[number].origins[it][file]));
  const lines = new Map(
    shown.map((it) => {
      const map = state.design === 'version-maps' ? mapOf(game, file, it.number) : null;
      const have = holders.get(String(it.number)) ?? [];
      return [String(it.number), [`#${it.number} ${it.client}: ${it.text === null ? 'deleted' : `“${it.text}”`}`, ...(map ? [mapText(map)] : []), ...(have.length > 0 ? [`has it: ${have.join(' ')}`] : [])].map(short)];
    }),
  );
  const places = placed(nodes);
  const longest = Math.max(10, ...[...lines.values()].flat().map((line) => line.length));
  const high = state.design === 'version-maps' ? 68 : 50;
  const wide = longest * CHARACTER + 18;
  const column = wide + GAP;
  const middle = ({ x, y }) => [x * column + column / 2, y * ROW + high / 2 + 4];
  const edges = places.edges.map(({ points }) => s('path', { class: 'edge', d: way(points.map(middle), high) }));
  const boxes = shown.map((it) => {
    const id = String(it.number);
    const [x, y] = middle(places.nodes.get(id));
    const after = it.follows.length > 0 ? `follows ${it.follows.map((each) => `#${each}`).join(', ')}` : 'follows nothing';
    const label = `Version ${lines.get(id).join(', ')}, ${after}${marks[id] ? `, ${PARTS[marks[id]]}` : ''}`;
    const act = (event) => {
      if (event.type === 'keydown' && event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      click(it.number);
    };
    return s(
      'g',
      { class: `node ${marks[id] ?? ''} ${holders.has(id) ? 'held' : ''}`, role: 'button', tabindex: 0, id: `version-${id}`, 'aria-label': label, click: act, keydown: act },
      s('title', {}, label),
      s('rect', { x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: 8 }),
      lines.get(id).map((line, i) => s('text', { x, y: y + 5 + (i - (lines.get(id).length - 1) / 2) * 18, class: i === 0 ? 'id' : null }, line)),
    );
  });
  const width = Math.max(1, places.width) * column;
  const height = Math.max(0, places.height - 1) * ROW + high + 8;
  return {
    left: made.length - shown.length,
    svg: s('svg', { class: 'graph', role: 'group', 'aria-label': `The versions of ${file}`, viewBox: `0 0 ${width} ${height}`, width, height }, edges, boxes),
  };
}

/** The two versions that a poll compares. */
function marksOf(state, game, number, file) {
  const look = game.notes[number].find((it) => it.step === 'look' && it.file === file && it.origin !== null);
  if (look === undefined) return {};
  const ours = number === 0 ? undefined : game.worlds[number - 1].origins[look.client]?.[file];
  return { ...(ours === undefined ? {} : { [ours]: 'ours' }), [look.origin]: ours === look.origin ? 'ours' : 'theirs' };
}

const short = (line) => (line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS - 1)}…` : line);

function way([start, ...rest], high) {
  let [x, y] = [start[0], start[1] - high / 2];
  let text = `M ${x} ${y}`;
  rest.forEach(([toX, middleY], i) => {
    const toY = i === rest.length - 1 ? middleY + high / 2 : middleY;
    const half = (y + toY) / 2;
    text += ` C ${x} ${half} ${toX} ${half} ${toX} ${toY}`;
    [x, y] = [toX, toY];
  });
  return text;
}
