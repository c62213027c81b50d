import type { TableDetail } from "@hadal/sdk";
import { expect, test } from "vitest";
import { type Received, tableFacts } from "./tableFacts.js";

const detail = {
  ...{ rows: 1_234, bytes: 2_048, bytesPerRow: 2, compressionRatio: 4 },
  ...{ fromMs: null, toMs: null, thinning: [] },
  retention: { maxAgeMs: null, maxBytes: null },
} as unknown as TableDetail;
const atMs = Date.UTC(2026, 10, 21, 12);
const factOf = (name: string, part: Partial<TableDetail> = {}, received?: Received) =>
  tableFacts({ ...detail, ...part }, received ?? { rate: null }, atMs).find(
    (fact) => fact.name === name,
  );

test("the size of a row, and how much smaller it is than its plain values", () => {
  expect(factOf("memory")?.note).toBe("2 B a row, 4× smaller");
  // A table with few rows takes more memory than they need.
  expect(factOf("memory", { compressionRatio: 0.5 })?.note).toBe("2 B a row");
  expect(factOf("memory", { bytesPerRow: null })?.note).toBeUndefined();
});

test("a table without rows has no newest row", () => {
  expect(factOf("newest row")).toMatchObject({ value: "–", note: undefined });
  const newest = factOf("newest row", { fromMs: atMs - 3_600_000, toMs: atMs - 5_000 });
  expect(newest?.value).toBe("5 s ago");
  expect(newest?.note).toContain("–");
});

test("thinning is a note of the retention", () => {
  const thinning = [{ afterMs: 86_400_000, keepOneIn: 10 }];
  expect(factOf("kept", { thinning })).toMatchObject({
    value: "while there is room",
    note: "1 in 10 after 1 day",
  });
});

test("rows that were refused, late or ahead are a note of the received ones", () => {
  const counts = { name: "t", accepted: 9_000, rejected: 3, late: 1_200, future: 0 };
  const note = (given: Partial<typeof counts>) =>
    factOf("received", {}, { rate: 5, counts: { ...counts, ...given } })?.note;
  expect(note({})).toBe("3 refused, 1.2 k late since the start");
  expect(note({ rejected: 0, late: 0, future: 2 })).toBe("2 ahead of the clock since the start");
  expect(note({ rejected: 0, late: 0 })).toBeUndefined();
  expect(factOf("received")?.note).toBeUndefined();
});
