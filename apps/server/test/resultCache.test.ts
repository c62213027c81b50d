import { type HadalClient, HadalError, type Query, type Result } from "@hadal/sdk";
import { afterEach, expect, test } from "vitest";
import { oracleSeed } from "./oracle/seed/seed.js";
import { createSeededRandom, type SeededRandom } from "./oracle/seed/seededRandom.js";
import { type Cluster, startCluster } from "./support/startCluster.js";
import { waitUntil } from "./support/waitUntil.js";

const minuteMs = 60_000;
const tables = ["a", "b", "c", "d"] as const;
/** Some 20 seconds; HADAL_CACHE_STEPS=10000 takes some half an hour. */
const steps = Number(process.env.HADAL_CACHE_STEPS ?? 150);
const timeoutMs = 60_000 + steps * 1_000;

const cacheOn = { HADAL_CACHE_BYTES: "100000000" };

let cluster: Cluster | undefined;

afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
});

async function start(leaves: number, environment: Record<string, string> = {}): Promise<Cluster> {
  cluster = await startCluster({ leaves, environment: { ...cacheOn, ...environment } });
  return cluster;
}

/** Ranges that stay where they are, and ranges that move with the clock. */
function questions(random: SeededRandom, startMs: number): Query {
  const minute = Math.floor(startMs / minuteMs) - random.pick([30, 20, 10, 5]);
  const fixed = { from: minute * minuteMs, to: (minute + random.pick([5, 10, 60])) * minuteMs };
  const moving = { from: random.pick(["-30m", "-40m"]), to: "now" };
  const range = random.chance(0.5) ? fixed : moving;
  const shape = random.pick<Partial<Query>>([
    { aggregates: [{ fn: "count" }, { fn: "sum", column: "n" }, { fn: "avg", column: "n" }] },
    { groupBy: [{ time: "1m" }, "service"], aggregates: [{ fn: "count" }] },
    {
      groupBy: ["service"],
      aggregates: [
        ...([
          { fn: "percentile", column: "n", p: 95 },
          { fn: "distinct", column: "n" },
        ] as const),
        ...([
          { fn: "min", column: "n" },
          { fn: "max", column: "n" },
        ] as const),
        { fn: "stddev", column: "n" },
      ],
    },
    { groupBy: [{ time: "5m" }], aggregates: [{ fn: "histogram", column: "n" }] },
    { groupBy: ["service"], compare: { offset: "10m" } },
    { sampleView: { columns: ["time", "n", "service"] } },
  ]);
  return { table: random.pick(tables), ...range, ...shape, timeoutMs: 10_000 };
}

/** All of an answer that does not come from how or when it was made. */
function comparable({ rows, completeness, intervals, coverage = [], truncated, ...rest }: Result) {
  const { notes, lowerBounds, incomplete, columns } = rest;
  const bars = Object.entries(intervals).map(([name, list]) => [name, list]);
  const order = rows.map((row, i) => [JSON.stringify(row, texts), i] as const);
  order.sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    columns: columns.map(({ name }) => name),
    rows: order.map(([text]) => text),
    intervals: bars.map(([name, list]) => [
      name,
      order.map(([, i]) => rounded((list as readonly unknown[])[i])),
    ]),
    // Shares of buckets that are open, or about to go, are of the moment.
    coverage: coverage.map(([at, , reason]) => [at, reason]),
    ...{ completeness, truncated, notes, lowerBounds, incomplete },
  };
}

const texts = (_key: string, value: unknown): unknown =>
  typeof value === "bigint" ? `${value}n` : value;

/** Error bars are sums of doubles, which do not add up to the last digit in another order. */
const rounded = (bar: unknown): unknown =>
  JSON.stringify(bar ?? null, (_, value: unknown) =>
    typeof value === "number" ? Number(value.toPrecision(9)) : texts(_, value),
  );

/** Null: it was refused, as a table is not there or a process has just ended. */
async function ask(client: HadalClient, query: Query, cache: Query["cache"]) {
  try {
    return await client.query({ ...query, cache: cache ?? "use" });
  } catch (error) {
    if (error instanceof HadalError) return null;
    throw error;
  }
}

