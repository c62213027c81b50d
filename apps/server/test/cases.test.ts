import { apiBase, type Problem, type Result } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Case, readCases } from "./cases/readCases.js";
import { wideTable, wideTableRange } from "./cases/wideTable.js";
import { type DuckDBTable, loadDuckDB } from "./oracle/duckdb/duckdbTable.js";
import { loadTable } from "./support/loadTable.js";
import { type Cluster, startCluster } from "./support/startCluster.js";

const table = wideTable(20_000, 43);
const { fromMs, toMs } = wideTableRange;
const range = `time >= ${fromMs} AND time < ${toMs}`;
const casesOf = (file: string): readonly Case[] =>
  readCases(new URL(`./cases/${file}`, import.meta.url), {
    range,
    from: String(fromMs),
    to: String(toMs),
  });
const cases = casesOf("wideTable.cases");

let cluster: Cluster;
let duckdb: DuckDBTable;

beforeAll(async () => {
  cluster = await startCluster({ leaves: 2 });
  await loadTable(cluster, table, 3_000);
  duckdb = await loadDuckDB(table);
  const columns = table.columns.map(({ name }) => `${duckdb.column(name)} AS "${name}"`);
  await duckdb.connection.run(
    `CREATE VIEW hits AS SELECT ${["time", ...columns].join(", ")} FROM t`,
  );
  await duckdb.connection.run("SET default_null_order = 'postgres'");
});

afterAll(async () => {
  duckdb?.close();
  await cluster?.stop();
});

async function ask(sql: string): Promise<Result & Problem> {
  const response = await fetch(`${cluster.url}${apiBase}/query`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ sql }),
  });
  return (await response.json()) as Result & Problem;
}

/** Cells as texts, in the order of DuckDB's columns: Hadal puts groups first, and the raw count beside every count. */
function cellsOf(result: Result, names: readonly string[]): string[][] {
  const indexes = names.map((name) => {
    const index = result.columns.findIndex((column) => column.name === name);
    if (index < 0) throw new Error(`no column ${name}: ${result.columns.map((c) => c.name)}`);
    return index;
  });
  return result.rows.map((row) => indexes.map((index) => printCell(row[index])));
}

/** Averages agree to as many digits as both engines add up exactly; all else to the last. */
function printCell(value: unknown): string {
  if (typeof value === "number") {
    return String(Number.isInteger(value) ? value : Number(value.toPrecision(12)));
  }
  if (value === null || value === undefined) return "(missing)";
  // DuckDB's lists have their elements within.
  const list = typeof value === "object" && "items" in value ? value.items : value;
  return String(list);
}

async function answerByDuckDB(
  sql: string,
): Promise<{ names: readonly string[]; rows: string[][] }> {
  const reader = await duckdb.connection.runAndReadAll(sql);
  const types = reader.columnTypes().map(String);
  const rows = reader.getRows().map((row) =>
    row.map((value, i) => {
      if (value === null) return printCell(value);
      const isNumber = types[i] === "DOUBLE" || types[i]?.startsWith("DECIMAL");
      return printCell(isNumber ? Number(String(value)) : value);
    }),
  );
  return { names: reader.columnNames(), rows };
}

async function check({ sql, expected }: Case): Promise<void> {
  if (expected.kind === "refused") {
    const answer = await ask(sql);
    expect(answer).toMatchObject({ status: 400, code: expected.code });
    expect(answer.detail).toContain(expected.says);
    expect(answer.errors?.[0]).toMatchObject({
      line: expect.any(Number),
      column: expect.any(Number),
    });
    return;
  }
  // Two seconds are little where a sandbox starts on a machine that has much else to do.
  // Where many groups tie, exactly the first are asked for.
  const answer = await ask(`${sql}\nWITH (timeout = '20 s', exact)`);
  expect(answer.detail).toBeUndefined();
  expect(answer.completeness.fraction).toBe(1);
  const { names, rows } = await answerByDuckDB(expected.duckdbSql);
  if (!/LIMIT 0/.test(sql)) expect(rows.length).toBeGreaterThan(0);
  expect(cellsOf(answer, names)).toEqual(rows);
  // Nothing beside what was asked for, but the raw counts.
  const own = answer.columns.map(({ name }) => name).filter((name) => !name.endsWith(".raw"));
  expect(own.sort()).toEqual(names.toSorted());
}

describe("43 questions of one wide table", () => {
  test.each(cases)("$name", check);

  test("are all there, and all are answered", () => {
    expect(cases).toHaveLength(43);
    expect(cases.filter(({ expected }) => expected.kind === "refused")).toEqual([]);
  });
});

describe("SQL that people write", () => {
  test.each(casesOf("sqlForms.cases"))("$name", check);
});

describe("saved functions over rows", () => {
  test.each(casesOf("functions.cases"))("$name", check);
});
