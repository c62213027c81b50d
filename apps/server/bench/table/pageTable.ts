import { type BenchTable, coded, hash32, ints, timesOf } from "./benchTable.js";
import { generateEvents } from "./eventTables.js";

/** Different addresses, where there are enough rows. */
const pageCount = 1_000_000;
const actions = ["view", "edit", "share", "export", "delete"] as const;

/** Requests for pages, each address of which says more than the last: a million different strings, asked for again and again. */
export const pages: BenchTable = {
  name: "pages",
  lists: [],
  rowCount: (total) => Math.max(Math.ceil(total / 5), Math.min(total, pageCount)),
  rows: (first, count, rowCount) => {
    const numbers = new Int32Array(count);
    // Every address once before any of them comes again.
    for (let i = 0; i < count; i++) numbers[i] = (first + i) % pageCount;
    const { latencyUs } = generateEvents(first, count);
    return {
      ...{ rowCount: count, times: timesOf(first, count, rowCount) },
      columns: [coded("url", numbers, printUrl), ints("latency_us", latencyUs)],
    };
  },
};

function printUrl(page: number): string {
  const hash = hash32(page + 1);
  const action = actions[hash % actions.length] ?? "view";
  return `https://app${hash % 7}.example.com/team-${(hash >>> 8) % 5_000}/doc-${page}/${action}?v=${hash >>> 20}`;
}
