import { betaShare } from "./betaShare.js";

/** The percentile is beyond its bound with a probability of about `tail` on either side, at most `tailMax`. */
const tail = 0.025;
const tailMax = 0.0375;
/** The smallest or largest row is a bound if the probability beyond it is at most this. */
const outermostTailMax = 0.035;
const bothTailsMax = 0.071;

/** The positions of two rows, as shares of all rows in order; each lies within its row. */
export type ShareBounds = readonly [low: number, high: number];

/**
 * The rows of a sample between which the percentile of all rows lies with 95 % confidence: the number of sampled rows below
 * it is binomial. Null if even the smallest or the largest row is no bound. `share`: 0.95 for p95.
 */
export function binomialBounds(rows: number, share: number): ShareBounds | null {
  const low = countBelow(rows, share);
  const above = countBelow(rows, 1 - share);
  if (low === null || above === null || low.chance + above.chance > bothTailsMax) return null;
  return [(low.count + 0.5) / rows, 1 - (above.count + 0.5) / rows];
}

/** The same, cached by the number of rows, which many groups share. */
export function rememberedBounds(share: number): (rows: number) => ShareBounds | null {
  const known = new Map<number, ShareBounds | null>();
  return (rows) => {
    const rounded = rows < 100 ? Math.floor(rows * 10) / 10 : Math.floor(rows);
    let bounds = known.get(rounded);
    if (bounds === undefined) {
      bounds = binomialBounds(rounded, share);
      known.set(rounded, bounds);
    }
    return bounds;
  };
}

/** How many rows may be excluded at the lower end, and the probability that the percentile is among them; null: none. */
function countBelow(
  rows: number,
  share: number,
): { readonly count: number; readonly chance: number } | null {
  const chanceOf = (count: number): number => betaShare(1 - share, rows - count, count + 1);
  const first = chanceOf(0);
  if (first > outermostTailMax) return null;
  let [least, most] = [0, Math.ceil(rows * share)];
  if (first >= tail) return { count: 0, chance: first };
  // The last count with a probability below the wanted one, and the next.
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2);
    if (chanceOf(middle) < tail) least = middle;
    else most = middle;
  }
  const [below, beyond] = [chanceOf(least), chanceOf(most)];
  const isNearer = beyond <= tailMax && beyond - tail < tail - below;
  return isNearer ? { count: most, chance: beyond } : { count: least, chance: below };
}
