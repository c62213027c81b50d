import { describe, expect, test } from "vitest";
import { Dictionary } from "../column/dictionary.js";
import { decodeSegment, encodeSegment } from "./segmentCodec.js";
import type { Spread } from "./segmentView.js";
import { createLeafContext } from "./testing/leafContext.js";
import type { PlainRow, PlainValue } from "./testing/plainRows.js";
import { sealRows } from "./testing/sealRows.js";

const context = createLeafContext(256 * 2 ** 20, (text) => expect.fail(text));
const { memory, kernel } = context;
const origin = { batches: [], minutes: [], rawSizes: [] };

/** Rates follow the time of day: a run of neighbours would tell of its own hour alone. */
function rowsOf(rowCount: number, rates: boolean): PlainRow[] {
  return Array.from({ length: rowCount }, (_, i): PlainRow => {
    const mixed = Math.imul(i, 0x9e3779b1) >>> 0;
    const values = new Map<string, PlainValue>([["all", BigInt((mixed >>> 9) % 1_000)]]);
    if (i > rowCount / 3) values.set("late", BigInt(mixed % 5_000));
    if (rates && i > rowCount / 2) values.set("sample_rate", BigInt(1 + (mixed % 20)));
    return { time: i, values };
  });
}

function exact(rows: readonly PlainRow[], name: string): Spread {
  const sums: [number, number, number] = [0, 0, 0];
  for (const { values } of rows) {
    const value = values.get(name) as bigint | undefined;
    if (value === undefined) continue;
    const rate = Number(values.get("sample_rate") ?? 1n);
    for (const power of [0, 1, 2]) sums[power]! += rate * (rate - 1) * Number(value) ** power;
  }
  return sums;
}

const relativeError = (found: number, wanted: number): number => Math.abs(found / wanted - 1);

describe("what a segment knows of its error", () => {
  test("is that of its rows, where they are few or some lack the value", () => {
    const rows = rowsOf(8_000, true);
    const { sums } = sealRows(rows, memory, kernel);
    for (const name of ["all", "late", "sample_rate"]) {
      expect(sums.get(name)!.spread).toEqual(exact(rows, name));
    }
    const many = rowsOf(50_000, true);
    const { sums: ofMany } = sealRows(many, memory, kernel);
    expect(ofMany.get("late")!.spread).toEqual(exact(many, "late"));
  });

  test("is near it where they are many, whenever their rates changed", () => {
    const rows = rowsOf(65_536, true);
    const spread = sealRows(rows, memory, kernel).sums.get("all")!.spread!;
    exact(rows, "all").forEach((wanted, i) => {
      expect(relativeError(spread[i]!, wanted)).toBeLessThan(0.1);
    });
  });

  test("counts a row that stands for one more, and none that stands for itself", () => {
    const rateOf = (i: number): bigint => (i % 3 === 0 ? 2n : 1n);
    const rows = Array.from({ length: 65_536 }, (_, i): PlainRow => {
      const values = new Map([["all", 7n] as const, ["sample_rate", rateOf(i)] as const]);
      return { time: i, values };
    });
    const spread = sealRows(rows, memory, kernel).sums.get("all")!.spread!;
    exact(rows, "all").forEach((wanted, i) => {
      expect(relativeError(spread[i]!, wanted)).toBeLessThan(0.01);
    });
  });

  test("is in its file; nothing errs without rates, and a file from before there were spreads does not know", () => {
    const unknownDictionary = () => new Dictionary();
    const reread = (rates: boolean, isOld: boolean) => {
      const segment = sealRows(rowsOf(5_000, rates), memory, kernel);
      const known = [...segment.sums];
      const sums = new Map(known.map(([name, own]) => [name, { ...own, spread: null }]));
      const stored = isOld ? { ...segment, sums } : segment;
      const bytes = encodeSegment(stored, context, origin);
      const spread = decodeSegment(bytes, context, unknownDictionary).segment.sums.get(
        "all",
      )!.spread;
      return { spread, sealed: segment.sums.get("all")!.spread };
    };
    const weighted = reread(true, false);
    expect(weighted.spread).toEqual(weighted.sealed);
    expect(reread(true, true).spread).toBeNull();
    expect(reread(false, false).spread).toEqual([0, 0, 0]);
    expect(reread(false, true).spread).toEqual([0, 0, 0]);
  });
});
