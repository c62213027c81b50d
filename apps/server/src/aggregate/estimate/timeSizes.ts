import { type LeafMinutes, minuteMs } from "./leafMinutes.js";
import type { LeafSizes } from "./linearEstimate.js";
import { studentT95 } from "./studentT.js";

/** Rows that leaves should hold in any part of a side's time range. */
export interface TimeSizes {
  /** In the whole minutes that cover [fromMs, toMs). */
  of(fromMs: number, toMs: number): LeafSizes;
  /** The same without looking at which times they are of. */
  rowsOf(fromMs: number, toMs: number): LeafRows;
}

export type LeafRows = Pick<LeafSizes, "answered" | "missing">;

/** By the minutes of the leaves that answered, and of those that did not, in a range of so many milliseconds. */
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

/** A leaf's minutes at the places [from, to). */
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
  const tellSameTimes = rows === 0 || areOfSameTimes(answered, missing, partOfRange);
  return { answered: answered.map((span) => span.rows), missing: rows, tellSameTimes };
}

/** One draw of rows in a thousand lies further apart than this times √(1/n + 1/m) (Kolmogorov and Smirnov). */
const apartByChance = 1.95;
/** How much further from the others than any that answered the missing leaves may lie, where many answered. */
const furtherMax = 1.5;

/** Of few leaves, which may lie near one another by chance, bars are wider by Student's t: half of that is room for more. */
function furtherOf(tellingLeaves: number): number {
  return Math.max(furtherMax, studentT95(tellingLeaves - 1) / 2);
}

/** By more of the range than this nothing may be apart: numbers drift, and what others hold says little of another time. */
const apartMax = 0.1;

/**
 * Whether the missing rows lie about where those that answered do, in time: as near as rows drawn at random would, or
 * not much further than leaves that answered lie from the others. Where a leaf came later, or batches went elsewhere for
 * a while, what others hold says little of what it does.
 */
function areOfSameTimes(
  answered: readonly Span[],
  missing: readonly Span[],
  partOfRange: number,
): boolean {
  const [answeredRows, missingRows] = [total(answered), total(missing)];
  const withRows = answered.filter(({ rows }) => rows > 0);
  // One leaf has no bars anyway.
  if (withRows.length < 2) return false;
  const { ofMissing, ofAnswered } = distances(withRows, missing);
  const byChance = apartByChance * Math.sqrt(1 / answeredRows + 1 / missingRows);
  const further = furtherOf(withRows.length) * Math.max(...ofAnswered);
  return ofMissing <= Math.max(byChance, Math.min(further, apartMax / partOfRange));
}

/** How far apart rows lie in time, from those of the (other) leaves that answered: the greatest difference of their shares up to a minute. */
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
