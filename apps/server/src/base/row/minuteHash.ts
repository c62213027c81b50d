const minutesPerDay = 1_440;

export const dayOf = (minute: number): number => Math.floor(minute / minutesPerDay);

const seedDefault = 0x9e3779b9;

/**
 * Hash of the row count of a minute, below 2^32; for each seed another one. Hashes of minutes are added, so their order
 * does not matter.
 */
export function hashMinute(minute: number, rowCount: number, seed = seedDefault): number {
  let hash = seed;
  for (const part of [
    minute,
    Math.floor(minute / 2 ** 32),
    rowCount,
    Math.floor(rowCount / 2 ** 32),
  ]) {
    hash = Math.imul(hash ^ part, 0x85ebca6b);
    hash ^= hash >>> 13;
    hash = Math.imul(hash, 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}

/** Sums stay below 2^32. */
const addHash = (sum: number, hash: number): number => (sum + hash) >>> 0;

/** The hash of each day with rows. */
export function hashDays(
  minutes: Iterable<readonly [minute: number, rowCount: number]>,
): Map<number, number> {
  const days = new Map<number, number>();
  for (const [minute, rowCount] of minutes) {
    const day = dayOf(minute);
    days.set(day, addHash(days.get(day) ?? 0, hashMinute(minute, rowCount)));
  }
  return days;
}

/** The hash of all days together. */
export function totalHash(days: ReadonlyMap<number, number>): number {
  let total = 0;
  for (const hash of days.values()) total = addHash(total, hash);
  return total;
}
