/**
 * The places of the nodes of a graph: each node in a layer below its parents.
 *
 * @typedef {object} Placed
 * @property {Map<string, {x: number, y: number}>} nodes  columns and rows, not pixels; x can be a half
 * @property {{from: string, to: string, points: {x: number, y: number}[]}[]} edges  from child to parent
 * @property {number} width  columns
 * @property {number} height  rows
 */

/**
 * @param {{id: string, parents: string[]}[]} nodes  a parent that is not there, or in a cycle, is
 *   ignored
 * @returns {Placed}
 */
export function placed(nodes) {
  const depths = depthsOf(nodes);
  const height = Math.max(-1, ...depths.values()) + 1;
  /** @type {{key: string, above: string[]}[][]} */
  const layers = Array.from({ length: height }, () => []);
  const routes = [];
  for (const { id, parents } of nodes) {
    const depth = depths.get(id);
    const above = [];
    for (const parent of parents) {
      if (!depths.has(parent) || depths.get(parent) >= depth) continue;
      const route = [];
      let key = parent;
      for (let between = depths.get(parent) + 1; between < depth; between += 1) {
        const bend = `${id} ${parent} ${between}`; // no ID has a space
        layers[between].push({ key: bend, above: [key] });
        route.push({ key: bend, y: between });
        key = bend;
      }
      above.push(key);
      routes.push({ from: id, to: parent, route: route.reverse() });
    }
    layers[depth].push({ key: id, above });
  }
  const xs = columns(layers);
  const width = Math.max(0, ...layers.map((layer) => layer.length));
  const at = (key, y) => ({ x: xs.get(key), y });
  const places = new Map(nodes.map(({ id }) => [id, at(id, depths.get(id))]));
  const edges = routes.map(({ from, to, route }) => ({
    from,
    to,
    points: [places.get(from), ...route.map(({ key, y }) => at(key, y)), places.get(to)],
  }));
  return { nodes: places, edges, width, height };
}

/** The length of the longest way to a root. A node in a cycle stands where it was first met. */
function depthsOf(nodes) {
  const known = new Set(nodes.map(({ id }) => id));
  const depths = new Map();
  let waiting = nodes;
  while (waiting.length > 0) {
    const ready = waiting.filter(({ parents }) => parents.every((it) => !known.has(it) || depths.has(it)));
    const now = ready.length > 0 ? ready : waiting.slice(0, 1);
    for (const { id, parents } of now) {
      const above = parents.map((it) => depths.get(it) ?? -1);
      depths.set(id, Math.max(-1, ...above) + 1);
    }
    waiting = waiting.filter(({ id }) => !depths.has(id));
  }
  return depths;
}

/** Each layer in the order of the middles of what stands above, spread around the middle. */
function columns(layers) {
  const xs = new Map();
  const widest = Math.max(0, ...layers.map((layer) => layer.length));
  for (const layer of layers) {
    const middle = ({ above }) =>
      above.length === 0 ? widest / 2 : above.reduce((sum, it) => sum + xs.get(it), 0) / above.length;
    const wished = layer.map((it, place) => ({ ...it, wish: middle(it), place }));
    wished.sort((a, b) => a.wish - b.wish || a.place - b.place);
    const left = (widest - layer.length) / 2;
    wished.forEach(({ key }, i) => xs.set(key, left + i));
  }
  return xs;
}
