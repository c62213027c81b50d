import { expect, test } from "vitest";
import type { UndecidedBatch } from "../cluster/leafReply.js";
import { countOfLong, snapshotOfOthers } from "./unitReports.js";

const batch = (gateway: string, number: number, ageMs: number): UndecidedBatch => ({
  ...{ table: "events", batchId: `${number}`, contentHash: "h", ageMs },
  unit: { gateway, number, parts: 2 },
});

test("units are counted once, and after ten minutes", () => {
  expect(countOfLong([])).toEqual({});
  expect(countOfLong([batch("", 1, 599_000)])).toEqual({});
  const some = [batch("", 1, 601_000), batch("", 1, 700_000), batch("east", 1, 700_000)];
  expect(countOfLong(some)).toEqual({ unitsUndecided: 2 });
  const unsure = { ...batch("", 5, 0), isUnsure: true } as const;
  expect(countOfLong([unsure])).toEqual({ unitsUndecided: 1, areUnitsUnsure: true });
});

test("a leaf says which units it showed of gateways that the query did not name", () => {
  const snapshot = { a: { upTo: 3, except: [2] }, b: { upTo: 9, except: [] } };
  expect(snapshotOfOthers(snapshot, undefined, new Set())).toBe(null);
  expect(snapshotOfOthers(snapshot, { a: snapshot.a }, new Set(["a"]))).toBe(null);
  expect(snapshotOfOthers(snapshot, { a: snapshot.a }, new Set(["a", "b", "c"]))).toEqual({
    b: snapshot.b,
    c: { upTo: 0, except: [] },
  });
});
