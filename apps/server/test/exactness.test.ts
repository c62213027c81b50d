import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Query, type Result, routes } from "@hadal/sdk";
import {
  Decimal,
  Int64,
  makeData,
  Table,
  tableFromIPC,
  tableToIPC,
  Vector,
  vectorFromArray,
} from "apache-arrow";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, startCluster } from "./support/startCluster.js";

/** int64 end to end: what is sent, in whatever format, is what comes back, in whatever format. */

const run = promisify(execFile);
const program = fileURLToPath(new URL("../bin/hadal.js", import.meta.url));

/** The ends of int64, the ends of what a double counts, and what is beside them. */
const integers = [
  -(2n ** 63n),
  -(2n ** 63n) + 1n,
  -(2n ** 53n) - 1n,
  -(2n ** 53n),
  -1n,
  0n,
  2n ** 53n - 1n,
  2n ** 53n + 1n,
  2n ** 63n - 2n,
  2n ** 63n - 1n,
];
const decimals = [
  "-9223372036854.775808",
  "-0.000001",
  "0.5",
  "9007199254.740993",
  "9223372036854.775807",
];
const sent = integers.map((n, i) => [String(n), decimals[i % decimals.length]!] as const);
const objects = sent.map(([n, d], i) => `{"time":${1000 + i},"n":${n},"d":${d}}`);

/** The same rows column by column, the decimals as 128 bits of millionths. */
function arrowBody(): Uint8Array {
  const words = sent.flatMap(([, d]) => {
    const [whole, fraction = ""] = d.replace("-", "").split(".");
    const scaled = BigInt(whole! + fraction.padEnd(6, "0")) * (d.startsWith("-") ? -1n : 1n);
    return [BigInt.asIntN(64, scaled), scaled >> 64n];
  });
  const data = new Uint32Array(new BigInt64Array(words).buffer);
  const length = sent.length;
  const table = new Table({
    time: vectorFromArray(
      sent.map((_, i) => BigInt(1000 + i)),
      new Int64(),
    ),
    n: vectorFromArray(integers, new Int64()),
    d: new Vector([makeData({ type: new Decimal(6, 38, 128), length, nullCount: 0, data })]),
  });
  return tableToIPC(table, "stream");
}

const bodies: readonly (readonly [
  table: string,
  contentType: string,
  body: string | Uint8Array,
])[] = [
  ["ndjson", "application/x-ndjson", `${objects.join("\n")}\n`],
  ["json", "application/json", `[${objects.join(",")}]`],
  ["arrow", "application/vnd.apache.arrow.stream", arrowBody()],
  ["csv", "text/csv", `time,n,d\n${sent.map(([n, d], i) => `${1000 + i},${n},${d}\n`).join("")}`],
];
const tables = bodies.map(([table]) => table);

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster({ leaves: 2 });
  for (const [table, contentType, body] of bodies) {
    const reply = await cluster.client.ingestBody(table, body, { contentType, timeUnit: "ms" });
    expect(reply).toMatchObject({ accepted: sent.length, rejected: 0 });
  }
});

afterAll(() => cluster.stop());

const samples = (table: string): Query => ({
  table,
  from: 0,
  to: 10_000,
  sampleView: { columns: ["n", "d"] },
  orderBy: [{ by: "time" }],
});

const ends = (table: string): Query => ({
  table,
  from: 0,
  to: 10_000,
  aggregates: [
    { fn: "min", column: "n" },
    { fn: "max", column: "n" },
    { fn: "sum", column: "n" },
    { fn: "min", column: "d" },
    { fn: "max", column: "d" },
    { fn: "sum", column: "d" },
  ],
});
/** Sums of the whole numbers and of the millionths, by BigInt. */
const wholeSum = String(integers.reduce((sum, n) => sum + n));
const expectedEnds = [
  "-9223372036854775808",
  "9223372036854775807",
  wholeSum,
  "-9223372036854.775808",
  "9223372036854.775807",
  "18014398510.481982",
];

/** The cells of the rows as the texts that a person reads. */
const textsOf = (rows: readonly (readonly unknown[])[]): string[][] =>
  rows.map((row) => row.filter((_, i) => i >= row.length - 6).map(String));

