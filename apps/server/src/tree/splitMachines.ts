/**
 * Splits a list into at most `partCount` parts whose lengths differ by at most one; none is empty. An
 * intermediate aggregator answers for each (S71).
 */
export function splitEvenly<Item>(
  items: readonly Item[],
  partCount: number,
): readonly (readonly Item[])[] {
  const count = Math.min(partCount, items.length);
  return Array.from({ length: count }, (_, i) =>
    items.slice(
      Math.floor((i * items.length) / count),
      Math.floor(((i + 1) * items.length) / count),
    ),
  );
}

/** The same list, beginning elsewhere: other machines become intermediate, so that work spreads. */
export function rotated<Item>(items: readonly Item[], by: number): readonly Item[] {
  const start = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
