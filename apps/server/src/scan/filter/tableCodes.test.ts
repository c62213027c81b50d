import {
  createKernel,
  createSharedMemory,
  kernelReservedBytes,
  loadKernelModuleSync,
} from "@hadal/kernel-wasm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { divideMemory } from "../../memory/leafMemory.js";
import type { ResolvedFilter, ResolvedQuery, StateSpec } from "../../plan/query/resolvedQuery.js";
import { rescaleBatch } from "../../store/columns/rescaleBatch.js";
import { TableColumns } from "../../store/columns/tableColumns.js";
import { OpenSegment } from "../../store/open/openSegment.js";
import { sealSegment } from "../../store/seal/sealSegment.js";
import { batchOfRows, type PlainRow } from "../../store/testing/plainRows.js";
import { QueryMemory } from "../memory/queryMemory.js";
import { allocateScratch } from "../memory/scratch.js";
import { ScanRun } from "../run/scanRun.js";
import type { ScanUnit, SegmentFilter } from "../task/scanTask.js";
import { lowerNow } from "../testing/lowerNow.js";

const memory = createSharedMemory(128 * 2 ** 20);
const kernel = createKernel(memory, loadKernelModuleSync());
const rowCount = 700;

/** Few values far apart, so that a segment stores them as codes of a table; in 4 bytes and in 8. */
const tables = fc.constantFrom(
  [200n, 204n, 404n, 500n, 200_503n],
  [-70_000n, -1n, 0n, 1n, 99_999n],
  [-(2n ** 63n), -5n, 0n, 2n ** 40n, 2n ** 63n - 1n],
);
const near = (values: readonly bigint[]) =>
  fc
    .tuple(fc.constantFrom(...values), fc.constantFrom(-1n, 0n, 0n, 1n))
    .map(([value, step]) => BigInt.asIntN(64, value + step));

test("conditions on integers in a table are decided by their codes, and select the same rows as the values", () => {
  let coded = 0;
  const cases = tables.chain((values) =>
    fc.record({
      values: fc.constant(values),
      picks: fc.array(fc.nat(values.length), { minLength: rowCount, maxLength: rowCount }),
      wanted: fc.array(near(values), { minLength: 1, maxLength: 4 }),
      kind: fc.constantFrom("range" as const, "ints" as const),
      negated: fc.boolean(),
    }),
  );
  fc.assert(
    fc.property(cases, ({ values, picks, wanted, kind, negated }) => {
      // One pick more than there are values: missing.
      const numbers = picks.map((pick) => values[pick]);
      const [low, high] = [wanted[0]!, wanted.at(-1)!];
      const condition = { column: "n", decimals: 0, negated };
      const filter: ResolvedFilter =
        kind === "ints"
          ? { ...condition, kind, values: wanted.map(String) }
          : { ...condition, kind, low: String(low), high: String(high) };
      const expected = numbers.filter((number) => {
        if (number === undefined) return false;
        const holds = kind === "ints" ? wanted.includes(number) : number >= low && number <= high;
        return holds !== negated;
      }).length;
      const found = countRows(numbers, filter);
      expect(found.counts).toEqual([expected, expected]);
      if (found.isCoded) coded++;
    }),
    { numRuns: 240 },
  );
  expect(coded).toBeGreaterThan(100);
});

/** The rows that a scan of one sealed segment finds. */
function countRows(numbers: readonly (bigint | undefined)[], filter: ResolvedFilter) {
  const leaf = divideMemory(memory, kernelReservedBytes, 80 * 2 ** 20);
  const scratch = allocateScratch(leaf.queries);
  const columns = new TableColumns();
  const layoutOf = (name: string) => columns.layoutOf(name);
  const rows = numbers.map((number, time): PlainRow => {
    return { time, values: new Map(number === undefined ? [] : [["n", number]]) };
  });
  const batch = batchOfRows(rows);
  columns.take(batch);
  const ready = rescaleBatch(batch, layoutOf);
  const open = new OpenSegment(leaf, kernel);
  open.reserve(ready, layoutOf);
  open.append(ready);
  const segment = sealSegment(open.view(), 1, { memory: leaf, kernel });
  const run = (states: readonly StateSpec[]) => {
    const query: ResolvedQuery = {
      ...{ table: "events", groupBy: [], states, sample: null },
      sides: [{ fromMs: 0, toMs: rowCount, filter, buckets: null }],
      cut: { max: 100, bySeries: false, ranks: [] },
    };
    const { task } = lowerNow(1, query, [[segment]], new QueryMemory(leaf));
    const run = new ScanRun({ memory, kernel, scratch }, task);
    while (!run.done) run.step();
    const [state] = run.answer().sides[0]!.states;
    return { task, count: state?.kind === "count" ? state.values[0] : null };
  };
  const program = run([{ kind: "rows" }]);
  // No program adds it up.
  const { task, count } = run([{ kind: "rows" }, { kind: "min", column: "n", decimals: 0 }]);
  const column = segment.columns.get("n");
  const [unit] = task.units;
  const isTable = column?.kind === "int" && column.encoded?.kind === "dictionary";
  expect(program.task.units).toEqual([]);
  // What the state reads is decoded, what the condition reads is not.
  const isDecoded = unit?.decodes.some(({ values }) => isReadBy(unit.filter, values.address));
  return {
    counts: [program.count, count],
    // Where zone maps decide the condition no one asks for codes.
    isCoded: isTable && unit !== undefined && !isDecided(unit) && !isDecoded,
  };
}

const isReadBy = (filter: SegmentFilter, address: number): boolean =>
  (filter.op === "range" || filter.op === "ints") && filter.values.address === address;

const isDecided = ({ filter }: ScanUnit): boolean => filter.op === "every" || filter.op === "none";
