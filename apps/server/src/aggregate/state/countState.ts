import type { StateColumn } from "../partial/partialResult.js";
import { columnOf, expectCount, type StateKind, takeNumbers } from "./stateKind.js";

type CountColumn = Extract<StateColumn, { readonly kind: "count" }>;

/** Rows, their weights, present values: whole numbers that add up. */
export const countState: StateKind = {
  create: (groupCount): CountColumn => ({ kind: "count", values: new Float64Array(groupCount) }),

  merge(inputs, groupCount): CountColumn {
    const merged = new Float64Array(groupCount);
    for (const { column, groups } of inputs) {
      const { values } = columnOf(column, "count");
      for (let i = 0; i < groups.length; i++) merged[groups[i]!]! += values[i]!;
    }
    return { kind: "count", values: merged };
  },

  take: (column, groups): CountColumn => ({
    kind: "count",
    values: takeNumbers(columnOf(column, "count").values, groups),
  }),

  encode: (column) => ({
    head: { kind: "count" },
    sections: [columnOf(column, "count").values],
  }),

  decode: (_, reader): CountColumn => ({ kind: "count", values: reader.f64() }),

  check(column, groupCount) {
    expectCount("counts", columnOf(column, "count").values.length, groupCount);
  },
};

export function countOf(column: StateColumn, group: number): number {
  return columnOf(column, "count").values[group]!;
}
