import type { Query } from "@hadal/sdk";
import type { SeededRandom } from "../../../test/oracle/seed/seededRandom.js";
import type { OracleRow } from "../../../test/oracle/table/oracleTable.js";
import { createTableSchema } from "../../plan/schema/tableSchema.js";
import { finalizeResult } from "../finish/finalizeResult.js";
import { resolveQuery } from "../function/resolveQuery.js";
import { mergePartials } from "../merge/mergePartials.js";
import { partialOfRows } from "./partialOfRows.js";

/** How often error bars of sampled rows hold the truth about all events, number by number. */
export interface Coverage {
  readonly given: number;
  readonly held: number;
}

/** What one event is, before any is left out. */
interface Event {
  readonly value: number;
  readonly hasLabel: boolean;
  readonly rate: number;
}

export const numbersCovered = ["count", "sum", "avg", "share", "p50", "p90", "p95", "p99"] as const;
export type CoveredNumber = (typeof numbersCovered)[number];

/** Every event of the same rate is kept with the chance 1 ÷ rate. */
const rate = 20;
/** Rates of which events have one or another, whatever their value. */
const mixedRates = [2, 5, 10, 20, 50] as const;
const labelShare = 0.3;

function normal(random: SeededRandom): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

const lognormal = (random: SeededRandom): number => Math.round(1_000 * Math.exp(normal(random)));

const eventOf = {
  lognormal: (random: SeededRandom) => plain(lognormal(random), random),
  exponential: (random: SeededRandom) =>
    plain(Math.round(-1_000 * Math.log(1 - random.next())), random),
  uniform: (random: SeededRandom) => plain(random.int(0, 9_999), random),
  "0/1": (random: SeededRandom): Event => {
    const value = random.chance(labelShare) ? 1 : 0;
    return { value, hasLabel: value === 1, rate };
  },
  "mixed rates": (random: SeededRandom): Event => ({
    ...plain(lognormal(random), random),
    rate: mixedRates[random.int(0, mixedRates.length - 1)]!,
  }),
} satisfies Record<string, (random: SeededRandom) => Event>;

export type CoveredValues = keyof typeof eventOf;
export const valuesCovered = Object.keys(eventOf) as readonly CoveredValues[];

function plain(value: number, random: SeededRandom): Event {
  return { value, hasLabel: random.chance(labelShare), rate };
}

/** Rows of the group beside it, of which events were sampled as those of the group looked at. */
const rowsAround = 300;

/** The number of events that leave one row on average. */
const eventsPerRow = (values: CoveredValues): number =>
  values === "mixed rates"
    ? mixedRates.length / mixedRates.reduce((sum, each) => sum + 1 / each, 0)
    : rate;

const query: Query = {
  ...{ table: "t", from: 0, to: 1_000, groupBy: ["g"], orderBy: [{ by: "g" }] },
  aggregates: [
    { fn: "count" },
    { fn: "sum", column: "x", as: "sum" },
    { fn: "avg", column: "x", as: "avg" },
    { fn: "count", column: "label", as: "labels" },
    ...[50, 90, 95, 99].map((p) => ({ fn: "percentile" as const, column: "x", p, as: `p${p}` })),
  ],
  calculate: [
    { as: "share", expression: { fn: "/", args: [{ column: "labels" }, { column: "count" }] } },
  ],
};
const split = resolveQuery(
  query,
  createTableSchema(
    "t",
    ["g", "x", "label", "sample_rate"].map((name) => ({ name, type: "int", decimals: 0 })),
  ),
  0,
);

/** Samples events `trialCount` times, to `keptRows` rows on average, and finishes what is left as a gateway does. */
export function coverageOf(
  values: CoveredValues,
  keptRows: number,
  trialCount: number,
  random: SeededRandom,
): ReadonlyMap<CoveredNumber, Coverage> {
  const found = new Map(numbersCovered.map((name) => [name, { given: 0, held: 0 }]));
  const eventCount = Math.round(keptRows * eventsPerRow(values));
  const draw = (count: number) => {
    const events = Array.from({ length: count }, () => eventOf[values](random));
    return { events, kept: events.filter((event) => random.chance(1 / event.rate)) };
  };
  const partialOf = (group: number, events: readonly Event[]) =>
    partialOfRows(
      events.map((event) => rowOf(group, event)),
      split.resolved,
    );
  const around = draw(Math.round(rowsAround * eventsPerRow(values)));
  const others = partialOf(1, around.kept);
  for (let trial = 0; trial < trialCount; trial++) {
    const { events, kept } = draw(eventCount);
    if (kept.length === 0) continue;
    const merged = mergePartials([partialOf(0, kept), others], split.resolved);
    const { intervals } = finalizeResult(merged, split);
    const truth = truthOf(events);
    for (const name of numbersCovered) {
      const bar = intervals[name]?.[0] ?? null;
      if (bar === null) continue;
      const coverage = found.get(name)!;
      coverage.given++;
      if (bar[0] <= truth[name] && truth[name] <= bar[1]) coverage.held++;
    }
  }
  return found;
}

function rowOf(group: number, { value, hasLabel, rate: own }: Event): OracleRow {
  const cells: [string, bigint][] = [
    ["g", BigInt(group)],
    ["x", BigInt(value)],
    ["sample_rate", BigInt(own)],
  ];
  if (hasLabel) cells.push(["label", 1n]);
  return { timeMs: 1, values: new Map(cells) };
}

function truthOf(events: readonly Event[]): Record<CoveredNumber, number> {
  const values = Float64Array.from(events, ({ value }) => value).sort();
  const sum = values.reduce((total, value) => total + value, 0);
  const count = values.length;
  const percentile = (p: number): number => values[Math.ceil((p / 100) * count) - 1]!;
  return {
    ...{ count, sum, avg: sum / count },
    share: events.filter(({ hasLabel }) => hasLabel).length / count,
    ...{ p50: percentile(50), p90: percentile(90), p95: percentile(95), p99: percentile(99) },
  };
}
