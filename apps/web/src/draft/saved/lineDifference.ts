/** A line of two texts side by side; null: that side does not have it. */
export interface LinePair {
  readonly before: string | null;
  readonly after: string | null;
  readonly same: boolean;
}

/** Longer texts are not aligned: a table of 1,000 × 1,000 lengths is 4 MB. */
const linesMax = 1_000;

/** The lines of two texts side by side; lines that both have stand beside each other. */
export function lineDifference(before: string, after: string): LinePair[] {
  const [left, right] = [before.split("\n"), after.split("\n")];
  if (left.length > linesMax || right.length > linesMax) return paired(left, right);
  const lengths = commonLengths(left, right);
  const pairs: LinePair[] = [];
  let [i, j] = [0, 0];
  let [removed, added]: [string[], string[]] = [[], []];
  const flush = (): void => {
    pairs.push(...paired(removed, added));
    [removed, added] = [[], []];
  };
  while (i < left.length || j < right.length) {
    const [one, other] = [left[i], right[j]];
    if (one !== undefined && one === other) {
      flush();
      pairs.push({ before: one, after: one, same: true });
      i += 1;
      j += 1;
    } else if (
      one !== undefined &&
      (other === undefined || lengths(i + 1, j) >= lengths(i, j + 1))
    ) {
      removed.push(one);
      i += 1;
    } else if (other !== undefined) {
      added.push(other);
      j += 1;
    }
  }
  flush();
  return pairs;
}

/** Changed lines, one beside the other as far as both have some. */
function paired(left: readonly string[], right: readonly string[]): LinePair[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, i) => {
    const [before, after] = [left[i] ?? null, right[i] ?? null];
    return { before, after, same: before === after };
  });
}

/** Length of the longest common subsequence of the lines from `i` and from `j` on. */
function commonLengths(left: readonly string[], right: readonly string[]) {
  const width = right.length + 1;
  const table = new Int32Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      table[i * width + j] =
        left[i] === right[j]
          ? 1 + (table[(i + 1) * width + j + 1] ?? 0)
          : Math.max(table[(i + 1) * width + j] ?? 0, table[i * width + j + 1] ?? 0);
    }
  }
  return (i: number, j: number): number => table[i * width + j] ?? 0;
}
