import { hashBytes, logLinearBucket, subBitsMax } from "@hadal/kernel-wasm";
import { createKeyTree } from "../../../test/oracle/naive/keyTree.js";
import type { OracleRow, OracleValue } from "../../../test/oracle/table/oracleTable.js";
import { edgesOfBuckets } from "../../plan/bucket/timeBuckets.js";
import type {
  NumberBuckets,
  ResolvedGroup,
  ResolvedQuery,
  ResolvedSide,
  StateSpec,
} from "../../plan/query/resolvedQuery.js";
import { passesFilter } from "../../plan/testing/passesFilter.js";
import { kindOfKeys } from "../key/keyWords.js";
import type {
  KeyColumn,
  PartialResult,
  PartialSide,
  StateColumn,
} from "../partial/partialResult.js";
import { limbsPerSquare } from "../state/squareState.js";

/** What a leaf that holds these rows would answer, computed row by row. */
export function partialOfRows(rows: readonly OracleRow[], resolved: ResolvedQuery): PartialResult {
  return { sides: resolved.sides.map((side) => sideOfRows(rows, side, resolved)), sample: null };
}

interface Group {
  readonly keys: readonly OracleValue[];
  readonly rows: OracleRow[];
}

function sideOfRows(
  rows: readonly OracleRow[],
  side: ResolvedSide,
  resolved: ResolvedQuery,
): PartialSide {
  const groups = createKeyTree<Group>((keys) => ({ keys, rows: [] }));
  if (resolved.groupBy.length === 0) groups.of([]);
  for (const row of rows) {
    if (row.timeMs < side.fromMs || row.timeMs >= side.toMs || !passesFilter(side.filter, row))
      continue;
    for (const keys of keyTuples(resolved.groupBy, row, side)) {
      groups.of(keys).rows.push(row);
    }
  }
  const found = groups.all;
  return {
    groupCount: found.length,
    keys: resolved.groupBy.map((group, i) =>
      keyColumn(
        group,
        found.map(({ keys }) => keys[i] ?? null),
      ),
    ),
    states: resolved.states.map((spec) =>
      stateColumn(
        spec,
        found.map((group) => group.rows),
      ),
    ),
    groupsCut: 0,
  };
}

/** Every combination of the row's keys: with elements there may be any number. */
function keyTuples(
  groupBy: readonly ResolvedGroup[],
  row: OracleRow,
  side: ResolvedSide,
): OracleValue[][] {
  let tuples: OracleValue[][] = [[]];
  for (const group of groupBy) {
    const keys = keysOf(group, row, side);
    const [only = null] = keys;
    if (keys.length === 1) for (const tuple of tuples) tuple.push(only);
    else tuples = tuples.flatMap((tuple) => keys.map((key) => [...tuple, key]));
  }
  return tuples;
}

function keysOf(group: ResolvedGroup, row: OracleRow, side: ResolvedSide): readonly OracleValue[] {
  if (group.kind === "time") {
    const edges = side.buckets === null ? [] : edgesOfBuckets(side.buckets);
    return [BigInt(edges.findLastIndex((edge) => edge <= row.timeMs))];
  }
  const value = row.values.get(group.column);
  if (value === undefined) return [null];
  switch (group.kind) {
    case "element":
      return [...new Set(value as readonly string[])];
    case "bucket":
      return [lowerBound(group.buckets, value as bigint)];
    case "column":
      return [Array.isArray(value) ? JSON.stringify(value) : value];
  }
}

function lowerBound(buckets: NumberBuckets, value: bigint): bigint {
  const smallest = -(2n ** 63n);
  if (buckets.kind === "edges") {
    return buckets.bounds.map(BigInt).findLast((bound) => bound <= value) ?? smallest;
  }
  const step = BigInt(buckets.step);
  const rest = value % step;
  const bound = value - (rest < 0n ? rest + step : rest);
  return bound < smallest ? smallest : bound;
}

function keyColumn(group: ResolvedGroup, keys: readonly OracleValue[]): KeyColumn {
  if (group.kind === "time") return { kind: "bucket", indexes: Int32Array.from(keys, Number) };
  if (kindOfKeys(group) === "int") {
    return {
      kind: "int",
      values: BigInt64Array.from(keys, (key) => (key === null ? 0n : (key as bigint))),
      present: Uint8Array.from(keys, (key) => (key === null ? 0 : 1)),
    };
  }
  // Every group has an entry of its own: dictionaries may repeat.
  const dictionary = keys.map((key) => String(key));
  return {
    kind: "string",
    dictionary,
    codes: Int32Array.from(keys, (key, i) => (key === null ? -1 : i)),
  };
}

