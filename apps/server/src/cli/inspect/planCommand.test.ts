import type { ClusterPlan } from "@hadal/sdk";
import { expect, test } from "vitest";
import { printPlan } from "./planCommand.js";

const plan: ClusterPlan = {
  planned: {
    ...{ machines: 20, leaves: 8, fanOut: 5, rows: 1_000_000, shape: "time-series" },
    ...{ groups: 100, table: "visits", copies: 1 },
  },
  ...{ levels: 2, fanOut: 5, predictedMs: 12.4 },
  tree: [
    { level: 2, aggregators: 1, children: 5 },
    { level: 1, aggregators: 5, children: 4 },
    { level: 0, aggregators: 20, children: 8 },
  ],
  parts: { scanMs: 9.2, linksMs: 1.5, mergeMs: 1.7 },
  measured: {
    ...{ ts: 9.2, ta: 0.1, td: 0.375, tg: 0.375, rootMs: 0.6 },
    ...{ queries: 1, rowsMax: 1_000, groupsMax: 100 },
  },
  accuracy: { queries: 3, median: 1.02, low: 0.93, high: 1.14 },
  memory: {
    ...{ table: "visits", bytesPerRow: 14, copies: 1, leafBytes: 14_000_000 },
    ...{ machineBytes: 112_000_000, totalBytes: 2_240_000_000, leafBytesMax: 2 ** 31, fits: true },
  },
  otherMachines: [
    { machines: 19, fanOut: 5, rows: 1_052_632, levels: 2, predictedMs: 12.399, leafBytes: 1 },
    { machines: 21, fanOut: 5, rows: 952_381, levels: 2, predictedMs: 12.1, leafBytes: 13_333_334 },
  ],
  otherFanOuts: [
    { machines: 20, fanOut: 5, rows: 1_000_000, levels: 2, predictedMs: 12.4, leafBytes: null },
  ],
  notes: ["T_D and T_G were measured inside one machine."],
};

test("a plan is printed as tables", () => {
  expect([...printPlan(plan)].join("\n")).toBe(
    `
20 machines × 8 leaves, fan-out 5, 1,000,000 rows a leaf, time-series, 100 groups

level  what                              aggregators  children
─────  ────────────────────────────────  ───────────  ────────
    2  root                                        1         5
    1  between                                     5         4
    0  machines, which ask their leaves           20         8

predicted: 12.4 ms, and 0.60 ms at the gateway beside the tree
part        time  from
───────  ───────  ─────────────────────────────────────────
scan     9.20 ms  T_S = 9.20 ms
ways     1.50 ms  L · (T_D + T_G) = 2 · (0.38 ms + 0.38 ms)
merging  1.70 ms  (5 + 4 + 8) · T_A = … · 0.10 ms
measured in 1 query
measured ÷ predicted time of the last 3 queries: 1.02, half of them from 0.93 to 1.14

memory: 13.4 MiB of 2.0 GiB a leaf, 106.8 MiB a machine, 2.1 GiB in total (14.0 bytes a row, as in visits)

the same rows on other machines:
machines  fan-out  levels  rows a leaf  memory a leaf  predicted  difference
────────  ───────  ──────  ───────────  ─────────────  ─────────  ──────────
      19        5       2      1052632            1 B    12.4 ms     0.00 ms
      21        5       2       952381       12.7 MiB    12.1 ms    -0.30 ms

the same machines with another fan-out:
machines  fan-out  levels  rows a leaf  memory a leaf  predicted  difference
────────  ───────  ──────  ───────────  ─────────────  ─────────  ──────────
      20        5       2      1000000              –    12.4 ms     planned

note: T_D and T_G were measured inside one machine.
`.trim(),
  );
});

test("without measured times a plan has its tree and its reasons, and no figures", () => {
  const measured = { ...plan.measured, ts: null, ta: null, td: null, tg: null, rootMs: null };
  const notes = ["Nothing has been measured yet."];
  const lines = [
    ...printPlan({ ...plan, predictedMs: null, parts: null, measured, memory: null, notes }),
  ];
  expect(lines.join("\n")).not.toMatch(/predicted: |measured in|memory: /);
  expect(lines).toContain("note: Nothing has been measured yet.");
  expect(lines).toContainEqual(expect.stringMatching(/^ {4}2 {2}root/));
});
