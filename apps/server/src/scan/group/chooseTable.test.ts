import { createSharedMemory, kernelReservedBytes } from "@hadal/kernel-wasm";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { IntColumn } from "../../column/segmentColumn.js";
import { divideMemory } from "../../memory/leafMemory.js";
import type { ResolvedGroup, ResolvedSide } from "../../plan/query/resolvedQuery.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import { lowerComponents } from "../key/lowerComponents.js";
import { QueryMemory } from "../memory/queryMemory.js";
import { chooseTable } from "./chooseTable.js";

const leaf = divideMemory(createSharedMemory(256 * 2 ** 20), kernelReservedBytes, 200 * 2 ** 20);

/** Years 1 to 9999. */
const [timeMin, timeMax] = [-62_135_596_800_000, 253_402_300_799_999];

/** As much of a segment as group components are chosen by: zone maps. */
function segmentOf(spans: readonly bigint[]): SegmentView {
  const columns = new Map(
    spans.map((span, i): [string, Partial<IntColumn>] => [
      `n${i}`,
      { kind: "int", decimals: 0, min: -(2n ** 63n), max: -(2n ** 63n) + span, encoded: null },
    ]),
  );
  return { minMs: timeMin, maxMs: timeMax, rowCount: 65_536, columns } as unknown as SegmentView;
}

test("keys of a hash table have 64 bits at most, whatever is grouped by", () => {
  const span = fc.oneof(
    fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
    fc.integer({ min: 1, max: 63 }).map((bits) => 2n ** BigInt(bits)),
  );
  const side: ResolvedSide = {
    ...{ fromMs: timeMin, toMs: timeMax + 1, filter: { kind: "all", filters: [] } },
    buckets: { kind: "even", startMs: timeMin, stepMs: 4e11, count: 800 },
  };
  fc.assert(
    fc.property(fc.array(span, { maxLength: 4 }), fc.nat(), (spans, seed) => {
      const groups: ResolvedGroup[] = [
        { kind: "time" },
        ...["time", ...spans.map((_, i) => `n${i}`)].map(
          (column): ResolvedGroup => ({ kind: "column", column, type: "int", decimals: 0 }),
        ),
      ];
      const turned = groups.map((_, i) => groups[(i + seed) % groups.length]!);
      const memory = new QueryMemory(leaf);
      const tasks = lowerComponents(turned, side, [segmentOf(spans)], memory).map(
        ({ task }) => task,
      );
      const table = chooseTable(tasks, 1_000_000, memory, { kind: "states" });
      memory.release();
      if (table.kind !== "hash") throw new Error("this many groups are hashed");
      expect(table.levels.flatMap(({ components }) => components).sort()).toEqual([
        ...tasks.keys(),
      ]);
      table.levels.forEach(({ components }, level) => {
        const below = level === 0 ? 1n : BigInt(table.groupsMax);
        const keys = components.reduce((all, index) => all * tasks[index]!.cardinality, below);
        expect(keys).toBeLessThanOrEqual(2n ** 64n);
      });
    }),
  );
});
