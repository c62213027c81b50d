import { type LeafMinutes, minuteMs } from "./leafMinutes.js";
import type { LeafSizes } from "./linearEstimate.js";
import { studentT95 } from "./studentT.js";

/** Expected rows of leaves in any part of a side's time range. */
export interface TimeSizes {
  /** In the whole minutes that cover [fromMs, toMs). */
  of(fromMs: number, toMs: number): LeafSizes;
  /** The same without comparing the times of the rows. */
  rowsOf(fromMs: number, toMs: number): LeafRows;
}

export type LeafRows = Pick<LeafSizes, "answered" | "missing">;

/** From the minutes of the leaves that answered and of the missing ones. */
export function createTimeSizes(
  answered: readonly LeafMinutes[],
  missing: readonly LeafMinutes[],
  rangeMs: number,
): TimeSizes {
  // Buckets that are shorter than a minute share one.
  const known = new Map<string, LeafSizes>();
  return {
    of(fromMs, toMs) {
      const span = minutesOf(fromMs, toMs);
      const key = span.join();
      let sizes = known.get(key);
      if (sizes === undefined) {
        sizes = sizesOf(
          answered.map((leaf) => spanOf(leaf, span)),
          missing.map((leaf) => spanOf(leaf, span)),
          ((span[1] - span[0]) * minuteMs) / rangeMs,
        );
        known.set(key, sizes);
      }
      return sizes;
    },
    rowsOf(fromMs, toMs) {
      const span = minutesOf(fromMs, toMs);
      const rowsIn = (leaf: LeafMinutes): number => spanOf(leaf, span).rows;
      return {
        answered: answered.map(rowsIn),
        missing: missing.reduce((sum, leaf) => sum + rowsIn(leaf), 0),
      };
    },
  };
}

function minutesOf(fromMs: number, toMs: number): readonly [first: number, end: number] {
  const first = Math.floor(fromMs / minuteMs);
  return [first, toMs > fromMs ? Math.ceil(toMs / minuteMs) : first];
}

/** A leaf's minutes with indexes [from, to). */
interface Span {
  readonly leaf: LeafMinutes;
  readonly from: number;
  readonly to: number;
  readonly rows: number;
}

function spanOf(leaf: LeafMinutes, [first, end]: readonly [number, number]): Span {
  const [from, to] = [leaf.placeOf(first), leaf.placeOf(end)];
  return { leaf, from, to, rows: leaf.between(from, to) };
}

function sizesOf(
  answered: readonly Span[],
  missing: readonly Span[],
  partOfRange: number,
): LeafSizes {
  const rows = total(missing);
  const haveSameTimes = rows === 0 || areOfSameTimes(answered, missing, partOfRange);
  return { answered: answered.map((span) => span.rows), missing: rows, haveSameTimes };
}

/** The Kolmogorov-Smirnov distance exceeds this times √(1/n + 1/m) by chance once in a thousand. */
const apartByChance = 1.95;
/** With many leaves: maximum distance of missing leaves relative to the largest distance among those that answered. */
const furtherMax = 1.5;

/** Few leaves may be close by chance. Their bars are wider by Student's t, so half of it is allowed here. */
function furtherOf(evidenceLeaves: number): number {
  return Math.max(furtherMax, studentT95(evidenceLeaves - 1) / 2);
}

/** Maximum distance as a share of the range: numbers drift over time, so other times are no evidence. */
const apartMax = 0.1;

/**
 * Whether missing rows and rows that answered have a similar distribution over time: within the distance of random draws, or
 * not much beyond the distances among leaves that answered. If a leaf joined later, or got no batches for a while, other
 * leaves are no evidence for its rows.
 */
function areOfSameTimes(
  answered: readonly Span[],
  missing: readonly Span[],
  partOfRange: number,
): boolean {
  const [answeredRows, missingRows] = [total(answered), total(missing)];
  const withRows = answered.filter(({ rows }) => rows > 0);
  // With one leaf there are no bars.
  if (withRows.length < 2) return false;
  const { ofMissing, ofAnswered } = distances(withRows, missing);
  const byChance = apartByChance * Math.sqrt(1 / answeredRows + 1 / missingRows);
  const further = furtherOf(withRows.length) * Math.max(...ofAnswered);
  return ofMissing <= Math.max(byChance, Math.min(further, apartMax / partOfRange));
}

/** Distances in time of missing leaves, and of each leaf, from the (other) leaves that answered: the largest difference of their cumulative shares. */
function distances(
  answered: readonly Span[],
  missing: readonly Span[],
): { readonly ofMissing: number; readonly ofAnswered: readonly number[] } {
  const spans = [...answered, ...missing];
  const places = spans.map(({ from }) => from);
  const [answeredRows, missingRows] = [total(answered), total(missing)];
  const ofAnswered = answered.map(() => 0);
  let ofMissing = 0;
  for (;;) {
    let minute = Number.POSITIVE_INFINITY;
    spans.forEach(({ leaf, to }, i) => {
      if (places[i]! < to) minute = Math.min(minute, leaf.minutes[places[i]!]!);
    });
    if (minute === Number.POSITIVE_INFINITY) return { ofMissing, ofAnswered };
    let [answeredBefore, missingBefore] = [0, 0];
    const ownBefore = spans.map(({ leaf, from, to }, i) => {
      if (places[i]! < to && leaf.minutes[places[i]!] === minute) places[i]!++;
      const own = leaf.between(from, places[i]!);
      if (i < answered.length) answeredBefore += own;
      else missingBefore += own;
      return own;
    });
    const apart = missingBefore / missingRows - answeredBefore / answeredRows;
    ofMissing = Math.max(ofMissing, Math.abs(apart));
    answered.forEach(({ rows }, i) => {
      if (rows === answeredRows) return;
      const others = (answeredBefore - ownBefore[i]!) / (answeredRows - rows);
      ofAnswered[i] = Math.max(ofAnswered[i]!, Math.abs(ownBefore[i]! / rows - others));
    });
  }
}

function total(spans: readonly Span[]): number {
  return spans.reduce((sum, { rows }) => sum + rows, 0);
}