async function post(query: Query, accept: string): Promise<string> {
  const body = JSON.stringify({ query });
  const reply = await fetch(cluster.url + routes.query(), {
    method: "POST",
    headers: { accept },
    body,
  });
  expect(reply.status).toBe(200);
  return reply.text();
}

async function commandLine(query: Query, format: string): Promise<Buffer> {
  const args = [program, "query", JSON.stringify(query), "--format", format, "--url", cluster.url];
  const { stdout } = await run(process.execPath, args, { encoding: "buffer" });
  return stdout;
}

const csvCells = (text: string): string[][] =>
  text
    .trimEnd()
    .split(/\r?\n/)
    .slice(1)
    .filter((line) => !line.startsWith("#"))
    .map((line) => line.split(","));

const ndjsonCells = (text: string): unknown[][] =>
  text
    .trimEnd()
    .split("\n")
    .slice(0, -1)
    .map((line) => Object.values(JSON.parse(line)));

function arrowCells(bytes: Uint8Array): unknown[][] {
  const table = tableFromIPC(bytes);
  return Array.from({ length: table.numRows }, (_, row) =>
    table.schema.fields.map((field, i) => {
      const value: unknown = table.getChildAt(i)!.get(row);
      return String(field.type).startsWith("Decimal") ? pointed(value as Uint32Array) : value;
    }),
  );
}

