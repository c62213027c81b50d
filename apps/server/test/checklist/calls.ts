import type { Query, ResultValue } from "@hadal/sdk";
import { printSql } from "@hadal/sdk/sql";
import { afterAll, beforeAll, expect } from "vitest";
import { createSeededRandom } from "../oracle/seed/seededRandom.js";
import { sendLines } from "../support/allTime.js";
import { type Cluster, startCluster } from "../support/startCluster.js";

const minute = 60_000;
export const rowCount = 6_000;
export const toMs = 20 * minute;
/** All of them. */
export const range = { table: "calls", from: 0, to: toMs } as const;

/** A call of a service; some lack a service, some a latency. */
export interface Call {
  readonly time: number;
  readonly service?: string;
  readonly status: number;
  readonly latency?: number;
  readonly bytes: number;
  readonly url: string;
  readonly tags: readonly string[];
  readonly stack: readonly string[];
  readonly block: { readonly numOfTxs: number };
}

function makeCalls(): Call[] {
  const random = createSeededRandom(50);
  return Array.from({ length: rowCount }, (_, i) => ({
    time: (i * 7919) % toMs,
    ...(random.chance(0.9) ? { service: random.pick(["cart", "feed", "login"]) } : {}),
    status: random.pick([200, 200, 404, 500]),
    ...(random.chance(0.8) ? { latency: random.int(-50, 1_000_000) } : {}),
    bytes: random.int(0, 5_000),
    url: `/${random.pick(["a", "b"])}/${random.int(0, 999)}`,
    tags: ["beta", "eu", "ios"].filter(() => random.chance(0.4)),
    stack: Array.from({ length: random.int(0, 4) }, () => random.pick(["main", "read", "parse"])),
    block: { numOfTxs: random.int(0, 300) },
  }));
}

export const calls = makeCalls();

/** Two leaves that hold the calls between them. */
async function startWithCalls(): Promise<Cluster> {
  const cluster = await startCluster({ leaves: 2 });
  const lines = calls.map(({ tags, ...row }) => JSON.stringify({ ...row, tags: { $set: tags } }));
  for (let from = 0; from < rowCount; from += 250) {
    await sendLines(cluster, "calls", lines.slice(from, from + 250));
  }
  return cluster;
}

type Rows = readonly (readonly ResultValue[])[];

type Asked = Omit<Query, "table" | "from" | "to">;

/** Of the tests of one file: a cluster with the calls, and a way to ask it that asks alike. */
export interface ServedCalls {
  readonly cluster: Cluster;
  ask(sql: string, query: Asked): Promise<Rows>;
}

/** Starts before the file's tests and stops after them. */
export function serveCalls(): ServedCalls {
  let cluster: Cluster | null = null;
  beforeAll(async () => {
    cluster = await startWithCalls();
  });
  afterAll(() => cluster?.stop());
  const running = (): Cluster => cluster ?? expect.fail("the cluster runs during tests only");
  return {
    get cluster() {
      return running();
    },
    ask: (sql, query) => askAlike(running(), sql, query),
  };
}

/** Asks the same in SQL, as JSON, and in the SQL that is printed for it: all must say the same. `sql` goes without the range. */
async function askAlike({ client }: Cluster, sql: string, query: Asked): Promise<Rows> {
  const whole = sql.includes("WHERE") ? sql : sql.replace("FROM calls", "FROM calls WHERE TRUE");
  const text = whole.replace("WHERE", `WHERE time >= 0 AND time < ${toMs} AND`);
  const { rows } = await client.query(text);
  expect((await client.query({ ...range, ...query })).rows).toEqual(rows);
  expect((await client.query(printSql({ ...range, ...query }))).rows).toEqual(rows);
  return rows;
}

export function groupsOf<Key>(
  key: (call: Call) => Key,
  kept: readonly Call[] = calls,
): Map<Key, Call[]> {
  const groups = new Map<Key, Call[]>();
  for (const call of kept) groups.set(key(call), [...(groups.get(key(call)) ?? []), call]);
  return groups;
}

export const latencies = (kept: readonly Call[]): number[] =>
  kept.flatMap(({ latency }) => (latency === undefined ? [] : [latency])).sort((a, b) => a - b);

export const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

export const countOf = (keep: (call: Call) => boolean): number => calls.filter(keep).length;
