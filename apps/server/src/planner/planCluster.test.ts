import fc from "fast-check";
import { expect, test } from "vitest";
import type { QueryCosts } from "./costSamples.js";
import { planCluster, usualGroups } from "./planCluster.js";
import type { PlanFacts, PlannedCluster } from "./planFacts.js";

const costs: QueryCosts = {
  scan: { fixedMs: 1, perUnitMs: 1e-6 },
  merge: { fixedMs: 0.1, perUnitMs: 1e-4 },
  root: { fixedMs: 0.5, perUnitMs: 2e-3 },
  ...{ groups: 100, wayMs: 2, rowsMax: 2_000_000, groupsMax: 1_000, queries: 9 },
};
const facts: PlanFacts = {
  machines: 1,
  costs,
  accuracy: null,
  isHidden: false,
  bytesPerRow: 14,
  leafBytesMax: 3 * 2 ** 30,
};
const cluster: PlannedCluster = {
  ...{ machines: 20, leaves: 8, fanOut: 5, rows: 1_000_000, copies: 1 },
  ...{ shape: "time-series" as const, groups: 100, table: "visits" },
};

test("a plan has the tree, the time in its parts, the measured times and the memory", () => {
  const plan = planCluster(cluster, facts);
  expect(plan).toMatchObject({ levels: 2, fanOut: 5, planned: cluster });
  expect(plan.tree.map(({ aggregators }) => aggregators)).toEqual([1, 5, 20]);
  const { ts, ta, td, tg, rootMs } = plan.measured;
  expect([ts, ta, td, tg, rootMs]).toEqual([2, 0.11, 1, 1, 0.7]);
  // T_S + L · (T_D + T_G) + (F · (L − 1) + R + D) · T_A
  expect(plan.predictedMs).toBeCloseTo(2 + 2 * 2 + (5 + 4 + 8) * 0.11, 9);
  expect(plan.parts?.linksMs).toBe(4);
  expect(plan.memory).toEqual({
    ...{ table: "visits", bytesPerRow: 14, copies: 1, leafBytes: 14_000_000 },
    ...{ machineBytes: 112_000_000, totalBytes: 2_240_000_000 },
    ...{ leafBytesMax: 3 * 2 ** 30, fits: true },
  });
});

test("other machines share the same rows; other fan-outs change nothing but the tree", () => {
  const { otherMachines, otherFanOuts, predictedMs } = planCluster(cluster, facts);
  expect(otherMachines.map(({ machines }) => machines)).toEqual([10, 19, 20, 21, 22, 40, 80, 160]);
  expect(otherMachines.find(({ machines }) => machines === 40)).toMatchObject({
    ...{ rows: 500_000, levels: 3, leafBytes: 7_000_000 },
  });
  expect(otherFanOuts.map(({ fanOut }) => fanOut)).toEqual([2, 3, 4, 5, 6, 8, 10]);
  expect(otherFanOuts.every(({ rows }) => rows === 1_000_000)).toBe(true);
  const same = [...otherMachines, ...otherFanOuts].filter(
    ({ machines, fanOut }) => machines === 20 && fanOut === 5,
  );
  expect(same.map((point) => point.predictedMs)).toEqual([predictedMs, predictedMs]);
});

test("without measured queries a plan has no times, and says so", () => {
  const plan = planCluster(cluster, { ...facts, costs: null });
  expect(plan).toMatchObject({
    ...{ predictedMs: null, parts: null, levels: 2 },
    measured: { ts: null, ta: null, td: null, tg: null, rootMs: null, queries: 0 },
  });
  expect(plan.otherMachines.every((point) => point.predictedMs === null)).toBe(true);
  expect(plan.notes[0]).toMatch(/^Nothing has been measured yet for the shape time-series/);
});

test("whoever may not read all tables gets no times, and the reason", () => {
  const plan = planCluster(cluster, { ...facts, costs: null, isHidden: true });
  expect(plan.notes).toEqual([expect.stringContaining("You may read only some of them")]);
});

test("without a table a plan has no memory, and says so", () => {
  const plan = planCluster({ ...cluster, table: null }, { ...facts, bytesPerRow: null });
  expect(plan.memory).toBeNull();
  expect(plan.notes.join()).toContain("memory of a row is not known");
  expect(plan.otherMachines.every(({ leafBytes }) => leafBytes === null)).toBe(true);
});

test("copies take their memory, and what does not fit is said", () => {
  const plan = planCluster({ ...cluster, rows: 200_000_000, copies: 2 }, facts);
  expect(plan.memory).toMatchObject({ leafBytes: 5_600_000_000, fits: false });
  expect(plan.notes.join()).toContain("do not fit");
  expect(planCluster(cluster, { ...facts, leafBytesMax: null }).memory?.fits).toBeNull();
});

test("extrapolations and links that were never measured are named", () => {
  const far = planCluster({ ...cluster, rows: 9_000_000, groups: 5_000 }, facts).notes.join("\n");
  expect(far).toContain(
    "Extrapolated: the 9 measured queries had at most 2,000,000 rows a leaf and 1,000 groups.",
  );
  expect(far).toContain("measured inside one machine");
  const near = planCluster({ ...cluster, machines: 1 }, facts);
  expect(near.notes).toEqual([]);
  expect(planCluster(cluster, { ...facts, machines: 20 }).notes).toEqual([]);
  const wide = planCluster({ ...cluster, fanOut: 20 }, { ...facts, machines: 20 });
  expect(wide.notes).toEqual([expect.stringContaining("--fan-out takes 2 to 8")]);
});

test("any cluster within bounds has a plan, and its points are within bounds too", () => {
  const size = fc.record({
    machines: fc.integer({ min: 1, max: 10_000 }),
    leaves: fc.integer({ min: 1, max: 256 }),
    fanOut: fc.integer({ min: 2, max: 100 }),
    rows: fc.integer({ min: 0, max: 2 ** 32 }),
    groups: fc.integer({ min: 1, max: 4_000_000 }),
  });
  fc.assert(
    fc.property(size, (parts) => {
      const plan = planCluster({ ...cluster, ...parts }, facts);
      const points = [...plan.otherMachines, ...plan.otherFanOuts];
      expect(points.some(({ machines }) => machines === parts.machines)).toBe(true);
      expect(points.some(({ fanOut }) => fanOut === parts.fanOut)).toBe(true);
      expect([plan, ...points].every(({ predictedMs }) => Number.isFinite(predictedMs))).toBe(true);
    }),
  );
});

test.each<[Partial<PlannedCluster>, RegExp]>([
  [{ machines: 0 }, /machines is 0/],
  [{ fanOut: 1 }, /fanOut is 1/],
  [{ fanOut: 1_000 }, /fanOut is 1000/],
  [{ rows: -1 }, /rows is -1; it must be a whole number from 0 to 4294967296\./],
  [{ rows: Number.NaN }, /rows is NaN/],
  [{ groups: 0 }, /groups is 0/],
  [{ copies: 3 }, /copies is 3/],
])("%o is refused in words", (wrong, message) => {
  expect(() => planCluster({ ...cluster, ...wrong }, facts)).toThrow(message);
});

test("a plan has as many groups as the measured queries, a scan one", () => {
  expect(usualGroups("scan", costs)).toBe(1);
  expect(usualGroups("time-series", costs)).toBe(100);
  expect(usualGroups("groups", null)).toBe(1);
});
