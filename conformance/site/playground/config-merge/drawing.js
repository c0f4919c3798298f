/**
 * All messages of a play, and what each follows.
 */
import { s } from '../common/element.js';
import { grouped } from '../common/grouped.js';
import { placed } from '../common/layers.js';
import { diffText } from './notation.js';

const ROW = 96;
const HIGH = 62;
const GAP = 16;
const CHARACTER = 8.2;
const MOST_CHARACTERS = 26;

/**
 * @param {import('./names.js').Names} names
 * @param {import('./play.js').World} world
 * @param {Record<string, string>} marks  hash -> its part in the shown resolution
 * @param {string | null} chosen  hash
 * @param {(hash: string) => void} click
 */
export function drawing(names, world, marks, chosen, click) {
  const known = new Set(Object.values(world.clients).flatMap(({ known: all, head }) => [...all, head]));
  const stored = new Set(world.stored.map(({ plaintext }) => plaintext));
  const shown = [...names.byHash.values()].filter(({ plaintext }) => known.has(plaintext) || stored.has(plaintext));
  shown.sort((a, b) => (a.seqno === b.seqno ? (a.hash < b.hash ? -1 : 1) : Number(a.seqno - b.seqno)));
  const there = new Set(shown.map(({ hash }) => hash));
  const nodes = shown.map(({ hash }) => ({ id: hash, parents: names.parents(hash).filter((it) => there.has(it)) }));
  const heads = grouped(Object.entries(world.clients), ([, { head }]) => head);
  const lines = new Map(
    shown.map(({ hash, name, message, plaintext }) => {
      const at = (heads.get(plaintext) ?? []).map(([client]) => client);
      return [hash, [`${name}${stored.has(plaintext) || name.endsWith('pushed') ? '' : ' (not stored)'}`, diffText(message.diff), at.length > 0 ? `head of ${at.join(' ')}` : ''].filter(Boolean).map(short)];
    }),
  );
  const places = placed(nodes);
  const longest = Math.max(12, ...[...lines.values()].flat().map((line) => line.length));
  const wide = longest * CHARACTER + 18;
  const column = wide + GAP;
  const middle = ({ x, y }) => [x * column + column / 2, y * ROW + HIGH / 2 + 4];
  const edges = places.edges.map(({ points }) => s('path', { class: 'edge', d: way(points.map(middle)) }));
  const boxes = shown.map(({ hash, name }) => {
    const [x, y] = middle(places.nodes.get(hash));
    const label = `Message ${lines.get(hash).join(', ')}${marks[hash] ? `, ${marks[hash]}` : ''}`;
    const act = (event) => {
      if (event.type === 'keydown' && event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      click(hash);
    };
    const box = { role: 'button', tabindex: 0, id: `message-${hash.slice(0, 8)}`, 'aria-label': label, 'aria-pressed': String(chosen === hash), click: act, keydown: act };
    return s(
      'g',
      { class: `node ${marks[hash] ?? ''} ${chosen === hash ? 'chosen' : ''}`, ...box },
      s('title', {}, label),
      s('rect', { x: x - wide / 2, y: y - HIGH / 2, width: wide, height: HIGH, rx: 8 }),
      lines.get(hash).map((line, i) => s('text', { x, y: y + 5 + (i - (lines.get(hash).length - 1) / 2) * 18, class: i === 0 ? 'id' : null }, line)),
    );
  });
  const width = Math.max(1, places.width) * column;
  const height = Math.max(0, places.height - 1) * ROW + HIGH + 8;
  return s('svg', { class: 'graph', role: 'group', 'aria-label': 'The messages', viewBox: `0 0 ${width} ${height}`, width, height }, edges, boxes);
}

const short = (line) => (line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS - 1)}…` : line);

function way([start, ...rest]) {
  let [x, y] = [start[0], start[1] - HIGH / 2];
  let text = `M ${x} ${y}`;
  rest.forEach(([toX, middleY], i) => {
    const toY = i === rest.length - 1 ? middleY + HIGH / 2 : middleY;
    const half = (y + toY) / 2;
    text += ` C ${x} ${half} ${toX} ${half} ${toX} ${toY}`;
    [x, y] = [toX, toY];
  });
  return text;
}
