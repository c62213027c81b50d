import { apiBase, HadalError, type Problem } from "@hadal/sdk";
import { parseSql, printSql } from "@hadal/sdk/sql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readCases } from "./cases/readCases.js";
import { wideTable, wideTableRange } from "./cases/wideTable.js";
import { oracleSeed } from "./oracle/seed/seed.js";
import { createSeededRandom, type SeededRandom } from "./oracle/seed/seededRandom.js";
import { loadTable } from "./support/loadTable.js";
import { mutateSql, randomWords } from "./support/randomSql.js";
import { type Cluster, startCluster } from "./support/startCluster.js";

const { fromMs, toMs } = wideTableRange;
const range = `time >= ${fromMs} AND time < ${toMs}`;
const soundOf = (file: string): string[] =>
  readCases(new URL(`./cases/${file}`, import.meta.url), { range }).map(({ sql }) => sql);
const sound = soundOf("wideTable.cases");
/** Read only: each that is answered starts a sandbox, which takes half a second. */
const readable = [...sound, ...soundOf("functions.cases")];
const seed = oracleSeed();

function randomSql(random: SeededRandom, from: readonly string[]): string {
  return random.chance(0.3) ? randomWords(random) : mutateSql(random.pick(from), random);
}

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ leaves: 2 });
  await loadTable(cluster, wideTable(500, 1), 250);
});
afterAll(() => cluster?.stop());

test("3,000 texts become a query that can be printed and read again, or a refusal with its place", () => {
  const random = createSeededRandom(seed);
  let read = 0;
  for (let i = 0; i < 3_000; i++) {
    const sql = randomSql(random, readable);
    const startedAt = performance.now();
    try {
      const query = parseSql(sql);
      read += 1;
      const again = parseSql(printSql(query));
      expect(parseSql(printSql(again)), sql).toEqual(again);
    } catch (error) {
      if (!(error instanceof HadalError)) throw new Error(`${JSON.stringify(sql)}: ${error}`);
      expect(error.status, sql).toBe(400);
      const [part] = error.errors;
      expect(part?.line, sql).toBeGreaterThan(0);
      expect(part?.column, sql).toBeGreaterThan(0);
    }
    // A text of this length takes a millisecond: the rest is room for a busy machine.
    expect(performance.now() - startedAt, sql).toBeLessThan(1_000);
  }
  expect(read).toBeGreaterThan(150);
});

interface Asked {
  readonly sql: string;
  readonly status: number;
  readonly elapsedMs: number;
  readonly problem: Problem;
}

async function ask(sql: string): Promise<Asked> {
  const startedAt = performance.now();
  const response = await fetch(`${cluster.url}${apiBase}/query`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ sql: sql }),
    signal: AbortSignal.timeout(30_000),
  });
  const problem = (await response.json()) as Problem;
  return { sql, status: response.status, elapsedMs: performance.now() - startedAt, problem };
}

test("700 texts are answered or refused by the server, never with its own failure", async () => {
  const random = createSeededRandom(seed + 1);
  const texts = Array.from({ length: 700 }, () => randomSql(random, sound));
  const asked: Asked[] = [];
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let sql = texts.pop(); sql !== undefined; sql = texts.pop()) asked.push(await ask(sql));
    }),
  );
  const failed = asked.filter(({ status }) => status >= 500);
  expect(failed.map(({ sql, problem }) => [sql, problem.detail])).toEqual([]);
  for (const { sql, status, problem } of asked) {
    if (status === 400) expect(problem.errors?.[0]?.line, sql).toBeGreaterThan(0);
  }
  expect(asked.filter(({ status }) => status === 200).length).toBeGreaterThan(7);
  expect((await ask(sound[0] ?? "")).status).toBe(200);
});

test.each([
  ["1 MB", `SELECT count(*) FROM hits WHERE URL = '${"x".repeat(1_000_000)}'`, "too-long"],
  [
    "10,000 parentheses",
    `SELECT ${"(".repeat(10_000)}1${")".repeat(10_000)} FROM hits`,
    "too-deep",
  ],
  ["LIMIT -1", `SELECT count(*) FROM hits WHERE ${range} LIMIT -1`, "out-of-range"],
  ["a column called __proto__", `SELECT sum(__proto__) FROM hits WHERE ${range}`, "unknown-column"],
  [
    "a pattern that is none",
    `SELECT count(*) FROM hits WHERE ${range} AND URL ~ '('`,
    "invalid-pattern",
  ],
  ["a table that is none", `SELECT count(*) FROM hit WHERE ${range}`, "unknown-table"],
])("%s is refused with its place", async (_, sql, code) => {
  const { status, problem, elapsedMs } = await ask(sql);
  expect([400, 404]).toContain(status);
  expect(problem.errors?.[0]).toMatchObject({ code, line: 1, column: expect.any(Number) });
  expect(elapsedMs).toBeLessThan(1_000);
});

test("5,000 values, and a pattern that is catastrophic elsewhere, are answered", async () => {
  const values = Array.from({ length: 5_000 }, (_, i) => `'value ${i}'`).join(", ");
  expect(
    await ask(`SELECT count(*) FROM hits WHERE ${range} AND URL IN (${values})`),
  ).toMatchObject({
    status: 200,
  });
  expect(await ask(`SELECT count(*) FROM hits WHERE ${range} AND URL ~ '^(h+)+$'`)).toMatchObject({
    status: 200,
  });
});
