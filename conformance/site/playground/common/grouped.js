/**
 * Items by a key, in the order in which the keys first occur. (Node 20 has no `Map.groupBy`.)
 *
 * @template T, K @param {Iterable<T>} items @param {(item: T) => K} keyOf @returns {Map<K, T[]>}
 */
export function grouped(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}
