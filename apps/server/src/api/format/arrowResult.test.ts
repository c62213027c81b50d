import type { Result, ResultValue } from "@hadal/sdk";
import { tableFromIPC } from "apache-arrow";
import { describe, expect, it } from "vitest";
import { loadArrow } from "../../base/format/arrowLibrary.js";
import { resultOf } from "../testing/startApi.js";
import { encodeArrow } from "./arrowResult.js";

type Column = Result["columns"][number];

async function roundTrip(column: Column, values: readonly ResultValue[], parts = {}) {
  const rows = values.map((value) => [value]);
  const result = resultOf(rows, { columns: [column], ...parts });
  const { schema, numRows, ...table } = tableFromIPC(encodeArrow(result, await loadArrow()));
  expect(numRows).toBe(values.length);
  const vector = table.batches[0]!.getChildAt(0)!;
  return { schema, field: schema.fields[0]!, type: String(vector.type), read: [...vector] };
}

/** 128 bits in four words, the lowest first, as the integer they are. */
function scaledOf(words: unknown): bigint | null {
  if (words === null) return null;
  const [low, high] = new BigInt64Array((words as Uint32Array).slice().buffer);
  return (high! << 64n) + BigInt.asUintN(64, low!);
}

describe("encodeArrow", () => {
  it("keeps int64 to the last digit", async () => {
    const values = [2n ** 63n - 1n, -(2n ** 63n), null, 0, -1, 9007199254740993n];
    const { type, read } = await roundTrip({ name: "n", type: "int", role: "group" }, values);
    expect(type).toBe("Int64");
    expect(read).toEqual([2n ** 63n - 1n, -(2n ** 63n), null, 0n, -1n, 9007199254740993n]);
  });

  it("keeps what is beyond int64 in decimals", async () => {
    const values = [2n ** 64n - 1n, -(2n ** 64n), null, 3];
    const { type, read } = await roundTrip({ name: "n", type: "int", role: "aggregate" }, values);
    expect(type).toBe("Decimal[38e0]");
    expect(read.map(scaledOf)).toEqual([2n ** 64n - 1n, -(2n ** 64n), null, 3n]);
  });

  it.each<[string | number | null, number, bigint | null]>([
    ["9223372036854.775807", 6, 9223372036854775807n],
    ["-9223372036854.775808", 6, -9223372036854775808n],
    ["9007199254740993", 6, 9007199254740993000000n],
    ["-0.0000000000000000001", 19, -1n],
    [0.1, 6, 100_000n],
    [-2.345678, 6, -2_345_678n],
    [999_999_999.999999, 6, 999_999_999_999_999n],
    [9_000_000_000_000.1, 6, 9_000_000_000_000_100_000n],
    [34_359_738_368.1, 6, 34_359_738_368_100_000n],
    [-123.4, 15, -123_400_000_000_000_000n],
    [0.1, 18, 100_000_000_000_000_000n],
    [9e12, 6, 9_000_000_000_000_000_000n],
    [1e-6, 6, 1n],
    [-7, 0, -7n],
    [null, 3, null],
  ])("scales the decimal %s by 10^%i", async (value, decimals, scaled) => {
    const column: Column = { name: "d", type: "decimal", role: "sample", decimals };
    const { field, read } = await roundTrip(column, [value]);
    expect(field.type).toMatchObject({ scale: decimals, precision: 38, bitWidth: 128 });
    expect(read.map(scaledOf)).toEqual([scaled]);
  });

  it("has types of their own for times, floats, strings, lists and histograms", async () => {
    const time = await roundTrip({ name: "time", type: "time", role: "group" }, [-1, 253e12, null]);
    expect(time.type).toBe("Timestamp<MILLISECOND, UTC>");
    expect(time.read).toEqual([-1, 253e12, null]);
    const float = await roundTrip({ name: "f", type: "float", role: "aggregate" }, [1 / 3, null]);
    expect([float.type, float.read]).toEqual(["Float64", [1 / 3, null]]);
    const texts = ["a", null, "", "日本\u{1F600}", "a"];
    const string = await roundTrip({ name: "s", type: "string", role: "group" }, texts);
    expect([string.type, string.read]).toEqual(["Dictionary<Int32, Utf8>", texts]);
    const lists = [["b", "a", "b"], null, [], [""]];
    const vector = await roundTrip({ name: "v", type: "vector", role: "sample" }, lists);
    expect(vector.type).toBe("List<Utf8>");
    expect(vector.read.map((list) => list && [...list])).toEqual(lists);
    const buckets = [[[0, 1.5, 3] as const, [1.5, 2, 1] as const], null, []];
    const histogram = await roundTrip({ name: "h", type: "histogram", role: "aggregate" }, buckets);
    expect(histogram.read.map((list) => list && [...list].map((row) => row.toJSON()))).toEqual([
      [
        { low: 0, high: 1.5, count: 3 },
        { low: 1.5, high: 2, count: 1 },
      ],
      null,
      [],
    ]);
  });

  it("keeps all that is no row in the metadata", async () => {
    const parts = {
      ...{ truncated: { groups: 2 }, intervals: { n: [[1, 2]] } },
      ...{ coverage: [[60_000, 0.5, "missing-leaves"]], lowerBounds: ["n"] },
    };
    const column: Column = { name: "n", type: "int", role: "aggregate", unit: "ms" };
    const { schema, field } = await roundTrip(column, [1], parts);
    const metadata = new Map([...schema.metadata].map(([key, text]) => [key, JSON.parse(text)]));
    const { completeness, asOf, stats } = resultOf([]);
    expect(metadata).toEqual(
      new Map<string, unknown>([
        ["hadal.completeness", completeness],
        ["hadal.intervals", parts.intervals],
        ["hadal.truncated", parts.truncated],
        ["hadal.coverage", parts.coverage],
        ["hadal.lowerBounds", parts.lowerBounds],
        ["hadal.asOf", asOf],
        ["hadal.stats", stats],
      ]),
    );
    expect(Object.fromEntries(field.metadata)).toEqual({
      "hadal.role": "aggregate",
      "hadal.type": "int",
      "hadal.unit": "ms",
    });
  });

  it("writes answers without rows and without columns", async () => {
    const none = await roundTrip({ name: "s", type: "string", role: "group" }, []);
    expect(none.read).toEqual([]);
    const bytes = encodeArrow(resultOf([], { columns: [] }), await loadArrow());
    expect(tableFromIPC(bytes).numCols).toBe(0);
  });
});
