import type { Expression, ExpressionFn, Query, Result } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { createSeededRandom, type SeededRandom } from "../../../test/oracle/seed/seededRandom.js";
import type { OracleRow } from "../../../test/oracle/table/oracleTable.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";
import { createTableSchema } from "../../plan/schema/tableSchema.js";
import type { Evidence } from "../estimate/leafEvidence.js";
import { finalizeResult } from "../finish/finalizeResult.js";
import { resolveQuery } from "../function/resolveQuery.js";
import { mergePartials } from "../merge/mergePartials.js";
import { partialOfRows } from "../testing/partialOfRows.js";
import { sizesOfRows } from "../testing/sizesOfRows.js";

/** Of each scenario; in every other one the rows of a batch have much in common. */
const trialCount = 1_300;
/** Bars of percentiles end with a bucket of the histogram, up to a hundredth beyond. */
const shareMax: Readonly<Record<string, number>> = { p70: 0.98 };
const hour = 3_600_000;
const leafCount = 6;

interface Scenario {
  readonly name: string;
  readonly isSampled: boolean;
  readonly missingLeaves: number;
  /** Rows of a batch have much in common. */
  readonly isClustered: boolean;
}

const scenarios: readonly Omit<Scenario, "isClustered">[] = [
  { name: "sampled", isSampled: true, missingLeaves: 0 },
  { name: "leaves missing", isSampled: false, missingLeaves: 2 },
  { name: "both", isSampled: true, missingLeaves: 2 },
];

const of = (fn: ExpressionFn, ...args: readonly Expression[]): Expression => ({ fn, args });

const query: Query = {
  ...{ table: "t", from: 0, to: hour, groupBy: ["g"] },
  aggregates: [
    { fn: "count" },
    { fn: "sum", column: "x" },
    { fn: "avg", column: "x" },
    { fn: "count", per: "minute", as: "rate" },
    { fn: "percentile", column: "x", p: 70, as: "p70" },
  ],
  calculate: [
    { as: "mean", expression: of("/", { column: "sum_x" }, { column: "count" }) },
    {
      as: "above",
      expression: of("-", { column: "sum_x" }, of("*", { value: 200 }, { column: "count" })),
    },
    { as: "per", expression: of("/", { value: 1_000_000 }, { column: "sum_x" }) },
  ],
  compare: { offset: "1h" },
};
/** A divisor that may be off by half of itself is none: these have no bar then. */
const ratios: ReadonlySet<string> = new Set(["mean", "per"]);
/** Two numbers of the same sampled rows err together, by how much is known of ratios alone: no bar. */
const unsampledOnly: ReadonlySet<string> = new Set(["above"]);

/** One event, before any is left out. */
interface Event {
  readonly group: string;
  readonly value: number;
  readonly isMain: boolean;
  readonly rate: number;
  readonly leaf: number;
}

/** Batches, each on a leaf picked at random. */
function createEvents(scenario: Scenario, random: SeededRandom): Event[] {
  const events: Event[] = [];
  // Bars of counts end with whole numbers: of few events that alone makes them hold more.
  const sampledCount = scenario.missingLeaves > 0 ? 2_400 : 1_200;
  // Of fewer sampled rows averages would have none.
  const eventCount = scenario.isSampled ? sampledCount : 960;
  const perBatch = scenario.isClustered ? 8 : 1;
  const batchCount = eventCount / perBatch;
  for (let batch = 0; batch < batchCount; batch++) {
    const leaf = random.int(0, leafCount - 1);
    // What a clustered batch has in common: its group, more often than not, and how slow all was.
    const group = random.chance(0.5) ? "a" : "b";
    const level = scenario.isClustered ? random.int(0, 300) : 0;
    for (let i = 0; i < perBatch; i++) {
      const value = level + Math.floor(100 * Math.exp(random.next() * 2));
      const own =
        scenario.isClustered && random.chance(0.8) ? group : random.chance(0.5) ? "a" : "b";
      // Slow events are kept more often, as tail sampling does.
      const rate = scenario.isSampled ? (value > 450 ? 2 : 5) : 1;
      events.push({ group: own, value, isMain: random.chance(0.55), rate, leaf });
    }
  }
  return events;
}

function rowOf({ group, value, isMain, rate }: Event, random: SeededRandom): OracleRow {
  return {
    timeMs: (isMain ? 0 : -hour) + random.int(0, hour - 1),
    values: new Map<string, string | bigint>([
      ["g", group],
      ["x", BigInt(value)],
      ["sample_rate", BigInt(rate)],
    ]),
  };
}