const isWhole = (result: Result | null): result is Result =>
  result !== null &&
  result.completeness.fraction === 1 &&
  result.completeness.known !== false &&
  result.completeness.leaves.missing.length === 0;

class Walk {
  readonly #random: SeededRandom;
  readonly #of: Cluster;
  readonly #startMs = Date.now();
  #row = 0;
  readonly caches = new Map<string, number>();
  compared = 0;

  constructor(random: SeededRandom, of: Cluster) {
    this.#random = random;
    this.#of = of;
  }

  async step(): Promise<void> {
    const x = this.#random.next();
    if (x < 0.3) await this.#send();
    else if (x < 0.88) await this.#compare();
    else if (x < 0.93) await this.#settings();
    else if (x < 0.96) await this.#delete();
    else if (x < 0.99) await this.#kill("leaf");
    else await this.#kill("gateway");
  }

  /** Some are late, some as they happen; some stand for others. */
  async #send(): Promise<void> {
    const random = this.#random;
    // Late rows end the closed part before them, for two minutes.
    const isLate = random.chance(0.3);
    const rows = Array.from({ length: random.int(1, 20) }, () => ({
      time: Date.now() - (isLate ? random.int(0, 12) : 0) * minuteMs - random.int(0, 5_000),
      n: this.#row++,
      service: random.pick(["cart", "search", "login"]),
      sample_rate: random.pick([1, 1, 1, 10]),
    }));
    await send(this.#of.client, random.pick(tables), rows).catch(ignoreProblem);
  }

  /**
   * Two answers without the cache, and some with it in between: where the two are the same and whole, nothing has changed
   * meanwhile, and the others have to be the same, too.
   */
  async #compare(): Promise<void> {
    const { client } = this.#of;
    const query = questions(this.#random, this.#startMs);
    const before = await ask(client, query, "off");
    const known = [];
    for (let i = 0; i < 4; i++) known.push(await ask(client, query, "use"));
    const after = await ask(client, query, "off");
    for (const result of known) {
      const cache = result?.stats.cache ?? "refused";
      this.caches.set(cache, (this.caches.get(cache) ?? 0) + 1);
    }
    if (!isWhole(before) || !isWhole(after)) return;
    expect([before.stats.cache, after.stats.cache]).toEqual(["miss", "miss"]);
    const wanted = comparable(before);
    if (JSON.stringify(wanted) !== JSON.stringify(comparable(after))) return;
    for (const result of known) {
      if (result === null) continue;
      this.compared++;
      const where = `${result.stats.cache} ${JSON.stringify(query)}`;
      expect(comparable(result), where).toEqual(wanted);
    }
  }

  async #settings(): Promise<void> {
    const random = this.#random;
    const maxAgeMs = random.pick([null, 25 * minuteMs, 35 * minuteMs]);
    const thinning = random.pick([[], [{ afterMs: 10 * minuteMs, keepOneIn: 3 }]]);
    await this.#of.client
      .setTable(random.pick(tables), { retention: { maxAgeMs, maxBytes: null }, thinning })
      .catch(ignoreProblem);
  }

  async #delete(): Promise<void> {
    await this.#of.client.deleteTable(this.#random.pick(tables)).catch(ignoreProblem);
  }

  /** It is started again, and has all of its rows. */
  async #kill(what: "leaf" | "gateway"): Promise<void> {
    const of = this.#of;
    const pids = what === "leaf" ? [...(await of.leafPids()).values()] : [await of.gatewayPid()];
    const pid = this.#random.pick(pids);
    if (pid === 0) return;
    process.kill(pid, "SIGKILL");
    const isBack = async (): Promise<true | null> => {
      const { members } = await of.client.status();
      const there = members.map((member) => member.pid);
      const areAlive = members.every(({ state }) => state === "alive");
      return areAlive && !there.includes(pid) && !there.includes(0) ? true : null;
    };
    await waitUntil(`the ${what}`, () => isBack().catch(() => null));
  }
}

