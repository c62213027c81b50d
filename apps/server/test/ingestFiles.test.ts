import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { Field, Int64, List, Table, tableToIPC, Utf8, vectorFromArray } from "apache-arrow";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askAll } from "./support/allTime.js";
import { type Cluster, startCluster } from "./support/startCluster.js";

/** Files of columns, sent by the command line. */

const run = promisify(execFile);
const program = fileURLToPath(new URL("../bin/hadal.js", import.meta.url));
/** 200 rows of NDJSON as `zstd -19` made them. */
const packedRows =
  "KLUv/QRoFAkAVlc0FaAbOqGkOoms/8IvpUwyJZnNiwKNFTUAKgArAHVsjXTF+ckSB+ZUWR56yBbSzrdzvaeh01cPCXiUAWEkSIA0FoSCgAyI4UBQkEAZEEMC0SCOtXE8pc3F//VmJavUl6eeuTOtaWrG1pTSb8ymUI3vU9PwPHbnN1PiDMuUNXWz30Sf8c96fk7lyfLb0W9kLpqejEQ39UpkQ1ckqkLnlpmqfHWTkXv2A7xzOf+MZtYyz61MNmWbGjs2p9EVa69KWQ2rSq8fle3iteopH6tQKbvT7QGAtaghIL3979CdAxGcEACGH7+/AQ+hlKJRSlHSrCkabRUtqZqkTj6bMlo8tbiRllRNUiefTVmzrFDSVQ2SDWFyPufZWbzd+3uNrhAgVQFNCwBW2y4JwOuEsrLJVccFKQAsACwAFceMJ14scXwMcb/++fN7+fiHL1wwTHjgwQLDwwV47VWgzm7alUsnopQhMtcx81kK81R3qfYQbW6h2UPbJdlTsaVvwq4rh5RcI5mkzBr5J4ssL4PcOAMNHY+WEZoNepu+QMvK1+IwxIt8OJxivEr4JnjEvAV8dh6p+WlmcSZnrm0OnVcv9bE/HdaXvui9c+gTrSlVd1SPrK+pZfVCalrUQdcB9VI6WPSUaBFSgLaoECDtA4AXlSQPETxb+NFiJCc9ZLYdq3f0+TrQTduWd8kc3koP8vjQesPzh08fLn/ULdxMHTd6/Kjxoefm1APN1HFjS/zhIQ3WXDY9+rD7fIdPoqQmVSxpN5KWGmkbkaZGSP2/09zJc0uzzL5cUU+JVwpASEhOEMEoOwnQQ2xFwAyCDySGmnByQ6YNCzb4q0GehjIarlsktWiXVQukpLSebEO9yQ1+XoUDe/r5QQ==";

let cluster: Cluster;
let folder: string;

beforeAll(async () => {
  cluster = await startCluster({ leaves: 2 });
  folder = await mkdtemp(join(tmpdir(), "hadal-files-"));
});