const columns = [
  { name: "g", type: "string", decimals: 0 },
  { name: "x", type: "int", decimals: 0 },
] as const;
const sampledColumn = { name: "sample_rate", type: "int", decimals: 0 } as const;

/** The answer of the leaves that are there, over the rows that sampling left. */
function answerOf(
  events: readonly Event[],
  scenario: Omit<Scenario, "isClustered">,
  split: SplitQuery,
  random: SeededRandom,
): Pick<Result, "rows" | "columns" | "intervals"> {
  const held = Array.from({ length: leafCount }, (): OracleRow[] => []);
  for (const event of events) {
    if (random.chance(1 / event.rate)) held[event.leaf]!.push(rowOf(event, random));
  }
  const there = held.slice(scenario.missingLeaves);
  const leaves = there.map((rows) => ({ parts: [partialOfRows(rows, split.resolved)] }));
  const sizes = sizesOfRows(split.resolved, there, held.slice(0, scenario.missingLeaves));
  const evidence: Evidence =
    scenario.missingLeaves === 0
      ? { kind: "whole" }
      : { kind: "leaves", leaves, sizes, mergesUnfinished: false };
  const merged = mergePartials(
    leaves.flatMap(({ parts }) => parts),
    split.resolved,
  );
  return finalizeResult(merged, split, { evidence });
}

/** The truth about group a, from all events. */
function truthOf(events: readonly Event[]): Map<string, number> {
  const side = (isMain: boolean) => {
    const values = events
      .filter((event) => event.group === "a" && event.isMain === isMain)
      .map(({ value }) => value)
      .sort((a, b) => a - b);
    const sum = values.reduce((total, value) => total + value, 0);
    const p70 = values[Math.ceil(0.7 * values.length) - 1]!;
    return { count: values.length, sum, avg: sum / values.length, p70 };
  };
  const [main, base] = [side(true), side(false)];
  return new Map([
    ["count", main.count],
    ["sum_x", main.sum],
    ["avg_x", main.avg],
    ["rate", main.count / 60],
    ["p70", main.p70],
    ["mean", main.avg],
    ["above", main.sum - 200 * main.count],
    ["per", 1_000_000 / main.sum],
    ["count.delta", main.count - base.count],
    ["sum_x.delta_pct", 100 * (main.sum / base.sum - 1)],
    ["avg_x.delta", main.avg - base.avg],
  ]);
}

describe("error bars hold the full answer 19 times of 20 (S83)", () => {
  test.each(scenarios)(
    "$name",
    (scenario) => {
      const table = createTableSchema(
        "t",
        scenario.isSampled ? [...columns, sampledColumn] : columns,
      );
      const split = resolveQuery(query, table, 0);
      const random = createSeededRandom(20_26);
      const held = new Map<string, number>();
      const given = new Map<string, number>();
      for (let trial = 0; trial < trialCount; trial++) {
        const events = createEvents({ ...scenario, isClustered: trial % 2 === 1 }, random);
        const { rows, intervals } = answerOf(events, scenario, split, random);
        const row = rows.findIndex(([group]) => group === "a");
        for (const [name, truth] of truthOf(events)) {
          const bar = intervals[name]?.[row];
          if (bar === undefined || bar === null) continue;
          given.set(name, (given.get(name) ?? 0) + 1);
          if (bar[0] <= truth && truth <= bar[1]) held.set(name, (held.get(name) ?? 0) + 1);
        }
      }
      const shares = [...given].map(
        ([name, count]) => [name, count, (held.get(name) ?? 0) / count] as const,
      );
      const isMissing = (name: string): boolean => !given.has(name);
      expect([...truthOf([]).keys()].filter(isMissing)).toEqual(
        scenario.isSampled ? [...unsampledOnly] : [],
      );
      for (const [name, count, share] of shares) {
        expect(share, name).toBeGreaterThanOrEqual(0.93);
        expect(share, name).toBeLessThanOrEqual(shareMax[name] ?? 0.97);
        // A base that may be off by half of itself is none: such percentages have no bar.
        if (!name.endsWith("delta_pct")) {
          expect(count, name).toBeGreaterThan((ratios.has(name) ? 0.95 : 0.99) * trialCount);
        }
      }
    },
    120_000,
  );
});