function stateColumn(spec: StateSpec, groups: readonly (readonly OracleRow[])[]): StateColumn {
  const presentRows = (rows: readonly OracleRow[], column: string): readonly OracleRow[] =>
    rows.filter((row) => column === "time" || row.values.get(column) !== undefined);
  const weight = (rows: readonly OracleRow[]): number =>
    rows.reduce((sum, row) => sum + Number(weightOf(row)), 0);
  const counts = (countOf: (rows: readonly OracleRow[]) => number): StateColumn => ({
    kind: "count",
    values: Float64Array.from(groups, countOf),
  });
  switch (spec.kind) {
    case "function":
    case "text":
      throw new Error(`no ${spec.kind} is among these states`);
    case "rows":
      return counts((rows) => rows.length);
    case "weight":
      return counts(weight);
    case "present":
      return counts((rows) => {
        const present = presentRows(rows, spec.column);
        return spec.weighted ? weight(present) : present.length;
      });
    case "sum": {
      const sums = groups.map((rows) =>
        presentRows(rows, spec.column).reduce(
          (sum, row) => sum + intOf(row, spec.column) * weightOf(row),
          0n,
        ),
      );
      return {
        kind: "sum",
        hi: Float64Array.from(sums, (sum) => Number(sum >> 32n)),
        lo: Float64Array.from(sums, (sum) => Number(sum & 0xffff_ffffn)),
        weights: Float64Array.from(groups, (rows) => weight(presentRows(rows, spec.column))),
      };
    }
    case "min":
    case "max": {
      const values = groups.map((rows) =>
        presentRows(rows, spec.column)
          .map((row) => intOf(row, spec.column))
          .sort((a, b) => (a < b ? -1 : 1)),
      );
      const index = spec.kind === "min" ? 0 : -1;
      return {
        kind: "extreme",
        values: BigInt64Array.from(values, (sorted) => sorted.at(index) ?? 0n),
        present: Uint8Array.from(values, (sorted) => (sorted.length > 0 ? 1 : 0)),
      };
    }
    case "distinct":
      return distinctColumn(
        groups.map((rows) =>
          presentRows(rows, spec.column).map((row) => elementOf(row, spec.column)),
        ),
      );
    case "squares":
      return {
        kind: "squares",
        limbs: Uint32Array.from(
          groups.flatMap((rows) => {
            const square = presentRows(rows, spec.column).reduce(
              (sum, row) => sum + intOf(row, spec.column) ** 2n * weightOf(row),
              0n,
            );
            return Array.from({ length: limbsPerSquare }, (_, j) =>
              Number((square >> BigInt(32 * j)) & 0xffff_ffffn),
            );
          }),
        ),
      };
    case "spread":
      return {
        kind: "spread",
        sums: Float64Array.from(groups.flatMap((rows) => spreadOf(rows, spec))),
      };
    case "histogram":
      return histogramColumn(
        groups.map((rows) => presentRows(rows, spec.column)),
        spec.column,
        spec.squared === true,
      );
  }
}

function spreadOf(
  rows: readonly OracleRow[],
  { column, values }: Extract<StateSpec, { kind: "spread" }>,
): number[] {
  const sums = [0, 0, 0, 0];
  for (const row of rows) {
    if (column !== null && column !== "time" && row.values.get(column) === undefined) continue;
    const w = Number(weightOf(row));
    const x = column === null ? w : values ? Number(intOf(row, column)) : 1;
    for (let power = 0; power < 4; power++) sums[power]! += w * (w - 1) * x ** power;
  }
  return sums;
}

/** Integers are their own elements, all else has a hash of its text. */
function elementOf(row: OracleRow, column: string): bigint {
  const value = column === "time" ? BigInt(row.timeMs) : row.values.get(column);
  if (typeof value === "bigint") return BigInt.asUintN(64, value);
  const bytes = new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
  const [low, high] = hashBytes(bytes, bytes.length);
  return (BigInt(high) << 32n) | BigInt(low);
}

function distinctColumn(groups: readonly (readonly bigint[])[]): StateColumn {
  const sets = groups.map((elements) => [...new Set(elements)]);
  let end = 0;
  return {
    kind: "distinct",
    form: "elements",
    offsets: Uint32Array.from([0, ...sets.map(({ length }) => (end += length))]),
    elements: Uint32Array.from(
      sets.flat().flatMap((element) => [Number(element & 0xffff_ffffn), Number(element >> 32n)]),
    ),
  };
}

function histogramColumn(
  groups: readonly (readonly OracleRow[])[],
  column: string,
  squared: boolean,
): StateColumn {
  const subBits = squared ? 3 : subBitsMax;
  const offsets = [0];
  const buckets: number[] = [];
  const weights: number[] = [];
  for (const rows of groups) {
    const byBucket = new Map<number, number>();
    for (const row of rows) {
      const bucket = logLinearBucket(intOf(row, column), subBits);
      const weight = Number(weightOf(row)) ** (squared ? 2 : 1);
      byBucket.set(bucket, (byBucket.get(bucket) ?? 0) + weight);
    }
    for (const bucket of [...byBucket.keys()].sort((a, b) => a - b)) {
      buckets.push(bucket);
      weights.push(byBucket.get(bucket) ?? 0);
    }
    offsets.push(buckets.length);
  }
  return {
    kind: "histogram",
    form: "listed",
    subBits,
    offsets: Uint32Array.from(offsets),
    buckets: Int16Array.from(buckets),
    weights: Float64Array.from(weights),
  };
}

function weightOf(row: OracleRow): bigint {
  const rate = row.values.get("sample_rate");
  return typeof rate === "bigint" ? rate : 1n;
}

function intOf(row: OracleRow, column: string): bigint {
  return column === "time" ? BigInt(row.timeMs) : (row.values.get(column) as bigint);
}