const send = (client: HadalClient, table: string, rows: readonly object[]): Promise<unknown> =>
  client.ingestBody(table, rows.map((row) => JSON.stringify(row)).join("\n"), {
    contentType: "application/x-ndjson",
  });

function ignoreProblem(error: unknown): void {
  if (!(error instanceof HadalError)) throw error;
}

test(
  "M1, M2, M3, M9: whatever comes, goes or ends, an answer through the cache is the one without it",
  async () => {
    const seed = oracleSeed();
    // Open segments are not thinned.
    const of = await start(2, { HADAL_SEAL_AFTER: "1", HADAL_FUTURE_MAX: "0" });
    const walk = new Walk(createSeededRandom(seed), of);
    for (let step = 0; step < steps; step++) await walk.step();
    expect(walk.compared).toBeGreaterThan(steps / 4);
    const { hit = 0, part = 0 } = Object.fromEntries(walk.caches);
    expect(hit).toBeGreaterThan(steps / 10);
    expect(part).toBeGreaterThan(0);
  },
  timeoutMs,
);

test("M4: a thousand identical queries cost one scan, and the cache says so", async () => {
  const { client, url } = await start(2);
  const fromMs = Math.floor(Date.now() / minuteMs) * minuteMs - 60 * minuteMs;
  const post = async (): Promise<Result> => {
    const body = JSON.stringify({ query });
    const reply = await fetch(new URL("/api/v1/query", url), { method: "POST", body });
    return (await reply.json()) as Result;
  };
  const rows = Array.from({ length: 5_000 }, (_, n) => ({ time: fromMs + n * 100, n }));
  await send(client, "t", rows);
  const query: Query = {
    ...{ table: "t", from: fromMs, to: fromMs + 30 * minuteMs, timeoutMs: 10_000 },
    ...{ groupBy: [{ time: "1m" }], aggregates: [{ fn: "sum", column: "n" }] },
  };
  const answers: Result[] = [];
  for (let round = 0; round < 5; round++) {
    // Rows of another time come meanwhile.
    const more = send(client, "t", [{ time: Date.now(), n: round }]);
    const asked = Array.from({ length: 200 }, post);
    answers.push(...(await Promise.all(asked)));
    await more;
  }
  const scanned = answers.filter(({ stats }) => (stats.rowsScanned ?? 0) > 0);
  expect(scanned.map(({ stats }) => stats.cache)).toEqual(["miss"]);
  expect(new Set(answers.map(({ rows }) => JSON.stringify(rows))).size).toBe(1);
  const { pools } = await client.cache();
  const { hits, joined, misses, bytes } = pools["ad-hoc"];
  expect([hits + joined, misses]).toEqual([999, 1]);
  expect(bytes).toBeGreaterThan(0);
  await client.clearCache("other");
  expect((await client.query(query)).stats.cache).toBe("hit");
  await client.clearCache("t");
  expect((await client.cache()).pools["ad-hoc"].bytes).toBe(0);
  expect((await client.query(query)).stats.cache).toBe("miss");
});

test("M6: what boards ask is kept beside what people ask", async () => {
  const { client } = await start(1);
  const fromMs = Math.floor(Date.now() / minuteMs) * minuteMs - 60 * minuteMs;
  await send(client, "t", [{ time: fromMs, n: 1 }]);
  const query: Query = { table: "t", from: fromMs, to: fromMs + minuteMs };
  const ofTile = await new Promise<Result>((resolve, reject) => {
    client.batch([{ tile: "one", query }], {
      onResult: (_tile, result) => {
        if (result.final) resolve(result);
      },
      onProblem: (_tile, problem) => reject(problem),
    });
  });
  expect(ofTile.stats.cache).toBe("miss");
  // The same rows are not read again for another pool.
  expect((await client.query(query)).stats.cache).toBe("hit");
  const { pools } = await client.cache();
  expect(pools.dashboards).toMatchObject({ misses: 1, hits: 0 });
  expect(pools["ad-hoc"]).toMatchObject({ misses: 0, hits: 1, bytes: 0 });
});
