import { DuckDBInstance } from "@duckdb/node-api";
import { HadalError, type Result } from "@hadal/sdk";
import { parseSql } from "@hadal/sdk/sql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendLines } from "../support/allTime.js";
import { type Cluster, startCluster } from "../support/startCluster.js";
import { sqlString } from "./duckdb/duckdbTable.js";
import { type ExpressionType, type TwoSqls, twoSqls } from "./random/twoSqls.js";
import { oracleSeed, queriesPerTable, testMsFor } from "./seed/seed.js";
import { createSeededRandom, type SeededRandom } from "./seed/seededRandom.js";

const seed = oracleSeed();
const rowCount = 160;
const expressionCount = queriesPerTable(160);
const testMsMax = testMsFor(120_000, 160, expressionCount);

type Value = bigint | string | null;
type Row = Readonly<Record<"time" | "n" | "small" | "sign" | "huge" | "word" | "note", Value>>;
const columns = ["time", "n", "small", "sign", "huge", "word", "note"] as const;

const huge = [
  2n ** 63n - 1n,
  -(2n ** 63n),
  2n ** 62n,
  -(2n ** 62n),
  3_037_000_500n,
  2n ** 53n + 1n,
];
const words = ["", "checkout", "Émile", "e", " a  b ", "😀 e😀", "Ω mega", "ab12", "cc", "É"];

function randomRows(random: SeededRandom): readonly Row[] {
  return Array.from({ length: rowCount }, (_, i) => ({
    // From leap days to ends of years.
    time: BigInt(Date.UTC(2019, 11, 28 + i * 11, i % 24, (i * 7) % 60, i % 60)),
    n: BigInt(i),
    small: random.chance(0.15) ? null : BigInt(random.int(-40, 40)),
    sign: random.chance(0.1) ? null : BigInt(random.int(-1, 1)),
    huge: random.chance(0.9) ? BigInt(random.int(-9, 9)) * 10n ** 12n : random.pick(huge),
    word: random.chance(0.15) ? null : random.pick(words),
    note: random.chance(0.1) ? null : `${random.pick(words)}${random.int(0, 99)} e${i}`,
  }));
}

const rows = randomRows(createSeededRandom(seed));
const cellOf = (value: Value): string =>
  value === null ? "NULL" : typeof value === "bigint" ? String(value) : sqlString(value);
const jsonOf = (value: Value): string =>
  typeof value === "string" ? JSON.stringify(value) : String(value);

let cluster: Cluster;
let ask: (sql: string) => Promise<Value[] | "overflow">;
let close: () => void;
beforeAll(async () => {
  cluster = await startCluster({ leaves: 2, environment: { HADAL_SEAL_AFTER: "1" } });
  const lines = rows.map(
    (row) => `{${columns.map((name) => `"${name}":${jsonOf(row[name])}`).join(",")}}`,
  );
  // Several batches, so that both leaves have some.
  for (let i = 0; i < rowCount; i += 10) await sendLines(cluster, "t", lines.slice(i, i + 10));
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  // It would turn `c > 1 + huge` into `c - 1 > huge`, which overflows elsewhere.
  await connection.run("SET disabled_optimizers = 'expression_rewriter'");
  const types = columns.map((name) => `${name} ${typeOf(name)}`);
  await connection.run(`CREATE TABLE t (${types.join(", ")})`);
  const values = rows.map((row) => `(${columns.map((name) => cellOf(row[name])).join(", ")})`);
  await connection.run(`INSERT INTO t VALUES ${values.join(", ")}`);
  ask = async (sql) => {
    try {
      const reader = await connection.runAndReadAll(`SELECT ${sql} FROM t ORDER BY n`);
      return reader.getRows().map(([value]) => plain(value));
    } catch (error) {
      if (/out of range|overflow/i.test(String(error))) return "overflow";
      throw new Error(`${String(error)}\n${sql}`);
    }
  };
  close = () => {
    connection.closeSync();
    instance.closeSync();
  };
}, 120_000);
afterAll(async () => {
  close?.();
  await cluster?.stop();
});

function typeOf(name: (typeof columns)[number]): string {
  return name === "word" || name === "note" ? "VARCHAR" : "BIGINT";
}

function plain(value: unknown): Value {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean" || typeof value === "string") return String(value);
  return BigInt(value as number | bigint);
}

const range = "time >= '2019-01-01T00:00:00Z' AND time < '2030-01-01T00:00:00Z'";