afterAll(async () => {
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function ingest(file: string, table: string, ...more: string[]): Promise<string> {
  const args = [program, "ingest", join(folder, file), "--table", table, "--url", cluster.url];
  return (await run(process.execPath, [...args, ...more])).stdout;
}

async function refusalOf(file: string, ...more: string[]): Promise<string> {
  const refusal = await ingest(file, "refused", ...more).then(
    () => ({ stderr: "it was taken" }),
    (error: unknown) => error as { stderr: string },
  );
  return refusal.stderr;
}

const samples = (table: string, columns: readonly string[]) =>
  askAll(cluster, table, { sampleView: { columns }, orderBy: [{ by: "time" }] });

test.each(["snappy", "zstd", "gzip", "uncompressed"])("Parquet packed with %s", async (codec) => {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  const path = join(folder, `${codec}.parquet`);
  await connection.run(`COPY (SELECT * FROM (VALUES
    (TIMESTAMPTZ '2026-01-01 00:00:00.123Z', 9223372036854775807::BIGINT, 9223372036854.775807::DECIMAL(38, 6), 1.25::DECIMAL(9, 2), -0.5::DOUBLE, 'ü', ['a', 'b', 'a'], true, {'login': 'ann'}, TIMESTAMP '2026-01-01 00:00:00.000001'),
    (TIMESTAMPTZ '2026-01-01 00:00:01Z', -9223372036854775808, -9223372036854.775808, -0.01, 'nan'::DOUBLE, NULL, NULL, NULL, NULL, NULL)
  ) rows(time, n, d, e, f, s, v, b, actor, t)) TO '${path}' (FORMAT parquet, COMPRESSION ${codec})`);
  connection.closeSync();
  expect(await ingest(`${codec}.parquet`, codec)).toBe("2 rows accepted, 0 rejected\n");
  const columns = ["n", "d", "e", "f", "s", "v", "b", "actor.login", "t"];
  const { rows } = await samples(codec, columns);
  const startMs = Date.UTC(2026, 0, 1);
  expect(rows).toEqual([
    [
      startMs + 123,
      2n ** 63n - 1n,
      "9223372036854.775807",
      1.25,
      -0.5,
      "ü",
      ["a", "b", "a"],
      "true",
      "ann",
      // A number where a double has every digit, else the text.
      "1767225600000.001",
    ],
    [
      startMs + 1_000,
      -(2n ** 63n),
      "-9223372036854.775808",
      -0.01,
      null,
      null,
      null,
      null,
      null,
      null,
    ],
  ]);
});

test.each(["file", "stream"] as const)("Arrow as a %s, in more bodies than one", async (kind) => {
  const count = 25_000;
  const numbers = Array.from({ length: count }, (_, i) => i);
  const table = new Table({
    at: vectorFromArray(numbers.map(BigInt), new Int64()),
    n: vectorFromArray(
      numbers.map((i) => (i % 3 === 0 ? null : 2n ** 60n + BigInt(i))),
      new Int64(),
    ),
    s: vectorFromArray(numbers.map((i) => `text ${i % 7}`)),
    v: vectorFromArray(
      numbers.map((i) => (i % 5 === 0 ? null : ["x", `y${i % 4}`])),
      new List(new Field("item", new Utf8(), true)),
    ),
  });
  await writeFile(join(folder, `${kind}.arrow`), tableToIPC(table, kind));
  expect(await ingest(`${kind}.arrow`, kind, "--time", "at", "--time-unit", "ms")).toBe(
    "25,000 rows accepted, 0 rejected\n",
  );
  const { rows } = await samples(kind, ["n", "s", "v"]);
  expect(rows).toHaveLength(count);
  for (const i of [0, 1, 9_999, 10_000, 10_001, 19_999, 20_000, 24_998, 24_999]) {
    const n = i % 3 === 0 ? null : 2n ** 60n + BigInt(i);
    expect(rows[i]).toEqual([i, n, `text ${i % 7}`, i % 5 === 0 ? null : ["x", `y${i % 4}`]]);
  }
});

test("CSV in more bodies than one is read in one way: that of its first rows", async () => {
  const bodies = 3 * 10_000;
  // Behind the first body, versions without zeros at their end would be numbers, and codes with zeros before them.
  const versionOf = (i: number) => (i === 1 ? "1.10" : i % 2 === 0 ? "1.1" : "1.9");
  const zipOf = (i: number) => (i < 10 ? `0${i}` : String(10_000 + i));
  const lines = Array.from(
    { length: bodies },
    (_, i) => `${i};${versionOf(i)};${zipOf(i)};${i % 5 === 0 ? "NA" : `${i},5`};`,
  );
  const path = join(folder, "rows.csv");
  await writeFile(
    path,
    `sep=;\r\ntime;version;zip;price;\r\n${lines.join("\r\n")}\r\n${bodies};1;1;x;`,
  );
  const args = [program, "ingest", path, "--table", "csv", "--url", cluster.url];
  args.push("--time-unit", "ms");
  const { stdout, stderr } = await run(process.execPath, args);
  expect(stdout).toBe("30,000 rows accepted, 1 rejected\n");
  expect(stderr).toContain(`line ${bodies + 3}: \`price\` is "x", which is no number`);
  expect(stderr).toContain('column zip is text: Line 3 has "00", which begins with a zero.');
  expect(stderr).toContain("column price: read as missing: NA (6,000)");
  const { columns } = await cluster.client.table("csv");
  expect(new Map(columns.map(({ name, type }) => [name, type]))).toEqual(
    new Map([
      ["time", "int"],
      ["version", "string"],
      ["zip", "string"],
      ["price", "int"],
    ]),
  );
  const { rows } = await askAll(cluster, "csv", {
    aggregates: [{ fn: "sum", column: "price" }, { fn: "count" }],
  });
  // The sum of all i less that of every fifth, and a half for each of 24,000; the count comes twice.
  const sum = (29_999 * 30_000) / 2 - (5 * 5_999 * 6_000) / 2 + 12_000;
  expect(rows).toEqual([[sum, 30_000, 30_000]]);
  const versions = await askAll(cluster, "csv", {
    groupBy: ["version"],
    aggregates: [{ fn: "count" }],
    orderBy: [{ by: "count" }],
  });
  expect(versions.rows).toEqual([
    ["1.10", 1, 1],
    ["1.9", 14_999, 14_999],
    ["1.1", 15_000, 15_000],
  ]);
});

test("flags of CSV: types, missing texts; refused with other formats", async () => {
  await writeFile(join(folder, "flags.tsv"), "at\tprice\tzip\n1\t1.999\t1\n2\t?\t2\n");
  const types = "price:decimal(2),zip:string";
  const flags = [
    "--time",
    "at",
    "--time-unit",
    "ms",
    "--types",
    types,
    "--null",
    "?",
    "--delimiter",
    "tab",
  ];
  expect(await ingest("flags.tsv", "flags", ...flags)).toBe("2 rows accepted, 0 rejected\n");
  expect((await samples("flags", ["price", "zip"])).rows).toEqual([
    [1, 1.99, "1"],
    [2, null, "2"],
  ]);
  await writeFile(join(folder, "flags.ndjson"), '{"time":1}\n');
  expect(await refusalOf("flags.ndjson", "--null", "NA")).toContain("says how CSV is read");
});

test("rows of Zstandard by the name of the file", async () => {
  await writeFile(join(folder, "rows.ndjson.zst"), Buffer.from(packedRows, "base64"));
  expect(await ingest("rows.ndjson.zst", "zst", "--time-unit", "ms")).toBe(
    "200 rows accepted, 0 rejected\n",
  );
});

test("files that are none are one line and a failure", async () => {
  for (const name of ["broken.parquet", "broken.arrow", "broken.ndjson.zst"]) {
    await writeFile(join(folder, name), "PAR1 or ARROW1, but not for long");
    const refusal = await refusalOf(name);
    expect(refusal).toMatch(/^hadal: .+\n$/);
    expect(refusal.split("\n")).toHaveLength(2);
  }
  expect(await refusalOf("none.parquet")).toMatch(/there is no such file/);
});

test("raw lines: presets, patterns, stack traces over the borders of bodies", async () => {
  const events = Array.from(
    { length: 20_000 },
    (_, i) =>
      `2026-11-21 09:00:00,${String(i % 1000).padStart(3, "0")} ERROR shop.Cart - failed ${i}\n\tat shop.Cart.take(Cart.java:${i})\n\tat shop.Main.main(Main.java:1)\n`,
  );
  await writeFile(join(folder, "app.log"), events.join(""));
  const flags = ["--format", "raw", "--pattern", "log4j", "--time-zone", "UTC"];
  expect(await ingest("app.log", "app", ...flags)).toBe("20,000 rows accepted, 0 rejected\n");
  const found = await cluster.client.query(
    "SELECT count(*), count(DISTINCT message) FROM app WHERE time >= '2026-01-01T00:00:00Z' AND time < '2027-01-01T00:00:00Z' AND message CONTAINS 'Main.java:1'",
  );
  expect(found.rows).toEqual([[20_000, 20_000, 20_000]]);
  const pattern = String.raw`^(?P<time>\S+) (?P<status>\d{3})$`;
  await writeFile(join(folder, "own.txt"), "2026-11-21T09:00:00Z 200\nbroken\n");
  expect(await ingest("own.txt", "own", "--format", "raw", "--pattern", pattern)).toBe(
    "1 row accepted, 1 rejected\n",
  );
  expect((await samples("own", ["status"])).rows).toEqual([[Date.UTC(2026, 10, 21, 9), 200]]);
  expect(await refusalOf("own.txt", "--format", "raw")).toContain("--pattern");
  expect(await refusalOf("own.txt", "--format", "csv", "--pattern", "plain")).toContain(
    "raw lines",
  );
});

test("profiles: folded stacks, and what node --cpu-prof writes", async () => {
  await writeFile(join(folder, "all.folded"), "main;render;paint 42\nmain;idle 8\n");
  expect(await ingest("all.folded", "folded", "--at", "2026-11-21T09:00:00Z")).toBe(
    "2 rows accepted, 0 rejected\n",
  );
  const folded = await cluster.client.query(
    "SELECT sum(value) FROM folded WHERE time >= '2026-11-21T09:00:00Z' AND time < '2026-11-21T09:00:01Z' AND stack CONTAINS SEQUENCE ('render', 'paint')",
  );
  expect(folded.rows).toEqual([[42]]);
  const script =
    "const end = Date.now() + 300; function spin() { while (Date.now() < end); } spin();";
  const flags = ["--cpu-prof", "--cpu-prof-dir", folder, "--cpu-prof-name", "node.cpuprofile"];
  await run(process.execPath, [...flags, "--eval", script]);
  expect(await ingest("node.cpuprofile", "profile")).toMatch(/ accepted, 0 rejected/);
  const spun = await cluster.client.query(
    "SELECT sum(value) FROM profile WHERE time >= now() - INTERVAL '1 hour' AND time < now() + INTERVAL '1 hour' AND stack INCLUDES ANY ('spin ([eval]:1)', 'spin ([eval]-wrapper:1)', 'spin (evalmachine.<anonymous>:1)')",
  );
  expect(Number(spun.rows[0]?.[0])).toBeGreaterThan(150_000);
});
