import { unmixKey } from "@hadal/kernel-wasm";
import { HadalError } from "@hadal/sdk";
import { expect, test } from "vitest";
import type { ResolvedQuery, StateSpec } from "../../plan/query/resolvedQuery.js";
import type { PlainRow } from "../../store/testing/plainRows.js";
import { QueryMemory } from "../memory/queryMemory.js";
import { ScanRun } from "../run/scanRun.js";
import type { ScanAnswer } from "../task/scanAnswer.js";
import { lowerNow } from "../testing/lowerNow.js";
import { createScanMemory } from "../testing/scanMemory.js";
import { storeRows } from "../testing/storeRows.js";

const { memory, kernel, leaf, scratch } = createScanMemory(256, 128);

/**
 * Ids that someone made to meet in one part of a table; the key of an id is one more than it is
 * beyond the least, 0.
 */
const rows = Array.from({ length: 30_000 }, (_, i): PlainRow => {
  const id = i === 0 ? 0 : unmixKey(i) - 1;
  return {
    time: i,
    values: new Map([
      ["id", BigInt(id)],
      ["size", BigInt(i)],
    ]),
  };
});
const views = storeRows([rows], { leaf, kernel });

const byId: Pick<ResolvedQuery, "groupBy" | "states"> = {
  groupBy: [{ kind: "column", column: "id", type: "int", decimals: 0 }],
  states: [{ kind: "rows" }, { kind: "max", column: "size", decimals: 0 } satisfies StateSpec],
};
const query: ResolvedQuery = {
  table: "t",
  sides: [{ fromMs: 0, toMs: 1e9, filter: { kind: "all", filters: [] }, buckets: null }],
  ...byId,
  sample: null,
  cut: { max: 100, bySeries: false, ranks: [] },
};

function scan(asked: ResolvedQuery): ScanAnswer {
  const queryMemory = new QueryMemory(leaf);
  try {
    const { task } = lowerNow(1, asked, [views], queryMemory);
    const run = new ScanRun({ memory, kernel, scratch }, task);
    while (!run.done) run.step();
    return run.answer();
  } finally {
    queryMemory.release();
  }
}

test("keys that all meet in one part end the query with the reason", () => {
  const refused = (() => {
    try {
      return scan(query);
    } catch (error) {
      return error;
    }
  })();
  expect(refused).toBeInstanceOf(HadalError);
  expect(refused).toMatchObject({ code: "query-memory" });
});

test("of a branch they end the branch alone", () => {
  const cut = { max: 100, bySeries: false, ranks: [] };
  const whole = { ...query, groupBy: [], states: [{ kind: "rows" as const }] };
  const { branches, rowsMatched } = scan({ ...whole, branches: [{ ...byId, cut }] });
  expect(branches).toEqual([null]);
  expect(rowsMatched).toBe(rows.length);
});
