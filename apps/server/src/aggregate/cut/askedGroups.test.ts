import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { OracleRow } from "../../../test/oracle/table/oracleTable.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import { createTableSchema } from "../../plan/schema/tableSchema.js";
import { finalizeResult } from "../finish/finalizeResult.js";
import { resolveQuery } from "../function/resolveQuery.js";
import { mergePartials } from "../merge/mergePartials.js";
import type { PartialResult } from "../partial/partialResult.js";
import { partialOfRows } from "../testing/partialOfRows.js";
import { groupsToAskAgain, joinParts } from "./askedGroups.js";
import { cutGroups } from "./cutGroups.js";

const table = createTableSchema("requests", [
  { name: "user", type: "string", decimals: 0 },
  { name: "zone", type: "int", decimals: 0 },
]);
const leafCount = 3;

const row: fc.Arbitrary<OracleRow & { readonly leaf: number }> = fc.record({
  leaf: fc.nat(leafCount - 1),
  timeMs: fc.integer({ min: 0, max: 299_999 }),
  values: fc
    .record({
      user: fc.option(fc.integer({ min: 0, max: 700 }).map((n) => `user 🙂 ${n}`)),
      zone: fc.option(fc.constantFrom(-(2n ** 63n), -1n, 0n, 2n ** 63n - 1n)),
    })
    .map(
      (values) =>
        new Map(
          Object.entries(values).filter(([, value]) => value !== null),
        ) as OracleRow["values"],
    ),
});

const unitCount = (partial: PartialResult, side: number, resolved: ResolvedQuery): number =>
  new Set(
    Array.from({ length: partial.sides[side]!.groupCount }, (_, group) =>
      partial.sides[side]!.keys.map((key) => {
        if (key.kind === "bucket") return resolved.cut.bySeries ? "" : key.indexes[group];
        if (key.kind === "int") return key.present[group] === 1 ? key.values[group] : null;
        return key.codes[group]! < 0 ? null : `"${key.dictionary[key.codes[group]!]}`;
      }).join("|"),
    ),
  ).size;

describe("groups that leaves may have cut in part", () => {
  test.each([
    ["rows", { groupBy: ["user", "zone"], limit: 3 }],
    ["points", { groupBy: [{ time: "1m" }, "user"], limit: 3 }],
    ["series", { groupBy: [{ time: "1m" }, "user"], series: 3 }],
    [
      "both sides of a comparison",
      { groupBy: ["user", "zone"], limit: 3, compare: { offset: "2m" } },
    ],
  ])("have their whole numbers when they are asked for again: %s", (_, query) => {
    let askedAgain = 0;
    fc.assert(
      fc.property(fc.array(row, { minLength: 900, maxLength: 1_500 }), (rows) => {
        const aggregates = [{ fn: "count" as const }];
        const split = resolveQuery(
          { table: "requests", from: 120_000, to: 300_000, aggregates, ...query },
          table,
          0,
        );
        const { resolved } = split;
        const leaves = Array.from({ length: leafCount }, (_, leaf) =>
          partialOfRows(
            rows.filter((one) => one.leaf === leaf),
            resolved,
          ),
        );
        const first = leaves.map((partial, leaf) => ({
          partId: `${leaf}`,
          partial: cutGroups(partial, resolved),
          done: true,
        }));
        const again = groupsToAskAgain(first, resolved);
        if (again === null) return;
        askedAgain++;
        const parts = leaves.flatMap((partial, leaf) => {
          // As it travels.
          const only = JSON.parse(JSON.stringify(again.of(`${leaf}`)));
          const second = cutGroups(partial, { ...resolved, only });
          return joinParts(first[leaf]!.partial, second, resolved);
        });
        const merged = mergePartials(parts, resolved);
        merged.sides.forEach(({ groupsCut }, side) => {
          const most = Math.max(...leaves.map((partial) => unitCount(partial, side, resolved)));
          expect(groupsCut).toBeLessThanOrEqual(most);
        });
        const shown = finalizeResult(merged, split).rows;
        const whole = finalizeResult(mergePartials([partialOfRows(rows, resolved)], resolved), {
          ...split,
          finish: {
            ...split.finish,
            limit: 1e6,
            series: split.finish.series === null ? null : { ...split.finish.series, max: 1e6 },
          },
        }).rows;
        const keyOf = (cells: readonly unknown[]): string =>
          `${String(cells[0])}|${String(cells[1])}`;
        const truth = new Map(whole.map((cells) => [keyOf(cells), cells]));
        expect(shown.length).toBeGreaterThan(0);
        for (const cells of shown) expect(cells).toEqual(truth.get(keyOf(cells)));
      }),
      { numRuns: 30 },
    );
    expect(askedAgain).toBeGreaterThan(5);
  });

  test("one leaf's numbers are whole as they are", () => {
    const split = resolveQuery(
      {
        table: "requests",
        from: 0,
        to: 300_000,
        groupBy: ["user"],
        aggregates: [{ fn: "count" }],
        limit: 3,
      },
      table,
      0,
    );
    const rows = Array.from(
      { length: 200 },
      (_, i): OracleRow => ({ timeMs: i, values: new Map([["user", `${i}`]]) }),
    );
    const cut = cutGroups(partialOfRows(rows, split.resolved), split.resolved);
    expect(cut.sides[0]!.groupsCut).toBe(100);
    const part = { partId: "a", partial: cut, done: true };
    expect(groupsToAskAgain([part], split.resolved)).toBeNull();
  });

  test("a leaf is asked only for what it did not send, one that is not done for all", () => {
    const split = resolveQuery(
      {
        table: "requests",
        ...{ from: 0, to: 300_000, groupBy: ["user"], aggregates: [{ fn: "count" }], limit: 3 },
      },
      table,
      0,
    );
    const leafOf = (first: number, count: number, partId: string, done = true) => {
      const rows = Array.from(
        { length: count },
        (_, i): OracleRow => ({ timeMs: i, values: new Map([["user", `${first + i}`]]) }),
      );
      const partial = cutGroups(partialOfRows(rows, split.resolved), split.resolved);
      return { partId, partial, done };
    };
    const again = groupsToAskAgain(
      [leafOf(100, 150, "cut"), leafOf(200, 60, "whole"), leafOf(500, 10, "late", false)],
      split.resolved,
    )!;
    const sentByCut = new Set(leafOf(100, 150, "cut").partial.sides[0]!.keys.flatMap(stringsOf));
    const asked = new Set(again.of("cut").keys.flatMap(stringsOf));
    expect([...asked].filter((user) => sentByCut.has(user))).toEqual([]);
    expect(again.of("cut").groupCount).toBe(asked.size);
    expect(again.of("whole").groupCount).toBe(0);
    expect(again.of("late").groupCount).toBe(sentByCut.size + asked.size);
    expect(again.of("silent")).toEqual(again.of("late"));
  });
});

function stringsOf(key: {
  readonly kind: string;
  readonly dictionary?: readonly string[];
  readonly codes?: ArrayLike<number>;
}): string[] {
  return Array.from(key.codes ?? [], (code) => key.dictionary![code]!);
}
