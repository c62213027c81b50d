import { describe, expect, test } from "vitest";
import { atOnce } from "../../base/schedule/steps.js";
import { TableColumns } from "../columns/tableColumns.js";
import { decodeSegment } from "../file/decodeSegment.js";
import { encodeSegment } from "../file/encodeSegment.js";
import type { Spread } from "../segment/segmentView.js";
import { createLeafContext } from "../testing/leafContext.js";
import type { PlainRow, PlainValue } from "../testing/plainRows.js";
import { sealRows } from "../testing/sealRows.js";

const context = createLeafContext(256 * 2 ** 20, (text) => expect.fail(text));
const { memory, kernel } = context;
const origin = { batches: [], minutes: [], rawSizes: [] };

/** Rates follow the time of day: a run of neighbours would tell of its own hour alone. */
function rowsOf(rowCount: number, rates: boolean): PlainRow[] {
  return Array.from({ length: rowCount }, (_, i): PlainRow => {
    const mixed = Math.imul(i, 0x9e3779b1) >>> 0;
    const values = new Map<string, PlainValue>([["all", BigInt((mixed >>> 9) % 1_000)]]);
    if (i > rowCount / 3) values.set("late", BigInt(mixed % 1_000));
    if (rates && i > rowCount / 2) values.set("sample_rate", BigInt(1 + (mixed % 20)));
    return { time: i, values };
  });
}

function exact(rows: readonly PlainRow[], name: string): Spread {
  const sums: [number, number, number, number] = [0, 0, 0, 0];
  for (const { values } of rows) {
    const value = values.get(name) as bigint | undefined;
    if (value === undefined) continue;
    const rate = Number(values.get("sample_rate") ?? 1n);
    for (const power of [0, 1, 2, 3]) sums[power]! += rate * (rate - 1) * Number(value) ** power;
  }
  return sums;
}

const relativeError = (found: number, wanted: number): number => Math.abs(found / wanted - 1);

/** Values that are stored in every way: as they are, as codes of a table, not at all. */
const columnOf: Readonly<Record<string, (mixed: number) => bigint>> = {
  few: (mixed) => -3_000n + BigInt((mixed % 7) * 1_000),
  several: (mixed) => BigInt((mixed % 90) * 1_001),
  extreme: (mixed) => [-(2n ** 63n), 2n ** 63n - 1n, 0n, -1n][mixed % 4]!,
  spread: (mixed) => BigInt(mixed % 90_000),
  constant: () => 7n,
};

test("sums are those of the rows, however a column is stored (A5)", () => {
  for (const rates of [[], [1n], [1n, 300n], [2n ** 31n - 1n]] as const) {
    for (const missing of [0, 3]) {
      const rows = Array.from({ length: 5_000 }, (_, i): PlainRow => {
        const mixed = Math.imul(i, 0x9e3779b1) >>> 0;
        const values = new Map<string, PlainValue>();
        for (const [name, valueFrom] of Object.entries(columnOf)) {
          if (missing === 0 || (mixed >>> 3) % missing !== 0) values.set(name, valueFrom(mixed));
        }
        const rate = rates[mixed % Math.max(1, rates.length)];
        if (rate !== undefined && mixed % 5 > 0) values.set("sample_rate", rate);
        return { time: mixed % 1_000, values };
      });
      const { sums } = sealRows(rows, memory, kernel);
      for (const name of Object.keys(columnOf)) {
        let [presentRows, weight, sum] = [0, 0n, 0n];
        for (const { values } of rows) {
          const value = values.get(name) as bigint | undefined;
          if (value === undefined) continue;
          const rate = (values.get("sample_rate") ?? 1n) as bigint;
          presentRows++;
          weight += rate;
          sum += rate * value;
        }
        const expected = { presentRows, presentWeight: Number(weight), weightedSum: sum };
        expect(sums.get(name)).toMatchObject(expected);
      }
    }
  }
});

describe("the spread of a segment", () => {
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

  test("counts rows with a weight above 1, and none of weight 1", () => {
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

  test("is in its file; without rates there is no error, and older files have no spread", () => {
    const withoutCubes = (known: Spread | null) => known?.slice(0, 3) as unknown as Spread;
    const reread = (rates: boolean, older: null | ((known: Spread | null) => Spread | null)) => {
      const segment = sealRows(rowsOf(5_000, rates), memory, kernel);
      const sums = new Map(
        [...segment.sums].map(([name, own]) => [
          name,
          { ...own, spread: older === null ? own.spread : older(own.spread) },
        ]),
      );
      const stored = { ...segment, sums };
      const bytes = atOnce(encodeSegment(stored, context, origin));
      const spread = decodeSegment(bytes, context, new TableColumns()).segment.sums.get(
        "all",
      )!.spread;
      return { spread, sealed: segment.sums.get("all")!.spread };
    };
    const weighted = reread(true, null);
    expect(weighted.spread).toEqual(weighted.sealed);
    expect(reread(true, () => null).spread).toBeNull();
    expect(reread(true, withoutCubes).spread).toBeNull();
    expect(reread(false, null).spread).toEqual([0, 0, 0, 0]);
    expect(reread(false, () => null).spread).toEqual([0, 0, 0, 0]);
  });
});
