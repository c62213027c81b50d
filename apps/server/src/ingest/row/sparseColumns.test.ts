import { Bool, Float64, RecordBatchStreamWriter, Table, vectorFromArray } from "apache-arrow";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { batchRowsMax, type RowBatch } from "../../base/row/rowBatch.js";
import { decodeRowBatch, encodeRowBatch } from "../../base/row/rowBatchCodec.js";
import { takeRows } from "../../base/row/takeRows.js";
import { batchRows } from "../../base/testing/batchRows.js";
import { collect } from "../testing/collect.js";
import { columnBytesMax, RowCollector } from "./rowCollector.js";

type Row = Readonly<Record<string, number | string | readonly string[]>>;

/**
 * Few values, then many, then none: columns become sparse and dense again. Each kind of value has a
 * column of its own, and one has all.
 */
function makeRows(rowCount: number, stretches: readonly number[], seed: number): Row[] {
  const random = (row: number, salt: number): number => {
    let mixed = Math.imul((row + 1) ^ (seed * 7919 + salt), 0x5bd1e995);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0x85ebca6b);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
  return Array.from({ length: rowCount }, (_, i) => {
    const row: Record<string, number | string | readonly string[]> = { time: i };
    const share = stretches[Math.floor((i * stretches.length) / rowCount)]!;
    const has = (salt: number): boolean => random(i, salt) < share;
    if (has(1)) row.int = i * 4_294_967_311;
    if (has(2)) row.fraction = i % 3 === 0 ? i : i + 0.25;
    if (has(3)) row.text = `t${i % 97}`;
    if (has(4)) row.list = [`l${i % 5}`, "x"];
    if (has(5)) row.mixed = i % 2 === 0 ? i : `m${i}`;
    return row;
  });
}

const scale = 1_000_000n;

/** As {@link batchRows} shows a row. */
function stored({ time: _, ...row }: Row): Record<string, unknown> {
  const cell = (name: string, value: Row[string]): unknown => {
    if (typeof value !== "number") return value;
    if (name !== "fraction") return { int: BigInt(value), decimals: 0 };
    return { int: (BigInt(value * 4) * scale) / 4n, decimals: 6 };
  };
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cell(name, value)]));
}

const storedRows = (batches: readonly RowBatch[]) =>
  batches.flatMap(batchRows).map((row) => ({ ...row }));

/** The decimals of a batch are those of the numbers in it: a batch of whole numbers has none. */
const sameDecimals = (rows: readonly Record<string, unknown>[]) =>
  rows.map((row) => {
    const fraction = row.fraction as { int: bigint; decimals: number } | undefined;
    if (fraction?.decimals !== 0) return row;
    return { ...row, fraction: { int: fraction.int * scale, decimals: 6 } };
  });

const bodies = fc.record({
  rowCount: fc.constantFrom(63, 400, 3_000, 18_000),
  stretches: fc.array(fc.constantFrom(0, 0.002, 0.1, 0.5, 1), { minLength: 1, maxLength: 6 }),
  seed: fc.nat(1_000),
  isList: fc.boolean(),
});

describe("columns that few rows have", () => {
  it("contain the sent values in any rows, also in parts and as bytes", async () => {
    await fc.assert(
      fc.asyncProperty(bodies, async ({ rowCount, stretches, seed, isList }) => {
        const rows = makeRows(rowCount, stretches, seed);
        const body = isList
          ? JSON.stringify(rows)
          : rows.map((row) => JSON.stringify(row)).join("\n");
        const contentType = isList ? "application/json" : "application/x-ndjson";
        const { batches, accepted } = await collect(body, { contentType });
        expect(accepted).toBe(rowCount);
        const expected = rows.map(stored);
        expect(sameDecimals(storedRows(batches))).toEqual(expected);
        expect(sameDecimals(storedRows(batches.map(encodeRowBatch).map(decodeRowBatch)))).toEqual(
          expected,
        );
        const parts = [0, 1, 2].map((rest) =>
          storedRows(
            batches.map((batch) =>
              takeRows(
                batch,
                Uint32Array.from(batch.times.keys()).filter((row) => row % 3 === rest),
              ),
            ),
          ),
        );
        const inTurn = batches.flatMap((batch, b) => {
          const before = batches.slice(0, b).map(({ rowCount: n }) => n);
          return Array.from({ length: batch.rowCount }, (_, row) => {
            const rest = row % 3;
            const skipped = before.reduce((sum, n) => sum + Math.ceil((n - rest) / 3), 0);
            return parts[rest]![skipped + Math.floor(row / 3)]!;
          });
        });
        expect(sameDecimals(inTurn)).toEqual(expected);
      }),
      { numRuns: 8 },
    );
  }, 60_000);

  it("take the memory of their values: rows that name thousands of columns in turn", async () => {
    const body = Array.from({ length: 20_000 }, (_, i) => `{"time":${i},"c${i % 4_000}":${i}}`);
    const { batches, accepted } = await collect(body.join("\n"));
    expect(accepted).toBe(20_000);
    const bytes = batches.reduce((sum, batch) => sum + encodeRowBatch(batch).length, 0);
    // Rows × columns would be 180 MB.
    expect(bytes).toBeLessThan(4_000_000);
    expect(storedRows(batches)).toEqual(
      body.map((_, i) => ({ [`c${i % 4_000}`]: { int: BigInt(i), decimals: 0 } })),
    );
  });

  it("are sparse in batches of Arrow, too", async () => {
    const values = Array.from({ length: 5_000 }, (_, i) =>
      i % 500 === 499 ? i % 1_000 > 500 : null,
    );
    const columns = {
      time: vectorFromArray([...values.keys()], new Float64()),
      rare: vectorFromArray(values, new Bool()),
    };
    const table = new Table(columns);
    const body = RecordBatchStreamWriter.writeAll(table).toUint8Array(true);
    const { batches } = await collect(body, { contentType: "application/vnd.apache.arrow.stream" });
    expect(batches.map(({ columns: of }) => of.map(({ type }) => type))).toEqual([["sparse"]]);
    expect(storedRows(batches)).toEqual(
      values.map((value) => (value === null ? {} : { rare: String(value) })),
    );
  });
});

it("refuses bytes whose sparse columns do not fit their rows", async () => {
  const rows = Array.from({ length: 100 }, (_, i) =>
    i === 70 ? `{"time":1,"rare":7}` : `{"time":1}`,
  );
  const { batches } = await collect(rows.join("\n"));
  const [batch] = batches;
  const [column] = batch!.columns;
  if (column?.type !== "sparse") throw new Error("the column is sparse");
  for (const wrong of [100, 4_294_967_295]) {
    column.rows[0] = wrong;
    expect(() => decodeRowBatch(encodeRowBatch(batch!))).toThrow("has its rows in another order");
  }
});

it("refuses a body whose rows take too much as columns, with the limit's name", () => {
  const collector = new RowCollector();
  const values = new BigInt64Array(batchRowsMax);
  const column = { name: "n", type: "int", decimals: 0, values, present: null } as const;
  const columns = Array.from({ length: 100 }, () => column);
  const batch = { rowCount: batchRowsMax, times: new Float64Array(batchRowsMax), columns };
  const most = Math.floor(columnBytesMax / (100 * (batchRowsMax * 8 + 512) + batchRowsMax * 8));
  for (let i = 0; i < most; i++) collector.addBatch(batch);
  expect(() => collector.addBatch(batch)).toThrow(/columnBytesMax/);
  try {
    collector.addBatch(batch);
  } catch (error) {
    expect(error).toMatchObject({ code: "body-too-large" });
  }
});
