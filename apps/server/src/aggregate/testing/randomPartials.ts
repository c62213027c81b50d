import fc from "fast-check";
import type { OracleRow } from "../../../test/oracle/table/oracleTable.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { KeyColumn, PartialResult, StateColumn } from "../partial/partialResult.js";
import { distinctOf } from "../state/distinct/distinctState.js";
import { asListed } from "../state/histogram/histogramRuns.js";
import { limbsPerSquare } from "../state/squareState.js";
import { partialOfRows } from "./partialOfRows.js";

/** Every kind of key and of state, on two sides. */
export const everyKind: ResolvedQuery = {
  table: "t",
  sides: [0, 1].map((hour) => ({
    fromMs: hour * 50,
    toMs: hour * 50 + 80,
    filter: { kind: "all", filters: [] },
    buckets: { kind: "even", startMs: hour * 50, stepMs: 20, count: 4 },
  })),
  groupBy: [
    { kind: "time" },
    { kind: "column", column: "text", type: "string", decimals: 0 },
    { kind: "column", column: "int", type: "int", decimals: 0 },
  ],
  states: [
    { kind: "rows" },
    { kind: "weight" },
    { kind: "present", column: "text", weighted: true },
    { kind: "sum", column: "int", decimals: 0 },
    { kind: "min", column: "int", decimals: 0 },
    { kind: "max", column: "int", decimals: 0 },
    { kind: "histogram", column: "int", decimals: 0 },
    { kind: "squares", column: "int", decimals: 0 },
    { kind: "distinct", column: "int", type: "int", decimals: 0 },
    { kind: "distinct", column: "text", type: "string", decimals: 0 },
  ],
  sample: null,
  cut: { max: 100, bySeries: false, ranks: [] },
};

const int = fc.oneof(
  fc.bigInt({ min: -3n, max: 3n }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
);
const text = fc.oneof(
  fc.constantFrom("", "a", "b", "\uffff", "\u{10000}", "\ufeffbom"),
  fc.string({ unit: "grapheme", maxLength: 4 }),
);

export const randomRows: fc.Arbitrary<OracleRow[]> = fc.array(
  fc
    .record({
      timeMs: fc.nat(140),
      int: fc.option(int),
      text: fc.option(text),
      rate: fc.constantFrom(1n, 1n, 7n, 2_147_483_647n),
    })
    .map(({ timeMs, int: number, text: string, rate }) => ({
      timeMs,
      values: new Map<string, string | bigint>([
        ...(number === null ? [] : ([["int", number]] as const)),
        ...(string === null ? [] : ([["text", string]] as const)),
        ["sample_rate", rate] as const,
      ]),
    })),
  { maxLength: 40 },
);

export const randomPartial: fc.Arbitrary<PartialResult> = randomRows.map((rows) =>
  partialOfRows(rows, everyKind),
);

/** A partial result as plain text, its groups in an order of their own: equal where the answers are. */
export function printPartial(partial: PartialResult): string[][] {
  return partial.sides.map((side) =>
    Array.from({ length: side.groupCount }, (_, group) => {
      const keys = side.keys.map((key) => printKey(key, group));
      const states = side.states.map((state) => printState(state, group));
      return JSON.stringify([keys, states]);
    }).sort(),
  );
}

function printKey(key: KeyColumn, group: number): unknown {
  switch (key.kind) {
    case "bucket":
      return key.indexes[group];
    case "int":
      return key.present[group] === 0 ? null : `${key.values[group]}`;
    case "string":
      return key.codes[group]! < 0 ? null : [key.dictionary[key.codes[group]!]];
  }
}

function printState(state: StateColumn, group: number): unknown {
  switch (state.kind) {
    case "count":
      return state.values[group];
    case "sum": {
      const weight = state.weights[group];
      // However far a sum has overflowed, it is one thing: unknown.
      if (!(Math.abs(state.hi[group]!) <= 2 ** 53)) return ["overflow", weight];
      return [state.hi[group], state.lo[group], weight];
    }
    case "extreme":
      return state.present[group] === 0 ? null : `${state.values[group]}`;
    case "distinct": {
      if (state.form !== "elements") return [state.form, distinctOf(state, group)];
      const words = state.elements.subarray(
        state.offsets[group]! * 2,
        state.offsets[group + 1]! * 2,
      );
      return Array.from(
        { length: words.length / 2 },
        (_, i) => `${words[i * 2]} ${words[i * 2 + 1]}`,
      ).sort();
    }
    case "squares":
      return [...state.limbs.subarray(group * limbsPerSquare, (group + 1) * limbsPerSquare)];
    case "histogram": {
      const { subBits, offsets, buckets, weights } = asListed(state);
      const [start, end] = [offsets[group]!, offsets[group + 1]!];
      return [subBits, [...buckets.subarray(start, end)], [...weights.subarray(start, end)]];
    }
  }
}
