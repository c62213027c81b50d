import type { GroupBy, HadalClient, Query } from "@hadal/sdk";
import { boardTiles } from "../board/boardTiles.js";
import { fillDemo } from "../board/fillDemo.js";
import { startOwnServer } from "../fault/ownServer.js";
import { say } from "../report/say.js";
import { percentile } from "./measureTimes.js";

const hourMs = 3_600_000;
/** Each with the time bucket that the page chooses for it (`autoBucketMs`). */
const ranges = [
  { hours: 3, bucket: "1m" },
  { hours: 24, bucket: "5m" },
  { hours: 240, bucket: "1h" },
] as const;
const slowMs = 1_000;
const warmUpRounds = 3;
const slowestShown = 5;

/** Beside the tiles of boards: texts, patterns, raw rows and percentiles by the minute. */
const others: readonly Partial<Query>[] = [
  {
    aggregates: [{ fn: "count" }],
    filter: [{ column: "endpoint", op: "contains", value: "cart" }],
  },
  {
    aggregates: [{ fn: "count" }],
    filter: [{ column: "endpoint", op: "~", value: "^/api/.*s$" }],
  },
  { sampleView: {}, limit: 100 },
  { aggregates: [{ fn: "percentile", column: "latency_us", p: 99 }], groupBy: [{ time: "5m" }] },
  { aggregates: [{ fn: "distinct", column: "user_id" }], groupBy: ["country"], limit: 50 },
];

/** Every shape over every range, without relative times: each query has a range of its own. */
const shapes = ranges.flatMap(({ hours, bucket }) =>
  [...boardTiles.map(({ query }) => query), ...others].map((shape) => ({
    hours,
    shape: { ...shape, groupBy: shape.groupBy?.map((group) => bucketed(group, bucket)) },
  })),
);

function bucketed(group: GroupBy, time: string): GroupBy {
  return typeof group === "object" && "time" in group ? { ...group, time } : group;
}

/** The `i`th of the mix; no two are the same, so that none is answered from a cache. */
function mixedQuery(i: number, endMs: number): Query {
  const { hours, shape } = shapes[i % shapes.length]!;
  const to = endMs - Math.floor(i / shapes.length);
  return { ...shape, table: "requests", from: to - hours * hourMs, to, timeoutMs: 60_000 } as Query;
}

async function timesOf(client: HadalClient, queries: readonly Query[]): Promise<number[]> {
  const times: number[] = [];
  for (const query of queries) {
    const askedMs = performance.now();
    const { completeness } = await client.query(query);
    times.push(performance.now() - askedMs);
    if (completeness.fraction !== 1) throw new Error("an answer lacks rows: no time of it counts");
  }
  return times;
}

/** The shapes that take longest: they alone make the last per cent. `times`: of the mix, in its order. */
function slowestShapes(times: readonly number[]): readonly string[] {
  const ofShape = shapes.map(({ hours, shape }, i) => {
    const own = times.filter((_, at) => at % shapes.length === i).sort((a, b) => a - b);
    const text = JSON.stringify(shape).slice(0, 120);
    return { ms: percentile(own, 0.5), text: `${hours} h ${text}` };
  });
  ofShape.sort((a, b) => b.ms - a.ms);
  return ofShape.slice(0, slowestShown).map(({ ms, text }) => `${ms.toFixed(1)} ms: ${text}`);
}

/** Times of many different questions to the demo's table, one after another (C11). */
export async function demoMix(rows: number, mixed: number): Promise<string> {
  const server = await startOwnServer();
  try {
    say(`sending ${rows} rows of the demo …`);
    await fillDemo(server.url, rows);
    const endMs = Date.now();
    const query = (i: number): Query => mixedQuery(i, endMs);
    say(`${mixed} mixed queries …`);
    // From the end, so that they are none of those that count.
    const warmUp = warmUpRounds * shapes.length;
    await timesOf(
      server.client,
      Array.from({ length: warmUp }, (_, i) => query(mixed + i)),
    );
    const times = await timesOf(
      server.client,
      Array.from({ length: mixed }, (_, i) => query(i)),
    );
    const slowest = slowestShapes(times);
    times.sort((a, b) => a - b);
    const cells = [0.5, 0.99, 0.999].map((share) => percentile(times, share).toFixed(1));
    const slow = times.filter((time) => time > slowMs).length;
    const all = `${mixed} mixed queries of ${shapes.length} shapes over ${rows.toLocaleString("en")} rows of the demo, measured: p50 ${cells[0]} ms, p99 ${cells[1]} ms, p99.9 ${cells[2]} ms, ${slow} over 1 s`;
    return [all, "the slowest shapes:", ...slowest].join("\n");
  } finally {
    await server.stop();
  }
}
