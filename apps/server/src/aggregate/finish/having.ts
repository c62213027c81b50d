import { orderHolds } from "../../base/number/orderHolds.js";
import { compareCodePoints } from "../../base/text/codePointOrder.js";
import type {
  ComparePart,
  FinishHaving,
  FinishPlan,
  HavingTest,
} from "../../plan/query/finishPlan.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { JoinedGroups } from "../key/joinSides.js";
import { type KeptValue, keyReader } from "../key/keyReader.js";
import type { FinishedValues } from "./finishedValues.js";

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

function createTest(
  { target, test }: FinishHaving,
  joined: JoinedGroups,
  values: FinishedValues,
  resolved: ResolvedQuery,
): (group: number) => boolean {
  if (target.kind === "aggregate") {
    const { aggregateIndex, part } = target;
    if (test.kind === "string") {
      return (group) => holds(test, values.textOf(aggregateIndex, part, group));
    }
    return (group) => holds(test, cellOf(values, aggregateIndex, part, group));
  }
  const read = keyReader(joined.keys[target.groupIndex]!, resolved);
  return (group) => holds(test, read(group));
}

/** A number, or whether there is a text. */
function cellOf(
  values: FinishedValues,
  index: number,
  part: ComparePart,
  group: number,
): KeptValue {
  return values.finishedOf(index, part, group) ?? values.textOf(index, part, group);
}

function holds(test: HavingTest, cell: KeptValue): boolean {
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