/** Of each expression by the row's number; in two ways: row by row on the leaf's main thread, and by code that a scan runs. */
async function askHadal(
  expressions: readonly string[],
  grouped: boolean,
): Promise<readonly Value[][] | "overflow"> {
  const names = expressions.map((_, i) => `v${i}`);
  const items = expressions.map((expression, i) => `${expression} AS v${i}`).join(", ");
  const sql = grouped
    ? `SELECT n, ${items}, count(*) FROM t WHERE ${range} GROUP BY n, ${names.join(", ")}`
    : `SELECT n, ${items} FROM t WHERE ${range} LIMIT 1000`;
  try {
    const query = { ...parseSql(sql), exact: true, timeoutMs: 20_000 };
    const result = await cluster.client.query(query);
    return names.map((name) => inOrder(result, name));
  } catch (error) {
    if (error instanceof HadalError && error.code === "value-overflow") return "overflow";
    throw new Error(`${String(error)}\n${sql}`);
  }
}

function inOrder({ columns: found, rows: cells }: Result, name: string): Value[] {
  const n = found.findIndex((column) => column.name === "n");
  const v = found.findIndex((column) => column.name === name);
  const values = new Array<Value>(cells.length);
  for (const row of cells) values[Number(row[n])] = plain(row[v]);
  return values;
}

/** Which arguments are computed at all, where others decide, is each engine's own. */
const isLazy = ({ hadal }: TwoSqls): boolean =>
  /CASE|if\(|coalesce| AND | OR | IN | IS /.test(hadal);

/** What differs of expressions that DuckDB can compute for all rows. */
async function differences(
  asked: readonly { readonly two: TwoSqls; readonly expected: readonly Value[] }[],
): Promise<string[]> {
  const failures: string[] = [];
  for (const grouped of [false, true]) {
    const found = await askHadal(
      asked.map(({ two }) => two.hadal),
      grouped,
    );
    if (found === "overflow") {
      if (asked.length > 1) {
        for (const one of asked) failures.push(...(await differences([one])));
        return failures;
      }
      if (asked.some(({ two }) => !isLazy(two))) {
        failures.push(`${asked[0]?.two.hadal}: overflow here, not in DuckDB`);
      }
      continue;
    }
    asked.forEach(({ two, expected }, k) => {
      const values = found[k] ?? [];
      const at = expected.findIndex((value, i) => value !== values[i]);
      if (values.length === expected.length && at < 0) return;
      const row = columns.map((name) => `${name} = ${jsonOf(rows[at]?.[name] ?? null)}`);
      failures.push(
        `${two.hadal}\nrow ${row.join(", ")}: ${String(values[at])}, in DuckDB ${String(expected[at])}`,
      );
    });
  }
  return failures;
}

const atOnce = 8;

test(
  `${expressionCount} expressions of SQL give what they give in DuckDB`,
  async () => {
    const failures: string[] = [];
    const asked: { two: TwoSqls; expected: Value[] }[] = [];
    const flush = async (): Promise<void> => {
      if (asked.length > 0) failures.push(...(await differences(asked.splice(0))));
    };
    let overflown = 0;
    for (let i = 0; i < expressionCount && failures.length < 5; i++) {
      const random = createSeededRandom(seed * 7_000 + i);
      const type = random.pick<ExpressionType>(["int", "int", "text", "truth"]);
      const found = twoSqls(type, random.pick([1, 2, 2, 3]), random);
      const two = type === "truth" ? asText(found) : found;
      const expected = await ask(two.duckdb);
      if (expected !== "overflow") asked.push({ two, expected });
      else {
        overflown++;
        if (!isLazy(two) && (await askHadal([two.hadal], true)) !== "overflow") {
          failures.push(`${two.hadal}: overflow in DuckDB, not here`);
        }
      }
      if (asked.length === atOnce) await flush();
    }
    await flush();
    if (failures.length > 0) expect.fail(`HADAL_TEST_SEED=${seed}\n${failures.join("\n\n")}`);
    // Else most of them would say nothing of values.
    expect(overflown).toBeLessThan(expressionCount / 4);
  },
  testMsMax,
);

/** Conditions are the texts of their truth. */
const asText = ({ hadal, duckdb }: TwoSqls): TwoSqls => ({
  hadal: hadal.startsWith("(") ? hadal : `(${hadal})`,
  duckdb: `CAST(${duckdb} AS VARCHAR)`,
});
