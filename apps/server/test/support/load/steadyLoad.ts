import { setTimeout as sleep } from "node:timers/promises";
import type { HadalClient, Query, Result } from "@hadal/sdk";
import { Waits } from "./waits.js";

const table = "steady";
const bodyRows = 1_000;
const turnMs = 50;
const queryEveryTurns = 4;
/** Every so many bodies, how long it takes until a query sees the rows of one. */
const seenEveryBodies = 10;
const subscribers = 20;
const liveEveryMs = 1_000;

/** 20,000 rows a second, 5 queries a second, and 20 live subscribers, for a while. */
export interface SteadyReport {
  readonly rowsSent: number;
  readonly sends: Waits;
  readonly queries: Waits;
  /** From the acknowledgement of a body to the answer that has its rows. */
  readonly seen: Waits;
  readonly live: {
    /** Results of each subscriber. */
    readonly results: readonly number[];
    /** How many rows the last result of each had. */
    readonly lastCounts: readonly number[];
    readonly problems: readonly string[];
  };
}

/** Rows of now, as they would come. */
function linesOf(body: number, nowMs: number): string {
  return Array.from({ length: bodyRows }, (_, i) => {
    const n = body * bodyRows + i;
    const text = `request ${n} of s${n % 20} took ${n % 997} ms`;
    return `{"time":${nowMs - bodyRows + i},"body":${body},"n":${n},"service":"s${n % 20}","ms":${n % 997},"user":"u${(n * 31) % 50_000}","text":"${text}"}`;
  }).join("\n");
}

export interface SteadyOptions {
  readonly seconds: number;
  /** Before the first row. */
  readonly startMs: number;
  /** Called 20 times a second. */
  readonly onTurn?: (sinceMs: number) => void;
}

export async function steadyLoad(
  client: HadalClient,
  { seconds, startMs, onTurn = () => undefined }: SteadyOptions,
): Promise<SteadyReport> {
  const [sends, queries, seen] = [new Waits(), new Waits(), new Waits()];
  const range = rangeFrom(startMs);
  await send(0);
  const live = subscribe(client, { ...range, aggregates: [{ fn: "count" }], freshnessMs: 0 });
  const under: Promise<unknown>[] = [];
  const beganMs = performance.now();
  let body = 1;
  for (let turn = 0; turn * turnMs < seconds * 1_000; turn++) {
    under.push(sendAndSee(body++));
    if (turn % queryEveryTurns === 0)
      under.push(queries.measure(() => client.query(tileOf(turn / queryEveryTurns, startMs))));
    onTurn(turn * turnMs);
    await sleep(Math.max(0, beganMs + (turn + 1) * turnMs - performance.now()));
  }
  await Promise.all(under);
  return { rowsSent: body * bodyRows, sends, queries, seen, live: await live.end(body * bodyRows) };

  function send(number: number): Promise<unknown> {
    const lines = linesOf(number, Date.now());
    const form = { contentType: "application/x-ndjson" } as const;
    return sends.measure(() => client.ingestBody(table, lines, form));
  }

  async function sendAndSee(number: number): Promise<void> {
    if ((await send(number)) === null || number % seenEveryBodies !== 0) return;
    const asked: Query = {
      ...{ ...range, aggregates: [{ fn: "count" }] },
      filter: [{ column: "body", op: "=", value: number }],
    };
    await seen.measure(async () => {
      while (Number((await client.query(asked)).rows[0]?.[0] ?? 0) < bodyRows) await sleep(1);
    });
  }
}

/** The same queries while nothing else goes on. */
export async function quietQueries(
  client: HadalClient,
  { seconds, startMs }: SteadyOptions,
): Promise<Waits> {
  const queries = new Waits();
  const everyMs = turnMs * queryEveryTurns;
  const under: Promise<unknown>[] = [];
  for (let i = 0; i * everyMs < seconds * 1_000; i++) {
    under.push(queries.measure(() => client.query(tileOf(i, startMs))));
    await sleep(everyMs);
  }
  await Promise.all(under);
  return queries;
}

const rangeFrom = (startMs: number) => ({
  ...{ table, from: startMs, to: startMs + 86_400_000, timeoutMs: 10_000 },
});

/** What a board asks for, one tile after the other. */
function tileOf(number: number, startMs: number): Query {
  const range = rangeFrom(startMs);
  const count = { fn: "count" } as const;
  const tiles: readonly Query[] = [
    { ...range, groupBy: ["service"], aggregates: [count, { fn: "avg", column: "ms" }] },
    {
      ...{ ...range, groupBy: [{ time: "10s" }] },
      aggregates: [{ fn: "percentile", p: 95, column: "ms" }],
    },
    {
      ...{ ...range, aggregates: [count] },
      filter: [{ column: "text", op: "contains", value: "99 of" }],
    },
    { ...range, sampleView: {}, limit: 100 },
  ];
  return tiles[number % tiles.length]!;
}

/** Live queries until they are ended; `end` waits until each has as many rows. */
function subscribe(client: HadalClient, query: Query) {
  const controllers = Array.from({ length: subscribers }, () => new AbortController());
  const results = new Array<number>(subscribers).fill(0);
  const lastCounts = new Array<number>(subscribers).fill(0);
  const problems: string[] = [];
  const countOf = ({ rows }: Result): number => Number(rows[0]?.[0] ?? 0);
  const running = controllers.map(async ({ signal }, i) => {
    try {
      for await (const result of client.live(query, { signal, everyMs: liveEveryMs })) {
        results[i]!++;
        lastCounts[i] = countOf(result);
      }
    } catch (error) {
      if (!signal.aborted) problems.push(String(error));
    }
  });
  return {
    end: async (rowCount: number): Promise<SteadyReport["live"]> => {
      const untilMs = performance.now() + 10_000;
      while (lastCounts.some((count) => count < rowCount) && performance.now() < untilMs)
        await sleep(50);
      for (const controller of controllers) controller.abort();
      await Promise.all(running);
      return { results, lastCounts, problems };
    },
  };
}
