import { compareCodePoints } from "../base/codePointOrder.js";
import type { FinishHaving, FinishPlan, HavingTest } from "../plan/finishPlan.js";
import { orderHolds } from "../plan/orderHolds.js";
import type { ResolvedQuery } from "../plan/resolvedQuery.js";
import { edgesOfBuckets } from "../plan/timeBuckets.js";
import type { FinishedValues } from "./finishedValues.js";
import type { JoinedGroups } from "./joinSides.js";
import type { KeyColumn } from "./partialResult.js";

/** The joined groups of which every condition holds, ascending; null where none is asked for. */
export function groupsThatPass(
  joined: JoinedGroups,
  values: FinishedValues,
  resolved: ResolvedQuery,
  { having }: FinishPlan,
): Uint32Array | null {
  if (having.length === 0) return null;
  const tests = having.map((one) => createTest(one, joined, values, resolved));
  const passing = new Uint32Array(joined.count);
  let used = 0;
  for (let group = 0; group < joined.count; group++) {
    if (tests.every((test) => test(group))) passing[used++] = group;
  }
  return passing.subarray(0, used);
}

type Cell = string | number | bigint | null;

function createTest(
  { target, test }: FinishHaving,
  joined: JoinedGroups,
  values: FinishedValues,
  resolved: ResolvedQuery,
): (group: number) => boolean {
  if (target.kind === "aggregate") {
    const { aggregateIndex, part } = target;
    return (group) => holds(test, values.finishedOf(aggregateIndex, part, group));
  }
  const cellOf = keyReader(joined.keys[target.groupIndex]!, resolved);
  return (group) => holds(test, cellOf(group));
}

/** Keys as they are kept: decimals without their point, times in milliseconds. */
function keyReader(key: KeyColumn, resolved: ResolvedQuery): (group: number) => Cell {
  switch (key.kind) {
    case "bucket": {
      const buckets = resolved.sides[0]?.buckets ?? null;
      const edges = buckets === null ? [] : edgesOfBuckets(buckets);
      return (group) => edges[key.indexes[group]!]!;
    }
    case "int":
      return (group) => (key.present[group] === 0 ? null : key.values[group]!);
    case "string":
      return (group) => (key.codes[group]! < 0 ? null : key.dictionary[key.codes[group]!]!);
  }
}

function holds(test: HavingTest, cell: Cell): boolean {
  if (test.kind === "present") return (cell === null) === test.negated;
  if (cell === null) return false;
  switch (test.kind) {
    case "string":
      return orderHolds(test.op, compareCodePoints(String(cell), test.value));
    case "float":
      return orderHolds(test.op, orderOfNumbers(Number(cell), test.value));
    case "exact": {
      const { floor, exact } = test;
      const order = orderOfNumbers(typeof cell === "bigint" ? cell : Number(cell), floor);
      // What is equal to the floor is below a number that lies between it and the next.
      return orderHolds(test.op, order === 0 && !exact ? -1 : order);
    }
  }
}

/** JavaScript compares a number with a bigint by value. */
function orderOfNumbers(a: number | bigint, b: number | bigint): number {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}
