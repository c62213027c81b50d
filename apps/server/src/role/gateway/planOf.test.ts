import { HadalError, type TableDetail, type TableInfo } from "@hadal/sdk";
import { expect, test } from "vitest";
import { everything, type Readable } from "../../base/access/readable.js";
import { QueryTimings } from "../../planner/queryTimings.js";
import type { TableCatalogue } from "../../query/bind/tableCatalogue.js";
import { type PlanParts, planOf } from "./planOf.js";

const table = (name: string, rows: number, bytesPerRow: number): TableInfo => ({
  ...{ name, rows, bytes: rows * bytesPerRow, bytesPerRow: rows === 0 ? null : bytesPerRow },
  ...{ compressionRatio: 4, fromMs: null, toMs: null },
  retention: { maxAgeMs: null, maxBytes: null },
});

function partsWith(tables: readonly TableInfo[], parts: Partial<PlanParts> = {}): PlanParts {
  const timings = new QueryTimings();
  const key = "a scan";
  for (const kind of ["scan", "time-series"] as const) {
    timings.note(
      { kind, key },
      { rows: 1_000, groups: 60, waitMs: 5, wayMs: 1, mergeMs: 0.25, rootMs: 0.5 },
    );
  }
  timings.check("scan", 10, 20);
  timings.check("time-series", 10, 11);
  const catalogue = {
    tables: async () => tables,
    async table(name: string) {
      const found = tables.find((one) => one.name === name);
      if (found === undefined) throw new HadalError("unknown-table", { table: name, nearest: "" });
      return { ...found, columns: [], thinning: [], columnSettings: [] } as TableDetail;
    },
  } as unknown as TableCatalogue;
  const memory = { storeBytes: 3_000_000 } as NonNullable<
    PlanParts["leaves"][number]["status"]
  >["memory"];
  return {
    ...{ catalogue, timings },
    treeSize: () => ({ machines: 1, leaves: 2, fanOut: 5 }),
    leaves: [{ status: { memory } as PlanParts["leaves"][number]["status"] }, { status: null }],
    ...parts,
  };
}

const visits = table("visits", 2_000, 10);
const logs = table("logs", 500, 90);

test("without options the running cluster is planned, with its largest table", async () => {
  const plan = await planOf({}, everything, partsWith([logs, visits]));
  expect(plan).toMatchObject({
    planned: {
      ...{ machines: 1, leaves: 2, fanOut: 5, rows: 1_000, groups: 60 },
      ...{ table: "visits", shape: "time-series", copies: 1 },
    },
    levels: 0,
    accuracy: { queries: 1, median: 1.1 },
    measured: { ts: 5, ta: 0.25, td: 0.5, tg: 0.5, rootMs: 0.5, queries: 1 },
    memory: { bytesPerRow: 10, leafBytes: 10_000, leafBytesMax: 3_000_000, fits: true },
  });
  expect(plan.predictedMs).toBeCloseTo(5 + 2 * 0.25, 9);
});

test("options are planned as given, with the rows of the named table", async () => {
  const asked = { machines: 20, leaves: 8, fanOut: 5, rows: 5_000, shape: "scan" } as const;
  const plan = await planOf({ ...asked, table: "logs" }, everything, partsWith([logs, visits]));
  expect(plan.planned).toEqual({ ...asked, groups: 1, table: "logs", copies: 1 });
  expect(plan).toMatchObject({ levels: 2, memory: { bytesPerRow: 90 } });
});

test("a running cluster is planned as it is, also while it has no machine", async () => {
  const parts = (machines: number) =>
    partsWith([visits], { treeSize: () => ({ machines, leaves: 2 * machines, fanOut: 4 }) });
  const asIs = await planOf({}, everything, parts(5));
  expect(asIs).toMatchObject({ levels: 2, planned: { machines: 5, leaves: 10, rows: 40 } });
  expect(asIs.notes.join()).not.toContain("inside one machine");
  const away = await planOf({}, everything, parts(0));
  expect(away.planned).toMatchObject({ machines: 1, leaves: 1, fanOut: 4 });
});

test("an unknown table and numbers out of bounds are refused", async () => {
  const parts = partsWith([visits]);
  await expect(planOf({ table: "logs" }, everything, parts)).rejects.toMatchObject({
    code: "unknown-table",
  });
  await expect(planOf({ fanOut: 1 }, everything, parts)).rejects.toMatchObject({
    code: "bad-request",
  });
});

test("without rows and queries a plan has neither memory nor times, and says so", async () => {
  const parts = partsWith([table("visits", 0, 0)], { timings: new QueryTimings() });
  const plan = await planOf({}, everything, parts);
  expect(plan).toMatchObject({
    memory: null,
    predictedMs: null,
    planned: { rows: 0, table: null },
  });
  expect(plan.notes).toHaveLength(2);
});

test("whoever may read only some tables or rows sees neither their sizes nor their times", async () => {
  const only = (rows: null | []): Readable => ({
    of: (name) => (name === "logs" ? { rows, hiddenColumns: [] } : null),
    key: "logs",
  });
  const parts = partsWith([logs, visits]);
  const ofLogs = await planOf({}, only(null), parts);
  expect(ofLogs).toMatchObject({ planned: { table: "logs" }, predictedMs: null, accuracy: null });
  await expect(planOf({ table: "visits" }, only(null), parts)).rejects.toMatchObject({
    code: "unknown-table",
  });
  const ofSomeRows = await planOf({ table: "logs" }, only([]), parts);
  expect(ofSomeRows.memory).toBeNull();
  expect(ofSomeRows.planned.rows).toBe(0);
});