/** 128 bits of millionths with the point back in place, without zeros at the end. */
function pointed(words: Uint32Array): string {
  const [low, high] = new BigInt64Array(words.slice().buffer);
  const scaled = (high! << 64n) + BigInt.asUintN(64, low!);
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(7, "0");
  const text = `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, "");
  return scaled < 0n ? `-${text}` : text;
}

const formats: readonly (readonly [string, (query: Query) => Promise<unknown[][]>])[] = [
  ["the SDK", async (query) => (await cluster.client.query(query)).rows as unknown[][]],
  [
    "JSON",
    async (query) =>
      (JSON.parse(await post(query, "application/json")) as Result).rows as unknown[][],
  ],
  ["NDJSON", async (query) => ndjsonCells(await post(query, "application/x-ndjson"))],
  ["CSV", async (query) => csvCells(await post(query, "text/csv"))],
  ["Arrow", async (query) => arrowCells(await cluster.client.queryArrow(query))],
  [
    "json of the command line",
    async (query) => JSON.parse(String(await commandLine(query, "json"))).rows,
  ],
  [
    "ndjson of the command line",
    async (query) => ndjsonCells(String(await commandLine(query, "ndjson"))),
  ],
  ["csv of the command line", async (query) => csvCells(String(await commandLine(query, "csv")))],
  ["arrow of the command line", async (query) => arrowCells(await commandLine(query, "arrow"))],
  [
    "table of the command line",
    async (query) =>
      String(await commandLine(query, "table"))
        .trimEnd()
        .split("\n")
        .slice(2)
        .map((line) => line.trim().split(/\s{2,}/)),
  ],
];

describe.each(formats)("%s", (_name, ask) => {
  test.each(tables)("holds rows sent as %s to the last digit", async (table) => {
    const rows = textsOf(await ask(samples(table)));
    expect(rows.map((row) => row.slice(-2))).toEqual(sent);
  });

  test("holds sums and extremes to the last digit", async () => {
    expect(textsOf(await ask(ends("ndjson")))).toEqual([expectedEnds]);
  });
});

test("large integers are BigInt in the SDK, and find their rows again", async () => {
  for (const n of integers) {
    const filter = [{ column: "n", op: "=", value: n }] as const;
    const { rows } = await cluster.client.query({ ...samples("json"), filter });
    const expected = Number.isSafeInteger(Number(n)) ? Number(n) : n;
    expect(rows.map((row) => row.at(-2))).toEqual([expected]);
  }
});

test("an answer as Arrow, sent as rows, is the same table again", async () => {
  const bytes = await cluster.client.queryArrow(samples("arrow"));
  const contentType = "application/vnd.apache.arrow.stream";
  expect(await cluster.client.ingestBody("again", bytes, { contentType })).toMatchObject({
    accepted: sent.length,
    rejected: 0,
  });
  const first = await cluster.client.query(samples("arrow"));
  const again = await cluster.client.query(samples("again"));
  expect([again.columns, again.rows]).toEqual([first.columns, first.rows]);
});

test("groups keep int64 apart that are one double", async () => {
  const groups: Query = {
    ...ends("csv"),
    groupBy: ["n"],
    aggregates: [{ fn: "count" }],
    orderBy: [{ by: "n" }],
  };
  for (const [, ask] of formats) {
    const keys = (await ask(groups)).map((row) => String(row[0]));
    expect(keys).toEqual(integers.map(String));
  }
});

test("buckets of integers that are one double are apart", async () => {
  const ask = (query: Partial<Query>) =>
    cluster.client.query({ ...ends("csv"), aggregates: [{ fn: "count" }], ...query });
  const edges = [2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n].map(String);
  const bounded = await ask({ groupBy: [{ bucket: "n", edges }] });
  const found = bounded.rows.map(([bound, count]) => [String(bound), count]);
  const below = integers.filter((n) => n < 2n ** 53n).length;
  expect(new Map(found as [string, unknown][])).toEqual(
    new Map([
      [String(-(2n ** 63n)), below],
      [String(2n ** 53n + 1n), 2],
      [String(2n ** 63n - 1n), 1],
    ]),
  );
  const steps = await ask({ groupBy: [{ bucket: "n", width: String(2n ** 62n) }] });
  expect(steps.rows.map(([bound]) => BigInt(bound as number)).sort()).toEqual(
    [...new Set(integers.map((n) => (n >> 62n) << 62n))].sort(),
  );
  await expect(ask({ groupBy: [{ bucket: "n", edges: [1e18] }] })).rejects.toMatchObject({
    errors: [{ path: "groupBy[0].edges[0]", detail: expect.stringContaining("decimal string") }],
  });
});

test("a quotient is whole where both sides are, and else has a fraction, as PostgreSQL's", async () => {
  const row = `{"time":1,"n":-7,"price":2.5,"big":${2n ** 63n - 1n}}`;
  await cluster.client.ingestBody("quotients", row, {
    contentType: "application/json",
    timeUnit: "ms",
  });
  const quotients: readonly (readonly [string, string | null])[] = [
    ["n / 2", "-3"],
    ["n / 2.0", "-3.5"],
    ["1.0 * n / 2", "-3.5"],
    ["n / 3.", "-2.333333"],
    ["n * 100.0 / 8", "-87.5"],
    ["price / 3", "0.833333"],
    ["1 / price", "0.4"],
    ["n / 0.0", null],
    ["n / 1000.00", "-0.007"],
    ["CAST(n / 2.0 AS bigint)", "-4"],
    ["n / 0.123456789012345678", "-56.700000"],
    // Beyond 64 bits on the way, not at the end.
    ["big / 10000000.0", "922337203685.477580"],
  ];
  const list = quotients.map(([sql], i) => `${sql} AS q${i}`).join(", ");
  const { rows } = await cluster.client.query(
    `SELECT ${list} FROM quotients WHERE time >= 0 AND time < 9 TIME ZONE 'UTC'`,
  );
  const shown = quotients.map(([, text]) =>
    text?.includes(".") === true ? text.replace(/0+$/, "") : String(text),
  );
  expect(rows[0]!.slice(-quotients.length).map(String)).toEqual(shown);
});

test("a sum beyond int64 is a problem in every format, never a rounded number", async () => {
  const row = `{"time":1,"n":${2n ** 63n - 1n}}\n`;
  await cluster.client.ingestBody("full", row + row, {
    contentType: "application/x-ndjson",
    timeUnit: "ms",
  });
  const query: Query = { ...ends("full"), aggregates: [{ fn: "sum", column: "n" }] };
  const refusal = { code: "sum-overflow" };
  await expect(cluster.client.query(query)).rejects.toMatchObject(refusal);
  await expect(cluster.client.queryArrow(query)).rejects.toMatchObject(refusal);
  for (const accept of ["application/json", "text/csv", "application/x-ndjson"]) {
    const reply = await fetch(cluster.url + routes.query(), {
      method: "POST",
      headers: { accept },
      body: JSON.stringify({ query }),
    });
    expect([reply.status, await reply.json()]).toMatchObject([422, refusal]);
  }
  await expect(commandLine(query, "csv")).rejects.toMatchObject({ code: 1 });
});
