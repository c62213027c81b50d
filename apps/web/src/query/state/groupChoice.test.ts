import type { ColumnInfo } from "@hadal/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { messageColumn, messageColumns, searchFilter } from "../filter/messageColumns.js";
import type { GroupSpec } from "../group/groupSpec.js";
import {
  makeGroup,
  roundNumber,
  suggestedWidths,
  usualGroup,
  type ValuesKnown,
  wayOf,
  waysOf,
} from "./groupChoice.js";

const column = (type: ColumnInfo["type"], name = "c", unit?: string): ColumnInfo => ({
  ...{ name, type, decimals: 0, rows: 0, bytes: 0, compressionRatio: null },
  ...(unit !== undefined && { unit }),
});

describe("ways to split", () => {
  test.each<[ColumnInfo, GroupSpec]>([
    [column("string"), "c"],
    [column("int"), "c"],
    [column("int", "latency_us", "us"), { bucket: "latency_us", scale: "log" }],
    [column("set"), { element: "c" }],
    [column("vector"), { element: "c" }],
  ])("the usual one of %j is %j, and is among its ways", (of, spec) => {
    expect(usualGroup(of)).toEqual(spec);
    expect(waysOf(of)).toContain(wayOf(spec));
  });
  const facet = (distinct: number | null, ...from: (number | null)[]): ValuesKnown => ({
    distinct,
    ranges: from.map((low) => ({ from: low, to: null, rows: 1, count: 1, share: 0 })),
  });
  test.each<[string, ColumnInfo, ValuesKnown | null, GroupSpec]>([
    ["few numbers", column("int"), facet(30), "c"],
    ["many numbers", column("int"), facet(5_000, null, 10, 90), { bucket: "c", scale: "log" }],
    ["more than can be distinguished", column("int"), facet(null), { bucket: "c", scale: "log" }],
    ["ids, however many", column("int", "user_id"), facet(null), "user_id"],
    ["many texts", column("string"), facet(5_000), "c"],
    ["decimals", { ...column("int"), decimals: 2 }, null, { bucket: "c", scale: "log" }],
    ["few decimals", { ...column("int"), decimals: 2 }, facet(3), "c"],
    [
      "numbers of one size",
      column("int"),
      facet(900, null, 1_700_000, 1_790_000),
      { bucket: "c", width: 5_000 },
    ],
    ["lists", column("set"), facet(5_000), { element: "c" }],
  ])("of %s, once they are counted", (_, of, known, spec) => {
    expect(usualGroup(of, known)).toEqual(spec);
    expect(waysOf(of)).toContain(wayOf(spec));
  });
  test.each<[Parameters<typeof makeGroup>, GroupSpec]>([
    [["c", "steps", " 100 "], { bucket: "c", width: 100 }],
    [["c", "edges", "100, 1 10,10"], { bucket: "c", edges: [1, 10, 100] }],
    [[{ bucket: "c", width: 5, as: "n" }, "log", ""], { bucket: "c", scale: "log", as: "n" }],
    [[{ element: "c" }, "values", ""], "c"],
  ])("%j", (asked, spec) => expect(makeGroup(...asked)).toEqual({ ok: true, spec }));
  test.each<Parameters<typeof makeGroup>>([
    ["c", "steps", ""],
    ["c", "steps", "0"],
    ["c", "steps", "1 2"],
    ["c", "edges", "a, b"],
  ])("%j %s “%s” is refused in words", (...asked) =>
    expect(makeGroup(...asked)).toMatchObject({ ok: false }),
  );
  test("suggested widths are round, and whole where values are", () => {
    expect(suggestedWidths(1_000_000, 0)).toEqual([20_000, 50_000, 100_000, 200_000]);
    expect(suggestedWidths(3, 0)).toEqual([1]);
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1e15, noNaN: true }), (value) => {
        const ratio = roundNumber(value) / value;
        expect(ratio).toBeGreaterThan(0.57);
        expect(ratio).toBeLessThan(1.5);
      }),
    );
  });
});

describe("free search", () => {
  test("looks through columns that hold messages", () => {
    const columns = [
      column("string", "message"),
      column("string", "log.text"),
      column("string", "country"),
      column("int", "error"),
    ];
    expect(messageColumns(columns)).toEqual(["message", "log.text"]);
    expect(messageColumn([column("string", "text"), ...columns])).toBe("message");
    expect(messageColumn([column("string", "url"), column("string", "log.text")])).toBe("log.text");
    expect(messageColumn([column("string", "url"), column("int", "message")])).toBeNull();
    expect(searchFilter(["a"], "x")).toEqual({ column: "a", op: "contains", value: "x" });
    expect(searchFilter(["a", "b"], "x")).toHaveProperty("any.length", 2);
  });
});
