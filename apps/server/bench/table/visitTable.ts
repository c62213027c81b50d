import { type BenchTable, coded, hash32, ints, timesOf } from "./benchTable.js";

/** Visitors who come again and again; all others come once. */
const regulars = 64;
/** One visit of this many is a regular's. */
const regularEvery = 2_048;
/** 64-bit-looking names: what visitors are known by is text as a rule. */
const salt = 13;

/** Visits of nearly as many visitors as there are rows: 4.2 M when the run is about 50 M rows. */
export const visits: BenchTable = {
  name: "visits",
  lists: [],
  rowCount: (total) => Math.ceil(total / 12),
  rows: (first, count, rowCount) => {
    const visitors = Int32Array.from({ length: count }, (_, i) => visitorOf(first + i));
    const lasted = Int32Array.from({ length: count }, (_, i) => hash32((first + i) * 16) % 10_000);
    const columns = [coded("visitor", visitors, (n) => `visitor-${n}`), ints("lasted_ms", lasted)];
    return { rowCount: count, times: timesOf(first, count, rowCount), columns };
  },
};

/** Regulars have the numbers below 0, the first of them the most visits. */
function visitorOf(row: number): number {
  const hash = hash32(row * 16 + salt);
  if (hash % regularEvery !== 0) return row;
  const share = ((hash >>> 11) % 1_000) / 1_000;
  return -1 - Math.floor(regulars * share * share);
}
