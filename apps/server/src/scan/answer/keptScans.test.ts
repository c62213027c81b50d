import { expect, test } from "vitest";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import { type KeptScan, KeptScans } from "./keptScans.js";

const query = { table: "events", sides: [] } as unknown as ResolvedQuery;

test("a kept scan answers the follow-up of the same units alone", () => {
  const kept = new KeptScans();
  const snapshot = { "": { upTo: 4, except: [3] } };
  let released = 0;
  const memory = { release: () => released++ } as unknown as KeptScan["memory"];
  const scan = { query, snapshot, memory } as unknown as KeptScan;
  kept.keep(scan);
  expect(kept.take(query)).toBe(null);
  expect(kept.take(query, { "": { upTo: 5, except: [3] } })).toBe(null);
  expect(kept.take({ ...query, only: { groupCount: 1 } as never }, snapshot)).toBe(scan);
  expect(kept.take(query, snapshot)).toBe(null);
  expect(released).toBe(0);
});
