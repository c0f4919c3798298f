/**
 * The graph of a history. Every message is a switch: chosen or not.
 */
import { s } from '../common/element.js';
import { placed } from '../common/layers.js';
import { stateText } from './notation.js';

const ROW = 92;
const HIGH = 52;
const GAP = 18;
const CHARACTER = 8.2;
const LEAST = 64;
const MOST_CHARACTERS = 18;
const PARTS = { origin: 'lowest common ancestor', merged: 'already merged', folded: 'folded now' };

/**
 * @param {import('./state.js').State} state
 * @param {Record<string, string>} marks  message -> its part in the shown step
 * @param {(id: string) => void} click
 */
export function drawing({ nodes, merge, type }, marks, click) {
  const places = placed(nodes);
  const texts = new Map(nodes.map((node) => [node.id, short(stateText(node.state, type))]));
  const longest = Math.max(0, ...[...texts].flat().map((text) => text.length));
  const wide = Math.max(LEAST, longest * CHARACTER + 20);
  const column = wide + GAP;
  const width = Math.max(1, places.width) * column + 8;
  const height = Math.max(1, places.height) * ROW + 6;
  const middle = ({ x, y }) => [x * column + column / 2 + 4, y * ROW + HIGH / 2 + 4];
  const edges = places.edges.map(({ points }) => s('path', { class: 'edge', d: wayThrough(points.map(middle)) }));
  const boxes = nodes.map((node) => {
    const [x, y] = middle(places.nodes.get(node.id));
    const chosen = merge.includes(node.id);
    const mark = marks[node.id];
    const after = node.parents.length > 0 ? `after ${node.parents.join(', ')}` : 'a first message';
    const label = `${node.id}, ${after}, state ${stateText(node.state, type)}${mark ? `, ${PARTS[mark]}` : ''}`;
    const act = (event) => {
      if (event.type === 'keydown' && event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      click(node.id);
    };
    return s(
      'g',
      {
        class: `node ${chosen ? 'chosen' : ''} ${mark ?? ''}`,
        role: 'button',
        tabindex: 0,
        id: `node-${node.id}`,
        'aria-pressed': String(chosen),
        'aria-label': label,
        click: act,
        keydown: act,
      },
      s('title', {}, label),
      s('rect', { x: x - wide / 2, y: y - HIGH / 2, width: wide, height: HIGH, rx: 8 }),
      s('text', { x, y: y - 5, class: 'id' }, `${chosen ? '✓ ' : ''}${node.id}`),
      s('text', { x, y: y + 15 }, texts.get(node.id)),
    );
  });
  const box = { viewBox: `0 0 ${width} ${height}`, width, height };
  return s('svg', { class: 'graph', role: 'group', 'aria-label': 'The messages of the history', ...box }, edges, boxes);
}

const short = (text) => (text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text);

/** A line from a child up to its parent, with a bend in each row between. */
function wayThrough([start, ...rest]) {
  let [x, y] = [start[0], start[1] - HIGH / 2];
  let way = `M ${x} ${y}`;
  rest.forEach(([toX, middleY], i) => {
    const last = i === rest.length - 1;
    const toY = last ? middleY + HIGH / 2 : middleY;
    const half = (y + toY) / 2;
    way += ` C ${x} ${half} ${toX} ${half} ${toX} ${toY}`;
    [x, y] = [toX, toY];
  });
  return way;
}
