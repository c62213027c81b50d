/**
 * The known name that `name` is most likely a slip of; null when none is close. Case does not
 * count.
 */
export function nearestName(name: string, names: Iterable<string>): string | null {
  const wanted = name.toLowerCase();
  let nearest: string | null = null;
  let nearestDistance = Number.POSITIVE_INFINITY;
  for (const known of names) {
    const candidate = known.toLowerCase();
    const length = Math.max(wanted.length, candidate.length);
    // A third of the letters may differ: more is another word, not a slip.
    const distanceMax = Math.min(nearestDistance - 1, Math.max(1, Math.floor(length / 3)));
    if (distanceMax >= length || Math.abs(wanted.length - candidate.length) > distanceMax) continue;
    const distance = editDistance(wanted, candidate);
    if (distance > distanceMax) continue;
    nearest = known;
    nearestDistance = distance;
  }
  return nearest;
}

/** ` Did you mean "status"?`, or nothing: made to follow a sentence. */
export function nearestHint(name: string, names: Iterable<string>): string {
  const nearest = nearestName(name, names);
  return nearest === null ? "" : ` Did you mean "${nearest}"?`;
}

/** Damerau-Levenshtein: insertions, deletions, replacements and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(replaced, last[j]! + 1, row[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, beforeLast[j - 2]! + 1);
      }
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
