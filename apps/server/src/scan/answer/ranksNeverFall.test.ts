import { expect, test } from "vitest";
import type { ResolvedQuery, StateSpec } from "../../plan/query/resolvedQuery.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import { ranksNeverFall } from "./ranksNeverFall.js";

const segmentOf = (columns: Readonly<Record<string, object>>): SegmentView =>
  ({ columns: new Map(Object.entries(columns)) }) as unknown as SegmentView;
const ints = (min: bigint, max: bigint) => ({ kind: "int", min, max });

const segments = [
  segmentOf({ up: ints(0n, 9n), down: ints(-1n, 9n), none: ints(1n, 0n), mixed: ints(3n, 4n) }),
  segmentOf({ up: ints(5n, 5n), mixed: { kind: "coded" } }),
];
const sum = (column: string): StateSpec => ({ kind: "sum", column, decimals: 0 });

test.each<[string, StateSpec, boolean]>([
  ["values from 0 on", sum("up"), true],
  ["values below 0 in one segment", sum("down"), false],
  ["a column without values", sum("none"), true],
  ["a column that no segment has", sum("absent"), true],
  ["a column that is text in one segment", sum("mixed"), false],
  ["times, which may be before 1970", sum("time"), false],
  ["a derived column, of which segments know nothing", sum("made"), false],
  ["the greatest value", { kind: "max", column: "up", decimals: 0 }, false],
])("groups that rank by a sum grow with every row: %s", (_, state, grows) => {
  const query = {
    states: [{ kind: "rows" }, state],
    cut: {
      max: 10,
      bySeries: false,
      ranks: [{ by: { kind: "state", stateIndex: 1 }, desc: true }],
    },
    derived: [{ name: "made" }],
  } as unknown as ResolvedQuery;
  expect(ranksNeverFall(query, segments)).toBe(grows);
});
